#include "judge/rules/failure_find.h"

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
        !strstr(verdict.failure.description, words))
        fail_msg("%s at %d: %s", failure_class_name(verdict.failure.class_),
                 verdict.failure.step, verdict.failure.description);
    verdict_release(&verdict);
}

static void success_has_no_failure_class(void **state)
{
    (void)state;
    episode_begin(&maker, SORT);
    episode_tap(&maker, SHEET, 1);
    episode_tap(&maker, HOME, 2);
    episode_complete(&maker, PRODUCT);
    expect(FAILURE_NONE, -1, "");
}

static void tap_beside_the_target_is_missed_with_its_distance(void **state)
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
    assert_non_null(strstr(verdict.failure.description, "beside 'Newest'"));
    verdict_release(&verdict);
}

static void tap_on_a_plain_text_is_missed(void **state)
{
    (void)state;
    episode_begin(&maker, SORT);
    for (int i = 0; i < 5; i++)
        episode_tap(&maker, HOME, 4);
    episode_see(&maker, HOME);
    episode_end(&maker, ENDING_REPEATED, "the same tap, five times");
    expect(FAILURE_MISSED, 4, "beside 'Chair'");
}

/* An agent that recovered from one miss failed for another reason. */
static void one_miss_that_was_recovered_is_no_reason(void **state)
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

static void repeated_action_without_effect_is_repeated(void **state)
{
    (void)state;
    episode_begin(&maker, SORT);
    for (int i = 0; i < 5; i++)
        episode_tap(&maker, HOME, 3);
    episode_see(&maker, HOME);
    episode_end(&maker, ENDING_REPEATED, "the same tap, five times");
    expect(FAILURE_REPEATED, 4, "5 times without effect: tapped 'Chair'");
}

static void tap_on_a_focused_field_is_focused(void **state)
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

static void typed_instruction_is_typed_task(void **state)
{
    (void)state;
    episode_begin(&maker, SORT);
    episode_tap(&maker, SEARCH, 1);
    episode_type(&maker, SEARCH_FOCUSED,
                 "find the cheapest lamp, and show it to me!");
    episode_complete(&maker, SEARCH);
    expect(FAILURE_TYPED_TASK, 1, "instruction");
}

static void typed_part_of_the_instruction_is_a_search(void **state)
{
    (void)state;
    episode_begin(&maker, SORT);
    episode_type(&maker, SEARCH_FOCUSED, "cheapest lamp");
    episode_tap(&maker, HOME, 2);
    episode_complete(&maker, PRODUCT);
    expect(FAILURE_WRONG, -1, "not met: sort");
}

static void reached_goal_without_complete_is_not_completed(void **state)
{
    (void)state;
    episode_begin(&maker, SORT);
    episode_tap(&maker, SHEET, 1);
    episode_tap(&maker, HOME, 2);
    for (int i = 0; i < 5; i++)
        episode_tap(&maker, PRODUCT, 1);
    episode_see(&maker, PRODUCT);
    episode_end(&maker, ENDING_BUDGET, "15 steps");
    expect(FAILURE_NOT_COMPLETED, -1, "did not complete");
}

static void complete_before_the_goal_is_too_early(void **state)
{
    (void)state;
    episode_begin(&maker, SORT);
    episode_tap(&maker, SHEET, 1);
    episode_complete(&maker, HOME);
    expect(FAILURE_TOO_EARLY, 1, "completed before: open the lamp");
}

static void undone_goal_is_undone(void **state)
{
    (void)state;
    episode_begin(&maker, SORT);
    episode_tap(&maker, HOME, 2);
    episode_tap(&maker, SHEET, 1);
    episode_tap(&maker, SHEET_PRICE, 2);
    episode_complete(&maker, SHEET);
    expect(FAILURE_UNDONE, 1, "every need was met after step 1");
}

static void left_last_screen_is_undone(void **state)
{
    (void)state;
    episode_begin(&maker, "\"needs\":[{\"say\":\"show the lamp\",\"check\":"
                          "{\"end\":{\"text\":\"12.50\"}}}]");
    episode_tap(&maker, HOME, 2);
    episode_tap(&maker, PRODUCT, 2);
    episode_complete(&maker, SHEET);
    expect(FAILURE_UNDONE, 0, "after step 0");
}

static void action_not_allowed_is_outside(void **state)
{
    const struct action home = {.kind = ACTION_HOME};

    (void)state;
    episode_begin(&maker, SORT);
    episode_act(&maker, HOME, &home, "the task does not allow home");
    episode_act(&maker, HOME, &home, "the task does not allow home");
    episode_complete(&maker, HOME);
    expect(FAILURE_OUTSIDE, 1, "home: the task does not allow home");
}

static void an_action_that_the_guard_blocks_is_inside_the_action_space(
    void **state)
{
    const struct action tap = {
        .kind = ACTION_CLICK, .has_from = true, .from = {50, 50}};
    const struct step_action blocked = {.actor = ACTOR_AGENT,
                                        .action = &tap,
                                        .block = BLOCK_GUARD,
                                        .blocked =
                                            "'Pay' is not to be touched"};
    struct err err;

    (void)state;
    episode_begin(&maker, SORT);
    for (int i = 0; i < 2; i++) {
        episode_see(&maker, HOME);
        assert_true(trajectory_write_action(maker.writer, &blocked, &err));
    }
    episode_complete(&maker, HOME);
    expect(FAILURE_BLOCKED, 1, "click: 'Pay' is not to be touched");
}

/* As the runner writes them: a blocked wait. */
static void replies_without_an_action_are_unparsed(void **state)
{
    const struct trajectory_reply reply = {.text = "I think I should wait",
                                           .error = "no action in it"};
    const struct action wait = {.kind = ACTION_WAIT};
    const struct step_action step_action = {.actor = ACTOR_AGENT,
                                            .action = &wait,
                                            .block = BLOCK_REPLY,
                                            .blocked = "no action in it"};
    struct err err;

    (void)state;
    episode_begin(&maker, SORT);
    for (int i = 0; i < 3; i++) {
        episode_see(&maker, HOME);
        assert_true(trajectory_reply(maker.writer, &reply, &err));
        assert_true(trajectory_write_action(maker.writer, &step_action, &err));
    }
    episode_end(&maker, ENDING_BUDGET, "3 steps");
    expect(FAILURE_UNPARSED, 2, "3 of 3 replies held no action");
}

static void fail_action_is_gave_up(void **state)
{
    const struct action fail = {.kind = ACTION_FAIL};

    (void)state;
    episode_begin(&maker, SORT);
    episode_tap(&maker, HOME, 1);
    episode_act(&maker, SHEET, &fail, NULL);
    episode_end(&maker, ENDING_FAIL, "there is no lamp");
    expect(FAILURE_GAVE_UP, 1, "there is no lamp");
}

static void end_of_budget_is_budget(void **state)
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
        cmocka_unit_test(success_has_no_failure_class),
        cmocka_unit_test(tap_beside_the_target_is_missed_with_its_distance),
        cmocka_unit_test(tap_on_a_plain_text_is_missed),
        cmocka_unit_test(one_miss_that_was_recovered_is_no_reason),
        cmocka_unit_test(repeated_action_without_effect_is_repeated),
        cmocka_unit_test(tap_on_a_focused_field_is_focused),
        cmocka_unit_test(typed_instruction_is_typed_task),
        cmocka_unit_test(typed_part_of_the_instruction_is_a_search),
        cmocka_unit_test(reached_goal_without_complete_is_not_completed),
        cmocka_unit_test(complete_before_the_goal_is_too_early),
        cmocka_unit_test(undone_goal_is_undone),
        cmocka_unit_test(left_last_screen_is_undone),
        cmocka_unit_test(action_not_allowed_is_outside),
        cmocka_unit_test(
            an_action_that_the_guard_blocks_is_inside_the_action_space),
        cmocka_unit_test(replies_without_an_action_are_unparsed),
        cmocka_unit_test(fail_action_is_gave_up),
        cmocka_unit_test(end_of_budget_is_budget),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
