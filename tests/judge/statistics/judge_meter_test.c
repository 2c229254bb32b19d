/* Figures of the judge meter, calculated by hand. */
#include "judge/statistics/judge_meter.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"

/* Two tasks: the first has two pairs and a variant, the second one pair. */
static const struct meter_episode episodes[] = {
    {"a", TASK_PROCESS, "en", TASK_WAY_GOLD, true},
    {"a", TASK_PROCESS, "en", TASK_WAY_VARIANT, true},
    {"a", TASK_PROCESS, "en", TASK_WAY_SKIPPED, false},
    {"a", TASK_PROCESS, "en", TASK_WAY_UNDONE, false},
    {"b", TASK_STATE, "zh", TASK_WAY_GOLD, true},
    {"b", TASK_STATE, "zh", TASK_WAY_SKIPPED, false},
    {"b", TASK_STATE, "zh", TASK_WAY_RANDOM, false},
};

static const struct meter_pair pairs[] = {{0, 2}, {1, 3}, {4, 5}};

#define COUNT ARRAY_LEN(episodes)

static const struct meter_episodes cases = {episodes, COUNT, pairs,
                                            ARRAY_LEN(pairs)};

static const struct meter_row *row_of(const struct meter_table *table,
                                      const char *group, const char *name)
{
    for (size_t i = 0; i < table->count; i++) {
        if (!strcmp(table->rows[i].group, group) &&
            !strcmp(table->rows[i].name, name))
            return &table->rows[i];
    }
    return NULL;
}

static void perfect_judge_gets_every_pair(void **state)
{
    const enum outcome said[COUNT] = {
        OUTCOME_SUCCESS, OUTCOME_SUCCESS, OUTCOME_FAILURE,    OUTCOME_FAILURE,
        OUTCOME_SUCCESS, OUTCOME_FAILURE, OUTCOME_UNCOMPLETED};
    struct meter_table table;

    (void)state;
    meter_count(&cases, said, &table);
    assert_int_equal(table.rows[0].episodes, 6);
    assert_int_equal(table.rows[0].pairs, 3);
    assert_true(table.rows[0].pair_accuracy == 1);
    assert_true(table.rows[0].kappa == 1);
    assert_true(table.rows[0].interval.low < 1);
}

static void judge_that_always_says_yes_gets_no_pair(void **state)
{
    enum outcome said[COUNT];
    struct meter_table table;

    (void)state;
    for (size_t i = 0; i < COUNT; i++)
        said[i] = OUTCOME_SUCCESS;
    meter_count(&cases, said, &table);
    assert_true(table.rows[0].pair_accuracy == 0);
    assert_true(table.rows[0].accuracy == 0.5);
    assert_true(table.rows[0].recall == 1);
    assert_true(table.rows[0].kappa == 0);
}

/* Wrong about the skipped step of a: loses its pair, keeps the others. */
static void one_mistake_costs_the_pairs_it_is_in(void **state)
{
    const enum outcome said[COUNT] = {
        OUTCOME_SUCCESS, OUTCOME_SUCCESS, OUTCOME_SUCCESS, OUTCOME_FAILURE,
        OUTCOME_SUCCESS, OUTCOME_FAILURE, OUTCOME_FAILURE};
    struct meter_table table;
    const struct meter_row *skipped;

    (void)state;
    meter_count(&cases, said, &table);
    assert_float_equal(table.rows[0].pair_accuracy, 2.0 / 3, 1e-9);
    assert_float_equal(table.rows[0].accuracy, 5.0 / 6, 1e-9);
    assert_float_equal(table.rows[0].precision, 3.0 / 4, 1e-9);
    assert_float_equal(table.rows[0].kappa, 2.0 / 3, 1e-9);
    skipped = row_of(&table, "class", "skipped");
    assert_non_null(skipped);
    assert_float_equal(skipped->pair_accuracy, 0.5, 1e-9);
    assert_ptr_equal(&table.rows[table.worst], skipped);
    assert_true(row_of(&table, "class", "undone")->pair_accuracy == 1);
    assert_true(row_of(&table, "kind", "state")->accuracy == 1);
    assert_float_equal(row_of(&table, "language", "en")->accuracy, 0.75, 1e-9);
}

static void unscored_counts_as_wrong(void **state)
{
    const enum outcome said[COUNT] = {
        OUTCOME_UNSCORED, OUTCOME_SUCCESS,  OUTCOME_FAILURE, OUTCOME_FAILURE,
        OUTCOME_SUCCESS,  OUTCOME_UNSCORED, OUTCOME_FAILURE};
    struct meter_table table;

    (void)state;
    meter_count(&cases, said, &table);
    assert_int_equal(table.rows[0].unscored, 2);
    assert_float_equal(table.rows[0].pair_accuracy, 1.0 / 3, 1e-9);
    assert_float_equal(table.rows[0].accuracy, 4.0 / 6, 1e-9);
}

static void random_walks_are_counted_separately(void **state)
{
    enum outcome said[COUNT] = {
        OUTCOME_SUCCESS, OUTCOME_SUCCESS, OUTCOME_FAILURE, OUTCOME_FAILURE,
        OUTCOME_SUCCESS, OUTCOME_FAILURE, OUTCOME_SUCCESS};
    struct meter_table table;

    (void)state;
    meter_count(&cases, said, &table);
    assert_true(table.rows[0].accuracy == 1);
    assert_true(row_of(&table, "class", "random")->accuracy == 0);
    assert_true(isnan(row_of(&table, "class", "random")->pair_accuracy));
}

static void void_episodes_are_in_no_figure(void **state)
{
    const enum outcome said[COUNT] = {
        OUTCOME_VOID,    OUTCOME_SUCCESS, OUTCOME_FAILURE, OUTCOME_FAILURE,
        OUTCOME_SUCCESS, OUTCOME_FAILURE, OUTCOME_FAILURE};
    struct meter_table table;

    (void)state;
    meter_count(&cases, said, &table);
    assert_int_equal(table.rows[0].episodes, 5);
    assert_int_equal(table.rows[0].pairs, 2);
}

/* According to the truth, the other way is right, too. */
static void two_right_ways_make_no_pair(void **state)
{
    const struct meter_episode mistaken[] = {
        {"a", TASK_PROCESS, "en", TASK_WAY_GOLD, true},
        {"a", TASK_PROCESS, "en", TASK_WAY_WRONG_PROCESS, true},
    };
    const struct meter_pair pair = {0, 1};
    const struct meter_episodes both = {mistaken, 2, &pair, 1};
    const enum outcome said[] = {OUTCOME_SUCCESS, OUTCOME_SUCCESS};
    struct meter_table table;

    (void)state;
    meter_count(&both, said, &table);
    assert_int_equal(table.rows[0].pairs, 0);
    assert_true(isnan(table.rows[0].pair_accuracy));
    assert_true(table.rows[0].accuracy == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(perfect_judge_gets_every_pair),
        cmocka_unit_test(judge_that_always_says_yes_gets_no_pair),
        cmocka_unit_test(one_mistake_costs_the_pairs_it_is_in),
        cmocka_unit_test(unscored_counts_as_wrong),
        cmocka_unit_test(random_walks_are_counted_separately),
        cmocka_unit_test(void_episodes_are_in_no_figure),
        cmocka_unit_test(two_right_ways_make_no_pair),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
