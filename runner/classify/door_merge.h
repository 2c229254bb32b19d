/*
 * Actions that agents send in pieces: text character by character, two taps
 * that are a double tap, keys that together clear a field.
 *
 * Pieces belong together when they follow each other closely and the agent did
 * not look at the screen in between.
 */
#ifndef RUNNER_CLASSIFY_DOOR_MERGE_H
#define RUNNER_CLASSIFY_DOOR_MERGE_H

#include <stdint.h>

#include "tasks/task/action.h"

struct door_merge {
    struct action last; /* owned; with all its pieces */
    unsigned number;    /* of it; 0: there was none */
    int64_t at;         /* when its last piece came */
    bool open;          /* pieces may follow: nothing else came since */
    bool finger;        /* it is a finger that is still down */
    bool at_end;        /* a deletion that began at the end of the text */
};

void door_merge_release(struct door_merge *merge);

/* Something else happened, such as a look at the screen. */
void door_merge_close(struct door_merge *merge);

/*
 * Is next a further piece of the last action? Then last has become the whole
 * of both, and next was released. slop: as far as two taps may be apart.
 */
MUST_USE bool door_merge_add(struct door_merge *merge, struct action *next,
                             int64_t now, int slop);

/* Could a tap at this point be the second one of a double tap? */
bool door_merge_is_second_tap(const struct door_merge *merge,
                              struct action_point at, int64_t now, int slop);

/* action, which is copied, is the last one now. */
void door_merge_begin(struct door_merge *merge, const struct action *action,
                      unsigned number, int64_t now);

#endif
