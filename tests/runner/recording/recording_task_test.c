#include "runner/recording/recording_task.h"

#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/json_write.h"
#include "base/macros.h"
#include "runner/recording/recording_change.h"
#include "runner/recording/task_save.h"
#include "tasks/task/episode_task.h"
#include "tasks/task/suite.h"
#include "tests/judge/episode_maker.h"
#include "tests/support/scratch_folder.h"

/* Screens of a shop. A recording has no task, so the maker's is not used. */
#define UNUSED_TASK "\"needs\":[{\"say\":\"do it\"}]"
#define SEARCH "title: Find\n*field: \n"
#define ROWS "row: Zenvo\nrow: Lumo\ntext: 2 lamps\ntext: in stock\n"
#define LIST "title: Shop\nrow: Sort\n[ ] Free shipping\n" ROWS
#define LIST_FREE "title: Shop\nrow: Sort\n[x] Free shipping\n" ROWS
#define SHEET                                                                  \
    "title: Sort\n( ) Price: low to high\n( ) Price: high to low\n(x) "        \
    "Relevance\n"
#define PRODUCT "title: Zenvo\ntext: $ 12.50\nrow: Buy\n"

static void star(const struct episode_maker *maker, int step)
{
    const struct recording_edit edit = {
        .kind = EDIT_STAR, .step = step, .on = true};
    struct err err = ERR_INIT;

    if (!recording_edit_add(maker->folder, &edit, &err))
        fail_msg("%s", err.text);
}

/* Mark the node with that text on the screen before the step. */
static void mark(const char *folder, int step, const char *text)
{
    struct node_selector node = {.nth = 0};
    const struct recording_edit edit = {
        .kind = EDIT_EVIDENCE, .step = step, .on = true, .selector = &node};
    struct err err = ERR_INIT;

    text_list_add(&node.text, text);
    if (!recording_edit_add(folder, &edit, &err))
        fail_msg("%s", err.text);
    node_selector_release(&node);
}

/* That text of the screen before the step is the answer; "": it is not. */
static void mark_answer(const char *folder, int step, const char *text)
{
    const struct recording_edit edit = {
        .kind = EDIT_ANSWER, .step = step, .text = (char *)text};
    struct err err = ERR_INIT;

    if (!recording_edit_add(folder, &edit, &err))
        fail_msg("%s", err.text);
}

static void stars(const struct episode_maker *maker, const int *steps,
                  size_t count)
{
    for (size_t i = 0; i < count; i++)
        star(maker, steps[i]);
}

/* Search, sort, filter, open; with a tap too many that is deleted. */
static void record(struct episode_maker *maker, const char *typed)
{
    const struct recording_edit edit = {
        .kind = EDIT_DELETE, .step = 1, .on = true};
    struct err err = ERR_INIT;

    episode_begin(maker, UNUSED_TASK);
    episode_type(maker, SEARCH, typed);
    episode_tap(maker, LIST, 5);
    episode_tap(maker, LIST, 1);
    episode_tap(maker, SHEET, 1);
    episode_tap(maker, LIST, 2);
    episode_tap(maker, LIST_FREE, 3);
    episode_complete(maker, PRODUCT);
    stars(maker, (const int[]){0, 3, 4, 5}, 4);
    if (!recording_edit_add(maker->folder, &edit, &err))
        fail_msg("%s", err.text);
}

static struct recording_task make(const struct recording_task_options *options)
{
    struct recording_task made = {.way_count = 0};
    struct err err = ERR_INIT;

    if (!recording_task_make(options, &made, &err))
        fail_msg("%s", err.text);
    return made;
}

static struct recording_task make_one(const struct episode_maker *maker,
                                      const char *id)
{
    const char *const folders[] = {maker->folder};

    return make(&(struct recording_task_options){
        .folders = folders,
        .count = 1,
        .id = id,
        .instruction_en = "Find the cheapest lamp with free shipping.",
        .kind = -1,
    });
}

static void expect_saved(const struct recording_task *made, const char *suite,
                         bool replace)
{
    const struct task_save_options options = {.suite = suite,
                                              .replace = replace};
    struct err err = ERR_INIT;
    char *gold;

    if (!task_save(made, &options, &gold, &err))
        fail_msg("%s", err.text);
    if (!trajectory_check(gold, &err))
        fail_msg("%s", err.text);
    free(gold);
}

static struct suite load(const char *path)
{
    struct suite suite = {.count = 0};
    struct err err = ERR_INIT;

    if (!suite_load(path, &suite, &err))
        fail_msg("%s", err.text);
    return suite;
}

/* ---- the form ---- */

static void form_is_filled_in_and_proved(void **state)
{
    struct episode_maker maker;
    struct recording_task made;

    (void)state;
    record(&maker, "lamp");
    made = make_one(&maker, "shop.lamp");
    assert_string_equal(made.task.id, "shop.lamp");
    assert_int_equal(made.task.kind, TASK_PROCESS);
    assert_int_equal(made.task.level, 2);
    /* Six steps are left, and the ending. */
    assert_int_equal(made.task.gold.count, 6);
    assert_true(made.task.need_count >= 4);
    assert_true(made.task.gold.steps[2].group &&
                made.task.gold.steps[2].group == made.task.gold.steps[3].group);
    assert_true(made.proof.accepted);
    assert_int_equal(made.proof.refused, made.proof.count);
    assert_true(made.proof.count > 8);
    recording_task_release(&made);
    episode_remove(&maker);
}

static void answer_of_the_screen_is_expected(void **state)
{
    struct episode_maker maker;
    struct recording_task made;
    const char *folders[1];

    (void)state;
    episode_begin(&maker, UNUSED_TASK);
    episode_tap(&maker, LIST, 3);
    episode_see(&maker, "title: Zenvo\ntext: 12.50\n");
    episode_end(&maker, ENDING_COMPLETE, NULL);
    star(&maker, 0);
    folders[0] = maker.folder;
    made = make(&(struct recording_task_options){
        .folders = folders, .count = 1, .answer = "12.50", .kind = -1});
    assert_int_equal(made.task.answer.kind, TASK_ANSWER_NUMBER);
    assert_true(made.task.answer.number > 12.4 &&
                made.task.answer.number < 12.6);
    assert_int_equal(made.task.gold.steps[1].action.kind, ACTION_ANSWER);
    recording_task_release(&made);
    episode_remove(&maker);
}

/* Open a product, and read its price. */
static void record_price(struct episode_maker *maker)
{
    episode_begin(maker, UNUSED_TASK);
    episode_tap(maker, LIST, 3);
    episode_see(maker, PRODUCT);
    episode_end(maker, ENDING_COMPLETE, NULL);
    star(maker, 0);
}

static void marked_answer_is_expected(void **state)
{
    struct episode_maker maker;
    struct recording_task made;
    const struct task_gold_step *last;

    (void)state;
    record_price(&maker);
    mark_answer(maker.folder, 0, "Zenvo");
    mark_answer(maker.folder, 1, "$ 12.50");
    made = make_one(&maker, "shop.price");
    assert_int_equal(made.task.answer.kind, TASK_ANSWER_NUMBER);
    assert_true(made.task.answer.number == 12.5);
    last = &made.task.gold.steps[made.task.gold.count - 1];
    assert_int_equal(last->action.kind, ACTION_ANSWER);
    assert_string_equal(last->action.text, "$ 12.50");
    assert_int_equal(made.ways[0].trajectory.ending, ENDING_ANSWER);
    assert_true(made.proof.accepted);
    recording_task_release(&made);
    episode_remove(&maker);
}

static void answer_of_a_deleted_step_stays(void **state)
{
    const struct recording_edit deleted = {
        .kind = EDIT_DELETE, .step = 1, .on = true};
    struct episode_maker maker;
    struct recording_task made;
    struct err err = ERR_INIT;

    (void)state;
    episode_begin(&maker, UNUSED_TASK);
    episode_tap(&maker, LIST, 3);
    episode_tap(&maker, PRODUCT, 1);
    episode_see(&maker, PRODUCT);
    episode_end(&maker, ENDING_COMPLETE, NULL);
    star(&maker, 0);
    mark_answer(maker.folder, 1, "in stock");
    if (!recording_edit_add(maker.folder, &deleted, &err))
        fail_msg("%s", err.text);
    made = make_one(&maker, "shop.stock");
    assert_int_equal(made.task.answer.kind, TASK_ANSWER_EXACT);
    assert_string_equal(made.task.answer.values.items[0], "in stock");
    recording_task_release(&made);
    episode_remove(&maker);
}

static void answer_that_was_taken_back_is_not_expected(void **state)
{
    struct episode_maker maker;
    struct recording_task made;
    const char *folders[1];

    (void)state;
    record_price(&maker);
    folders[0] = maker.folder;
    mark_answer(maker.folder, 1, "$ 12.50");
    made = make(&(struct recording_task_options){
        .folders = folders, .count = 1, .answer = "", .kind = -1});
    assert_int_equal(made.task.answer.kind, TASK_ANSWER_NONE);
    recording_task_release(&made);
    mark_answer(maker.folder, 1, "");
    made = make_one(&maker, "shop.price");
    assert_int_equal(made.task.answer.kind, TASK_ANSWER_NONE);
    assert_int_equal(made.task.gold.steps[1].action.kind, ACTION_COMPLETE);
    recording_task_release(&made);
    episode_remove(&maker);
}

static void all_recordings_end_with_the_answer_of_the_first(void **state)
{
    struct episode_maker makers[2];
    struct recording_task made;
    const char *folders[2];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(makers); i++) {
        record_price(&makers[i]);
        folders[i] = makers[i].folder;
    }
    mark_answer(folders[0], 1, "$ 12.50");
    made = make(&(struct recording_task_options){
        .folders = folders, .count = 2, .kind = -1});
    assert_int_equal(made.ways[1].trajectory.ending, ENDING_ANSWER);
    assert_true(made.merged.accepted[1]);
    recording_task_release(&made);
    for (size_t i = 0; i < ARRAY_LEN(makers); i++)
        episode_remove(&makers[i]);
}

/* An amount is a number, whatever its sign; what is written in one way alone is
   a text. */
static void answer_gets_the_kind_of_its_text(void **state)
{
    static const struct {
        const char *text;
        enum task_answer_kind kind;
        double number;
    } rows[] = {
        {"7", TASK_ANSWER_NUMBER, 7},
        {"-4", TASK_ANSWER_NUMBER, -4},
        {"0.5", TASK_ANSWER_NUMBER, 0.5},
        {"$ 1,250.50", TASK_ANSWER_NUMBER, 1250.5},
        {"¥12.50", TASK_ANSWER_NUMBER, 12.5},
        {"￥18", TASK_ANSWER_NUMBER, 18},
        {"12.50 €", TASK_ANSWER_NUMBER, 12.5},
        {"18元", TASK_ANSWER_NUMBER, 18},
        {"45%", TASK_ANSWER_NUMBER, 45},
        {"07:30", TASK_ANSWER_EXACT, 0},
        {"2026-03-09", TASK_ANSWER_EXACT, 0},
        {"Mon, Mar 9", TASK_ANSWER_EXACT, 0},
        {"3 nights", TASK_ANSWER_EXACT, 0},
        {"0049 30 1234", TASK_ANSWER_EXACT, 0},
        {"007", TASK_ANSWER_EXACT, 0},
        {"12345678901234567", TASK_ANSWER_EXACT, 0},
        {"Zenvo", TASK_ANSWER_EXACT, 0},
    };
    struct episode_maker maker;
    const char *folders[1];

    (void)state;
    record_price(&maker);
    folders[0] = maker.folder;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct recording_task made =
            make(&(struct recording_task_options){.folders = folders,
                                                  .count = 1,
                                                  .answer = rows[i].text,
                                                  .kind = -1});
        const struct task_answer *answer = &made.task.answer;

        if (answer->kind != rows[i].kind || answer->number != rows[i].number ||
            !made.proof.accepted)
            fail_msg("%s: kind %d, %g", rows[i].text, answer->kind,
                     answer->number);
        recording_task_release(&made);
    }
    episode_remove(&maker);
}

/* A shop whose first product was blurred. */
#define BLURRED "title: Shop\nrow: •\nrow: Lumo\ntext: 2 lamps\n"

static void blurred_target_has_no_check(void **state)
{
    struct episode_maker maker;
    struct recording_task made;
    bool warned = false;

    (void)state;
    episode_begin(&maker, UNUSED_TASK);
    episode_tap(&maker, BLURRED, 1);
    episode_tap(&maker, PRODUCT, 2);
    episode_complete(&maker, "title: Cart\ntext: $ 12.50\n");
    stars(&maker, (const int[]){0, 1}, 2);
    made = make_one(&maker, "shop.blurred");
    for (size_t i = 0; i < made.warnings.count; i++)
        warned |= !strcmp(made.warnings.items[i],
                          "starred step 1 has no check: its target was "
                          "blurred");
    assert_true(warned);
    assert_true(made.task.need_count > 0);
    for (size_t i = 0; i < made.task.need_count; i++)
        assert_null(
            strstr(bilingual_text_in(&made.task.needs[i].say, NULL), "•"));
    assert_true(made.proof.accepted);
    assert_true(made.task.gold.steps[0].key_step);
    recording_task_release(&made);
    episode_remove(&maker);
}

static void stars_on_blurred_targets_alone_are_refused(void **state)
{
    struct episode_maker maker;
    struct recording_task made;
    struct err err = ERR_INIT;
    const char *folders[1];

    (void)state;
    episode_begin(&maker, UNUSED_TASK);
    episode_tap(&maker, BLURRED, 1);
    episode_complete(&maker, PRODUCT);
    star(&maker, 0);
    folders[0] = maker.folder;
    assert_false(recording_task_make(
        &(struct recording_task_options){
            .folders = folders, .count = 1, .kind = -1},
        &made, &err));
    assert_non_null(strstr(err.text, "were blurred: star another step"));
    episode_remove(&maker);
}

static void recording_without_a_star_is_refused(void **state)
{
    struct episode_maker maker;
    struct recording_task made;
    struct err err = ERR_INIT;
    const char *folders[1];

    (void)state;
    episode_begin(&maker, UNUSED_TASK);
    episode_tap(&maker, LIST, 3);
    episode_complete(&maker, PRODUCT);
    folders[0] = maker.folder;
    assert_false(recording_task_make(
        &(struct recording_task_options){
            .folders = folders, .count = 1, .kind = -1},
        &made, &err));
    assert_non_null(strstr(err.text, "star a step"));
    episode_remove(&maker);
}

/* ---- saving ---- */

static void tasks_are_added_to_a_suite(void **state)
{
    static const char before[] =
        "{\"name\":\"mine\",\"comment\":\"of mine\",\"tasks\":[{\"id\":\"a\","
        "\"app\":\"com.a\",\"kind\":\"state\",\"instruction\":\"Do {{it}.\","
        "\"needs\":[\"done\"]}]}";
    struct episode_maker maker;
    struct recording_task made;
    struct suite suite;
    struct err err = ERR_INIT;
    struct task task;

    (void)state;
    assert_true(file_save("mine.json", 0666, before, strlen(before), &err));
    record(&maker, "{lamp}");
    made = make_one(&maker, "shop.lamp");
    expect_saved(&made, "mine.json", false);
    suite = load("mine.json");
    assert_string_equal(suite.name, "mine");
    assert_string_equal(suite.comment, "of mine");
    assert_int_equal(suite.count, 2);
    assert_string_equal(suite.tasks[0].instruction.any, "Do {{it}.");
    assert_string_equal(suite.tasks[1].gold.trajectory, "gold/shop.lamp/1");
    assert_string_equal(suite.tasks[1].gold.steps[0].action.text, "{{lamp}");
    suite_release(&suite);
    if (!episode_task_load("gold/shop.lamp/1", &task, &err))
        fail_msg("%s", err.text);
    assert_string_equal(task.gold.steps[0].action.text, "{lamp}");
    task_release(&task);
    recording_task_release(&made);
    episode_remove(&maker);
}

static void taken_id_is_refused_unless_it_is_replaced(void **state)
{
    struct episode_maker maker;
    struct recording_task made;
    struct suite suite;
    struct err err = ERR_INIT;
    char *gold = NULL;

    (void)state;
    record(&maker, "lamp");
    made = make_one(&maker, "shop.twice");
    expect_saved(&made, "twice.json", false);
    assert_false(task_save(&made,
                           &(struct task_save_options){.suite = "twice.json"},
                           &gold, &err));
    assert_non_null(strstr(err.text, "already"));
    expect_saved(&made, "twice.json", true);
    suite = load("twice.json");
    assert_int_equal(suite.count, 1);
    assert_string_equal(suite.tasks[0].gold.trajectory, "gold/shop.twice/2");
    suite_release(&suite);
    recording_task_release(&made);
    episode_remove(&maker);
}

static void form_that_a_person_changed_is_saved(void **state)
{
    struct episode_maker maker;
    struct recording_task made;
    struct suite suite;
    struct cJSON *form;
    struct cJSON *task;
    struct err err = ERR_INIT;
    char *gold = NULL;

    (void)state;
    record(&maker, "lamp");
    made = make_one(&maker, "shop.form");
    form = recording_task_to_json(&made);
    task = cJSON_GetObjectItemCaseSensitive(form, "task");
    cJSON_DeleteItemFromObjectCaseSensitive(task, "instruction");
    json_add_string(task, "instruction", "Buy it.");
    if (!task_save(
            &made,
            &(struct task_save_options){.suite = "form.json", .task = task},
            &gold, &err))
        fail_msg("%s", err.text);
    free(gold);
    suite = load("form.json");
    assert_string_equal(suite.tasks[0].instruction.any, "Buy it.");
    suite_release(&suite);
    json_add_string(task, "kin", "state");
    assert_false(task_save(&made,
                           &(struct task_save_options){.suite = "form.json",
                                                       .task = task,
                                                       .replace = true},
                           &gold, &err));
    assert_non_null(strstr(err.text, "kin"));
    cJSON_Delete(form);
    recording_task_release(&made);
    episode_remove(&maker);
}

/* Save again and again, with a byte for each time, until killed. */
static void save_until_killed(const struct recording_task *made, int out)
{
    const struct task_save_options options = {.suite = "kill.json",
                                              .replace = true};
    struct err err;
    char *gold;

    while (task_save(made, &options, &gold, &err)) {
        free(gold);
        if (write(out, "s", 1) != 1)
            _exit(3);
    }
    fprintf(stderr, "%s\n", err.text);
    _exit(2);
}

/* Kill it some time after its first save. */
static void save_and_kill(const struct recording_task *made, int moment)
{
    int ends[2];
    pid_t child;
    int status;
    char report;

    assert_int_equal(pipe(ends), 0);
    child = fork();
    assert_true(child >= 0);
    if (!child) {
        close(ends[0]);
        save_until_killed(made, ends[1]);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &report, 1), 1);
    usleep((useconds_t)(moment * 1500));
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    close(ends[0]);
}

/* Whenever it is killed, the suite has all tasks that were in it. */
static void kill_while_saving_loses_nothing(void **state)
{
    struct episode_maker maker;
    struct recording_task made;

    (void)state;
    record(&maker, "lamp");
    made = make_one(&maker, "shop.kill");
    expect_saved(&made, "kill.json", false);
    for (int i = 0; i < 8; i++) {
        struct suite suite;
        struct err err;

        save_and_kill(&made, i);
        suite = load("kill.json");
        assert_int_equal(suite.count, 1);
        if (!trajectory_check(suite.tasks[0].gold.trajectory, &err))
            fail_msg("%s", err.text);
        suite_release(&suite);
    }
    recording_task_release(&made);
    episode_remove(&maker);
}

static void parts_that_a_kill_left_are_removed(void **state)
{
    static const char left[] = "gold/shop.part/.1.4711.part";
    struct episode_maker maker;
    struct recording_task made;
    struct err err = ERR_INIT;

    (void)state;
    record(&maker, "lamp");
    made = make_one(&maker, "shop.part");
    assert_true(
        file_make_folder("gold/shop.part/.1.4711.part/screens", 0777, &err));
    assert_true(file_save("gold/shop.part/.1.4711.part/screens/0000.png", 0666,
                          "a", 1, &err));
    expect_saved(&made, "part.json", false);
    assert_int_not_equal(access(left, F_OK), 0);
    recording_task_release(&made);
    episode_remove(&maker);
}

/* ---- what is used of a recording ---- */

static struct recorded_way load_way(const char *folder)
{
    struct recorded_way way = {.secrets = 0};
    struct err err = ERR_INIT;

    if (!recorded_way_load(folder, NULL, &way, &err))
        fail_msg("%s", err.text);
    return way;
}

/* The last step is an ending on the screen of that tree. */
static void expect_end(const struct recorded_way *way, size_t count,
                       const char *shows)
{
    const struct trajectory *trajectory = &way->trajectory;
    const struct trajectory_step *last;
    struct buf tree = BUF_INIT(100000);
    struct err err = ERR_INIT;

    assert_int_equal(trajectory->count, count);
    last = &trajectory->steps[count - 1];
    assert_int_equal(last->action.kind, ACTION_COMPLETE);
    if (!trajectory_read_file(trajectory, &last->tree, &tree, &err))
        fail_msg("%s", err.text);
    assert_non_null(strstr(buf_cstr(&tree), shows));
    buf_release(&tree);
}

/* Three taps through list, sheet and filtered list, with a mark on each. */
static void record_marked(struct episode_maker *maker)
{
    episode_begin(maker, UNUSED_TASK);
    episode_tap(maker, LIST, 1);
    episode_tap(maker, SHEET, 1);
    episode_tap(maker, LIST_FREE, 3);
    episode_see(maker, PRODUCT);
    episode_end(maker, ENDING_COMPLETE, NULL);
    mark(maker->folder, 0, "Sort");
    mark(maker->folder, 1, "Relevance");
    mark(maker->folder, 2, "in stock");
    mark(maker->folder, 3, "Buy");
}

static void trimmed_recording_ends_where_it_was_cut(void **state)
{
    const struct recording_edit trim = {.kind = EDIT_TRIM, .from = 1, .to = 1};
    struct episode_maker maker;
    struct recorded_way way;
    struct err err = ERR_INIT;

    (void)state;
    record_marked(&maker);
    if (!recording_edit_add(maker.folder, &trim, &err))
        fail_msg("%s", err.text);
    way = load_way(maker.folder);
    expect_end(&way, 2, "in stock");
    assert_int_equal(way.evidence_count, 2);
    assert_string_equal(way.evidence[0].text, "Relevance");
    assert_string_equal(way.evidence[1].text, "in stock");
    recorded_way_release(&way);
    episode_remove(&maker);
}

static void both_parts_of_a_split_end_on_their_own_screen(void **state)
{
    struct episode_maker maker;
    struct recorded_way way;
    struct buf second = BUF_INIT(PATH_MAX);
    struct err err = ERR_INIT;

    (void)state;
    record_marked(&maker);
    buf_printf(&second, "%s/../second", maker.folder);
    if (!recording_split(maker.folder, 2, "second", &err))
        fail_msg("%s", err.text);
    way = load_way(maker.folder);
    expect_end(&way, 3, "in stock");
    assert_int_equal(way.evidence_count, 3);
    recorded_way_release(&way);
    way = load_way(buf_cstr(&second));
    expect_end(&way, 2, "Buy");
    assert_int_equal(way.evidence_count, 2);
    recorded_way_release(&way);
    buf_release(&second);
    episode_remove(&maker);
}

/* ---- marked nodes ---- */

static struct recording_task make_marked(struct episode_maker *maker,
                                         bool starred, const char *text)
{
    episode_begin(maker, UNUSED_TASK);
    episode_tap(maker, LIST, 3);
    episode_see(maker, PRODUCT);
    episode_end(maker, ENDING_COMPLETE, NULL);
    if (starred)
        star(maker, 0);
    mark(maker->folder, 1, text);
    return make_one(maker, "shop.marked");
}

static void expect_proved(bool starred, const char *text, bool accepted)
{
    struct episode_maker maker;
    struct recording_task made = make_marked(&maker, starred, text);
    const char *say;

    assert_int_equal(made.proof.accepted, accepted);
    assert_true(made.proof.need_count > 0);
    say = made.proof.needs[made.proof.need_count - 1].say;
    assert_non_null(strstr(say, text));
    assert_int_equal(made.task.need_count, made.proof.need_count);
    recording_task_release(&made);
    episode_remove(&maker);
}

static void checks_of_marked_nodes_are_proved(void **state)
{
    (void)state;
    for (int starred = 0; starred < 2; starred++) {
        expect_proved(starred, "$ 12.50", true);
        expect_proved(starred, "sold out", false);
    }
}

/* "Zenvo" is also on the screen before, where the twins end. */
static void marks_without_a_star_are_proved_on_the_last_step(void **state)
{
    static const char *const texts[] = {"$ 12.50", "Zenvo"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct episode_maker maker;
        struct recording_task made = make_marked(&maker, false, texts[i]);

        assert_true(made.proof.accepted);
        assert_true(made.proof.count > 0);
        if (i)
            assert_true(made.proof.refused < made.proof.count);
        else
            assert_int_equal(made.proof.refused, made.proof.count);
        assert_int_equal(made.twins.count, made.proof.count);
        assert_false(made.task.gold.steps[0].key_step);
        recording_task_release(&made);
        episode_remove(&maker);
    }
}

/* ---- several recordings ---- */

static void orders_that_differ_are_free(void **state)
{
    static const char wide[] = "row: Zenvo\n[ ] Gift wrap\n[ ] Insurance\n";
    static const char wrap[] = "row: Zenvo\n[x] Gift wrap\n[ ] Insurance\n";
    static const char insured[] = "row: Zenvo\n[ ] Gift wrap\n[x] Insurance\n";
    static const char both[] = "row: Zenvo\n[x] Gift wrap\n[x] Insurance\n";
    struct episode_maker makers[2];
    struct recording_task made;
    const char *folders[2];

    (void)state;
    episode_begin(&makers[0], UNUSED_TASK);
    episode_tap(&makers[0], wide, 1);
    episode_tap(&makers[0], wrap, 2);
    episode_complete(&makers[0], both);
    episode_begin(&makers[1], UNUSED_TASK);
    episode_tap(&makers[1], wide, 2);
    episode_tap(&makers[1], insured, 1);
    episode_complete(&makers[1], both);
    for (size_t i = 0; i < 2; i++) {
        stars(&makers[i], (const int[]){0, 1}, 2);
        folders[i] = makers[i].folder;
    }
    made = make(&(struct recording_task_options){
        .folders = folders, .count = 2, .id = "shop.wrap", .kind = -1});
    assert_int_equal(made.merged.count, 2);
    assert_true(made.merged.steps[0].free);
    assert_int_equal(made.merged.steps[0].kind, MERGED_REQUIRED);
    assert_true(made.merged.accepted[0] && made.merged.accepted[1]);
    assert_true(made.task.gold.steps[0].group > 0);
    assert_true(made.proof.accepted);
    expect_saved(&made, "wrap.json", false);
    assert_int_equal(access("gold/shop.wrap/2/events.jsonl", F_OK), 0);
    recording_task_release(&made);
    episode_remove(&makers[0]);
    episode_remove(&makers[1]);
}

/* One searches by typing, the other by a category; both open the lamp. */
static void other_ways_are_alternatives_and_detours_optional(void **state)
{
    static const char home[] =
        "title: Home\nrow: Lamps\nrow: Chairs\n*field: \n";
    struct episode_maker makers[2];
    struct recording_task made;
    const char *folders[2];

    (void)state;
    episode_begin(&makers[0], UNUSED_TASK);
    episode_type(&makers[0], home, "desk light");
    episode_tap(&makers[0], LIST, 2);
    episode_tap(&makers[0], LIST_FREE, 3);
    episode_complete(&makers[0], PRODUCT);
    stars(&makers[0], (const int[]){0, 1, 2}, 3);
    episode_begin(&makers[1], UNUSED_TASK);
    episode_tap(&makers[1], home, 1);
    episode_tap(&makers[1], LIST, 3);
    episode_complete(&makers[1], PRODUCT);
    stars(&makers[1], (const int[]){0, 1}, 2);
    for (size_t i = 0; i < 2; i++)
        folders[i] = makers[i].folder;
    made = make(&(struct recording_task_options){
        .folders = folders, .count = 2, .id = "shop.lamp", .kind = 1});
    assert_int_equal(made.merged.steps[0].kind, MERGED_ALTERNATIVE);
    assert_non_null(strstr(made.merged.steps[0].say, "Lamps"));
    assert_int_equal(made.merged.steps[1].kind, MERGED_OPTIONAL);
    assert_int_equal(made.merged.steps[2].kind, MERGED_REQUIRED);
    assert_true(made.merged.accepted[0] && made.merged.accepted[1]);
    assert_false(made.task.gold.steps[1].key_step);
    recording_task_release(&made);
    episode_remove(&makers[0]);
    episode_remove(&makers[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(form_is_filled_in_and_proved),
        cmocka_unit_test(answer_of_the_screen_is_expected),
        cmocka_unit_test(marked_answer_is_expected),
        cmocka_unit_test(answer_of_a_deleted_step_stays),
        cmocka_unit_test(answer_that_was_taken_back_is_not_expected),
        cmocka_unit_test(all_recordings_end_with_the_answer_of_the_first),
        cmocka_unit_test(answer_gets_the_kind_of_its_text),
        cmocka_unit_test(blurred_target_has_no_check),
        cmocka_unit_test(stars_on_blurred_targets_alone_are_refused),
        cmocka_unit_test(recording_without_a_star_is_refused),
        cmocka_unit_test(tasks_are_added_to_a_suite),
        cmocka_unit_test(taken_id_is_refused_unless_it_is_replaced),
        cmocka_unit_test(form_that_a_person_changed_is_saved),
        cmocka_unit_test(kill_while_saving_loses_nothing),
        cmocka_unit_test(parts_that_a_kill_left_are_removed),
        cmocka_unit_test(trimmed_recording_ends_where_it_was_cut),
        cmocka_unit_test(both_parts_of_a_split_end_on_their_own_screen),
        cmocka_unit_test(checks_of_marked_nodes_are_proved),
        cmocka_unit_test(marks_without_a_star_are_proved_on_the_last_step),
        cmocka_unit_test(orders_that_differ_are_free),
        cmocka_unit_test(other_ways_are_alternatives_and_detours_optional),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
