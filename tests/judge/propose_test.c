#include "judge/propose.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/json_write.h"
#include "judge/golds.h"
#include "judge/judge.h"
#include "tests/judge/episode_maker.h"

/* Search for lamps, sort them by price, turn a filter on, open the first. */
#define TASK                                                                   \
    "\"needs\":[{\"say\":\"do it\"}],\"gold\":["                               \
    "{\"do\":\"type\",\"text\":\"lamp\",\"submit\":true,\"star\":true},"       \
    "{\"do\":\"click\",\"at\":{\"text\":\"Sort\"}},"                           \
    "{\"do\":\"click\",\"at\":{\"text\":\"Price: low to high\"},\"star\":1},"  \
    "{\"do\":\"click\",\"at\":{\"text\":\"Free shipping\"},\"star\":1},"       \
    "{\"do\":\"click\",\"at\":{\"text\":\"Zenvo\"},\"star\":true},"            \
    "{\"do\":\"complete\"}]"

#define SEARCH "title: Shop\n*field: \n"
#define LIST "title: Shop\nrow: Sort\n[ ] Free shipping\nrow: Zenvo\n"
#define LIST_FREE "title: Shop\nrow: Sort\n[x] Free shipping\nrow: Zenvo\n"
#define SHEET                                                                  \
    "title: Sort\n( ) Price: low to high\n( ) Price: high to low\n(x) "        \
    "Relevance\n"
#define PRODUCT "title: Zenvo\ntext: $ 12.50\nrow: Buy\n"

/* The same shop, worded and arranged by somebody else. */
#define OTHER_LIST                                                             \
    "title: Store\n[ ] Ships for free\nrow: Zenvo\nrow: Arrange\n"
#define OTHER_FREE                                                             \
    "title: Store\n[x] Ships for free\nrow: Zenvo\nrow: Arrange\n"
#define OTHER_SHEET                                                            \
    "title: Arrange\n(x) Best match\n( ) Most expensive first\n( ) Cheapest "  \
    "first\n"

static struct episode_maker gold;
static struct episode_maker maker;
static struct golds golds = GOLDS_INIT;

static int make_gold(void **state)
{
    struct err err;

    (void)state;
    episode_begin(&gold, TASK);
    episode_type(&gold, SEARCH, "lamp");
    episode_tap(&gold, LIST, 1);
    episode_tap(&gold, SHEET, 1);
    episode_tap(&gold, LIST, 2);
    episode_tap(&gold, LIST_FREE, 3);
    episode_complete(&gold, PRODUCT);
    return golds_add(&golds, gold.folder, &err) ? 0 : -1;
}

static int remove_gold(void **state)
{
    (void)state;
    golds_release(&golds);
    episode_remove(&gold);
    return 0;
}

static void judge(enum outcome outcome, const char *reason)
{
    const struct judge_options options = {.kind = JUDGE_CHECKLIST,
                                          .golds = &golds};
    struct judge checklist;
    struct verdict verdict;
    struct err err;

    judge_init(&checklist, &options);
    if (!judge_episode(&checklist, maker.folder, &verdict, &err))
        fail_msg("%s", err.text);
    if (verdict.outcome != outcome || !strstr(verdict.reason, reason))
        fail_msg("%s: %s", outcome_name(verdict.outcome), verdict.reason);
    verdict_release(&verdict);
    judge_release(&checklist);
    episode_remove(&maker);
}

/* ---- right ways ---- */

static void other_words_for_the_same_are_understood(void **state)
{
    (void)state;
    episode_begin(&maker, TASK);
    episode_type(&maker, SEARCH, "lamp");
    episode_tap(&maker, OTHER_LIST, 3);
    episode_tap(&maker, OTHER_SHEET, 3);
    episode_tap(&maker, OTHER_LIST, 1);
    episode_tap(&maker, OTHER_FREE, 2);
    episode_complete(&maker, PRODUCT);
    judge(OUTCOME_SUCCESS, "needs are met");
}

static void stars_of_a_group_come_in_any_order(void **state)
{
    (void)state;
    episode_begin(&maker, TASK);
    episode_type(&maker, SEARCH, "lamp");
    episode_tap(&maker, LIST, 2);
    episode_tap(&maker, LIST_FREE, 1);
    episode_tap(&maker, SHEET, 1);
    episode_tap(&maker, LIST_FREE, 3);
    episode_complete(&maker, PRODUCT);
    judge(OUTCOME_SUCCESS, "needs are met");
}

/* ---- wrong ways ---- */

static void a_star_that_is_missing_is_missed(void **state)
{
    (void)state;
    episode_begin(&maker, TASK);
    episode_type(&maker, SEARCH, "lamp");
    episode_tap(&maker, LIST, 2);
    episode_tap(&maker, LIST_FREE, 3);
    episode_complete(&maker, PRODUCT);
    judge(OUTCOME_FAILURE, "Price: low to high");
}

static void its_opposite_is_not_the_same(void **state)
{
    (void)state;
    episode_begin(&maker, TASK);
    episode_type(&maker, SEARCH, "lamp");
    episode_tap(&maker, OTHER_LIST, 3);
    episode_tap(&maker, OTHER_SHEET, 2);
    episode_tap(&maker, OTHER_LIST, 1);
    episode_tap(&maker, OTHER_FREE, 2);
    episode_complete(&maker, PRODUCT);
    judge(OUTCOME_FAILURE, "nearest is step 2");
}

static void what_is_turned_off_again_is_undone(void **state)
{
    (void)state;
    episode_begin(&maker, TASK);
    episode_type(&maker, SEARCH, "lamp");
    episode_tap(&maker, LIST, 1);
    episode_tap(&maker, SHEET, 1);
    episode_tap(&maker, LIST, 2);
    episode_tap(&maker, LIST_FREE, 2);
    episode_tap(&maker, LIST, 3);
    episode_complete(&maker, PRODUCT);
    judge(OUTCOME_FAILURE, "undone by step 4");
}

static void stars_beyond_the_group_keep_their_order(void **state)
{
    (void)state;
    episode_begin(&maker, TASK);
    episode_tap(&maker, LIST, 2);
    episode_tap(&maker, LIST_FREE, 1);
    episode_tap(&maker, SHEET, 1);
    episode_type(&maker, SEARCH, "lamp");
    episode_tap(&maker, LIST_FREE, 3);
    episode_complete(&maker, PRODUCT);
    judge(OUTCOME_FAILURE, "came without 'typed 'lamp'");
}

/* ---- keys, opposites, counts ---- */

/* A gold of its own: propose from it, and judge another way. */
static void compare(const char *task, void (*do_gold)(void),
                    void (*do_other)(void), enum outcome outcome)
{
    struct golds one = GOLDS_INIT;
    const struct judge_options options = {.kind = JUDGE_CHECKLIST,
                                          .golds = &one};
    struct judge checklist;
    struct verdict verdict;
    struct err err;

    episode_begin(&maker, task);
    do_gold();
    if (!golds_add(&one, maker.folder, &err))
        fail_msg("%s", err.text);
    episode_remove(&maker);
    episode_begin(&maker, task);
    do_other();
    judge_init(&checklist, &options);
    if (!judge_episode(&checklist, maker.folder, &verdict, &err))
        fail_msg("%s", err.text);
    if (verdict.outcome != outcome)
        fail_msg("%s: %s", outcome_name(verdict.outcome), verdict.reason);
    verdict_release(&verdict);
    judge_release(&checklist);
    golds_release(&one);
    episode_remove(&maker);
}

#define KEYS "row: 6\nrow: 7\nrow: ×\nrow: =\n"
#define PAD(display) "title: Sums\n" KEYS "text: " display "\n"
#define SUM                                                                    \
    "\"needs\":[{\"say\":\"do it\"}],\"gold\":["                               \
    "{\"do\":\"click\",\"at\":{\"text\":\"6\"},\"star\":true},"                \
    "{\"do\":\"click\",\"at\":{\"text\":\"×\"},\"star\":true},"               \
    "{\"do\":\"click\",\"at\":{\"text\":\"7\"},\"star\":true},"                \
    "{\"do\":\"click\",\"at\":{\"text\":\"=\"},\"star\":true},"                \
    "{\"do\":\"complete\"}]"

static void six_times_seven(void)
{
    episode_tap(&maker, PAD("0"), 1);
    episode_tap(&maker, PAD("6"), 3);
    episode_tap(&maker, PAD("6×"), 2);
    episode_tap(&maker, PAD("6×7"), 4);
    episode_complete(&maker, PAD("42"));
}

static void seven_times_six(void)
{
    episode_tap(&maker, PAD("0"), 2);
    episode_tap(&maker, PAD("7"), 3);
    episode_tap(&maker, PAD("7×"), 1);
    episode_tap(&maker, PAD("7×6"), 4);
    episode_complete(&maker, PAD("42"));
}

static void six_times_six(void)
{
    episode_tap(&maker, PAD("0"), 1);
    episode_tap(&maker, PAD("6"), 3);
    episode_tap(&maker, PAD("6×"), 1);
    episode_tap(&maker, PAD("6×6"), 4);
    episode_complete(&maker, PAD("36"));
}

static void keys_count_by_what_comes_of_them(void **state)
{
    (void)state;
    compare(SUM, six_times_seven, seven_times_six, OUTCOME_SUCCESS);
    compare(SUM, six_times_seven, six_times_six, OUTCOME_FAILURE);
}

#define START                                                                  \
    "\"needs\":[{\"say\":\"do it\"}],\"gold\":["                               \
    "{\"do\":\"click\",\"at\":{\"text\":\"Start\"},\"star\":true},"            \
    "{\"do\":\"complete\"}]"
#define STANDS "title: Watch\nrow: Start\n"
#define RUNS "title: Watch\nrow: Hold\n"

static void start(void)
{
    episode_tap(&maker, STANDS, 1);
    episode_complete(&maker, RUNS);
}

static void start_and_hold(void)
{
    episode_tap(&maker, STANDS, 1);
    episode_tap(&maker, RUNS, 1);
    episode_complete(&maker, STANDS);
}

static void start_hold_and_start(void)
{
    episode_tap(&maker, STANDS, 1);
    episode_tap(&maker, RUNS, 1);
    episode_tap(&maker, "title: Watch\nrow: Resume\n", 1);
    episode_complete(&maker, RUNS);
}

static void opposites_take_back(void **state)
{
    (void)state;
    compare(START, start, start_and_hold, OUTCOME_FAILURE);
    compare(START, start, start_hold_and_start, OUTCOME_SUCCESS);
}

#define SAVE                                                                   \
    "\"needs\":[{\"say\":\"do it\"}],\"gold\":["                               \
    "{\"do\":\"type\",\"text\":\"Zenvo\",\"submit\":true},"                    \
    "{\"do\":\"click\",\"at\":{\"text\":\"Zenvo\"},\"star\":true},"            \
    "{\"do\":\"click\",\"at\":{\"text\":\"Save\"},\"star\":true},"             \
    "{\"do\":\"complete\"}]"
#define SHELF "title: Shop\nrow: Zenvo\nrow: Lumora\n"
#define PAGE(name, button)                                                     \
    "text: " name "\nrow: " button "\ntext: of " name "\n"

/* The button of a page, which is called otherwise after each tap. */
static void tap_button(const char *before, const char *after, size_t taps)
{
    for (size_t i = 0; i < taps; i++)
        episode_tap(&maker, i % 2 ? after : before, 1);
}

static void save_zenvo(size_t taps)
{
    episode_type(&maker, SEARCH, "Zenvo");
    episode_tap(&maker, SHELF, 1);
    tap_button(PAGE("Zenvo", "Save"), PAGE("Zenvo", "Unsave"), taps);
}

static void save_lumora(size_t taps)
{
    episode_tap(&maker, SHELF, 2);
    tap_button(PAGE("Lumora", "Save"), PAGE("Lumora", "Unsave"), taps);
}

static void save_one(void)
{
    save_zenvo(1);
    episode_complete(&maker, PAGE("Zenvo", "Unsave"));
}

static void save_another_as_well(void)
{
    save_zenvo(1);
    save_lumora(1);
    episode_complete(&maker, PAGE("Lumora", "Unsave"));
}

static void save_another_and_take_it_out(void)
{
    save_zenvo(1);
    save_lumora(2);
    episode_complete(&maker, PAGE("Lumora", "Save"));
}

static void save_another_instead(void)
{
    save_zenvo(2);
    save_lumora(1);
    episode_complete(&maker, PAGE("Lumora", "Unsave"));
}

static void one_thing_more_is_one_too_many(void **state)
{
    (void)state;
    compare(SAVE, save_one, save_one, OUTCOME_SUCCESS);
    compare(SAVE, save_one, save_another_as_well, OUTCOME_FAILURE);
    compare(SAVE, save_one, save_another_and_take_it_out, OUTCOME_SUCCESS);
    compare(SAVE, save_one, save_another_instead, OUTCOME_FAILURE);
}

#define FILTER                                                                 \
    "\"needs\":[{\"say\":\"do it\"}],\"gold\":["                               \
    "{\"do\":\"type\",\"text\":\"Lamps\",\"submit\":true},"                    \
    "{\"do\":\"click\",\"at\":{\"text\":\"Lamps\"},\"star\":true},"            \
    "{\"do\":\"click\",\"at\":{\"text\":\"Free shipping\"},\"star\":true},"    \
    "{\"do\":\"click\",\"at\":{\"text\":\"Zenvo\"},\"star\":true},"            \
    "{\"do\":\"complete\"}]"
#define LISTS "title: Shop\nrow: Lamps\n"
#define ALL_LAMPS                                                              \
    "[ ] Free shipping\nrow: Zenvo\nrow: Lumora\nrow: Arvid\nrow: Solano\n"    \
    "row: Brivo\nrow: Tessin\n"
#define FREE_LAMPS "[x] Free shipping\nrow: Zenvo\n"

static void open_and_filter(void)
{
    episode_tap(&maker, LISTS, 1);
    episode_tap(&maker, ALL_LAMPS, 0);
}

static void filter(void)
{
    episode_type(&maker, SEARCH, "Lamps");
    open_and_filter();
    episode_tap(&maker, FREE_LAMPS, 1);
    episode_complete(&maker, PRODUCT);
}

static void leave_filtered_list(void)
{
    const struct action back = {.kind = ACTION_BACK};

    episode_type(&maker, SEARCH, "Lamps");
    open_and_filter();
    episode_act(&maker, FREE_LAMPS, &back, NULL);
}

static void open_list_anew(void)
{
    leave_filtered_list();
    episode_tap(&maker, LISTS, 1);
    episode_tap(&maker, ALL_LAMPS, 1);
    episode_complete(&maker, PRODUCT);
}

static void filter_list_anew(void)
{
    leave_filtered_list();
    open_and_filter();
    episode_tap(&maker, FREE_LAMPS, 1);
    episode_complete(&maker, PRODUCT);
}

/* Also where the lists have too little in common to be known as one page. */
static void a_list_that_is_opened_anew_is_not_filtered(void **state)
{
    (void)state;
    compare(FILTER, filter, filter, OUTCOME_SUCCESS);
    compare(FILTER, filter, open_list_anew, OUTCOME_FAILURE);
    compare(FILTER, filter, filter_list_anew, OUTCOME_SUCCESS);
}

/* ---- what is proposed ---- */

static void each_star_is_a_need_with_its_place(void **state)
{
    struct dossier dossier;
    struct proposal proposal;
    struct buf text = BUF_INIT(1 << 16);
    struct err err;

    (void)state;
    assert_true(dossier_open(gold.folder, PROCESS_OFFLINE, &dossier, &err));
    assert_true(propose(&dossier, &proposal, &err));
    json_format(proposal.needs, &text);
    assert_non_null(strstr(buf_cstr(&text), "lamp(?![A-Za-z0-9])"));
    assert_non_null(strstr(buf_cstr(&text), "\"after\":[\"star_1\"]"));
    assert_non_null(
        strstr(buf_cstr(&text), "\"after\":[\"star_3\",\"star_2\"]"));
    buf_release(&text);
    proposal_release(&proposal);
    dossier_release(&dossier);
}

static void another_task_has_no_gold(void **state)
{
    (void)state;
    episode_begin(&maker, "\"needs\":[{\"say\":\"another\"}]");
    episode_complete(&maker, PRODUCT);
    judge(OUTCOME_UNSCORED, "there is no gold trajectory");
}

static void a_trajectory_that_does_not_follow_is_refused(void **state)
{
    struct golds none = GOLDS_INIT;
    struct err err;

    (void)state;
    episode_begin(&maker, TASK);
    episode_type(&maker, SEARCH, "lamp");
    episode_complete(&maker, PRODUCT);
    assert_false(golds_add(&none, maker.folder, &err));
    assert_non_null(strstr(err.text, "step 2 (click) is missing"));
    episode_remove(&maker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_words_for_the_same_are_understood),
        cmocka_unit_test(stars_of_a_group_come_in_any_order),
        cmocka_unit_test(a_star_that_is_missing_is_missed),
        cmocka_unit_test(its_opposite_is_not_the_same),
        cmocka_unit_test(what_is_turned_off_again_is_undone),
        cmocka_unit_test(stars_beyond_the_group_keep_their_order),
        cmocka_unit_test(keys_count_by_what_comes_of_them),
        cmocka_unit_test(opposites_take_back),
        cmocka_unit_test(one_thing_more_is_one_too_many),
        cmocka_unit_test(a_list_that_is_opened_anew_is_not_filtered),
        cmocka_unit_test(each_star_is_a_need_with_its_place),
        cmocka_unit_test(another_task_has_no_gold),
        cmocka_unit_test(a_trajectory_that_does_not_follow_is_refused),
    };

    return cmocka_run_group_tests(tests, make_gold, remove_gold);
}
