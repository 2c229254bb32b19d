/*
 * Shared by all benchmarks: main, options, rounds, report.
 *
 * Each round runs each row once, so that disturbances affect all rows alike.
 */
#ifndef TOOLS_BENCHMARK_HARNESS_HARNESS_H
#define TOOLS_BENCHMARK_HARNESS_HARNESS_H

#include "tools/benchmark/harness/bench_report.h"

/* The data of the rows. Each benchmark defines it. */
struct bench;

struct measure {
    const char *id;
    const char *name;
    bool (*once)(struct bench *bench, struct err *err);
    int repeats; /* in each round */

    /* Before them, not measured; may be NULL. */
    bool (*prepare)(struct bench *bench, struct err *err);

    /* CPU time used so far, in microseconds; NULL: not measured. */
    double (*cpu_us)(const struct bench *bench);

    /* The measured value if it is not the time; NULL: the time. */
    double (*value)(const struct bench *bench);

    /* Can it be measured here? Otherwise it is left out. NULL: always. */
    bool (*there)(const struct bench *bench);
};

/* The destination and header of a report. */
struct bench_output;

/* Print the rows in these groups, and compare them with these goals. */
MUST_USE bool bench_output_print(const struct bench_output *bench_output,
                                 const struct bench_group *groups,
                                 size_t group_count, const struct goal *goals,
                                 size_t goal_count, struct err *err);

struct harness {
    const char *name;
    const struct measure *measures; /* one for each row */
    size_t count;
    int rounds;        /* the default */
    size_t bench_size; /* of this benchmark's struct bench */
    bool (*set_up)(struct bench *bench, struct err *err);
    void (*tear_down)(struct bench *bench); /* releases what set_up made, also
                                               after a failure */
    bool (*print)(const struct bench_row *rows,
                  const struct bench_output *bench_output,
                  struct err *err); /* by bench_output_print */
};

/* Each benchmark program defines it, and has no main. */
extern const struct harness benchmark;

/* The CPU time of this process so far, for rows that measure only it. */
double harness_own_cpu_us(const struct bench *bench);

#endif
