/* Screenshots until they are fetched, each once; the newest few are kept. */
#ifndef TOOLS_SERVE_SCREENSHOT_STORE_H
#define TOOLS_SERVE_SCREENSHOT_STORE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

#define SCREENSHOT_STORE_MAX 8

struct screenshot_store {
    pthread_mutex_t lock;
    uint64_t last;
    struct {
        uint64_t number; /* 0: none */
        struct buf png;
    } items[SCREENSHOT_STORE_MAX];
};

void screenshot_store_init(struct screenshot_store *store);
void screenshot_store_release(struct screenshot_store *store);

/* Keep a picture, which is taken over, under a new number. From any thread. */
uint64_t screenshot_store_add(struct screenshot_store *store, struct buf *png);

/* Move a picture out; false: there is none with this number. */
bool screenshot_store_take(struct screenshot_store *store, uint64_t number,
                           struct buf *png);

#endif
