#include "judge/statistics/statistics.h"

#include <math.h>

/* The normal distribution's 97.5th percentile. */
#define Z 1.959963984540054

static const struct interval nowhere = {NAN, NAN};

double statistics_rate(size_t part, size_t all)
{
    return all ? (double)part / (double)all : NAN;
}

/* Wilson (1927), for a number of trials that may be fractional. */
static struct interval wilson(double rate, double trials)
{
    double square = Z * Z / trials;
    double middle = (rate + square / 2) / (1 + square);
    double half = Z / (1 + square) *
                  sqrt(rate * (1 - rate) / trials + square / (4 * trials));
    struct interval interval = {fmax(0, middle - half), fmin(1, middle + half)};

    /* Remove rounding errors at the ends. */
    if (rate <= 0)
        interval.low = 0;
    if (rate >= 1)
        interval.high = 1;
    return interval;
}

struct interval statistics_wilson(size_t part, size_t all)
{
    return all ? wilson((double)part / (double)all, (double)all) : nowhere;
}

struct totals {
    double sum;
    double count;
};

static struct totals add_up(const struct cluster *clusters, size_t count)
{
    struct totals totals = {0, 0};

    for (size_t i = 0; i < count; i++) {
        totals.sum += clusters[i].sum;
        totals.count += clusters[i].count;
    }
    return totals;
}

double statistics_mean(const struct cluster *clusters, size_t count)
{
    struct totals totals = add_up(clusters, count);

    return totals.count > 0 ? totals.sum / totals.count : NAN;
}

/* The effective sample size of clustered values. */
static double independent(const struct cluster *clusters, size_t count,
                          double mean, double members)
{
    double squares = 0, chance, found;

    if (count < 2)
        return 1;
    if (mean <= 0 || mean >= 1)
        return fmin((double)count, members);
    for (size_t i = 0; i < count; i++) {
        double off = clusters[i].sum - mean * clusters[i].count;

        squares += off * off;
    }
    found = (double)count / ((double)count - 1) * squares / (members * members);
    /* The same estimate if every member were a separate cluster. */
    chance = mean * (1 - mean) / fmax(members - 1, 1);
    if (found <= chance)
        return members;
    return fmax(1, members * chance / found);
}

struct interval statistics_clustered(const struct cluster *clusters,
                                     size_t count)
{
    struct totals totals = add_up(clusters, count);
    double mean;

    if (!(totals.count > 0))
        return nowhere;
    mean = totals.sum / totals.count;
    return wilson(mean, independent(clusters, count, mean, totals.count));
}

void confusion_add(struct confusion *confusion, bool said, bool is)
{
    if (said && is)
        confusion->true_yes++;
    else if (said)
        confusion->false_yes++;
    else if (is)
        confusion->false_no++;
    else
        confusion->true_no++;
}

size_t confusion_count(const struct confusion *confusion)
{
    return confusion->true_yes + confusion->false_yes + confusion->false_no +
           confusion->true_no;
}

double confusion_accuracy(const struct confusion *confusion)
{
    return statistics_rate(confusion->true_yes + confusion->true_no,
                           confusion_count(confusion));
}

double confusion_precision(const struct confusion *confusion)
{
    return statistics_rate(confusion->true_yes,
                           confusion->true_yes + confusion->false_yes);
}

double confusion_recall(const struct confusion *confusion)
{
    return statistics_rate(confusion->true_yes,
                           confusion->true_yes + confusion->false_no);
}

double confusion_kappa(const struct confusion *confusion)
{
    const size_t table[] = {confusion->true_yes, confusion->false_yes,
                            confusion->false_no, confusion->true_no};

    return statistics_kappa(table, 2);
}

double statistics_kappa(const size_t *table, size_t answers)
{
    double all = 0, agreed = 0, chance = 0;

    for (size_t i = 0; i < answers * answers; i++)
        all += (double)table[i];
    if (!(all > 0))
        return NAN;
    for (size_t a = 0; a < answers; a++) {
        double first = 0, second = 0;

        for (size_t b = 0; b < answers; b++) {
            first += (double)table[a * answers + b];
            second += (double)table[b * answers + a];
        }
        agreed += (double)table[a * answers + a] / all;
        chance += first / all * (second / all);
    }
    return chance < 1 ? (agreed - chance) / (1 - chance) : NAN;
}

/* log(n choose k) */
static double log_choose(double n, double k)
{
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

double statistics_mcnemar(size_t one_way, size_t other_way)
{
    size_t few = one_way < other_way ? one_way : other_way;
    double all = (double)(one_way + other_way), tail = 0;

    for (size_t i = 0; i <= few; i++)
        tail += exp(log_choose(all, (double)i) - all * log(2));
    return fmin(1, 2 * tail);
}

static double mean_of(const double *values, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum / (double)count;
}

double statistics_correlation(const double *one, const double *other,
                              size_t count)
{
    double one_mean = mean_of(one, count);
    double other_mean = mean_of(other, count);
    double both = 0, ones = 0, others = 0;

    for (size_t i = 0; i < count; i++) {
        double a = one[i] - one_mean;
        double b = other[i] - other_mean;

        both += a * b;
        ones += a * a;
        others += b * b;
    }
    return ones > 0 && others > 0 ? both / sqrt(ones * others) : NAN;
}

double statistics_pass_at(size_t tries, size_t successes, size_t k)
{
    double none = 1;

    if (!k || tries < k || successes > tries)
        return NAN;
    if (tries - successes < k)
        return 1;
    /* (tries - successes choose k) / (tries choose k), without overflow */
    for (size_t i = tries - successes + 1; i <= tries; i++)
        none *= 1 - (double)k / (double)i;
    return 1 - none;
}
