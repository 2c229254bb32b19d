/*
 * The families of agents, by how they write: what their coordinates count,
 * and where they differ from what is usual.
 */
#ifndef RUNNER_FAMILY_H
#define RUNNER_FAMILY_H

#include <stdbool.h>

#include "runner/coords.h"
#include "runner/reader.h"

struct family {
    const char *name;
    enum coords coords;
    bool y_first;        /* points are y, x */
    bool typing_submits; /* to type means to press Enter, too */

    /* A reply that holds both is of this family. Empty: any. */
    const char *marks[2];
};

/* NULL for none. */
const struct family *family_find(const char *name);

/* By its looks; there is always one. */
const struct family *family_guess(struct span reply);

#endif
