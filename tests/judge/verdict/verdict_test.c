#include "judge/verdict/verdict.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/macros.h"
#include "base/mem.h"

#define HEAD                                                                   \
    "{\"format\":\"proctor-verdict\",\"version\":1,\"judge\":\"rules\","       \
    "\"hash\":\"0123abcd\",\"outcome\":\"failure\""

static void fill(struct verdict *verdict)
{
    *verdict = (struct verdict)VERDICT_INIT;
    verdict_sign(verdict, "openai:gpt-4o", "{\"repeats\":3}");
    verdict->outcome = OUTCOME_UNCOMPLETED;
    verdict->early_stop = true;
    verdict->reason = mem_dup("the same tap, five times");
    verdict->needs = mem_new(2, sizeof(*verdict->needs));
    verdict->need_count = 2;
    verdict->needs[0] = (struct verdict_need){.say = mem_dup("按价格排序"),
                                              .met = true,
                                              .known = true,
                                              .step = 0,
                                              .why = mem_dup("step 0")};
    verdict->needs[1] =
        (struct verdict_need){.say = mem_dup("open it"), .step = -1};
    verdict->met = 1;
    verdict->checklist = mem_new(1, sizeof(*verdict->checklist));
    verdict->checklist_count = 1;
    verdict->checklist[0] = (struct verdict_need){
        .say = mem_dup("with a mask"), .met = true, .known = true, .step = 6};
    verdict->checklist_met = 1;
    verdict->steps = 7;
    verdict->gold_steps = 4;
    verdict->failure = (struct failure){FAILURE_MISSED, 3, 12, "beside 'OK'"};
    verdict->usage.input_tokens = 1200;
    verdict->process = mem_new(2, sizeof(*verdict->process));
    verdict->process_count = 2;
    verdict->process[0].description = mem_dup("tapped 'Sort'; in shop");
    verdict->process[1].description = mem_dup("点击了 \"排序\"");
    verdict->process[1].doubt = mem_dup("tesseract: timed out");
}

static void assert_same(const struct verdict *a, const struct verdict *b)
{
    assert_string_equal(a->judge, b->judge);
    assert_string_equal(a->hash, b->hash);
    assert_string_equal(a->config, b->config);
    assert_int_equal(a->outcome, b->outcome);
    assert_int_equal(a->early_stop, b->early_stop);
    assert_string_equal(a->reason, b->reason);
    assert_int_equal(a->need_count, b->need_count);
    assert_int_equal(a->met, b->met);
    for (size_t i = 0; i < a->need_count; i++) {
        assert_string_equal(a->needs[i].say, b->needs[i].say);
        assert_int_equal(a->needs[i].met, b->needs[i].met);
        assert_int_equal(a->needs[i].known, b->needs[i].known);
        assert_int_equal(a->needs[i].step, b->needs[i].step);
    }
    assert_int_equal(a->checklist_count, b->checklist_count);
    assert_int_equal(a->checklist_met, b->checklist_met);
    for (size_t i = 0; i < a->checklist_count; i++)
        assert_string_equal(a->checklist[i].say, b->checklist[i].say);
    assert_int_equal(a->process_count, b->process_count);
    for (size_t i = 0; i < a->process_count; i++) {
        assert_string_equal(a->process[i].description,
                            b->process[i].description);
        assert_int_equal(!a->process[i].doubt, !b->process[i].doubt);
        if (a->process[i].doubt)
            assert_string_equal(a->process[i].doubt, b->process[i].doubt);
    }
    assert_int_equal(a->steps, b->steps);
    assert_int_equal(a->gold_steps, b->gold_steps);
    assert_int_equal(a->failure.class_, b->failure.class_);
    assert_int_equal(a->failure.step, b->failure.step);
    assert_int_equal(a->failure.distance, b->failure.distance);
    assert_string_equal(a->failure.description, b->failure.description);
    assert_int_equal(a->usage.input_tokens, b->usage.input_tokens);
    assert_int_equal(a->usage.output_tokens, b->usage.output_tokens);
}

static void saved_verdict_reads_back(void **state)
{
    char folder[] = "/tmp/verdict-test-XXXXXX";
    char name[VERDICT_NAME_MAX];
    char path[256];
    struct verdict wrote;
    struct verdict read;
    struct err err;

    (void)state;
    assert_non_null(mkdtemp(folder));
    fill(&wrote);
    if (!verdict_save(&wrote, folder, &err))
        fail_msg("%s", err.text);
    verdict_file_name(wrote.judge, wrote.hash, name);
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    if (!verdict_load(path, &read, &err))
        fail_msg("%s", err.text);
    assert_same(&wrote, &read);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
    verdict_release(&wrote);
    verdict_release(&read);
}

static void every_outcome_and_class_has_a_name(void **state)
{
    (void)state;
    for (int i = 0; i < OUTCOMES; i++) {
        enum outcome found = OUTCOMES;

        assert_true(outcome_find(outcome_name((enum outcome)i), &found));
        assert_int_equal(found, i);
    }
    for (int i = 0; i < FAILURE_CLASSES; i++) {
        enum failure_class found = FAILURE_CLASSES;

        assert_true(failure_class_find(
            failure_class_name((enum failure_class)i), &found));
        assert_int_equal(found, i);
    }
}

/* Each configuration has its own file: neither replaces the other. */
static void hash_covers_judge_and_configuration(void **state)
{
    struct verdict one = VERDICT_INIT;
    struct verdict other = VERDICT_INIT;

    (void)state;
    verdict_sign(&one, "rules", "{}");
    verdict_sign(&other, "rules", "{}");
    assert_string_equal(one.hash, other.hash);
    verdict_sign(&other, "rules", "{\"provider\":\"plain\"}");
    assert_string_not_equal(one.hash, other.hash);
    verdict_sign(&other, "checklist", "{}");
    assert_string_not_equal(one.hash, other.hash);
    verdict_release(&one);
    verdict_release(&other);
}

static void judge_name_cannot_name_another_folder(void **state)
{
    char name[VERDICT_NAME_MAX];
    char longest[300];

    (void)state;
    verdict_file_name("openai:../a b", "0123abcd", name);
    assert_string_equal(name, "verdict.openai_.._a_b-0123abcd.json");
    memset(longest, 'x', sizeof(longest) - 1);
    longest[sizeof(longest) - 1] = '\0';
    verdict_file_name(longest, "0123abcd", name);
    assert_int_equal(strlen(name), VERDICT_NAME_MAX - 1);
    assert_true(verdict_is_file_name(name));
}

static void verdict_files_are_recognized_by_name(void **state)
{
    (void)state;
    assert_true(verdict_is_file_name("verdict.rules-0123abcd.json"));
    assert_false(verdict_is_file_name("verdict.rules-0123abcd.json.part"));
    assert_false(verdict_is_file_name("verdict.rules-0123abcg.json"));
    assert_false(verdict_is_file_name("verdict.-0123abcd.json"));
    assert_false(verdict_is_file_name(".verdict.rules-0123abcd.json"));
    assert_false(verdict_is_file_name("verdict.json"));
}

static void invalid_members_are_named(void **state)
{
    static const struct {
        const char *text;
        const char *error;
    } cases[] = {
        {"[]", "expected an object"},
        {"{}", "format"},
        {"{\"format\":\"x\",\"version\":1}", "format: expected"},
        {"{\"format\":\"proctor-verdict\",\"version\":3}", "version 3"},
        {"{\"format\":\"proctor-verdict\",\"version\":1,\"judge\":\"r\","
         "\"hash\":\"0\",\"outcome\":\"success\"}",
         "hash: expected eight digits"},
        {"{\"format\":\"proctor-verdict\",\"version\":1,\"judge\":\"r\","
         "\"hash\":\"01234567\",\"outcome\":\"won\"}",
         "outcome: there is no \"won\""},
        {HEAD ",\"needs\":[{\"met\":1}]}", "needs[0].met"},
        {HEAD ",\"steps\":-1}", "steps"},
        {HEAD ",\"failure\":{\"class\":\"bad luck\"}}", "failure.class"},
        {HEAD ",\"usage\":{\"input_tokens\":\"many\"}}", "usage.input_tokens"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct verdict verdict = VERDICT_INIT;
        struct err err = ERR_INIT;

        assert_false(verdict_parse(cases[i].text, strlen(cases[i].text),
                                   &verdict, &err));
        if (!strstr(err.text, cases[i].error))
            fail_msg("'%s' says '%s'", cases[i].text, err.text);
        assert_null(verdict.judge);
    }
}

static void names_of_version_1_are_read(void **state)
{
    static const char text[] =
        HEAD ",\"failure\":{\"class\":\"never_said\",\"words\":\"why\"},"
             "\"process\":[{\"words\":\"tapped 'Sort'\"}]}";
    struct verdict verdict;
    struct err err = ERR_INIT;

    (void)state;
    if (!verdict_parse(text, strlen(text), &verdict, &err))
        fail_msg("%s", err.text);
    assert_int_equal(verdict.failure.class_, FAILURE_NOT_COMPLETED);
    assert_string_equal(verdict.failure.description, "why");
    assert_string_equal(verdict.process[0].description, "tapped 'Sort'");
    verdict_release(&verdict);
}

static void met_needs_are_counted(void **state)
{
    static const char text[] =
        HEAD ",\"met\":9,\"needs\":[{\"need\":\"a\",\"met\":true,"
             "\"known\":true},{\"need\":\"b\",\"met\":false,\"known\":true}]}";
    struct verdict verdict;
    struct err err;

    (void)state;
    assert_true(verdict_parse(text, strlen(text), &verdict, &err));
    assert_int_equal(verdict.met, 1);
    assert_int_equal(verdict.need_count, 2);
    assert_int_equal(verdict.needs[1].step, -1);
    verdict_release(&verdict);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saved_verdict_reads_back),
        cmocka_unit_test(every_outcome_and_class_has_a_name),
        cmocka_unit_test(hash_covers_judge_and_configuration),
        cmocka_unit_test(judge_name_cannot_name_another_folder),
        cmocka_unit_test(verdict_files_are_recognized_by_name),
        cmocka_unit_test(invalid_members_are_named),
        cmocka_unit_test(names_of_version_1_are_read),
        cmocka_unit_test(met_needs_are_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
