/*
 * Ways to do a task on the built-in phone, right ones and wrong ones, made to
 * measure judges. A file has them beside the suite:
 *
 *     [{"task": "shop.cheapest", "ways": [
 *        {"name": "unsorted", "class": "skipped", "breaks": "sorted",
 *         "steps": ["1-3", "6-7"]},
 *        {"name": "by category", "class": "cousin",
 *         "steps": [1, {"do": "click", "at": {"call": "shop.category audio"}},
 *                   "4-7"]}]}]
 *
 * A number stands for that step of the task's gold, from 1, and "2-4" for
 * those. What its author means a way to be is only a cross-check: the truth
 * says whether it is right.
 */
#ifndef TASKS_WAY_H
#define TASKS_WAY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "tasks/gold.h"
#include "tasks/task.h"

enum way_class {
    WAY_GOLD,
    WAY_COUSIN,       /* right, but not as the gold: another order, a detour */
    WAY_SKIPPED,      /* a needed step is missing */
    WAY_WRONG_TARGET, /* a needed step is done to another thing */
    WAY_NEAR_MISS,    /* almost: the neighbour, the other direction, by one */
    WAY_UNDONE,       /* all was done, and then undone */
    WAY_LUCK,         /* the right end, and not the way that was asked for */
    WAY_NOTHING,      /* says at once that it is done */
    WAY_RANDOM,
    WAY_CLASSES,
};

/* "gold", "cousin", "wrong_target". */
const char *way_class_name(enum way_class class_);
MUST_USE bool way_class_find(const char *name, enum way_class *class_);

/* Is it meant to be right? */
static inline bool way_meant_right(enum way_class class_)
{
    return class_ == WAY_GOLD || class_ == WAY_COUSIN;
}

struct way {
    const struct task *task; /* borrowed from the suite */
    char *name;              /* owned, as what follows */
    enum way_class class_;
    char *breaks; /* the one clause of the truth that it breaks; NULL */
    struct gold steps;
};

struct ways {
    struct way *items; /* owned */
    size_t count;
};

/*
 * Load the ways of a suite's tasks; suite must live as long. Fails with
 * ERR_INVALID and names file, task and way; ways is then untouched.
 */
MUST_USE bool ways_load(const char *path, const struct suite *suite,
                        struct ways *ways, struct err *err);
MUST_USE bool ways_parse(const char *text, size_t length, const char *path,
                         const struct suite *suite, struct ways *ways,
                         struct err *err);
void ways_release(struct ways *ways);

#endif
