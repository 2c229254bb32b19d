/*
 * The statistics of reports and of the meter. Pure and deterministic.
 *
 * A statistic of nothing (a rate of no episodes, the agreement of no raters) is
 * NAN, which every function here accepts and passes on.
 */
#ifndef JUDGE_STATISTICS_STATISTICS_H
#define JUDGE_STATISTICS_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

/* A 95 % confidence interval. */
struct interval {
    double low;
    double high;
};

/* part / all; NAN when all is 0. */
double statistics_rate(size_t part, size_t all);

/* Wilson's score interval of a proportion: within 0 and 1, also at the ends. */
struct interval statistics_wilson(size_t part, size_t all);

/*
 * A group of related values, such as all episodes of one task: their sum (of
 * successes, say) and their number.
 */
struct cluster {
    double sum;
    double count;
};

/* The mean over the members of all clusters. */
double statistics_mean(const struct cluster *clusters, size_t count);

/*
 * The interval of a mean of values in 0 to 1 whose members resemble each other
 * within a cluster: Wilson's, for the effective sample size. That is computed
 * from the variance between clusters compared with chance (linearised, as in
 * surveys), and is never larger than the number of members. Where nothing
 * varies, it is the number of clusters.
 */
struct interval statistics_clustered(const struct cluster *clusters,
                                     size_t count);

/* A judge's answers against the truth. */
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
/* Cohen's kappa; NAN where chance alone would agree on everything. */
double confusion_kappa(const struct confusion *confusion);

/*
 * Cohen's kappa of two raters with several answers: table[a * answers + b] is
 * the number of cases in which the first said a and the second said b.
 */
double statistics_kappa(const size_t *table, size_t answers);

/*
 * McNemar's exact test, two-sided: the probability that chance alone splits the
 * differing pairs at least as unevenly.
 */
double statistics_mcnemar(size_t one_way, size_t other_way);

/*
 * Pearson's correlation of two variables over count cases; where one of them is
 * 0 or 1, this is the point-biserial correlation. NAN where one does not vary.
 */
double statistics_correlation(const double *one, const double *other,
                              size_t count);

/*
 * pass@k: the unbiased estimate of the probability that at least one of k tries
 * succeeds, from a task's tries and successes. NAN for fewer tries than k.
 */
double statistics_pass_at(size_t tries, size_t successes, size_t k);

#endif
