/* The word that somebody may have meant. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>

/* Looks at one candidate after the other and keeps the nearest. */
struct nearest {
    const char *wanted; /* borrowed */
    const char *best;   /* borrowed; NULL while none is near enough */
    size_t distance;    /* of best */
};

void nearest_init(struct nearest *nearest, const char *wanted);
void nearest_offer(struct nearest *nearest, const char *candidate);

#endif
