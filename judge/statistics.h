/*
 * The figures that reports and the meter are made of. All of it is pure, and
 * the same numbers give the same figures everywhere.
 *
 * A figure of nothing (a rate of no episodes, the agreement of nobody) is NAN,
 * which every function here accepts and hands on.
 */
#ifndef JUDGE_STATISTICS_H
#define JUDGE_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

/* Where the figure lies with 95 % confidence. */
struct interval {
    double low;
    double high;
};

/* part of all; NAN when there are none. */
double statistics_rate(size_t part, size_t all);

/* Of a proportion by Wilson's score: within 0 and 1, also at its ends. */
struct interval statistics_wilson(size_t part, size_t all);

/*
 * What belongs together, such as all episodes of one task: their sum (of
 * successes, say) and how many they are.
 */
struct cluster {
    double sum;
    double count;
};

/* The mean over all clusters' members. */
double statistics_mean(const struct cluster *clusters, size_t count);

/*
 * Of a mean of values in 0 to 1 whose clusters' members resemble each other:
 * Wilson's, for as many independent values as tell as much. That number is
 * found from how much more the clusters vary than they would by chance
 * (linearised, as surveys have it), and is never taken to be larger than the
 * number of members. Where nothing varies, it is the number of clusters.
 */
struct interval statistics_clustered(const struct cluster *clusters,
                                     size_t count);

/* What a judge said against what is true. */
struct confusion {
    size_t true_yes;
    size_t false_yes;
    size_t false_no;
    size_t true_no;
};

void confusion_add(struct confusion *confusion, bool said, bool is);
size_t confusion_count(const struct confusion *confusion);
double confusion_accuracy(const struct confusion *confusion);
double confusion_precision(const struct confusion *confusion);
double confusion_recall(const struct confusion *confusion);
/* Cohen's; NAN where chance alone would agree on everything. */
double confusion_kappa(const struct confusion *confusion);

/*
 * Cohen's kappa of two raters with several answers: table[a * answers + b] are
 * the cases in which the first said a and the second said b.
 */
double statistics_kappa(const size_t *table, size_t answers);

/*
 * McNemar's exact test: of pairs that differ, so many went one way and so many
 * the other. The probability, two-sided, that chance alone is as uneven.
 */
double statistics_mcnemar(size_t one_way, size_t other_way);

/*
 * pass@k: how likely at least one of k tries succeeds, estimated without bias
 * from a task's tries, of which so many succeeded. NAN for fewer tries than k.
 */
double statistics_pass_at(size_t tries, size_t successes, size_t k);

#endif
