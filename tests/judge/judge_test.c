/* What all judges have in common: evidence, stored descriptions, hash. */
#include "judge/judge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "process_provider/summarize/episode_process.h"
#include "tests/judge/episode_maker.h"

#define LIST "title: Shop\nrow: Lamp\nrow: Chair\ntext: 2 results\n"
#define LAMP "title: Lamp\nrow: Buy\ntext: 19.99\n"

static struct episode_maker maker;

/* A tap that opens a page, one on a text without effect, and one on nothing. */
static void make_episode(void)
{
    episode_begin(&maker, "\"needs\":[\"the lamp is open\"]");
    episode_tap(&maker, LIST, 3);
    episode_tap(&maker, LIST, 1);
    episode_tap_at(&maker, LAMP, 500, 900);
    episode_complete(&maker, LAMP);
}

static void judge_it(const struct judge_options *options,
                     struct verdict *verdict)
{
    struct judge judge;
    struct err err = ERR_INIT;

    judge_init(&judge, options);
    if (!judge_episode(&judge, maker.folder, verdict, &err))
        fail_msg("%s", err.text);
    judge_release(&judge);
}

static void a_blocked_step_is_described_as_not_carried_out(void **state)
{
    static const struct {
        enum trajectory_block block;
        const char *line;
    } cases[] = {
        {BLOCK_GUARD,
         "not carried out (blocked by the guard: no): pressed Back"},
        {BLOCK_SPACE,
         "not carried out (not allowed in this task: no): pressed Back"},
        {BLOCK_PHONE,
         "not carried out (the phone could not do it: no): pressed Back"},
        {BLOCK_REPLY, "not carried out (the reply had no action: no)"},
    };
    const struct picture_access access = {.by = DEADLINE_NEVER};
    const struct action back = {.kind = ACTION_BACK};
    struct trajectory trajectory;
    struct episode_process process;
    struct err err = ERR_INIT;

    (void)state;
    episode_begin(&maker, "\"needs\":[]");
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct step_action blocked = {.actor = ACTOR_AGENT,
                                            .action = &back,
                                            .block = cases[i].block,
                                            .blocked = "no"};

        episode_see(&maker, LIST);
        assert_true(trajectory_write_action(maker.writer, &blocked, &err));
    }
    episode_end(&maker, ENDING_BUDGET, "over");
    assert_true(trajectory_load(maker.folder, &trajectory, &err));
    episode_process_make(&trajectory, PROCESS_OFFLINE, &access, &process);
    assert_int_equal(process.count, ARRAY_LEN(cases));
    for (size_t i = 0; i < process.count; i++) {
        if (strncmp(process.steps[i].description, cases[i].line,
                    strlen(cases[i].line)) != 0)
            fail_msg("%s", process.steps[i].description);
    }
    episode_process_release(&process);
    trajectory_release(&trajectory);
    episode_remove(&maker);
}

static void verdict_stores_the_descriptions_that_the_judge_read(void **state)
{
    const struct picture_access access = {.by = DEADLINE_NEVER};

    (void)state;
    make_episode();
    for (int source = 0; source < PROCESS_SOURCES; source++) {
        const struct judge_options options = {
            .kind = JUDGE_RULES, .source = (enum process_source)source};
        struct trajectory trajectory;
        struct episode_process process;
        struct verdict verdict;
        struct err err = ERR_INIT;

        judge_it(&options, &verdict);
        assert_true(trajectory_load(maker.folder, &trajectory, &err));
        episode_process_make(&trajectory, options.source, &access, &process);
        assert_int_equal(verdict.process_count, 4);
        assert_int_equal(process.count, 4);
        for (size_t i = 0; i < process.count; i++)
            assert_string_equal(verdict.process[i].description,
                                process.steps[i].description);
        verdict_release(&verdict);
        episode_process_release(&process);
        trajectory_release(&trajectory);
    }
    episode_remove(&maker);
}

static void description_says_that_nothing_changed(void **state)
{
    const struct judge_options options = {.kind = JUDGE_RULES};
    struct verdict verdict;

    (void)state;
    make_episode();
    judge_it(&options, &verdict);
    assert_non_null(
        strstr(verdict.process[0].description, "; nothing changed"));
    assert_non_null(
        strstr(verdict.process[2].description, "; nothing changed"));
    verdict_release(&verdict);
    episode_remove(&maker);
}

static void picture_reading_is_part_of_the_hash(void **state)
{
    struct picture_reader *reader = picture_reader_open();
    const struct judge_options blind = {.kind = JUDGE_RULES};
    const struct judge_options seeing = {.kind = JUDGE_RULES, .reader = reader};
    struct verdict without;
    struct verdict with;
    struct err why = ERR_INIT;
    bool ocr = picture_reader_has_ocr(reader, &why);

    (void)state;
    make_episode();
    judge_it(&blind, &without);
    judge_it(&seeing, &with);
    assert_non_null(strstr(without.config, "\"ocr\":null,\"icons\":null"));
    assert_non_null(strstr(with.config, "\"ocr\":"));
    if (ocr) {
        assert_non_null(strstr(with.config, "\"ocr\":\"tesseract "));
        assert_string_not_equal(without.hash, with.hash);
    }
    verdict_release(&without);
    verdict_release(&with);
    picture_reader_close(reader);
    episode_remove(&maker);
}

static void damage(const char *name)
{
    char path[256];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s", maker.folder, name);
    file = fopen(path, "wb");
    assert_non_null(file);
    fputs("nothing", file);
    fclose(file);
}

/* Without a tree, the pictures before and after are compared. */
static void damaged_picture_is_a_doubt_on_its_step(void **state)
{
    const struct judge_options options = {.kind = JUDGE_RULES};
    struct verdict verdict;

    (void)state;
    make_episode();
    damage("trees/0000.xml");
    damage("screens/0000.png");
    judge_it(&options, &verdict);
    assert_non_null(verdict.process[1].doubt);
    assert_null(verdict.process[2].doubt);
    verdict_release(&verdict);
    episode_remove(&maker);
}

static void cancelling_leaves_no_verdict(void **state)
{
    struct cancel cancel = CANCEL_INIT;
    struct judge judge;
    struct verdict verdict;
    struct err err = ERR_INIT;

    (void)state;
    make_episode();
    assert_true(cancel_init(&cancel, &err));
    cancel_fire(&cancel);
    judge_init(&judge,
               &(struct judge_options){.kind = JUDGE_RULES, .cancel = &cancel});
    assert_false(judge_episode(&judge, maker.folder, &verdict, &err));
    assert_int_equal(err.code, ERR_CANCELLED);
    judge_release(&judge);
    cancel_release(&cancel);
    episode_remove(&maker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdict_stores_the_descriptions_that_the_judge_read),
        cmocka_unit_test(a_blocked_step_is_described_as_not_carried_out),
        cmocka_unit_test(description_says_that_nothing_changed),
        cmocka_unit_test(picture_reading_is_part_of_the_hash),
        cmocka_unit_test(damaged_picture_is_a_doubt_on_its_step),
        cmocka_unit_test(cancelling_leaves_no_verdict),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
