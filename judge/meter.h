/*
 * The judge meter: how often a judge is right about episodes whose truth is
 * known, above all about pairs: a right way to do a task and its closest wrong
 * twin. Who says yes to both, or no to both, has told nothing.
 *
 * All of it is pure: who runs the episodes and asks the judges is elsewhere.
 */
#ifndef JUDGE_METER_H
#define JUDGE_METER_H

#include <stdbool.h>
#include <stddef.h>

#include "judge/statistics.h"
#include "judge/verdict.h"
#include "tasks/task.h"
#include "tasks/way.h"

/* One episode, and what is known of it. Texts are borrowed. */
struct meter_episode {
    const char *task;
    enum task_kind kind;
    const char *locale; /* "en", "zh" */
    enum way_class way;
    bool right; /* by the truth, whatever its author meant */
};

/* A right way and the wrong one that is closest to it, or the other way round;
 * by their places among the episodes. */
struct meter_pair {
    size_t right;
    size_t wrong;
};

/* A figure of some of the episodes. NAN where there is nothing to count. */
struct meter_row {
    const char *group; /* "all", "class", "kind", "language" */
    const char *name;  /* of the class and so on; "all" */
    size_t episodes;
    size_t unscored; /* counted as not right */
    size_t pairs;
    double pair_accuracy;
    double accuracy;
    double precision;
    double recall;
    double kappa;
    /* Of pair_accuracy, or of accuracy where there are no pairs; by task. */
    struct interval interval;
};

#define METER_ROWS_MAX 24

struct meter_table {
    struct meter_row rows[METER_ROWS_MAX]; /* the first is of all */
    size_t count;
    size_t worst; /* the row of the class with the lowest pair accuracy */
};

/* Episodes, and which of them make pairs. All of it is borrowed. */
struct meter_field {
    const struct meter_episode *episodes;
    size_t count;
    const struct meter_pair *pairs;
    size_t pair_count;
};

/*
 * Hold what a judge said of each episode against the truth. Random walks are
 * in a row of their own and in no other; void episodes are in none.
 */
void meter_count(const struct meter_field *field, const enum outcome *outcomes,
                 struct meter_table *table);

/* Is the judge right about it? Unscored is never right. */
bool meter_agrees(const struct meter_episode *episode, enum outcome outcome);

/* Is it a pair by the truth: one is right and the other wrong? */
bool meter_pairs(const struct meter_field *field,
                 const struct meter_pair *pair);

#endif
