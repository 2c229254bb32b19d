#include "judge/gold/propose.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/json_write.h"
#include "judge/gold/gold_set.h"
#include "judge/judge.h"
#include "tests/judge/episode_maker.h"

/* Search for lamps, sort them by price, turn a filter on, open the first. */
#define TASK                                                                   \
    "\"needs\":[{\"say\":\"do it\"}],\"gold\":["                               \
    "{\"do\":\"type\",\"text\":\"lamp\",\"submit\":true,\"key_step\":true},"   \
    "{\"do\":\"click\",\"at\":{\"text\":\"Sort\"}},"                           \
    "{\"do\":\"click\",\"at\":{\"text\":\"Price: low to "                      \
    "high\"},\"key_step\":1},"                                                 \
    "{\"do\":\"click\",\"at\":{\"text\":\"Free shipping\"},\"key_step\":1},"   \
    "{\"do\":\"click\",\"at\":{\"text\":\"Zenvo\"},\"key_step\":true},"        \
    "{\"do\":\"complete\"}]"

#define SEARCH "title: Shop\n*field: \n"
#define LIST "title: Shop\nrow: Sort\n[ ] Free shipping\nrow: Zenvo\n"
#define LIST_FREE "title: Shop\nrow: Sort\n[x] Free shipping\nrow: Zenvo\n"
#define SHEET                                                                  \
    "title: Sort\n( ) Price: low to high\n( ) Price: high to low\n(x) "        \
    "Relevance\n"
#define PRODUCT "title: Zenvo\ntext: $ 12.50\nrow: Buy\n"

/* The same shop with another wording and layout. */
#define OTHER_LIST                                                             \
    "title: Store\n[ ] Ships for free\nrow: Zenvo\nrow: Arrange\n"
#define OTHER_FREE                                                             \
    "title: Store\n[x] Ships for free\nrow: Zenvo\nrow: Arrange\n"
#define OTHER_SHEET                                                            \
    "title: Arrange\n(x) Best match\n( ) Most expensive first\n( ) Cheapest "  \
    "first\n"

static struct episode_maker gold;
static struct episode_maker maker;
static struct gold_set gold_set = GOLD_SET_INIT;

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
    return gold_set_add(&gold_set, gold.folder, NULL, &err) ? 0 : -1;
}

static int remove_gold(void **state)
{
    (void)state;
    gold_set_release(&gold_set);
    episode_remove(&gold);
    return 0;
}

static void judge(enum outcome outcome, const char *reason)
{
    const struct judge_options options = {.kind = JUDGE_CHECKLIST,
                                          .gold_set = &gold_set};
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

static void synonyms_are_accepted(void **state)
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

static void key_steps_of_a_group_come_in_any_order(void **state)
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

static void missing_key_step_fails(void **state)
{
    (void)state;
    episode_begin(&maker, TASK);
    episode_type(&maker, SEARCH, "lamp");
    episode_tap(&maker, LIST, 2);
    episode_tap(&maker, LIST_FREE, 3);
    episode_complete(&maker, PRODUCT);
    judge(OUTCOME_FAILURE, "Price: low to high");
}

static void opposite_action_does_not_match(void **state)
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

static void switched_off_filter_is_undone(void **state)
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

static void key_steps_outside_of_the_group_keep_their_order(void **state)
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

static const char asked[] = "Let it stay on for 5 minutes and 30 seconds";

/* Propose checks from another gold, and judge another way. */
static void compare(const char *task, void (*do_gold)(void),
                    void (*do_other)(void), enum outcome outcome)
{
    struct gold_set one = GOLD_SET_INIT;
    const struct judge_options options = {.kind = JUDGE_CHECKLIST,
                                          .gold_set = &one};
    struct judge checklist;
    struct verdict verdict;
    struct err err;

    episode_begin_asked(&maker, asked, task);
    do_gold();
    if (!gold_set_add(&one, maker.folder, NULL, &err))
        fail_msg("%s", err.text);
    episode_remove(&maker);
    episode_begin_asked(&maker, asked, task);
    do_other();
    judge_init(&checklist, &options);
    if (!judge_episode(&checklist, maker.folder, &verdict, &err))
        fail_msg("%s", err.text);
    if (verdict.outcome != outcome)
        fail_msg("%s: %s", outcome_name(verdict.outcome), verdict.reason);
    verdict_release(&verdict);
    judge_release(&checklist);
    gold_set_release(&one);
    episode_remove(&maker);
}

#define KEYS "row: 6\nrow: 7\nrow: ×\nrow: =\n"
#define PAD(display) "title: Sums\n" KEYS "text: " display "\n"
#define SUM                                                                    \
    "\"needs\":[{\"say\":\"do it\"}],\"gold\":["                               \
    "{\"do\":\"click\",\"at\":{\"text\":\"6\"},\"key_step\":true},"            \
    "{\"do\":\"click\",\"at\":{\"text\":\"×\"},\"key_step\":true},"           \
    "{\"do\":\"click\",\"at\":{\"text\":\"7\"},\"key_step\":true},"            \
    "{\"do\":\"click\",\"at\":{\"text\":\"=\"},\"key_step\":true},"            \
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

static void keypad_keys_are_checked_by_their_result(void **state)
{
    (void)state;
    compare(SUM, six_times_seven, seven_times_six, OUTCOME_SUCCESS);
    compare(SUM, six_times_seven, six_times_six, OUTCOME_FAILURE);
}

#define START                                                                  \
    "\"needs\":[{\"say\":\"do it\"}],\"gold\":["                               \
    "{\"do\":\"click\",\"at\":{\"text\":\"Start\"},\"key_step\":true},"        \
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

static void opposite_action_undoes(void **state)
{
    (void)state;
    compare(START, start, start_and_hold, OUTCOME_FAILURE);
    compare(START, start, start_hold_and_start, OUTCOME_SUCCESS);
}

#define SAVE                                                                   \
    "\"needs\":[{\"say\":\"do it\"}],\"gold\":["                               \
    "{\"do\":\"type\",\"text\":\"Zenvo\",\"submit\":true},"                    \
    "{\"do\":\"click\",\"at\":{\"text\":\"Zenvo\"},\"key_step\":true},"        \
    "{\"do\":\"click\",\"at\":{\"text\":\"Save\"},\"key_step\":true},"         \
    "{\"do\":\"complete\"}]"
#define SHELF "title: Shop\nrow: Zenvo\nrow: Lumora\n"
#define PAGE(name, button)                                                     \
    "text: " name "\nrow: " button "\ntext: of " name "\n"

/* A page with a button whose label changes with each tap. */
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

static void one_additional_action_fails(void **state)
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
    "{\"do\":\"click\",\"at\":{\"text\":\"Lamps\"},\"key_step\":true},"        \
    "{\"do\":\"click\",\"at\":{\"text\":\"Free "                               \
    "shipping\"},\"key_step\":true},"                                          \
    "{\"do\":\"click\",\"at\":{\"text\":\"Zenvo\"},\"key_step\":true},"        \
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

/* Also if the lists have too little in common to be recognized as one page. */
static void reopened_list_is_not_filtered(void **state)
{
    (void)state;
    compare(FILTER, filter, filter, OUTCOME_SUCCESS);
    compare(FILTER, filter, open_list_anew, OUTCOME_FAILURE);
    compare(FILTER, filter, filter_list_anew, OUTCOME_SUCCESS);
}

#define ENTERED                                                                \
    "\"needs\":[{\"say\":\"do it\"}],\"gold\":["                               \
    "{\"do\":\"type\",\"text\":\"lamp\",\"key_step\":true},"                   \
    "{\"do\":\"enter\"},"                                                      \
    "{\"do\":\"click\",\"at\":{\"text\":\"Sort\"}},"                           \
    "{\"do\":\"click\",\"at\":{\"text\":\"Price: low to "                      \
    "high\"},\"key_step\":true},"                                              \
    "{\"do\":\"complete\"}]"

static void enter_lamp(void)
{
    static char lamp[] = "lamp";
    const struct action type = {.kind = ACTION_TYPE, .text = lamp};
    const struct action enter = {.kind = ACTION_ENTER};

    episode_act(&maker, SEARCH, &type, NULL);
    episode_act(&maker, "title: Shop\n*field: lamp\n", &enter, NULL);
}

static void sort(void)
{
    episode_tap(&maker, LIST, 1);
    episode_tap(&maker, SHEET, 1);
}

static void enter_and_sort(void)
{
    enter_lamp();
    sort();
    episode_complete(&maker, LIST);
}

static void enter_sort_and_enter_again(void)
{
    enter_lamp();
    sort();
    enter_lamp();
    episode_complete(&maker, LIST);
}

/* Also where the text and Enter are two steps, as a person types. */
static void new_search_is_not_sorted(void **state)
{
    (void)state;
    compare(ENTERED, enter_and_sort, enter_and_sort, OUTCOME_SUCCESS);
    compare(ENTERED, enter_and_sort, enter_sort_and_enter_again,
            OUTCOME_FAILURE);
}

#define TIMEOUT                                                                \
    "\"needs\":[{\"say\":\"do it\"}],\"gold\":["                               \
    "{\"do\":\"click\",\"at\":{\"text\":\"5 minutes\"},\"key_step\":true},"    \
    "{\"do\":\"complete\"}]"
#define TIMES "title: Timeout\n( ) 5 minutes\n( ) 10 minutes\n(x) 1 minute\n"

static void choose_five(void)
{
    episode_tap(&maker, TIMES, 1);
    episode_complete(&maker, "title: Timeout\ntext: It is set\n");
}

static void choose_ten(void)
{
    episode_tap(&maker, TIMES, 2);
    episode_complete(&maker, "title: Timeout\ntext: It is set\n");
}

static void choose_five_in_other_words(void)
{
    episode_tap(&maker, "title: Timeout\n( ) After 5 minutes\n( ) 10 min\n", 1);
    episode_complete(&maker, "title: Timeout\ntext: It is set\n");
}

/* Both mean a time: the number that was asked for tells them apart. */
static void choice_with_another_number_fails(void **state)
{
    (void)state;
    compare(TIMEOUT, choose_five, choose_five, OUTCOME_SUCCESS);
    compare(TIMEOUT, choose_five, choose_ten, OUTCOME_FAILURE);
    compare(TIMEOUT, choose_five, choose_five_in_other_words, OUTCOME_SUCCESS);
}

/* Neither a number nor another meaning tells these apart: only the name. */
#define SPEEDS "title: Delivery\n( ) Fast\n( ) Fastest\n(x) Any\n"
#define FAST                                                                   \
    "\"needs\":[{\"say\":\"do it\"}],\"gold\":["                               \
    "{\"do\":\"click\",\"at\":{\"text\":\"Fast\"},\"key_step\":true},"         \
    "{\"do\":\"complete\"}]"

static void choose_fast(void)
{
    episode_tap(&maker, SPEEDS, 1);
    episode_complete(&maker, "title: Delivery\ntext: It is set\n");
}

static void choose_fastest(void)
{
    episode_tap(&maker, SPEEDS, 2);
    episode_complete(&maker, "title: Delivery\ntext: It is set\n");
}

static void meaning_of_several_choices_is_not_used(void **state)
{
    (void)state;
    compare(FAST, choose_fast, choose_fast, OUTCOME_SUCCESS);
    compare(FAST, choose_fast, choose_fastest, OUTCOME_FAILURE);
}

/* ---- rows, and how many ---- */

#define BILLS                                                                  \
    "title: Bills\nrow: Bill | Nortel, Oct 28\nrow: Bill | Nortel, Sep "       \
    "21\nrow: Bill | Nortel, Aug 22\n"
#define OPEN_BILL                                                              \
    "\"needs\":[{\"say\":\"do it\"}],\"gold\":["                               \
    "{\"do\":\"click\",\"at\":{\"text\":\"Bill\"},\"key_step\":true},"         \
    "{\"do\":\"complete\"}]"

static void open_bill(int row)
{
    episode_tap(&maker, BILLS, row);
    episode_complete(&maker, "title: A bill\ntext: Pay soon\n");
}

static void open_latest_bill(void)
{
    open_bill(1);
}

static void open_older_bill(void)
{
    open_bill(2);
}

static void row_of_the_same_name_is_another(void **state)
{
    (void)state;
    compare(OPEN_BILL, open_latest_bill, open_latest_bill, OUTCOME_SUCCESS);
    compare(OPEN_BILL, open_latest_bill, open_older_bill, OUTCOME_FAILURE);
}

#define PEOPLE "title: Members\n"
#define ADD_ANNA                                                               \
    "\"kind\":\"state\",\"needs\":[{\"say\":\"do it\"}],\"gold\":["            \
    "{\"do\":\"click\",\"at\":{\"text\":\"Anna\"},\"key_step\":true},"         \
    "{\"do\":\"click\",\"at\":{\"text\":\"Bert\"},\"key_step\":true},"         \
    "{\"do\":\"click\",\"at\":{\"text\":\"Create\"},\"key_step\":true},"       \
    "{\"do\":\"complete\"}]"

/* Check boxes in this order, then end the form. */
static void add_members(const char *boxes)
{
    bool on[3] = {false, false, false};

    for (;; boxes++) {
        char screen[160];

        snprintf(screen, sizeof(screen),
                 PEOPLE "[%c] Anna\n[%c] Bert\n[%c] Carl\nrow: Create\n",
                 on[0] ? 'x' : ' ', on[1] ? 'x' : ' ', on[2] ? 'x' : ' ');
        if (!*boxes) {
            episode_tap(&maker, screen, 4);
            break;
        }
        episode_tap(&maker, screen, *boxes - '0');
        on[*boxes - '1'] = !on[*boxes - '1'];
    }
    episode_complete(&maker, "title: Done\ntext: The group is there\n");
}

static void add_anna_and_bert(void)
{
    add_members("12");
}

static void add_bert_and_anna(void)
{
    add_members("21");
}

static void add_all(void)
{
    add_members("123");
}

static void add_all_and_remove_one(void)
{
    add_members("1233");
}

static void add_one(void)
{
    add_members("1");
}

/* Every key step, in any order, and nothing else. */
static void state_needs_its_key_steps_and_no_more(void **state)
{
    (void)state;
    compare(ADD_ANNA, add_anna_and_bert, add_anna_and_bert, OUTCOME_SUCCESS);
    compare(ADD_ANNA, add_anna_and_bert, add_bert_and_anna, OUTCOME_SUCCESS);
    compare(ADD_ANNA, add_anna_and_bert, add_all_and_remove_one,
            OUTCOME_SUCCESS);
    compare(ADD_ANNA, add_anna_and_bert, add_all, OUTCOME_FAILURE);
    compare(ADD_ANNA, add_anna_and_bert, add_one, OUTCOME_FAILURE);
}

#define NOTE "title: Note\n*field: Hello\nrow: Send\n"
#define SEND_NOTE                                                              \
    "\"needs\":[{\"say\":\"do it\"}],\"gold\":["                               \
    "{\"do\":\"click\",\"at\":{\"text\":\"Send\"},\"key_step\":true},"         \
    "{\"do\":\"complete\"}]"
#define NOTE_SENT "title: Notes\nrow: New\nrow: Undo\n"

static void send_note(void)
{
    episode_tap(&maker, NOTE, 2);
    episode_complete(&maker, NOTE_SENT);
}

static void send_note_twice(void)
{
    episode_tap(&maker, NOTE, 2);
    episode_tap(&maker, NOTE_SENT, 1);
    episode_tap(&maker, NOTE, 2);
    episode_complete(&maker, NOTE_SENT);
}

static void send_note_and_take_it_back(void)
{
    episode_tap(&maker, NOTE, 2);
    episode_tap(&maker, NOTE_SENT, 2);
    episode_complete(&maker, NOTE);
}

static void what_is_sent_is_sent_once(void **state)
{
    (void)state;
    compare(SEND_NOTE, send_note, send_note, OUTCOME_SUCCESS);
    compare(SEND_NOTE, send_note, send_note_twice, OUTCOME_FAILURE);
    compare(SEND_NOTE, send_note, send_note_and_take_it_back, OUTCOME_FAILURE);
}

/* ---- done twice, done again, done otherwise ---- */

#define NETWORK "title: Network\ntext: Nolen\nrow: Unpair\n"
#define ASKS "title: Really?\nrow: Unpair\nrow: Leave it\n"
#define UNPAIR                                                                 \
    "\"needs\":[{\"say\":\"do it\"}],\"gold\":["                               \
    "{\"do\":\"click\",\"at\":{\"text\":\"Unpair\"}},"                         \
    "{\"do\":\"click\",\"at\":{\"text\":\"Unpair\"},\"key_step\":true},"       \
    "{\"do\":\"complete\"}]"

static void unpair(void)
{
    episode_tap(&maker, NETWORK, 2);
    episode_tap(&maker, ASKS, 1);
    episode_complete(&maker, "title: Networks\ntext: None\n");
}

static void ask_to_unpair(void)
{
    episode_tap(&maker, NETWORK, 2);
    episode_tap(&maker, ASKS, 2);
    episode_complete(&maker, NETWORK);
}

/* The button that asks has the same name as the one that does it. */
static void question_is_not_its_answer(void **state)
{
    (void)state;
    compare(UNPAIR, unpair, unpair, OUTCOME_SUCCESS);
    compare(UNPAIR, unpair, ask_to_unpair, OUTCOME_FAILURE);
}

#define PICTURE "title: Picture\nrow: Mirror\ntext: 1\n"
#define MIRRORED "title: Picture\nrow: Mirror\nrow: Undo\ntext: 2\n"
#define UNDONE "title: Picture\nrow: Mirror\nrow: Redo\ntext: 1\n"
#define MIRROR                                                                 \
    "\"needs\":[{\"say\":\"do it\"}],\"gold\":["                               \
    "{\"do\":\"click\",\"at\":{\"text\":\"Mirror\"},\"key_step\":true},"       \
    "{\"do\":\"complete\"}]"

static void mirror(void)
{
    episode_tap(&maker, PICTURE, 1);
    episode_complete(&maker, MIRRORED);
}

static void mirror_and_undo(void)
{
    episode_tap(&maker, PICTURE, 1);
    episode_tap(&maker, MIRRORED, 2);
    episode_complete(&maker, UNDONE);
}

static void mirror_undo_and_redo(void)
{
    episode_tap(&maker, PICTURE, 1);
    episode_tap(&maker, MIRRORED, 2);
    episode_tap(&maker, UNDONE, 2);
    episode_complete(&maker, MIRRORED);
}

static void step_is_undone_and_done_again_by_buttons(void **state)
{
    (void)state;
    compare(MIRROR, mirror, mirror, OUTCOME_SUCCESS);
    compare(MIRROR, mirror, mirror_and_undo, OUTCOME_FAILURE);
    compare(MIRROR, mirror, mirror_undo_and_redo, OUTCOME_SUCCESS);
}

static void press_latest_bill(void)
{
    const struct action press = {.kind = ACTION_LONG_PRESS,
                                 .has_from = true,
                                 .from = {.x = 500, .y = 150}};

    episode_act(&maker, BILLS, &press, NULL);
    episode_complete(&maker, "title: A bill\ntext: Pay soon\n");
}

static void item_may_be_pressed_long(void **state)
{
    (void)state;
    compare(OPEN_BILL, open_latest_bill, press_latest_bill, OUTCOME_SUCCESS);
}

/* ---- what may be different ---- */

#define OPEN_ZENVO                                                             \
    "\"needs\":[{\"say\":\"do it\"}],\"gold\":["                               \
    "{\"do\":\"click\",\"at\":{\"text\":\"Zenvo\"},\"key_step\":true},"        \
    "{\"do\":\"complete\"}]"
#define ONE_BILL "title: A bill\ntext: Pay soon\n"

static void open_bill_to_pay(void)
{
    episode_tap(&maker, BILLS, 1);
    episode_complete(&maker, ONE_BILL "[ ] Free delivery\n");
}

static void open_bill_in_other_words(void)
{
    episode_tap(&maker, BILLS, 1);
    episode_complete(&maker, ONE_BILL "[ ] No delivery fee\n");
}

static void open_bill_and_leave(void)
{
    const struct action back = {.kind = ACTION_BACK};

    episode_tap(&maker, BILLS, 1);
    episode_act(&maker, ONE_BILL "[ ] Free delivery\n", &back, NULL);
    episode_complete(&maker, BILLS);
}

static void page_that_was_opened_last_is_still_open(void **state)
{
    (void)state;
    compare(OPEN_BILL, open_bill_to_pay, open_bill_to_pay, OUTCOME_SUCCESS);
    compare(OPEN_BILL, open_bill_to_pay, open_bill_in_other_words,
            OUTCOME_SUCCESS);
    compare(OPEN_BILL, open_bill_to_pay, open_bill_and_leave, OUTCOME_FAILURE);
}

static void add_city_at(const char *time)
{
    char cities[100];

    snprintf(cities, sizeof(cities),
             "title: Cities\nrow: Lumo | 09:03\nrow: Zenvo | %s\n", time);
    episode_tap(&maker, cities, 2);
    episode_complete(&maker, "title: Clock\nrow: Zenvo\n");
}

static void add_city_in_the_evening(void)
{
    add_city_at("23:03");
}

static void add_city_at_noon(void)
{
    add_city_at("12:41");
}

static void time_of_a_row_does_not_tell_it(void **state)
{
    (void)state;
    compare(OPEN_ZENVO, add_city_in_the_evening, add_city_at_noon,
            OUTCOME_SUCCESS);
}

#define ADD_AND_TELL                                                           \
    "\"needs\":[{\"say\":\"do it\"}],\"answer\":\"Lumo\",\"gold\":["           \
    "{\"do\":\"click\",\"at\":{\"text\":\"Zenvo\"},\"key_step\":true},"        \
    "{\"do\":\"answer\",\"text\":\"Lumo\",\"key_step\":true}]"
#define CLOCK "title: Clock\nrow: Zenvo\ntext: Lumo\ntext: Alarm\ntext: Timer\n"

#define CITIES "title: Cities\nrow: Lumo | 22:03\nrow: Zenvo | 23:03\n"

static void add_and_tell(void)
{
    episode_tap(&maker, CITIES, 2);
    episode_answer(&maker, CLOCK, "Lumo");
}

static void add_remove_and_tell(void)
{
    const struct action press = {.kind = ACTION_LONG_PRESS,
                                 .has_from = true,
                                 .from = {.x = 500, .y = 150}};

    episode_tap(&maker, CITIES, 2);
    episode_act(&maker, CLOCK, &press, NULL);
    episode_answer(&maker, "title: Clock\ntext: No city\n", "Lumo");
}

static void long_press_removes_what_was_added(void **state)
{
    (void)state;
    compare(ADD_AND_TELL, add_and_tell, add_and_tell, OUTCOME_SUCCESS);
    compare(ADD_AND_TELL, add_and_tell, add_remove_and_tell, OUTCOME_FAILURE);
}

#define ADD_ALARM                                                              \
    "\"needs\":[{\"say\":\"do it\"}],\"gold\":["                               \
    "{\"do\":\"click\",\"at\":{\"text\":\"Monday\"},\"key_step\":1},"          \
    "{\"do\":\"click\",\"at\":{\"text\":\"Label\"}},"                          \
    "{\"do\":\"type\",\"text\":\"Early shift\",\"key_step\":1},"               \
    "{\"do\":\"click\",\"at\":{\"text\":\"OK\"},\"key_step\":true},"           \
    "{\"do\":\"complete\"}]"
#define ALARM(box, label)                                                      \
    "title: Alarm\ntext: Rings tomorrow\n[" box "] Monday\nrow: Label" label   \
    "\n"

static void label_alarm(const char *before)
{
    char text[] = "Early shift";
    const struct action type = {.kind = ACTION_TYPE, .text = text};

    episode_tap(&maker, before, 3);
    episode_act(&maker, "title: Label\n*field: \nrow: OK\n", &type, NULL);
    episode_tap(&maker, "title: Label\n*field: Early shift\nrow: OK\n", 2);
}

static void choose_day_and_label(void)
{
    episode_tap(&maker, ALARM(" ", ""), 2);
    label_alarm(ALARM("x", ""));
    episode_complete(&maker, ALARM("x", " | Early shift"));
}

static void label_and_choose_day(void)
{
    label_alarm(ALARM(" ", ""));
    episode_tap(&maker, ALARM(" ", " | Early shift"), 2);
    episode_complete(&maker, ALARM("x", " | Early shift"));
}

static void forms_come_in_any_order(void **state)
{
    (void)state;
    compare(ADD_ALARM, choose_day_and_label, choose_day_and_label,
            OUTCOME_SUCCESS);
    compare(ADD_ALARM, choose_day_and_label, label_and_choose_day,
            OUTCOME_SUCCESS);
}

/* ---- proposed checks ---- */

static void each_key_step_becomes_a_need(void **state)
{
    struct episode_evidence evidence;
    struct proposal proposal;
    struct buf text = BUF_INIT(1 << 16);
    struct err err;

    (void)state;
    assert_true(episode_evidence_open(gold.folder, PROCESS_OFFLINE, NULL,
                                      &evidence, &err));
    assert_true(propose(&evidence, &proposal, &err));
    json_format(proposal.needs, &text);
    assert_non_null(strstr(buf_cstr(&text), "lamp(?![A-Za-z0-9])"));
    assert_non_null(strstr(buf_cstr(&text), "\"after\":[\"star_1\"]"));
    assert_non_null(
        strstr(buf_cstr(&text), "\"after\":[\"star_3\",\"star_2\"]"));
    buf_release(&text);
    proposal_release(&proposal);
    episode_evidence_release(&evidence);
}

static void gold_of_another_task_is_refused(void **state)
{
    (void)state;
    episode_begin(&maker, "\"needs\":[{\"say\":\"another\"}]");
    episode_complete(&maker, PRODUCT);
    judge(OUTCOME_UNSCORED, "there is no gold trajectory");
}

static void trajectory_that_differs_from_the_gold_is_refused(void **state)
{
    struct gold_set none = GOLD_SET_INIT;
    struct err err;

    (void)state;
    episode_begin(&maker, TASK);
    episode_type(&maker, SEARCH, "lamp");
    episode_complete(&maker, PRODUCT);
    assert_false(gold_set_add(&none, maker.folder, NULL, &err));
    assert_non_null(strstr(err.text, "step 2 (click) is missing"));
    episode_remove(&maker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(synonyms_are_accepted),
        cmocka_unit_test(key_steps_of_a_group_come_in_any_order),
        cmocka_unit_test(missing_key_step_fails),
        cmocka_unit_test(opposite_action_does_not_match),
        cmocka_unit_test(switched_off_filter_is_undone),
        cmocka_unit_test(key_steps_outside_of_the_group_keep_their_order),
        cmocka_unit_test(keypad_keys_are_checked_by_their_result),
        cmocka_unit_test(opposite_action_undoes),
        cmocka_unit_test(one_additional_action_fails),
        cmocka_unit_test(reopened_list_is_not_filtered),
        cmocka_unit_test(new_search_is_not_sorted),
        cmocka_unit_test(choice_with_another_number_fails),
        cmocka_unit_test(meaning_of_several_choices_is_not_used),
        cmocka_unit_test(row_of_the_same_name_is_another),
        cmocka_unit_test(state_needs_its_key_steps_and_no_more),
        cmocka_unit_test(what_is_sent_is_sent_once),
        cmocka_unit_test(question_is_not_its_answer),
        cmocka_unit_test(step_is_undone_and_done_again_by_buttons),
        cmocka_unit_test(item_may_be_pressed_long),
        cmocka_unit_test(page_that_was_opened_last_is_still_open),
        cmocka_unit_test(time_of_a_row_does_not_tell_it),
        cmocka_unit_test(long_press_removes_what_was_added),
        cmocka_unit_test(forms_come_in_any_order),
        cmocka_unit_test(each_key_step_becomes_a_need),
        cmocka_unit_test(gold_of_another_task_is_refused),
        cmocka_unit_test(trajectory_that_differs_from_the_gold_is_refused),
    };

    return cmocka_run_group_tests(tests, make_gold, remove_gold);
}
