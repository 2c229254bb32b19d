/*
 * The judge meter: how often a judge is right about episodes whose truth is
 * known, above all about pairs: a right way to do a task and the closest wrong
 * one. A judge that gives both the same verdict gets no credit for the pair.
 *
 * Pure: running the episodes and asking the judges is done by tools/meter.
 */
#ifndef JUDGE_STATISTICS_JUDGE_METER_H
#define JUDGE_STATISTICS_JUDGE_METER_H

#include <stdbool.h>
#include <stddef.h>

#include "judge/statistics/statistics.h"
#include "judge/verdict/verdict.h"
#include "tasks/task/task.h"
#include "tasks/task/task_way.h"

/* One episode with its truth. Texts are borrowed. */
struct meter_episode {
    const char *task;
    enum task_kind kind;
    const char *locale; /* "en", "zh" */
    enum task_way_class way;
    bool right; /* by the truth, not by the class that its author gave */
};

/*
 * A right way and the wrong one closest to it, or the other way round, as
 * indices into the episodes.
 */
struct meter_pair {
    size_t right;
    size_t wrong;
};

/* The figures of a group of episodes. NAN where there is nothing to count. */
struct meter_row {
    const char *group; /* "all", "class", "kind", "language" */
    const char *name;  /* the value: of the class and so on; "all" */
    size_t episodes;
    size_t unscored; /* counted as wrong */
    size_t pairs;
    double pair_accuracy;
    double accuracy;
    double precision;
    double recall;
    double kappa;
    /*
     * The interval of pair_accuracy, or of accuracy where there are no pairs;
     * clustered by task.
     */
    struct interval interval;
};

#define METER_ROWS_MAX 24

struct meter_table {
    struct meter_row rows[METER_ROWS_MAX]; /* the first row is for all */
    size_t count;
    size_t worst; /* index of the class with the lowest pair accuracy */
};

/* Episodes and their pairs. Everything is borrowed. */
struct meter_episodes {
    const struct meter_episode *episodes;
    size_t count;
    const struct meter_pair *pairs;
    size_t pair_count;
};

/*
 * Compare a judge's outcome for each episode with the truth. Random walks have
 * their own row and are in no other; void episodes are in none.
 */
void meter_count(const struct meter_episodes *cases,
                 const enum outcome *outcomes, struct meter_table *table);

/* Is the judge right about the episode? Unscored is never right. */
bool meter_agrees(const struct meter_episode *episode, enum outcome outcome);

/* Is it a pair by the truth: one right and one wrong? */
bool meter_pairs(const struct meter_episodes *cases,
                 const struct meter_pair *pair);

#endif
