#include "judge/rules/rules_judge.h"

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

/* The verdict on the episode, which is deleted. */
static void judge_by(enum process_source source, struct verdict *verdict)
{
    struct episode_evidence evidence;
    struct err err;

    if (!episode_evidence_open(maker.folder, source, NULL, &evidence, &err))
        fail_msg("%s", err.text);
    *verdict = (struct verdict)VERDICT_INIT;
    if (!rules_judge(&evidence, verdict, &err))
        fail_msg("%s", err.text);
    episode_evidence_release(&evidence);
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

static void met_need_and_complete_is_a_success(void **state)
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

static void checklist_is_scored_and_decides_nothing(void **state)
{
    struct verdict verdict;

    (void)state;
    episode_begin(&maker, SORT_NEED
                  ",\"checklist\":[{\"say\":\"by price\",\"check\":"
                  "{\"target\":\"price\"}},{\"say\":\"by rating\","
                  "\"check\":{\"target\":\"rating\"}},\"in a nice way\"]");
    episode_tap(&maker, HOME, 1);
    episode_tap(&maker, SHEET, 1);
    episode_complete(&maker, SHEET_PRICE);
    judge(&verdict);
    assert_int_equal(verdict.outcome, OUTCOME_SUCCESS);
    assert_int_equal(verdict.need_count, 1);
    assert_int_equal(verdict.checklist_count, 3);
    assert_int_equal(verdict.checklist_met, 1);
    assert_true(verdict.checklist[0].met);
    assert_int_equal(verdict.checklist[0].step, 1);
    assert_false(verdict.checklist[1].met);
    assert_true(verdict.checklist[1].known);
    assert_false(verdict.checklist[2].known);
    verdict_release(&verdict);
}

static void unmet_need_names_the_nearest_step(void **state)
{
    (void)state;
    episode_begin(&maker, "\"needs\":[{\"say\":\"sort by price\",\"check\":"
                          "{\"target\":\"rating (high|low)\"}}]");
    episode_tap(&maker, HOME, 2);
    episode_tap(&maker, SHEET, 2);
    episode_complete(&maker, SHEET);
    expect_reason(OUTCOME_FAILURE, "nearest is step 1: tapped");
}

static void episode_without_steps_has_no_nearest_step(void **state)
{
    (void)state;
    episode_begin(&maker, SORT_NEED);
    episode_complete(&maker, HOME);
    expect_reason(OUTCOME_FAILURE, "no step comes near");
}

static void blocked_step_meets_nothing(void **state)
{
    const struct action tap = {
        .kind = ACTION_CLICK, .has_from = true, .from = {500, 150}};

    (void)state;
    episode_begin(&maker, SORT_NEED);
    episode_act(&maker, SHEET, &tap, "not on this phone");
    episode_complete(&maker, SHEET);
    expect(OUTCOME_FAILURE, 0, 1);
}

/* The screen after it shows that the text is not in its field. */
static void typed_text_that_did_not_arrive_meets_nothing(void **state)
{
    static const char task[] =
        "\"needs\":[{\"say\":\"search\",\"check\":{\"typed\":\"lamp\"}}]";
    struct err err = ERR_INIT;

    (void)state;
    for (int times = 1; times <= 2; times++) {
        episode_begin(&maker, task);
        episode_type(&maker, HOME, "lamp");
        assert_true(trajectory_doubt(maker.writer, "it is not there", &err));
        if (times == 2)
            episode_type(&maker, HOME, "lamp");
        episode_complete(&maker, HOME);
        expect(times == 2 ? OUTCOME_SUCCESS : OUTCOME_FAILURE, times == 2, 1);
    }
}

static void each_member_of_a_check_is_compared(void **state)
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

static void end_check_reads_the_last_screen(void **state)
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

static void after_requires_an_order(void **state)
{
    (void)state;
    two_needs(",\"after\":[\"sort\"]", "");
    open_then_sort();
    expect_reason(OUTCOME_FAILURE, "came without 'sort' before it");
}

static void ordered_requires_the_order_of_all(void **state)
{
    (void)state;
    two_needs("", ",\"ordered\":true");
    open_then_sort();
    expect(OUTCOME_FAILURE, 1, 2);
}

static void repeating_steps_in_order_succeeds(void **state)
{
    (void)state;
    two_needs(",\"after\":[\"sort\"]", "");
    episode_tap(&maker, HOME, 2);
    episode_tap(&maker, SHEET, 1);
    episode_tap(&maker, HOME, 2);
    episode_complete(&maker, PRODUCT);
    expect(OUTCOME_SUCCESS, 2, 2);
}

/* After another sort in between, the first lamp may be any lamp. */
static void earlier_need_must_still_be_in_force(void **state)
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

static void switched_off_again_is_undone(void **state)
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

static void switched_on_again_is_met(void **state)
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

static void once_may_be_undone(void **state)
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

/* Two choices on one screen: answering one does not change the other. */
static void choice_that_is_still_shown_is_in_force(void **state)
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

static void undone_by_undoes(void **state)
{
    (void)state;
    episode_begin(&maker, "\"needs\":[{\"say\":\"buy\",\"check\":{\"target\":"
                          "\"buy\"},\"undone_by\":{\"target\":\"remove\"}}]");
    episode_tap(&maker, PRODUCT, 2);
    episode_tap(&maker, "title: Cart\nrow: Remove\n", 1);
    episode_complete(&maker, "title: Cart\n");
    expect(OUTCOME_FAILURE, 0, 1);
}

/* Changing the tab does not undo anything. */
static void changed_tab_undoes_only_a_need_about_tabs(void **state)
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

/* On, and off again: the second is another need, and undoes nothing. */
static void step_of_another_need_undoes_nothing(void **state)
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

static void button_with_a_changed_label_is_the_same(void **state)
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

/* Two laps need two steps. */
static void one_step_meets_one_of_two_ordered_needs(void **state)
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

static void times_is_exact(void **state)
{
    static const struct taps cases[] = {
        {"1", OUTCOME_FAILURE},      {"11", OUTCOME_SUCCESS},
        {"111", OUTCOME_FAILURE},    {"112", OUTCOME_SUCCESS},
        {"1211", OUTCOME_SUCCESS},   {"11121", OUTCOME_FAILURE},
        {"111211", OUTCOME_SUCCESS},
    };

    (void)state;
    expect_taps("\"needs\":[{\"say\":\"two laps\",\"check\":{\"target\":"
                "\"lap\",\"times\":2,\"reset_by\":\"reset\"}}]",
                "title: Watch\nrow: Lap\nrow: Reset\n", cases,
                sizeof(cases) / sizeof(cases[0]));
}

static void reduced_by_subtracts_one(void **state)
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
    expect_taps(
        "\"needs\":[{\"say\":\"one is in it\",\"check\":{\"target\":"
        "\"^put in\",\"times\":1,\"reduced_by\":\"^take out\",\"reset_by\":"
        "\"^empty\"}}]",
        "title: Bag\nrow: Put in\nrow: Take out\nrow: Empty\n", cases,
        sizeof(cases) / sizeof(cases[0]));
}

#define BILLS "title: Bills\nrow: Bill | Oct 8\nrow: Bill | Sep 2\nrow: Bill\n"

static void row_has_the_words_of_the_touched_row_alone(void **state)
{
    static const struct taps cases[] = {
        {"1", OUTCOME_SUCCESS},
        {"2", OUTCOME_FAILURE},
        {"3", OUTCOME_FAILURE},
    };

    (void)state;
    expect_taps("\"needs\":[{\"say\":\"the latest bill\",\"check\":{"
                "\"target\":\"bill\",\"row\":[\"Oct 8\"]}}]",
                BILLS, cases, sizeof(cases) / sizeof(cases[0]));
}

/* A box that is checked, cleared and checked again is one. */
static void state_that_is_taken_back_is_subtracted(void **state)
{
    (void)state;
    episode_begin(&maker,
                  "\"needs\":[{\"say\":\"one is on\",\"check\":{\"action\":"
                  "\"click\",\"on\":true,\"times\":1,\"reduced_by\":"
                  "\"^undo$\"}}]");
    episode_tap(&maker, "title: Boxes\n[ ] One\n[ ] Two\n", 1);
    episode_tap(&maker, "title: Boxes\n[x] One\n[ ] Two\n", 2);
    episode_tap(&maker, "title: Boxes\n[x] One\n[x] Two\n", 1);
    episode_complete(&maker, "title: Boxes\n[ ] One\n[x] Two\n");
    expect_reason(OUTCOME_SUCCESS, "1 of 1 needs");
}

/* What was before a reset is not there to be taken back. */
static void state_of_before_a_reset_is_not_subtracted(void **state)
{
    (void)state;
    episode_begin(&maker, "\"needs\":[{\"say\":\"one tap\",\"check\":{"
                          "\"target\":\"^one$\",\"times\":1,"
                          "\"reduced_by\":\"^undo$\",\"reset_by\":"
                          "\"^reset$\"}}]");
    episode_tap(&maker, "title: Boxes\n[ ] One\nrow: Reset\n", 1);
    episode_tap(&maker, "title: Boxes\n[x] One\nrow: Reset\n", 2);
    episode_tap(&maker, "title: Boxes\n[x] One\nrow: Reset\n", 1);
    episode_complete(&maker, "title: Boxes\n[ ] One\nrow: Reset\n");
    expect_reason(OUTCOME_SUCCESS, "1 of 1 needs");
}

/* Two posts of one person have the same button in rows of the same name. */
static void same_name_elsewhere_takes_nothing_back(void **state)
{
    (void)state;
    episode_begin(&maker, "\"needs\":[{\"say\":\"two are liked\",\"check\":{"
                          "\"target\":\"^like\",\"times\":2,\"reduced_by\":"
                          "\"^unlike\"}}]");
    episode_tap(&maker, "title: Posts\nrow: Like\nrow: Next\n", 1);
    episode_tap(&maker, "title: Posts\nrow: Unlike\nrow: Next\n", 2);
    episode_tap(&maker, "title: Posts\nrow: Like\nrow: Next\n", 1);
    episode_complete(&maker, "title: Posts\nrow: Unlike\nrow: Next\n");
    expect_reason(OUTCOME_SUCCESS, "1 of 1 needs");
}

/* ---- other conditions ---- */

static void a_forbidden_step_fails_the_task(void **state)
{
    (void)state;
    episode_begin(&maker, SORT_NEED ",\"never\":[{\"target\":\"buy\"}]");
    episode_tap(&maker, SHEET, 1);
    episode_tap(&maker, PRODUCT, 2);
    episode_complete(&maker, PRODUCT);
    expect_reason(OUTCOME_FAILURE, "nothing forbidden is done (step 1");
}

static void unchanged_probe_is_compared_before_and_after(void **state)
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

static void answer_counts_as_a_need(void **state)
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

static void ending_is_checked_before_needs(void **state)
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

static void need_without_a_check_is_unscored(void **state)
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

/* The paper's descriptions have names of elements, but no states. */
static void plain_descriptions_are_accepted(void **state)
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
        cmocka_unit_test(met_need_and_complete_is_a_success),
        cmocka_unit_test(checklist_is_scored_and_decides_nothing),
        cmocka_unit_test(unmet_need_names_the_nearest_step),
        cmocka_unit_test(episode_without_steps_has_no_nearest_step),
        cmocka_unit_test(blocked_step_meets_nothing),
        cmocka_unit_test(typed_text_that_did_not_arrive_meets_nothing),
        cmocka_unit_test(each_member_of_a_check_is_compared),
        cmocka_unit_test(end_check_reads_the_last_screen),
        cmocka_unit_test(needs_come_in_any_order),
        cmocka_unit_test(after_requires_an_order),
        cmocka_unit_test(ordered_requires_the_order_of_all),
        cmocka_unit_test(repeating_steps_in_order_succeeds),
        cmocka_unit_test(earlier_need_must_still_be_in_force),
        cmocka_unit_test(switched_off_again_is_undone),
        cmocka_unit_test(switched_on_again_is_met),
        cmocka_unit_test(once_may_be_undone),
        cmocka_unit_test(choice_that_is_still_shown_is_in_force),
        cmocka_unit_test(another_choice_undoes_the_first),
        cmocka_unit_test(parts_are_undone_one_by_one),
        cmocka_unit_test(undone_by_undoes),
        cmocka_unit_test(changed_tab_undoes_only_a_need_about_tabs),
        cmocka_unit_test(step_of_another_need_undoes_nothing),
        cmocka_unit_test(button_with_a_changed_label_is_the_same),
        cmocka_unit_test(one_step_meets_one_of_two_ordered_needs),
        cmocka_unit_test(times_is_exact),
        cmocka_unit_test(reduced_by_subtracts_one),
        cmocka_unit_test(row_has_the_words_of_the_touched_row_alone),
        cmocka_unit_test(state_that_is_taken_back_is_subtracted),
        cmocka_unit_test(state_of_before_a_reset_is_not_subtracted),
        cmocka_unit_test(same_name_elsewhere_takes_nothing_back),
        cmocka_unit_test(a_forbidden_step_fails_the_task),
        cmocka_unit_test(unchanged_probe_is_compared_before_and_after),
        cmocka_unit_test(answer_counts_as_a_need),
        cmocka_unit_test(ending_is_checked_before_needs),
        cmocka_unit_test(need_without_a_check_is_unscored),
        cmocka_unit_test(plain_descriptions_are_accepted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
