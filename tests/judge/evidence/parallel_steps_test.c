/* Descriptions of steps are the same on one thread and on several. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"
#include "judge/evidence/episode_evidence.h"
#include "tests/judge/episode_maker.h"

#define TAPS 61
#define STEPS (TAPS + 1) /* with the end */

static const char *const screens[] = {
    "title: Shop\nrow: Lamp\nrow: Chair\n",
    "title: Lamp\ntext: $ 12.50\nrow: Buy\n",
    "title: Filters\n[ ] Free delivery\n[x] Open now\n",
};

static int begin(void **state)
{
    static struct episode_maker maker;

    episode_begin(&maker, "\"needs\":[{\"say\":\"look around\"}]");
    for (int i = 0; i < TAPS; i++)
        episode_tap(&maker, screens[i % 3], 1 + i % 2);
    episode_complete(&maker, screens[0]);
    *state = &maker;
    return 0;
}

static int end(void **state)
{
    episode_remove(*state);
    return 0;
}

static void count(void *context)
{
    atomic_fetch_add((atomic_size_t *)context, 1);
}

static void describe(const struct episode_maker *maker, unsigned threads,
                     struct episode_evidence *evidence)
{
    atomic_size_t described = 0;
    const struct picture_access access = {.by = DEADLINE_NEVER,
                                          .threads = threads,
                                          .described = count,
                                          .context = &described};
    struct err err = ERR_INIT;

    if (!episode_evidence_open(maker->folder, PROCESS_OFFLINE, &access,
                               evidence, &err))
        fail_msg("%s", err.text);
    assert_int_equal(evidence->count, STEPS);
    assert_int_equal(atomic_load(&described), STEPS);
}

static void descriptions_do_not_depend_on_the_number_of_threads(void **state)
{
    static const unsigned threads[] = {2, 3, 8};
    struct episode_evidence alone;

    describe(*state, 1, &alone);
    for (size_t i = 0; i < ARRAY_LEN(threads); i++) {
        struct episode_evidence together;

        describe(*state, threads[i], &together);
        for (size_t k = 0; k < STEPS; k++) {
            const struct episode_evidence_step *a = &alone.steps[k];
            const struct episode_evidence_step *b = &together.steps[k];

            assert_string_equal(a->description, b->description);
            assert_int_equal(a->on, b->on);
            assert_int_equal(a->has_control, b->has_control);
            assert_string_equal(a->became.text, b->became.text);
        }
        episode_evidence_release(&together);
    }
    episode_evidence_release(&alone);
}

static void cancelling_stops_all_threads(void **state)
{
    const struct episode_maker *maker = *state;
    struct cancel cancel = CANCEL_INIT;
    const struct picture_access access = {
        .by = DEADLINE_NEVER, .cancel = &cancel, .threads = 4};
    struct episode_evidence evidence;
    struct err err = ERR_INIT;

    assert_true(cancel_init(&cancel, &err));
    cancel_fire(&cancel);
    assert_false(episode_evidence_open(maker->folder, PROCESS_OFFLINE, &access,
                                       &evidence, &err));
    assert_int_equal(err.code, ERR_CANCELLED);
    cancel_release(&cancel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptions_do_not_depend_on_the_number_of_threads),
        cmocka_unit_test(cancelling_stops_all_threads),
    };

    return cmocka_run_group_tests(tests, begin, end);
}
