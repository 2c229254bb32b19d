#include "tools/env/env_split.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define COUNT 7000U

static void every_seed_of_a_split_belongs_to_it(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < COUNT; i++) {
        assert_int_equal(env_split_of(env_split_seed(ENV_TRAIN, i)), ENV_TRAIN);
        assert_int_equal(env_split_of(env_split_seed(ENV_TEST, i)), ENV_TEST);
    }
}

/* Seven of eight seeds are for training, and no seed is left out. */
static void both_splits_together_are_all_seeds(void **state)
{
    uint64_t train = 0, test = 0;

    (void)state;
    for (uint64_t seed = 0; seed < COUNT / 7 * 8; seed++) {
        if (env_split_of(seed) == ENV_TRAIN)
            assert_int_equal(env_split_seed(ENV_TRAIN, train++), seed);
        else
            assert_int_equal(env_split_seed(ENV_TEST, test++), seed);
    }
    assert_int_equal(train, COUNT);
    assert_int_equal(test, COUNT / 7);
}

static void the_largest_index_has_a_seed_in_bounds(void **state)
{
    (void)state;
    assert_true(env_split_seed(ENV_TEST, ENV_INDEX_MAX) <=
                (uint64_t)ENV_SEED_MAX);
    assert_true(env_split_seed(ENV_TRAIN, ENV_INDEX_MAX) <=
                (uint64_t)ENV_SEED_MAX);
}

static void splits_have_names(void **state)
{
    enum env_split split = ENV_TRAIN;

    (void)state;
    assert_true(env_split_find("test", &split));
    assert_int_equal(split, ENV_TEST);
    assert_string_equal(env_split_name(ENV_TRAIN), "train");
    assert_false(env_split_find("validation", &split));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_seed_of_a_split_belongs_to_it),
        cmocka_unit_test(both_splits_together_are_all_seeds),
        cmocka_unit_test(the_largest_index_has_a_seed_in_bounds),
        cmocka_unit_test(splits_have_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
