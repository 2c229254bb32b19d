/*
 * Where something is to be done, from the arguments of a call: points,
 * boxes, pairs of numbers, by whatever name.
 */
#ifndef RUNNER_PARSE_CALL_POINT_H
#define RUNNER_PARSE_CALL_POINT_H

#include <stdbool.h>
#include <stddef.h>

#include <cjson/cJSON.h>

#include "runner/parse/action_call.h"

#define NUMBER_LIST_MAX 8

struct number_list {
    double values[NUMBER_LIST_MAX];
    size_t count;
    bool absurd; /* one is not finite, or larger than anything on a phone */
};

/* All numbers in a value: [1, 2], "(1,2)", {"x": 1, "y": 2}, [[1, 2]]. */
struct number_list number_list_of(const struct cJSON *value);

/* Those among the arguments without a name. */
struct number_list number_list_of_unnamed(const struct action_call *call);

/* An argument that is one number. */
MUST_USE bool call_number_argument(const struct action_call *call,
                                   const char *name, double *number);

struct call_point {
    bool known;
    double x, y; /* as they were written */
};

/* How a family orders the two axes. */
struct axis_order {
    bool y_first;        /* in every point and box */
    bool box_2d_y_first; /* in a member called box_2d */
};

/* Is a number absurd among the arguments that say where? */
bool call_point_is_absurd(const struct action_call *call);

/* One place: a point, or the centre of a box. */
void call_point_find(const struct action_call *call, struct axis_order order,
                     struct call_point *point);

/*
 * A place, and where a way that begins there ends. Four numbers under one name
 * are two ends if two are wanted, and otherwise a box.
 */
void call_point_find_path(const struct action_call *call,
                          struct axis_order order, bool two,
                          struct call_point *from, struct call_point *to);

/* One place among the arguments with a name; others are left alone. */
void call_point_find_named(const struct action_call *call,
                           struct axis_order order, struct call_point *point);

/* The member of a place's names, if any: it may be an element's number. */
const struct cJSON *call_point_argument(const struct action_call *call);

/* -1, -1 and similar ones stand for no place at all. */
void call_point_drop_placeholder(struct call_point *point);

#endif
