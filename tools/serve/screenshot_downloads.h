/* Screenshots until they are fetched, each once; the newest few are kept. */
#ifndef TOOLS_SERVE_SCREENSHOT_DOWNLOADS_H
#define TOOLS_SERVE_SCREENSHOT_DOWNLOADS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

#define SCREENSHOT_STORE_MAX 8

struct screenshot_downloads {
    pthread_mutex_t lock;
    uint64_t last;
    struct {
        uint64_t number; /* 0: none */
        struct buf png;
    } items[SCREENSHOT_STORE_MAX];
};

void screenshot_downloads_init(struct screenshot_downloads *store);
void screenshot_downloads_release(struct screenshot_downloads *store);

/* Keep a picture, which is taken over, under a new number. From any thread. */
uint64_t screenshot_downloads_add(struct screenshot_downloads *store,
                                  struct buf *png);

/* Move a picture out; false: there is none with this number. */
bool screenshot_downloads_take(struct screenshot_downloads *store,
                               uint64_t number, struct buf *png);

#endif
