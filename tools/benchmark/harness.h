/*
 * What all benchmarks share: main, the options, the rounds, the way to a
 * report.
 *
 * Each round runs each row once, so that what disturbs the machine disturbs
 * all of them.
 */
#ifndef TOOLS_BENCHMARK_HARNESS_H
#define TOOLS_BENCHMARK_HARNESS_H

#include "tools/benchmark/report.h"

/* What the rows work on. Each benchmark has its own definition. */
struct bench;

struct measure {
    const char *id;
    const char *name;
    bool (*once)(struct bench *bench, struct err *err);
    int repeats; /* in each round */

    /* Before them, outside of what is measured; may be NULL. */
    bool (*prepare)(struct bench *bench, struct err *err);

    /* CPU time used so far, in microseconds; NULL: it does not count. */
    double (*cpu_us)(const struct bench *bench);

    /* What counts in place of the time; NULL: the time. */
    double (*value)(const struct bench *bench);

    /* Can it be measured here? Else it is left out. NULL: it always can. */
    bool (*there)(const struct bench *bench);
};

/* Where a report goes, and what it says of the run. */
struct outlet;

/* Print the rows in these groups, and how they stand to these goals. */
MUST_USE bool outlet_print(const struct outlet *outlet,
                           const struct group *groups, size_t group_count,
                           const struct goal *goals, size_t goal_count,
                           struct err *err);

struct harness {
    const char *name;
    const struct measure *measures; /* one for each row */
    size_t count;
    int rounds;        /* unless people want others */
    size_t bench_size; /* of this benchmark's struct bench */
    bool (*set_up)(struct bench *bench, struct err *err);
    void (*tear_down)(struct bench *bench); /* what set_up began, if at all */
    bool (*print)(const struct row *rows, const struct outlet *outlet,
                  struct err *err); /* by outlet_print */
};

/* The one that a program is: its file defines it, and has no main. */
extern const struct harness benchmark;

/* The CPU time of this process so far, for who measures only itself. */
double harness_own_cpu_us(const struct bench *bench);

#endif
