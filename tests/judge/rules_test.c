#include "judge/rules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/judge/episode_maker.h"

#define SORT_NEED                                                              \
    "\"needs\":[{\"id\":\"sort\",\"say\":\"sort by price\",\"check\":"         \
    "{\"target\":\"price\"}}]"

#define HOME "title: Shop\nrow: Sort\nrow: Lamp\nrow: Chair\n"
#define SHEET "title: Shop\n( ) Price\n(x) Rating\n( ) Newest\n"
#define SHEET_PRICE "title: Shop\n(x) Price\n( ) Rating\n( ) Newest\n"
#define PRODUCT "title: Lamp\ntext: $ 12.50\nrow: Buy\n"
#define FILTERS "title: Filters\n[ ] Free delivery\n[ ] Open now\n"
#define FILTERS_FREE "title: Filters\n[x] Free delivery\n[ ] Open now\n"
#define FILTERS_BOTH "title: Filters\n[x] Free delivery\n[x] Open now\n"

#define PAYING "title: Pay\n( ) Express\n(x) Standard\n( ) Cash\n(x) Card\n"
#define PAYING_EXPRESS                                                         \
    "title: Pay\n(x) Express\n( ) Standard\n( ) Cash\n(x) Card\n"
#define PAYING_CASH                                                            \
    "title: Pay\n(x) Express\n( ) Standard\n(x) Cash\n( ) Card\n"

#define PROBES                                                                 \
    "\"probes\":[{\"name\":\"wifi\",\"command\":\"settings get global "        \
    "wifi_on\"},{\"name\":\"sound\",\"command\":\"settings get system "        \
    "volume\"}],"

static struct episode_maker maker;

/* What the judge says; the episode is gone afterwards. */
static void judge_by(enum process_source source, struct verdict *verdict)
{
    struct dossier dossier;
    struct err err;

    if (!dossier_open(maker.folder, source, &dossier, &err))
        fail_msg("%s", err.text);
    *verdict = (struct verdict)VERDICT_INIT;
    if (!rules_judge(&dossier, verdict, &err))
        fail_msg("%s", err.text);
    dossier_release(&dossier);
    episode_remove(&maker);
}

static void judge(struct verdict *verdict)
{
    judge_by(PROCESS_OFFLINE, verdict);
}

static void expect(enum outcome outcome, size_t met, size_t needed)
{
    struct verdict verdict;

    judge(&verdict);
    if (verdict.outcome != outcome || verdict.met != met ||
        verdict.need_count != needed)
        fail_msg("%s, %zu of %zu: %s; %s", outcome_name(verdict.outcome),
                 verdict.met, verdict.need_count, verdict.reason,
                 verdict.need_count ? verdict.needs[0].why : "");
    verdict_release(&verdict);
}

static void expect_reason(enum outcome outcome, const char *part)
{
    struct verdict verdict;

    judge(&verdict);
    assert_int_equal(verdict.outcome, outcome);
    if (!strstr(verdict.reason, part))
        fail_msg("\"%s\" does not say \"%s\"", verdict.reason, part);
    verdict_release(&verdict);
}

/* ---- steps ---- */

static void what_was_done_and_said_to_be_done_is_a_success(void **state)
{
    struct verdict verdict;

    (void)state;
    episode_begin(&maker, SORT_NEED);
    episode_tap(&maker, HOME, 1);
    episode_tap(&maker, SHEET, 1);
    episode_complete(&maker, SHEET_PRICE);
    judge(&verdict);
    assert_int_equal(verdict.outcome, OUTCOME_SUCCESS);
    assert_int_equal(verdict.needs[0].step, 1);
    assert_string_equal(verdict.needs[0].say, "sort by price");
    assert_non_null(strstr(verdict.needs[0].why, "step 1: tapped"));
    assert_int_equal(verdict.steps, 3);
    verdict_release(&verdict);
}

static void what_was_not_done_names_what_came_nearest(void **state)
{
    (void)state;
    episode_begin(&maker, "\"needs\":[{\"say\":\"sort by price\",\"check\":"
                          "{\"target\":\"rating (high|low)\"}}]");
    episode_tap(&maker, HOME, 2);
    episode_tap(&maker, SHEET, 2);
    episode_complete(&maker, SHEET);
    expect_reason(OUTCOME_FAILURE, "nearest is step 1: tapped");
}

static void nothing_done_comes_near_nothing(void **state)
{
    (void)state;
    episode_begin(&maker, SORT_NEED);
    episode_complete(&maker, HOME);
    expect_reason(OUTCOME_FAILURE, "no step comes near");
}

static void a_blocked_step_does_nothing(void **state)
{
    const struct action tap = {
        .kind = ACTION_CLICK, .has_from = true, .from = {500, 150}};

    (void)state;
    episode_begin(&maker, SORT_NEED);
    episode_act(&maker, SHEET, &tap, "not on this phone");
    episode_complete(&maker, SHEET);
    expect(OUTCOME_FAILURE, 0, 1);
}

static void each_member_is_held_against_its_part_of_a_step(void **state)
{
    static const struct {
        const char *check;
        enum outcome outcome;
    } cases[] = {
        {"{\"typed\":\"^lamp$\"}", OUTCOME_SUCCESS},
        {"{\"typed\":\"^lam$\"}", OUTCOME_FAILURE},
        {"{\"action\":[\"type\"]}", OUTCOME_SUCCESS},
        {"{\"action\":[\"enter\",\"swipe\"]}", OUTCOME_FAILURE},
        {"{\"action\":[\"click\"],\"typed\":\"lamp\"}", OUTCOME_FAILURE},
        {"{\"screen\":\"^Filters$\",\"target\":\"free\"}", OUTCOME_SUCCESS},
        {"{\"screen\":\"^Shop$\",\"target\":\"free\"}", OUTCOME_FAILURE},
        {"{\"target\":\"free\",\"on\":true}", OUTCOME_SUCCESS},
        {"{\"target\":\"free\",\"on\":false}", OUTCOME_FAILURE},
        {"{\"shows\":\"^Chair$\"}", OUTCOME_SUCCESS},
        {"{\"shows\":\"^Chair$\",\"action\":[\"type\"]}", OUTCOME_FAILURE},
        {"{\"did\":\"turned on\"}", OUTCOME_SUCCESS},
        {"{\"has\":[\"Open now\",\"Free\"]}", OUTCOME_SUCCESS},
        {"{\"has\":[\"Open now\",\"Fre\"]}", OUTCOME_FAILURE},
        {"{\"gets\":[\"Sort\",\"Chair\"]}", OUTCOME_SUCCESS},
        {"{\"gets\":[\"Chair\",\"Sort\"]}", OUTCOME_FAILURE},
        {"{\"any\":[{\"typed\":\"chair\"},{\"typed\":\"LAMP\"}]}",
         OUTCOME_SUCCESS},
        {"{\"all\":[{\"typed\":\"lamp\"},{\"target\":\"free\"}]}",
         OUTCOME_SUCCESS},
        {"{\"all\":[{\"typed\":\"lamp\"},{\"target\":\"open\"}]}",
         OUTCOME_FAILURE},
        {"{\"not\":{\"target\":\"open\"}}", OUTCOME_SUCCESS},
        {"{\"not\":{\"target\":\"free\"}}", OUTCOME_FAILURE},
        {"{\"end\":{\"text\":\"^Lamp$\"}}", OUTCOME_SUCCESS},
        {"{\"end\":{\"text\":\"^Filters$\"}}", OUTCOME_FAILURE},
        {"{\"end\":{\"id\":\"^title$\",\"text\":\"Shop\"}}", OUTCOME_SUCCESS},
        {"{\"end\":{\"id\":\"^title$\",\"text\":\"Lamp\"}}", OUTCOME_FAILURE},
        {"{\"evidence\":\"wifi\",\"is\":\"^1$\"}", OUTCOME_SUCCESS},
        {"{\"evidence\":\"wifi\",\"is\":\"^0$\"}", OUTCOME_FAILURE},
        {"{\"evidence\":\"sound\",\"is\":\".*\"}", OUTCOME_FAILURE},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char task[512];
        struct verdict verdict;

        snprintf(task, sizeof(task),
                 PROBES "\"needs\":[{\"say\":\"it\",\"check\":%s}]",
                 cases[i].check);
        episode_begin(&maker, task);
        episode_before(&maker, "wifi", "0");
        episode_type(&maker, "title: Shop\n*field: \n", "lamp");
        episode_tap(&maker, FILTERS, 1);
        episode_tap(&maker, FILTERS_FREE, 0);
        episode_evidence(&maker, "wifi", "1");
        episode_complete(&maker, HOME);
        judge(&verdict);
        if (verdict.outcome != cases[i].outcome)
            fail_msg("%s: %s", cases[i].check, verdict.reason);
        verdict_release(&verdict);
    }
}

static void states_of_the_last_screen_are_read_off_it(void **state)
{
    (void)state;
    episode_begin(&maker,
                  "\"needs\":["
                  "{\"say\":\"a\",\"check\":{\"end\":{\"text\":\"free\","
                  "\"checked\":true}}},"
                  "{\"say\":\"b\",\"check\":{\"end\":{\"text\":\"open\","
                  "\"checked\":false}}},"
                  "{\"say\":\"c\",\"check\":{\"end\":{\"text\":\"deals\","
                  "\"selected\":true}}},"
                  "{\"say\":\"d\",\"check\":{\"end\":{\"text\":\"home\","
                  "\"selected\":true}}}]");
    episode_complete(&maker, FILTERS_FREE "{x} Deals\n{ } Home\n");
    expect(OUTCOME_FAILURE, 3, 4);
}

/* ---- order ---- */

#define TWO_NEEDS                                                              \
    "\"needs\":[{\"id\":\"sort\",\"say\":\"sort\",\"check\":{\"target\":"      \
    "\"price\"}},{\"id\":\"open\",\"say\":\"open\",\"check\":{\"target\":"     \
    "\"lamp\"}%s}]%s"

static void two_needs(const char *of_second, const char *of_task)
{
    char task[512];

    snprintf(task, sizeof(task), TWO_NEEDS, of_second, of_task);
    episode_begin(&maker, task);
}

static void open_then_sort(void)
{
    episode_tap(&maker, HOME, 2);
    episode_tap(&maker, SHEET, 1);
    episode_complete(&maker, SHEET_PRICE);
}

static void needs_come_in_any_order(void **state)
{
    (void)state;
    two_needs("", "");
    open_then_sort();
    expect(OUTCOME_SUCCESS, 2, 2);
}

static void unless_one_is_after_the_other(void **state)
{
    (void)state;
    two_needs(",\"after\":[\"sort\"]", "");
    open_then_sort();
    expect_reason(OUTCOME_FAILURE, "came without 'sort' before it");
}

static void or_all_are_ordered(void **state)
{
    (void)state;
    two_needs("", ",\"ordered\":true");
    open_then_sort();
    expect(OUTCOME_FAILURE, 1, 2);
}

static void doing_it_again_in_order_mends_it(void **state)
{
    (void)state;
    two_needs(",\"after\":[\"sort\"]", "");
    episode_tap(&maker, HOME, 2);
    episode_tap(&maker, SHEET, 1);
    episode_tap(&maker, HOME, 2);
    episode_complete(&maker, PRODUCT);
    expect(OUTCOME_SUCCESS, 2, 2);
}

/* Sorted otherwise in between, the first lamp is any lamp. */
static void what_came_before_must_be_in_force(void **state)
{
    (void)state;
    two_needs(",\"after\":[\"sort\"]", "");
    episode_tap(&maker, SHEET, 1);
    episode_tap(&maker, SHEET_PRICE, 2);
    episode_tap(&maker, SHEET, 1);
    episode_tap(&maker, HOME, 2);
    episode_complete(&maker, PRODUCT);
    expect(OUTCOME_SUCCESS, 2, 2);

    two_needs(",\"after\":[\"sort\"]", "");
    episode_tap(&maker, SHEET, 1);
    episode_tap(&maker, HOME, 1);
    episode_tap(&maker, SHEET_PRICE, 2);
    episode_tap(&maker, HOME, 2);
    episode_complete(&maker, PRODUCT);
    expect(OUTCOME_FAILURE, 0, 2);
}

/* ---- undone ---- */

static void what_is_turned_off_again_is_undone(void **state)
{
    (void)state;
    episode_begin(&maker, "\"needs\":[{\"say\":\"free delivery\",\"check\":"
                          "{\"target\":\"free\",\"on\":true}}]");
    episode_tap(&maker, FILTERS, 1);
    episode_tap(&maker, FILTERS_FREE, 1);
    episode_complete(&maker, FILTERS);
    expect_reason(OUTCOME_FAILURE,
                  "step 0 did it, and it was undone by step 1");
}

static void what_is_turned_on_once_more_is_not(void **state)
{
    (void)state;
    episode_begin(&maker, "\"needs\":[{\"say\":\"free delivery\",\"check\":"
                          "{\"target\":\"free\",\"on\":true}}]");
    episode_tap(&maker, FILTERS, 1);
    episode_tap(&maker, FILTERS_FREE, 1);
    episode_tap(&maker, FILTERS, 1);
    episode_complete(&maker, FILTERS_FREE);
    expect(OUTCOME_SUCCESS, 1, 1);
}

static void what_was_to_be_done_once_may_be_undone(void **state)
{
    (void)state;
    episode_begin(&maker, "\"needs\":[{\"say\":\"was free\",\"check\":{"
                          "\"once\":{\"target\":\"free\",\"on\":true}}}]");
    episode_tap(&maker, FILTERS, 1);
    episode_tap(&maker, FILTERS_FREE, 1);
    episode_complete(&maker, FILTERS);
    expect(OUTCOME_SUCCESS, 1, 1);

    episode_begin(&maker, "\"needs\":[{\"say\":\"was free\",\"check\":{"
                          "\"once\":{\"target\":\"free\",\"on\":true}}}]");
    episode_tap(&maker, FILTERS_FREE, 1);
    episode_complete(&maker, FILTERS);
    expect(OUTCOME_FAILURE, 0, 1);
}

/* Two questions on one screen: an answer to one leaves the other alone. */
static void a_choice_that_is_still_shown_is_in_force(void **state)
{
    (void)state;
    episode_begin(&maker, "\"needs\":[{\"say\":\"express\",\"check\":"
                          "{\"target\":\"express\",\"on\":true}}]");
    episode_tap(&maker, PAYING, 1);
    episode_tap(&maker, PAYING_EXPRESS, 3); /* cash */
    episode_complete(&maker, PAYING_CASH);
    expect(OUTCOME_SUCCESS, 1, 1);
}

static void another_choice_undoes_the_first(void **state)
{
    (void)state;
    episode_begin(&maker, SORT_NEED);
    episode_tap(&maker, SHEET, 1);
    episode_tap(&maker, SHEET_PRICE, 2);
    episode_complete(&maker, SHEET);
    expect(OUTCOME_FAILURE, 0, 1);
}

static void parts_are_undone_one_by_one(void **state)
{
    (void)state;
    episode_begin(&maker, "\"needs\":[{\"say\":\"both\",\"check\":{\"all\":["
                          "{\"target\":\"free\",\"on\":true},"
                          "{\"target\":\"open\",\"on\":true}]}}]");
    episode_tap(&maker, FILTERS, 1);
    episode_tap(&maker, FILTERS_FREE, 2);
    episode_tap(&maker, FILTERS_BOTH, 2);
    episode_complete(&maker, FILTERS_FREE);
    expect(OUTCOME_FAILURE, 0, 1);
}

static void what_the_task_calls_undoing_undoes(void **state)
{
    (void)state;
    episode_begin(&maker, "\"needs\":[{\"say\":\"buy\",\"check\":{\"target\":"
                          "\"buy\"},\"undone_by\":{\"target\":\"remove\"}}]");
    episode_tap(&maker, PRODUCT, 2);
    episode_tap(&maker, "title: Cart\nrow: Remove\n", 1);
    episode_complete(&maker, "title: Cart\n");
    expect(OUTCOME_FAILURE, 0, 1);
}

/* Going to another tab is no change of mind. */
static void tabs_are_not_undone_unless_they_were_asked_for(void **state)
{
    (void)state;
    episode_begin(&maker,
                  "\"needs\":[{\"say\":\"a\",\"check\":{\"target\":\"deals\"}},"
                  "{\"say\":\"b\",\"check\":{\"target\":\"deals\","
                  "\"on\":true}}]");
    episode_tap(&maker, "title: Shop\n{ } Deals\n{x} Home\n", 1);
    episode_tap(&maker, "title: Shop\n{x} Deals\n{ } Home\n", 2);
    episode_complete(&maker, "title: Shop\n{ } Deals\n{x} Home\n");
    expect(OUTCOME_FAILURE, 1, 2);
}

/* On, and off again: the second is asked for, and takes nothing back. */
static void what_another_need_asks_for_undoes_nothing(void **state)
{
    (void)state;
    episode_begin(&maker, "\"needs\":[{\"id\":\"on\",\"say\":\"on\",\"check\":"
                          "{\"target\":\"free\",\"on\":true}},{\"say\":\"off\","
                          "\"check\":{\"target\":\"free\",\"on\":false},"
                          "\"after\":[\"on\"]}]");
    episode_tap(&maker, FILTERS, 1);
    episode_tap(&maker, FILTERS_FREE, 1);
    episode_complete(&maker, FILTERS);
    expect(OUTCOME_SUCCESS, 2, 2);
}

#define UNSAVED "title: Lamp\nrow: Save\n"
#define SAVED "title: Lamp\nrow: Remove\n"

static void a_button_that_is_called_otherwise_is_the_same(void **state)
{
    static const char task[] =
        "\"needs\":[{\"say\":\"save it\",\"check\":{\"target\":\"^save$\"}}]";

    (void)state;
    episode_begin(&maker, task);
    episode_tap(&maker, UNSAVED, 1);
    episode_complete(&maker, SAVED);
    expect(OUTCOME_SUCCESS, 1, 1);
    episode_begin(&maker, task);
    episode_tap(&maker, UNSAVED, 1);
    episode_tap(&maker, SAVED, 1);
    episode_complete(&maker, UNSAVED);
    expect(OUTCOME_FAILURE, 0, 1);
}

/* Two laps are two steps. */
static void one_step_meets_one_of_two_that_follow_each_other(void **state)
{
    static const char task[] =
        "\"ordered\":true,\"needs\":[{\"say\":\"a lap\",\"check\":{\"target\":"
        "\"lap\"}},{\"say\":\"another\",\"check\":{\"target\":\"lap\"}}]";
    static const char watch[] = "title: Watch\nrow: Lap\n";

    (void)state;
    episode_begin(&maker, task);
    episode_tap(&maker, watch, 1);
    episode_complete(&maker, watch);
    expect(OUTCOME_FAILURE, 1, 2);
    episode_begin(&maker, task);
    episode_tap(&maker, watch, 1);
    episode_tap(&maker, watch, 1);
    episode_complete(&maker, watch);
    expect(OUTCOME_SUCCESS, 2, 2);
}

/* Rows of one screen that are tapped one after the other, and the outcome. */
struct taps {
    const char *rows;
    enum outcome outcome;
};

static void expect_taps(const char *task, const char *screen,
                        const struct taps *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct verdict verdict;

        episode_begin(&maker, task);
        for (const char *row = cases[i].rows; *row; row++)
            episode_tap(&maker, screen, *row - '0');
        episode_complete(&maker, screen);
        judge(&verdict);
        if (verdict.outcome != cases[i].outcome)
            fail_msg("%s: %s", cases[i].rows, verdict.reason);
        verdict_release(&verdict);
    }
}

static void so_often_and_not_once_more(void **state)
{
    static const struct taps cases[] = {
        {"1", OUTCOME_FAILURE},      {"11", OUTCOME_SUCCESS},
        {"111", OUTCOME_FAILURE},    {"112", OUTCOME_SUCCESS},
        {"1211", OUTCOME_SUCCESS},   {"11121", OUTCOME_FAILURE},
        {"111211", OUTCOME_SUCCESS},
    };

    (void)state;
    expect_taps("\"needs\":[{\"say\":\"two laps\",\"check\":{\"target\":"
                "\"lap\",\"times\":2,\"anew\":\"reset\"}}]",
                "title: Watch\nrow: Lap\nrow: Reset\n", cases,
                sizeof(cases) / sizeof(cases[0]));
}

static void what_is_taken_back_counts_one_less(void **state)
{
    static const struct taps cases[] = {
        {"", OUTCOME_FAILURE},      {"1", OUTCOME_SUCCESS},
        {"11", OUTCOME_FAILURE},    {"12", OUTCOME_FAILURE},
        {"112", OUTCOME_SUCCESS},   {"121", OUTCOME_SUCCESS},
        {"211", OUTCOME_FAILURE},   {"221", OUTCOME_SUCCESS},
        {"1122", OUTCOME_FAILURE},  {"1113", OUTCOME_FAILURE},
        {"11312", OUTCOME_FAILURE}, {"1131", OUTCOME_SUCCESS},
    };

    (void)state;
    expect_taps("\"needs\":[{\"say\":\"one is in it\",\"check\":{\"target\":"
                "\"^put in\",\"times\":1,\"less\":\"^take out\",\"anew\":"
                "\"^empty\"}}]",
                "title: Bag\nrow: Put in\nrow: Take out\nrow: Empty\n", cases,
                sizeof(cases) / sizeof(cases[0]));
}

/* ---- what else must hold ---- */

static void a_forbidden_step_fails_the_task(void **state)
{
    (void)state;
    episode_begin(&maker, SORT_NEED ",\"never\":[{\"target\":\"buy\"}]");
    episode_tap(&maker, SHEET, 1);
    episode_tap(&maker, PRODUCT, 2);
    episode_complete(&maker, PRODUCT);
    expect_reason(OUTCOME_FAILURE, "nothing forbidden is done (step 1");
}

static void what_must_stay_is_compared_before_and_after(void **state)
{
    static const char task[] =
        SORT_NEED ",\"probes\":[{\"name\":\"wifi\",\"command\":\"settings get "
                  "global wifi_on\",\"unchanged\":true}]";

    (void)state;
    episode_begin(&maker, task);
    episode_before(&maker, "wifi", "1");
    episode_tap(&maker, SHEET, 1);
    episode_evidence(&maker, "wifi", "1");
    episode_complete(&maker, SHEET_PRICE);
    expect(OUTCOME_SUCCESS, 1, 1);

    episode_begin(&maker, task);
    episode_before(&maker, "wifi", "1");
    episode_tap(&maker, SHEET, 1);
    episode_evidence(&maker, "wifi", "0");
    episode_complete(&maker, SHEET_PRICE);
    expect_reason(OUTCOME_FAILURE, "it was '1', and became '0'");

    episode_begin(&maker, task);
    episode_tap(&maker, SHEET, 1);
    episode_complete(&maker, SHEET_PRICE);
    expect(OUTCOME_UNSCORED, 1, 2);
}

static void an_answer_is_a_need(void **state)
{
    (void)state;
    episode_begin(&maker, "\"answer\":{\"number\":12.5}");
    episode_answer(&maker, PRODUCT, "It costs $12.50.");
    expect(OUTCOME_SUCCESS, 1, 1);

    episode_begin(&maker, "\"answer\":{\"number\":12.5}");
    episode_answer(&maker, PRODUCT, "$12");
    expect_reason(OUTCOME_FAILURE, "it said '$12'");

    episode_begin(&maker, "\"answer\":{\"exact\":[\"Lamp\"]}");
    episode_complete(&maker, PRODUCT);
    expect_reason(OUTCOME_FAILURE, "it gave none");
}

/* ---- outcomes ---- */

static void the_end_decides_before_the_needs(void **state)
{
    static const struct {
        enum trajectory_ending ending;
        enum outcome outcome;
        bool early;
    } cases[] = {
        {ENDING_BUDGET, OUTCOME_UNCOMPLETED, false},
        {ENDING_REPEATED, OUTCOME_UNCOMPLETED, true},
        {ENDING_FAIL, OUTCOME_FAILURE, false},
        {ENDING_VOID, OUTCOME_VOID, false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct verdict verdict;

        episode_begin(&maker, SORT_NEED);
        episode_tap(&maker, SHEET, 1);
        episode_see(&maker, SHEET_PRICE);
        episode_end(&maker, cases[i].ending, "because");
        judge(&verdict);
        assert_int_equal(verdict.outcome, cases[i].outcome);
        assert_int_equal(verdict.early_stop, cases[i].early);
        assert_int_equal(verdict.met, cases[i].ending != ENDING_VOID);
        assert_non_null(strstr(verdict.reason, "because"));
        verdict_release(&verdict);
    }
}

static void what_only_a_model_can_tell_is_not_guessed(void **state)
{
    static const char task[] =
        "\"needs\":[{\"say\":\"sort\",\"check\":{\"target\":\"price\"}},"
        "{\"say\":\"be polite\"}]";

    (void)state;
    episode_begin(&maker, task);
    episode_tap(&maker, SHEET, 1);
    episode_complete(&maker, SHEET_PRICE);
    expect(OUTCOME_UNSCORED, 1, 2);

    episode_begin(&maker, task);
    episode_complete(&maker, SHEET_PRICE);
    expect(OUTCOME_FAILURE, 0, 2);
}

/* The paper's own words know the names of things, and nothing of states. */
static void plain_words_are_believed(void **state)
{
    static const char task[] = "\"needs\":[{\"say\":\"free\",\"check\":"
                               "{\"target\":\"free\",\"on\":true}}]";
    struct verdict verdict;

    (void)state;
    for (int plain = 0; plain < 2; plain++) {
        episode_begin(&maker, task);
        episode_tap(&maker, FILTERS_FREE, 1);
        episode_complete(&maker, FILTERS);
        judge_by(plain ? PROCESS_PLAIN : PROCESS_OFFLINE, &verdict);
        assert_int_equal(verdict.outcome,
                         plain ? OUTCOME_SUCCESS : OUTCOME_FAILURE);
        verdict_release(&verdict);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_done_and_said_to_be_done_is_a_success),
        cmocka_unit_test(what_was_not_done_names_what_came_nearest),
        cmocka_unit_test(nothing_done_comes_near_nothing),
        cmocka_unit_test(a_blocked_step_does_nothing),
        cmocka_unit_test(each_member_is_held_against_its_part_of_a_step),
        cmocka_unit_test(states_of_the_last_screen_are_read_off_it),
        cmocka_unit_test(needs_come_in_any_order),
        cmocka_unit_test(unless_one_is_after_the_other),
        cmocka_unit_test(or_all_are_ordered),
        cmocka_unit_test(doing_it_again_in_order_mends_it),
        cmocka_unit_test(what_came_before_must_be_in_force),
        cmocka_unit_test(what_is_turned_off_again_is_undone),
        cmocka_unit_test(what_is_turned_on_once_more_is_not),
        cmocka_unit_test(what_was_to_be_done_once_may_be_undone),
        cmocka_unit_test(a_choice_that_is_still_shown_is_in_force),
        cmocka_unit_test(another_choice_undoes_the_first),
        cmocka_unit_test(parts_are_undone_one_by_one),
        cmocka_unit_test(what_the_task_calls_undoing_undoes),
        cmocka_unit_test(tabs_are_not_undone_unless_they_were_asked_for),
        cmocka_unit_test(what_another_need_asks_for_undoes_nothing),
        cmocka_unit_test(a_button_that_is_called_otherwise_is_the_same),
        cmocka_unit_test(one_step_meets_one_of_two_that_follow_each_other),
        cmocka_unit_test(so_often_and_not_once_more),
        cmocka_unit_test(what_is_taken_back_counts_one_less),
        cmocka_unit_test(a_forbidden_step_fails_the_task),
        cmocka_unit_test(what_must_stay_is_compared_before_and_after),
        cmocka_unit_test(an_answer_is_a_need),
        cmocka_unit_test(the_end_decides_before_the_needs),
        cmocka_unit_test(what_only_a_model_can_tell_is_not_guessed),
        cmocka_unit_test(plain_words_are_believed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
