#include "base/nearest_word.h"

#include <string.h>

/* Longer words are never typing errors of our short names. */
#define WORD_MAX 32

static size_t least(size_t a, size_t b, size_t c)
{
    size_t ab = a < b ? a : b;

    return ab < c ? ab : c;
}

/*
 * The number of edits from a to b: insert, delete, replace, swap two neighbors.
 * Three rows of the table are needed at a time.
 */
static size_t edit_distance(const char *a, const char *b)
{
    size_t rows[3][WORD_MAX + 1];
    size_t a_length = strlen(a);
    size_t b_length = strlen(b);

    if (a_length > WORD_MAX || b_length > WORD_MAX)
        return WORD_MAX;
    for (size_t j = 0; j <= b_length; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        const size_t *before_last = rows[(i + 1) % 3];
        const size_t *last = rows[(i - 1) % 3];
        size_t *row = rows[i % 3];

        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            row[j] = least(last[j] + 1, row[j - 1] + 1,
                           last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
                a[i - 2] == b[j - 1] && before_last[j - 2] + 1 < row[j])
                row[j] = before_last[j - 2] + 1;
        }
    }
    return rows[a_length % 3][b_length];
}

void nearest_word_init(struct nearest_word *nearest, const char *wanted)
{
    size_t length = strlen(wanted);

    /* A third of the letters may be wrong, and always a single one. */
    *nearest =
        (struct nearest_word){.wanted = wanted, .distance = length / 3 + 2};
}

void nearest_word_offer(struct nearest_word *nearest, const char *candidate)
{
    size_t distance = edit_distance(nearest->wanted, candidate);
    size_t length = strlen(nearest->wanted);

    /* The start of a word is taken for that word. */
    if (length >= 2 && !strncmp(nearest->wanted, candidate, length))
        distance = 1;
    if (distance < nearest->distance) {
        nearest->distance = distance;
        nearest->best = candidate;
    }
}
