/*
 * What a benchmark has measured: rows in groups, and the goals they are held
 * against. Goals are ratios of rows of the same run, because times wander from
 * run to run and from machine to machine, and ratios do not.
 */
#ifndef TOOLS_BENCHMARK_REPORT_H
#define TOOLS_BENCHMARK_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/err.h"

#define REPORT_ROUNDS_MAX 99

/* One number per round. */
struct samples {
    double values[REPORT_ROUNDS_MAX];
    size_t count;
};

/* Values beyond REPORT_ROUNDS_MAX are dropped. */
void samples_add(struct samples *samples, double value);
/* NaN without any. */
double samples_median(const struct samples *samples);

struct row {
    const char *id;
    const char *name;
    struct samples wall_us; /* empty: the row is left out */
    struct samples cpu_us;  /* empty: not measured */
};

/* Rows that stand side by side; the first is what the others are held to. */
struct group {
    const char *title;
    const struct row *rows;
    size_t count;
    const char *unit; /* of what stands in wall_us; NULL: microseconds */
};

enum goal_kind {
    GOAL_AT_MOST,
    GOAL_AT_LEAST,
};

/* row over base, in time (or in CPU time); without a base, row itself. */
struct goal {
    const char *text;
    const struct row *row;
    const struct row *base;
    bool cpu;
    enum goal_kind kind;
    double wanted;
    double stretch; /* 0: none */
};

struct report {
    const char *name;
    double load; /* the machine's load average before it began */
    const struct group *groups;
    size_t group_count;
    const struct goal *goals;
    size_t goal_count;
};

/* A table for people, or JSON. */
MUST_USE bool report_print(const struct report *report, bool json, FILE *out,
                           struct err *err);

#endif
