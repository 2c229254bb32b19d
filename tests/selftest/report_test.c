#include "tools/selftest/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/json_write.h"

static void checks_are_counted_by_outcome(void **state)
{
    struct report report;

    (void)state;
    report_init(&report);
    report_add_check(&report, "Shell", "a", OUTCOME_PASSED, 0, "");
    report_add_check(&report, "Shell", "b", OUTCOME_FAILED, 0, "");
    report_add_check(&report, "Shell", "c", OUTCOME_PASSED, 0, "");
    assert_int_equal(report_count(&report, OUTCOME_PASSED), 2);
    assert_int_equal(report_count(&report, OUTCOME_FAILED), 1);
    assert_int_equal(report_count(&report, OUTCOME_NOT_OFFERED), 0);
    report_release(&report);
}

static void whatever_comes_in_is_cleaned(void **state)
{
    struct report report;

    (void)state;
    report_init(&report);
    redactor_know_serial(&report.redactor, "R58M12ABCDE");
    report_add_check(&report, "Shell", "a", OUTCOME_FAILED, 0,
                     "R58M12ABCDE at 10.0.0.7 says \033[2J");
    report_add_fact(&report, "model", "my\nR58M12ABCDE");
    report_add_made(&report, "directory", "/tmp/R58M12ABCDE", false);
    report_end_early(&report, "R58M12ABCDE is gone");
    assert_string_equal(report.checks[0].words,
                        "serial-1 at address-1 says ?[2J");
    assert_string_equal(report_fact(&report, "model"), "my?serial-1");
    assert_string_equal(report.made[0].name, "/tmp/serial-1");
    assert_string_equal(report.ending, "serial-1 is gone");
    report_release(&report);
}

static void a_secret_is_taken_out_before_words_are_cut(void **state)
{
    char words[REPORT_WORDS_MAX + 64];
    struct report report;

    (void)state;
    memset(words, ' ', sizeof(words));
    memcpy(words + REPORT_WORDS_MAX - 8, "192.168.11.12", 14);
    report_init(&report);
    report_add_check(&report, "Shell", "a", OUTCOME_PASSED, 0, words);
    assert_null(strstr(report.checks[0].words, "192"));
    report_release(&report);
}

static void a_fact_that_was_not_told_is_empty(void **state)
{
    struct report report;

    (void)state;
    report_init(&report);
    assert_string_equal(report_fact(&report, "model"), "");
    report_release(&report);
}

static void programs_get_everything(void **state)
{
    struct buf text = BUF_INIT(4096);
    struct report report;
    struct cJSON *tree;

    (void)state;
    report_init(&report);
    report_add_fact(&report, "model", "Pixel");
    report_add_check(&report, "Files", "speed", OUTCOME_NOT_OFFERED, 1250000,
                     "none");
    report_add_made(&report, "directory", "/tmp/x", true);
    report_end_early(&report, "lost");
    tree = report_json(&report);
    json_format(tree, &text);
    assert_string_equal(
        buf_cstr(&text),
        "{\"version\":\"" PROCTOR_VERSION "\",\"passed\":0,\"failed\":0,"
        "\"not_offered\":1,\"ended_early\":\"lost\","
        "\"phone\":{\"model\":\"Pixel\"},"
        "\"checks\":[{\"topic\":\"Files\",\"name\":\"speed\","
        "\"outcome\":\"not offered\",\"ms\":1.25,\"words\":\"none\"}],"
        "\"made\":[{\"kind\":\"directory\",\"name\":\"/tmp/x\","
        "\"removed\":true}]}");
    cJSON_Delete(tree);
    buf_release(&text);
    report_release(&report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checks_are_counted_by_outcome),
        cmocka_unit_test(whatever_comes_in_is_cleaned),
        cmocka_unit_test(a_secret_is_taken_out_before_words_are_cut),
        cmocka_unit_test(a_fact_that_was_not_told_is_empty),
        cmocka_unit_test(programs_get_everything),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
