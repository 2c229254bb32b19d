#include "judge/failure_find.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "judge/judge.h"
#include "tests/judge/episode_maker.h"

#define SORT                                                                   \
    "\"needs\":[{\"say\":\"sort\",\"check\":{\"target\":\"price\"}},"          \
    "{\"say\":\"open the lamp\",\"check\":{\"target\":\"lamp\"}}]"

#define HOME "title: Shop\nrow: Sort\nrow: Lamp\nrow: Chair\ntext: Hello\n"
#define SHEET "title: Sort\n( ) Price\n(x) Rating\n( ) Newest\n"
#define SHEET_PRICE "title: Sort\n(x) Price\n( ) Rating\n( ) Newest\n"
#define SEARCH "title: Search\nfield: \nrow: Go\n"
#define SEARCH_FOCUSED "title: Search\n*field: \nrow: Go\n"
#define PRODUCT "title: Lamp\ntext: $ 12.50\nrow: Buy\n"
#define EMPTY_Y 1500

static struct episode_maker maker;

static void judge(struct verdict *verdict)
{
    const struct judge_options options = {.kind = JUDGE_RULES};
    struct judge rules;
    struct err err;

    judge_init(&rules, &options);
    if (!judge_episode(&rules, maker.folder, verdict, &err))
        fail_msg("%s", err.text);
    judge_release(&rules);
    episode_remove(&maker);
}

static void expect(enum failure_class class_, int step, const char *words)
{
    struct verdict verdict;

    judge(&verdict);
    if (verdict.failure.class_ != class_ || verdict.failure.step != step ||
        !strstr(verdict.failure.words, words))
        fail_msg("%s at %d: %s", failure_class_name(verdict.failure.class_),
                 verdict.failure.step, verdict.failure.words);
    verdict_release(&verdict);
}

static void a_success_has_no_class(void **state)
{
    (void)state;
    episode_begin(&maker, SORT);
    episode_tap(&maker, SHEET, 1);
    episode_tap(&maker, HOME, 2);
    episode_complete(&maker, PRODUCT);
    expect(FAILURE_NONE, -1, "");
}

static void a_tap_beside_the_target_tells_the_distance(void **state)
{
    struct verdict verdict;

    (void)state;
    episode_begin(&maker, SORT);
    episode_tap_at(&maker, SHEET, 500, 430);
    episode_complete(&maker, SHEET);
    judge(&verdict);
    assert_int_equal(verdict.failure.class_, FAILURE_MISSED);
    assert_int_equal(verdict.failure.step, 0);
    assert_int_equal(verdict.failure.distance, 31);
    assert_non_null(strstr(verdict.failure.words, "beside 'Newest'"));
    verdict_release(&verdict);
}

static void a_text_that_takes_no_taps_is_missed_too(void **state)
{
    (void)state;
    episode_begin(&maker, SORT);
    for (int i = 0; i < 5; i++)
        episode_tap(&maker, HOME, 4);
    episode_see(&maker, HOME);
    episode_end(&maker, ENDING_REPEATED, "the same tap, five times");
    expect(FAILURE_MISSED, 4, "beside 'Chair'");
}

/* Who found the way back after one slip failed for another reason. */
static void one_slip_on_the_way_is_no_reason(void **state)
{
    (void)state;
    episode_begin(&maker, SORT);
    episode_tap_at(&maker, HOME, 500, EMPTY_Y);
    episode_tap(&maker, HOME, 1);
    episode_tap(&maker, SHEET, 2);
    episode_tap(&maker, HOME, 2);
    episode_tap(&maker, PRODUCT, 2);
    episode_complete(&maker, HOME);
    expect(FAILURE_WRONG, -1, "not met: sort");
}

static void the_same_again_without_effect(void **state)
{
    (void)state;
    episode_begin(&maker, SORT);
    for (int i = 0; i < 5; i++)
        episode_tap(&maker, HOME, 3);
    episode_see(&maker, HOME);
    episode_end(&maker, ENDING_REPEATED, "the same tap, five times");
    expect(FAILURE_REPEATED, 4, "5 times without effect: tapped 'Chair'");
}

static void a_field_that_had_the_focus(void **state)
{
    (void)state;
    episode_begin(&maker, SORT);
    episode_tap(&maker, SEARCH, 1);
    for (int i = 0; i < 4; i++)
        episode_tap(&maker, SEARCH_FOCUSED, 1);
    episode_see(&maker, SEARCH_FOCUSED);
    episode_end(&maker, ENDING_REPEATED, "the same tap, five times");
    expect(FAILURE_FOCUSED, 4, "had the focus 4 times");
}

static void the_instruction_typed_into_a_search_box(void **state)
{
    (void)state;
    episode_begin(&maker, SORT);
    episode_tap(&maker, SEARCH, 1);
    episode_type(&maker, SEARCH_FOCUSED,
                 "find the cheapest lamp, and show it to me!");
    episode_complete(&maker, SEARCH);
    expect(FAILURE_TYPED_TASK, 1, "instruction");
}

static void a_part_of_the_instruction_is_what_one_searches_for(void **state)
{
    (void)state;
    episode_begin(&maker, SORT);
    episode_type(&maker, SEARCH_FOCUSED, "cheapest lamp");
    episode_tap(&maker, HOME, 2);
    episode_complete(&maker, PRODUCT);
    expect(FAILURE_WRONG, -1, "not met: sort");
}

static void the_goal_reached_and_never_said_so(void **state)
{
    (void)state;
    episode_begin(&maker, SORT);
    episode_tap(&maker, SHEET, 1);
    episode_tap(&maker, HOME, 2);
    for (int i = 0; i < 5; i++)
        episode_tap(&maker, PRODUCT, 1);
    episode_see(&maker, PRODUCT);
    episode_end(&maker, ENDING_BUDGET, "15 steps");
    expect(FAILURE_NEVER_SAID, -1, "never said so");
}

static void said_so_too_early(void **state)
{
    (void)state;
    episode_begin(&maker, SORT);
    episode_tap(&maker, SHEET, 1);
    episode_complete(&maker, HOME);
    expect(FAILURE_TOO_EARLY, 1, "said so before: open the lamp");
}

static void the_goal_passed_and_undone(void **state)
{
    (void)state;
    episode_begin(&maker, SORT);
    episode_tap(&maker, HOME, 2);
    episode_tap(&maker, SHEET, 1);
    episode_tap(&maker, SHEET_PRICE, 2);
    episode_complete(&maker, SHEET);
    expect(FAILURE_UNDONE, 1, "after step 1 every need was met");
}

static void the_last_screen_passed_and_left(void **state)
{
    (void)state;
    episode_begin(&maker, "\"needs\":[{\"say\":\"show the lamp\",\"check\":"
                          "{\"end\":{\"text\":\"12.50\"}}}]");
    episode_tap(&maker, HOME, 2);
    episode_tap(&maker, PRODUCT, 2);
    episode_complete(&maker, SHEET);
    expect(FAILURE_UNDONE, 0, "after step 0");
}

static void an_action_that_is_not_allowed(void **state)
{
    const struct action home = {.kind = ACTION_HOME};

    (void)state;
    episode_begin(&maker, SORT);
    episode_act(&maker, HOME, &home, "the task does not allow home");
    episode_act(&maker, HOME, &home, "the task does not allow home");
    episode_complete(&maker, HOME);
    expect(FAILURE_OUTSIDE, 1, "home: the task does not allow home");
}

/* As the runner writes them: a wait that was blocked. */
static void replies_that_hold_no_action(void **state)
{
    const struct trajectory_reply reply = {.text = "I think I should wait",
                                           .error = "no action in it"};
    const struct action wait = {.kind = ACTION_WAIT};
    const struct trajectory_deed deed = {.actor = ACTOR_AGENT,
                                         .action = &wait,
                                         .block = BLOCK_REPLY,
                                         .blocked = "no action in it"};
    struct err err;

    (void)state;
    episode_begin(&maker, SORT);
    for (int i = 0; i < 3; i++) {
        episode_see(&maker, HOME);
        assert_true(trajectory_reply(maker.writer, &reply, &err));
        assert_true(trajectory_do(maker.writer, &deed, &err));
    }
    episode_end(&maker, ENDING_BUDGET, "3 steps");
    expect(FAILURE_UNPARSED, 2, "3 of 3 replies held no action");
}

static void gave_up(void **state)
{
    const struct action fail = {.kind = ACTION_FAIL};

    (void)state;
    episode_begin(&maker, SORT);
    episode_tap(&maker, HOME, 1);
    episode_act(&maker, SHEET, &fail, NULL);
    episode_end(&maker, ENDING_FAIL, "there is no lamp");
    expect(FAILURE_GAVE_UP, 1, "there is no lamp");
}

static void out_of_budget(void **state)
{
    (void)state;
    episode_begin(&maker, SORT);
    episode_tap(&maker, HOME, 1);
    episode_tap(&maker, SHEET, 2);
    episode_tap(&maker, HOME, 3);
    episode_see(&maker, PRODUCT);
    episode_end(&maker, ENDING_BUDGET, "3 steps");
    expect(FAILURE_BUDGET, -1, "3 steps");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_success_has_no_class),
        cmocka_unit_test(a_tap_beside_the_target_tells_the_distance),
        cmocka_unit_test(a_text_that_takes_no_taps_is_missed_too),
        cmocka_unit_test(one_slip_on_the_way_is_no_reason),
        cmocka_unit_test(the_same_again_without_effect),
        cmocka_unit_test(a_field_that_had_the_focus),
        cmocka_unit_test(the_instruction_typed_into_a_search_box),
        cmocka_unit_test(a_part_of_the_instruction_is_what_one_searches_for),
        cmocka_unit_test(the_goal_reached_and_never_said_so),
        cmocka_unit_test(said_so_too_early),
        cmocka_unit_test(the_goal_passed_and_undone),
        cmocka_unit_test(the_last_screen_passed_and_left),
        cmocka_unit_test(an_action_that_is_not_allowed),
        cmocka_unit_test(replies_that_hold_no_action),
        cmocka_unit_test(gave_up),
        cmocka_unit_test(out_of_budget),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
