/*
 * Replies as a stream of server-sent events (SSE), merged into one. proctor
 * does not request streams, but some servers always send them.
 */
#ifndef RUNNER_MODELS_SSE_H
#define RUNNER_MODELS_SSE_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

#define SSE_PIECES_MAX 64

/* A part of the reply that grows: a text, or the arguments of a call. */
struct sse_piece {
    int64_t index;       /* its number in the stream */
    struct cJSON *block; /* owned; its first event */
    struct buf text;     /* the text added since */
};

struct sse {
    struct cJSON *head;  /* owned; members of the whole reply; NULL: none */
    struct cJSON *whole; /* owned; a reply in a single event; NULL: none */
    struct cJSON *usage; /* owned; the last usage */
    struct buf text;
    char finish[48];
    struct sse_piece pieces[SSE_PIECES_MAX];
    size_t count;
    bool ended; /* the stream has its end event */
};

void sse_init(struct sse *stream);
void sse_release(struct sse *stream);

/*
 * The piece with that number, which is added if it is missing; NULL: too many.
 */
struct sse_piece *sse_piece(struct sse *stream, int64_t index);

/* Replace a value by a copy. */
void sse_set(struct cJSON **place, const struct cJSON *value);

/* Move the usage, if any, into the reply. */
void sse_give_usage(struct sse *stream, struct cJSON *answer, const char *key);

struct api;

/*
 * Merge a whole text/event-stream into one reply, which the caller frees. Fails
 * with ERR_PROTOCOL for a damaged stream, ERR_CLOSED for a truncated one,
 * ERR_UNREACHABLE for one with an error event.
 */
MUST_USE bool sse_read(const struct api *api, const char *text, size_t length,
                       struct cJSON **answer, struct err *err);

#endif
