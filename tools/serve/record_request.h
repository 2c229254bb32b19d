/*
 * The part of a message that is about a recording (docs/serve.md): which one,
 * which step, what is changed. Checked and bounded; pure.
 */
#ifndef TOOLS_SERVE_RECORD_REQUEST_H
#define TOOLS_SERVE_RECORD_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/json.h"
#include "base/picture/box.h"
#include "runner/recording/recording.h"

/* The members that a message may have. */
enum {
    RECORD_HAS_RECORDING = 1 << 0,
    RECORD_HAS_STEP = 1 << 1,
    RECORD_MAY_HAVE_STEP = 1 << 2, /* -1: the screen of now */
    RECORD_HAS_ON = 1 << 3,
    RECORD_HAS_POINT = 1 << 4,
    RECORD_HAS_NOTE = 1 << 5,
    RECORD_HAS_NAME = 1 << 6,
    RECORD_HAS_RANGE = 1 << 7,
    RECORD_HAS_BOX = 1 << 8,
    RECORD_HAS_FORM = 1 << 9,
    RECORD_MAY_BE_IN_HAND = 1 << 10,
};

#define RECORD_FORM_MAX ((size_t)256 << 10)

struct record_request {
    char recording[RECORDING_NAME_MAX];
    char name[RECORDING_NAME_MAX]; /* a new one */
    int step;
    bool on;
    bool in_hand;   /* the steps are done on the phone itself */
    int x, y;       /* in pixels of the phone */
    int from, to;   /* steps */
    struct box box; /* not empty */
    char *text;     /* owned; a note, or a form as JSON; NULL: none */
};

/*
 * Read the members; the caller releases the request, also after a failure.
 * Fails with ERR_INVALID or ERR_LIMIT and what to do.
 */
MUST_USE bool record_request_read(const struct json *json, unsigned has,
                                  struct record_request *request,
                                  struct err *err);
void record_request_release(struct record_request *request);

#endif
