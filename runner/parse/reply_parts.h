/*
 * Finds the part of a model's reply that is the action.
 *
 * Thoughts are removed first: an action quoted there is not meant. The rest is
 * searched in this order: all of it, if it is data; the text in answer tags;
 * the text after "Action:"; anything.
 */
#ifndef RUNNER_PARSE_REPLY_PARTS_H
#define RUNNER_PARSE_REPLY_PARTS_H

#include "base/buf.h"
#include "runner/parse/loose_value.h"

/* Only the end of a longer reply is parsed. */
#define REPLY_MAX ((size_t)128 * 1024)
#define REPLY_PARTS_MAX 10

enum reply_part_kind {
    REPLY_DATA,   /* the whole reply is JSON or similar */
    REPLY_TAG,    /* in tags for an action */
    REPLY_MARKER, /* after "Action:" */
    REPLY_BARE,   /* somewhere in the text */
};

struct reply_part {
    enum reply_part_kind place;
    const char *name; /* of the tag or marker; static */
    bool closed;      /* something follows it, so it is not truncated */
    struct text_span text;
};

struct reply_parts {
    struct buf body; /* the reply without its thoughts */
    bool thought;    /* there were thoughts */
    struct reply_part parts[REPLY_PARTS_MAX]; /* best first */
    size_t count;
};

void reply_init(struct reply_parts *reply, struct text_span text);
void reply_release(struct reply_parts *reply);

#endif
