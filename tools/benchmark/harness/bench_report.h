/*
 * The results of a benchmark: rows in groups, and goals. Goals are ratios of
 * rows of the same run, because times vary between runs and machines, and
 * ratios do not.
 */
#ifndef TOOLS_BENCHMARK_HARNESS_BENCH_REPORT_H
#define TOOLS_BENCHMARK_HARNESS_BENCH_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/err.h"

#define BENCH_ROUNDS_MAX 99

/* One number per round. */
struct samples {
    double values[BENCH_ROUNDS_MAX];
    size_t count;
};

/* Values beyond BENCH_ROUNDS_MAX are dropped. */
void samples_add(struct samples *samples, double value);
/* NaN without any. */
double samples_median(const struct samples *samples);

struct bench_row {
    const char *id;
    const char *name;
    struct samples wall_us; /* empty: the row is left out */
    struct samples cpu_us;  /* empty: not measured */
};

/* Rows side by side; the first is the base of the others. */
struct bench_group {
    const char *title;
    const struct bench_row *rows;
    size_t count;
    const char *unit; /* the unit of wall_us; NULL: microseconds */
};

enum goal_kind {
    GOAL_AT_MOST,
    GOAL_AT_LEAST,
};

/* row / base, in time (or in CPU time); without a base, row itself. */
struct goal {
    const char *text;
    const struct bench_row *row;
    const struct bench_row *base;
    bool cpu;
    enum goal_kind kind;
    double wanted;
    double stretch; /* 0: none */
};

struct bench_report {
    const char *name;
    double load; /* the load average before it began */
    const struct bench_group *groups;
    size_t group_count;
    const struct goal *goals;
    size_t goal_count;
};

/* Print a table, or JSON. */
MUST_USE bool bench_report_print(const struct bench_report *report, bool json,
                                 FILE *out, struct err *err);

#endif
