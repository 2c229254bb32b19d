/*
 * The sync service as the agent uses it: files that it reads or writes, and the
 * content of those that hold a screenshot or a tree.
 */
#ifndef RUNNER_CLASSIFY_DOOR_SYNC_H
#define RUNNER_CLASSIFY_DOOR_SYNC_H

#include "adb/sync/compression.h"
#include "adb/sync/sync_wire.h"
#include "runner/classify/door_output.h"

struct door_context;

/* Requests whose replies are to come; more of them cannot be followed. */
#define DOOR_REPLIES_MAX 256

struct door_reply {
    enum sync_id request;
    uint32_t flags;                /* of RCV2 */
    struct door_expected expected; /* capture 0: it is not wanted */
};

struct door_sync {
    /* The client's side. */
    struct buf request;  /* a header, and what belongs to it */
    size_t skip;         /* bytes of content that are left */
    bool has_arguments;  /* SND2, RCV2: their second part follows */
    enum sync_id second; /* which of them */
    struct door_expected wanted;

    /* The phone's side. */
    struct door_reply replies[DOOR_REPLIES_MAX];
    size_t first;
    size_t count;
    bool lost;          /* the bytes make no sense: nothing more is read */
    struct buf header;  /* of a reply */
    size_t body;        /* bytes of it that are left */
    bool takes_body;    /* they belong to the capture */
    bool ends;          /* the reply ends with them */
    struct buf content; /* of the capture */
    struct compression *decoder; /* owned; NULL: not compressed */
};

void door_sync_init(struct door_sync *sync);
void door_sync_release(struct door_sync *sync);

void door_sync_input(struct door_sync *sync, const char *data, size_t length,
                     struct door_context *context);
void door_sync_output(struct door_sync *sync, const char *data, size_t length,
                      struct door_captures *captures);

#endif
