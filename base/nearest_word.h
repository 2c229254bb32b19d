/* Finds the word that the user probably meant, for "did you mean". */
#ifndef BASE_NEAREST_WORD_H
#define BASE_NEAREST_WORD_H

#include <stddef.h>

/* Compares one candidate after the other and keeps the nearest. */
struct nearest_word {
    const char *wanted; /* borrowed */
    const char *best;   /* borrowed; NULL: none is near enough */
    size_t distance;    /* of best */
};

void nearest_word_init(struct nearest_word *nearest, const char *wanted);
void nearest_word_offer(struct nearest_word *nearest, const char *candidate);

#endif
