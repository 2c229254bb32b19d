/*
 * Where something is to be done, from the arguments as they were said: points,
 * boxes, pairs of numbers, by whatever name.
 */
#ifndef RUNNER_PLACE_H
#define RUNNER_PLACE_H

#include <stdbool.h>
#include <stddef.h>

#include <cjson/cJSON.h>

#include "runner/said.h"

#define NUMBERS_MAX 8

struct numbers {
    double values[NUMBERS_MAX];
    size_t count;
};

/* All numbers in a value: [1, 2], "(1,2)", {"x": 1, "y": 2}, [[1, 2]]. */
struct numbers numbers_of(const struct cJSON *value);

/* Those among the arguments without a name. */
struct numbers numbers_unnamed(const struct said *said);

/* An argument that is one number. */
MUST_USE bool number_argument(const struct said *said, const char *name,
                              double *number);

struct place {
    bool known;
    double x, y; /* as they were said */
};

/* One place: a point, or the centre of a box. */
void place_find(const struct said *said, bool y_first, struct place *place);

/*
 * A place, and where a way that begins there ends. Four numbers under one name
 * are two ends if two are wanted, and otherwise a box.
 */
void place_find_way(const struct said *said, bool y_first, bool two,
                    struct place *from, struct place *to);

/* The member of a place's names, if any: it may be an element's number. */
const struct cJSON *place_argument(const struct said *said);

/* -1, -1 and the like stand for no place at all. */
void place_drop_nowhere(struct place *place);

#endif
