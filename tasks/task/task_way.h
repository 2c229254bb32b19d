/*
 * Right and wrong ways to do a task on the built-in phone, for measuring
 * judges. They are in a file beside that of the tasks:
 *
 *     [{"task": "shop.cheapest", "ways": [
 *        {"name": "unsorted", "class": "skipped", "breaks": "sorted",
 *         "steps": ["1-3", "6-7"]},
 *        {"name": "by category", "class": "variant",
 *         "steps": [1, {"do": "click", "at": {"call": "shop.category audio"}},
 *                   "4-7"]}]}]
 *
 * A number stands for that step of the task's gold, from 1, and "2-4" for
 * those. The class is only a cross-check: the truth decides whether the way is
 * right.
 */
#ifndef TASKS_TASK_TASK_WAY_H
#define TASKS_TASK_TASK_WAY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "tasks/task/suite.h"
#include "tasks/task/task.h"
#include "tasks/task/task_gold.h"

enum task_way_class {
    TASK_WAY_GOLD,
    TASK_WAY_VARIANT, /* right, but different from gold: another order, a detour
                       */
    TASK_WAY_SKIPPED, /* a necessary step is missing */
    TASK_WAY_WRONG_TARGET, /* a necessary step is done to another element */
    TASK_WAY_NEAR_MISS, /* almost: the neighbour, the other direction, by one */
    TASK_WAY_UNDONE,    /* everything was done, and then undone */
    TASK_WAY_WRONG_PROCESS, /* the right last screen, but not reached as
                               requested */
    TASK_WAY_NOTHING,       /* completes at once */
    TASK_WAY_RANDOM,
    TASK_WAY_CLASSES,
};

/* "gold", "variant", "wrong_target". */
const char *task_way_class_name(enum task_way_class class_);
MUST_USE bool task_way_class_find(const char *name,
                                  enum task_way_class *class_);

/* Is it right, according to its author? */
static inline bool task_way_meant_right(enum task_way_class class_)
{
    return class_ == TASK_WAY_GOLD || class_ == TASK_WAY_VARIANT;
}

struct task_way {
    const struct task *task; /* borrowed from the suite */
    char *name;              /* owned, as what follows */
    enum task_way_class class_;
    char *breaks; /* the only clause of the truth that it breaks; NULL */
    struct task_gold steps;
};

struct task_ways {
    struct task_way *items; /* owned */
    size_t count;
};

/*
 * Load the ways of a suite's tasks, if there are any: those of "a.json" are in
 * "a.ways.json". suite must outlive them. Fails with ERR_INVALID and names
 * file, task and way; ways is then untouched.
 */
MUST_USE bool task_ways_load(const struct suite *suite, struct task_ways *ways,
                             struct err *err);
MUST_USE bool task_ways_parse(const char *text, size_t length, const char *path,
                              const struct suite *suite, struct task_ways *ways,
                              struct err *err);
void task_ways_release(struct task_ways *ways);

#endif
