/*
 * What a picture shows under a finger: an icon that people know, or words.
 * For what the tree of a screen does not hold: keyboards, web pages, calendars
 * and players that apps draw themselves.
 */
#ifndef PROCESS_PROVIDER_SEEN_H
#define PROCESS_PROVIDER_SEEN_H

#include <stdbool.h>

#include "base/picture.h"
#include "process_provider/phrase.h"

enum seen_kind {
    SEEN_UNKNOWN, /* something is there, or nobody looked */
    SEEN_NOTHING, /* plain ground */
    SEEN_ICON,
    SEEN_WORDS,
};

struct seen {
    enum seen_kind kind;
    struct phrase name; /* of the icon, or the words */
};

/*
 * Look at (x, y). When no icon is clearly there, this reads, which takes a
 * program and some tenths of a second. What cannot be looked for, for want of
 * fonts or of that program, is done without.
 */
void seen_look(const struct picture *picture, int x, int y, struct seen *seen);

/* The same where a keyboard is: most keys have one letter on them. */
void seen_look_at_key(const struct picture *picture, int x, int y,
                      struct seen *seen);

/* Look for an icon alone, and be sure of it. */
void seen_look_for_icon(const struct picture *picture, int x, int y,
                        struct seen *seen);

#endif
