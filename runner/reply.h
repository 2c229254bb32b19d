/*
 * Which part of a model's reply is the action.
 *
 * Thoughts are struck out first: what a model quotes there is not what it
 * does. What is left is looked at in this order: all of it, if it is data;
 * the text within an answer's tags; what follows "Action:"; anything.
 */
#ifndef RUNNER_REPLY_H
#define RUNNER_REPLY_H

#include "base/buf.h"
#include "runner/reader.h"

/* Only so much of a reply's end is looked at. */
#define REPLY_MAX ((size_t)128 * 1024)
#define REPLY_PARTS_MAX 8

enum reply_place {
    REPLY_DATA,   /* the whole reply is JSON or the like */
    REPLY_TAG,    /* within tags that hold an action */
    REPLY_MARKER, /* after "Action:" */
    REPLY_BARE,   /* somewhere in the text */
};

struct reply_part {
    enum reply_place place;
    const char *name; /* of the tag or marker; static */
    bool closed;      /* something stands behind it: it was not cut off */
    struct span text;
};

struct reply {
    struct buf body; /* the reply without its thoughts */
    bool thought;    /* there were some */
    struct reply_part parts[REPLY_PARTS_MAX]; /* the best first */
    size_t count;
};

void reply_init(struct reply *reply, struct span text);
void reply_release(struct reply *reply);

#endif
