/* Compared with worked examples from the literature. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/macros.h"
#include "judge/statistics/statistics.h"

#define NEAR(value_, expected_, tolerance_)                                    \
    assert_true(fabs((value_) - (expected_)) <= (tolerance_))

static void wilson_agrees_with_newcombe(void **state)
{
    /* Newcombe (1998), table I, method 3: 95 % limits to four places. */
    static const struct {
        size_t part, all;
        double low, high;
    } rows[] = {
        {81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605},
        {0, 20, 0.0000, 0.1611},   {1, 29, 0.0061, 0.1718},
        {20, 20, 0.8389, 1.0000},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct interval found = statistics_wilson(rows[i].part, rows[i].all);

        NEAR(found.low, rows[i].low, 0.00005);
        NEAR(found.high, rows[i].high, 0.00005);
    }
    assert_true(statistics_wilson(0, 20).low == 0);
    assert_true(statistics_wilson(20, 20).high == 1);
    assert_true(isnan(statistics_wilson(0, 0).low));
    assert_true(isnan(statistics_rate(0, 0)));
}

static void clusters_of_one_equal_wilson(void **state)
{
    struct cluster clusters[29] = {{0, 0}};
    struct interval found, plain = statistics_wilson(7, 29);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(clusters); i++)
        clusters[i] = (struct cluster){i < 7, 1};
    found = statistics_clustered(clusters, ARRAY_LEN(clusters));
    NEAR(found.low, plain.low, 1e-12);
    NEAR(found.high, plain.high, 1e-12);
}

static void correlated_values_widen_the_interval(void **state)
{
    /* By hand: 9.130435 independent values instead of 24. */
    static const struct cluster clusters[] = {{3, 4}, {0, 4}, {4, 4},
                                              {1, 4}, {4, 4}, {2, 4}};
    static const struct cluster sure[] = {{8, 8}, {8, 8}, {8, 8}};
    struct interval found;

    (void)state;
    NEAR(statistics_mean(clusters, 6), 14.0 / 24, 1e-12);
    found = statistics_clustered(clusters, 6);
    NEAR(found.low, 0.2892359168472281, 1e-9);
    NEAR(found.high, 0.8280745681884593, 1e-9);
    /* Where nothing varies: as many as there are clusters. */
    found = statistics_clustered(sure, 3);
    NEAR(found.low, statistics_wilson(3, 3).low, 1e-12);
    assert_true(found.high == 1);
    assert_true(isnan(statistics_clustered(sure, 0).low));
    /* One cluster says nearly nothing about others. */
    NEAR(statistics_clustered(sure, 1).low, statistics_wilson(1, 1).low, 1e-12);
}

/* Twenty tasks, five times each: either all succeed (with 30 %) or none. */
static void clustered_intervals_have_their_coverage(void **state)
{
    size_t covered = 0, naive = 0;
    uint32_t random = 1;

    (void)state;
    for (int trial = 0; trial < 2000; trial++) {
        struct cluster clusters[20];
        struct interval found;
        size_t done = 0;

        for (size_t i = 0; i < ARRAY_LEN(clusters); i++) {
            random = random * 1664525U + 1013904223U;
            clusters[i] = (struct cluster){(random >> 16) % 10 < 3 ? 5 : 0, 5};
            done += (size_t)clusters[i].sum;
        }
        found = statistics_clustered(clusters, ARRAY_LEN(clusters));
        covered += found.low <= 0.3 && 0.3 <= found.high;
        found = statistics_wilson(done, 100);
        naive += found.low <= 0.3 && 0.3 <= found.high;
    }
    assert_in_range(covered, 1850, 1970); /* 92.5 to 98.5 % */
    assert_true(naive < 1400);            /* less than 70 % */
}

static void a_confusion_table_gives_its_rates(void **state)
{
    struct confusion table = {0};
    const struct confusion yes_only = {.true_yes = 4};
    const struct confusion nothing = {0};

    (void)state;
    for (int i = 0; i < 100; i++)
        confusion_add(&table, i < 30, i < 20 || i >= 85);
    assert_int_equal(table.true_yes, 20);
    assert_int_equal(table.false_yes, 10);
    assert_int_equal(table.false_no, 15);
    assert_int_equal(table.true_no, 55);
    assert_int_equal(confusion_count(&table), 100);
    NEAR(confusion_accuracy(&table), 0.75, 1e-12);
    NEAR(confusion_precision(&table), 20.0 / 30, 1e-12);
    NEAR(confusion_recall(&table), 20.0 / 35, 1e-12);
    NEAR(confusion_kappa(&table), (0.75 - 0.56) / 0.44, 1e-12);
    assert_true(isnan(confusion_kappa(&yes_only)));
    assert_true(isnan(confusion_precision(&nothing)));
}

static void kappa_agrees_with_worked_examples(void **state)
{
    /* Cohen (1960), table 1, of 200 cases: -0.09. */
    static const size_t cohen[] = {50, 26, 24, 24, 4, 32, 6, 30, 4};
    /* Textbook examples: grants read twice; 60 % agreement twice. */
    static const size_t grants[] = {20, 5, 10, 15};
    static const size_t even[] = {45, 15, 25, 15};
    static const size_t uneven[] = {25, 35, 5, 35};

    (void)state;
    NEAR(statistics_kappa(cohen, 3), -0.06 / 0.65, 1e-12);
    NEAR(statistics_kappa(grants, 2), 0.4, 1e-12);
    NEAR(statistics_kappa(even, 2), 0.1304, 0.00005);
    NEAR(statistics_kappa(uneven, 2), 0.2593, 0.00005);
}

static void mcnemar_is_exact(void **state)
{
    /* Calculated with exact fractions of binomial coefficients. */
    static const struct {
        size_t one, other;
        double p;
    } rows[] = {
        {121, 59, 4.434449263755176e-06},
        {59, 121, 4.434449263755176e-06},
        {1, 9, 0.021484375},
        {0, 6, 0.03125},
        {10, 25, 0.01667384780012071},
        {2000, 2100, 0.12206497999113813},
        {5, 5, 1},
        {0, 0, 1},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        double found = statistics_mcnemar(rows[i].one, rows[i].other);

        NEAR(found / rows[i].p, 1, 1e-9);
    }
}

static void pass_at_k_is_unbiased(void **state)
{
    (void)state;
    NEAR(statistics_pass_at(5, 2, 1), 0.4, 1e-12);
    NEAR(statistics_pass_at(5, 2, 3), 0.9, 1e-12); /* 1 - 1 / 10 */
    /* 1 - (190 choose 10) / (200 choose 10) */
    NEAR(statistics_pass_at(200, 10, 10), 0.40854786608141713, 1e-12);
    assert_true(statistics_pass_at(5, 5, 5) == 1);
    assert_true(statistics_pass_at(5, 0, 5) == 0);
    assert_true(isnan(statistics_pass_at(2, 1, 3)));
    assert_true(isnan(statistics_pass_at(0, 0, 1)));
}

static void correlation_agrees_with_worked_examples(void **state)
{
    const double scores[] = {1, 2, 3, 4, 5};
    const double other[] = {2, 1, 4, 3, 5};
    const double passed[] = {0, 0, 1, 1, 1};
    const double all[] = {1, 1, 1, 1, 1};

    (void)state;
    NEAR(statistics_correlation(scores, other, 5), 0.8, 1e-12);
    NEAR(statistics_correlation(scores, passed, 5), sqrt(3) / 2, 1e-12);
    NEAR(statistics_correlation(scores, scores, 5), 1, 1e-12);
    assert_true(isnan(statistics_correlation(scores, all, 5)));
    assert_true(isnan(statistics_correlation(scores, other, 0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wilson_agrees_with_newcombe),
        cmocka_unit_test(clusters_of_one_equal_wilson),
        cmocka_unit_test(correlated_values_widen_the_interval),
        cmocka_unit_test(clustered_intervals_have_their_coverage),
        cmocka_unit_test(a_confusion_table_gives_its_rates),
        cmocka_unit_test(kappa_agrees_with_worked_examples),
        cmocka_unit_test(mcnemar_is_exact),
        cmocka_unit_test(pass_at_k_is_unbiased),
        cmocka_unit_test(correlation_agrees_with_worked_examples),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
