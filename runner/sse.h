/*
 * Answers that come as a stream of events (SSE), put together again: nobody
 * asks for one, but some servers send them all the same.
 */
#ifndef RUNNER_SSE_H
#define RUNNER_SSE_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

#define SSE_PIECES_MAX 64

/* A part of the answer that grows: a text, or a call's arguments. */
struct sse_piece {
    int64_t index;       /* the service's number for it */
    struct cJSON *block; /* owned; what was said of it at its beginning */
    struct buf text;     /* what grew since */
};

struct sse {
    struct cJSON *head;  /* owned; what is said of the whole; NULL: nothing */
    struct cJSON *whole; /* owned; an answer that came in one piece, or NULL */
    struct cJSON *usage; /* owned; the latest */
    struct buf text;
    char finish[48];
    struct sse_piece pieces[SSE_PIECES_MAX];
    size_t count;
    bool ended; /* the service said that this was all */
};

void sse_init(struct sse *stream);
void sse_release(struct sse *stream);

/* The piece of that number, which is begun if need be; NULL: too many. */
struct sse_piece *sse_piece(struct sse *stream, int64_t index);

/* Put a copy in the place of what is there. */
void sse_set(struct cJSON **place, const struct cJSON *value);

/* Move the usage, if there is any, into the answer. */
void sse_give_usage(struct sse *stream, struct cJSON *answer, const char *key);

struct api;

/*
 * Read a whole text/event-stream into one answer, which the caller frees.
 * Fails with ERR_PROTOCOL for one that is broken, ERR_CLOSED for one that
 * ends in the middle, ERR_UNREACHABLE for one that says that the service
 * failed.
 */
MUST_USE bool sse_read(const struct api *api, const char *text, size_t length,
                       struct cJSON **answer, struct err *err);

#endif
