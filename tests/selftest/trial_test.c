#include "tools/selftest/trial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/json_write.h"

static void checks_are_counted_by_outcome(void **state)
{
    struct trial trial;

    (void)state;
    trial_init(&trial);
    trial_add_check(&trial, "Shell", "a", TRIAL_PASSED, 0, "");
    trial_add_check(&trial, "Shell", "b", TRIAL_FAILED, 0, "");
    trial_add_check(&trial, "Shell", "c", TRIAL_PASSED, 0, "");
    assert_int_equal(trial_count(&trial, TRIAL_PASSED), 2);
    assert_int_equal(trial_count(&trial, TRIAL_FAILED), 1);
    assert_int_equal(trial_count(&trial, TRIAL_NOT_OFFERED), 0);
    trial_release(&trial);
}

static void whatever_comes_in_is_cleaned(void **state)
{
    struct trial trial;

    (void)state;
    trial_init(&trial);
    redactor_know_serial(&trial.redactor, "R58M12ABCDE");
    trial_add_check(&trial, "Shell", "a", TRIAL_FAILED, 0,
                    "R58M12ABCDE at 10.0.0.7 says \033[2J");
    trial_add_fact(&trial, "model", "my\nR58M12ABCDE");
    trial_add_made(&trial, "directory", "/tmp/R58M12ABCDE", false);
    trial_end_early(&trial, "R58M12ABCDE is gone");
    assert_string_equal(trial.checks[0].words,
                        "serial-1 at address-1 says ?[2J");
    assert_string_equal(trial_fact(&trial, "model"), "my?serial-1");
    assert_string_equal(trial.made[0].name, "/tmp/serial-1");
    assert_string_equal(trial.ending, "serial-1 is gone");
    trial_release(&trial);
}

static void a_secret_is_taken_out_before_words_are_cut(void **state)
{
    char words[TRIAL_WORDS_MAX + 64];
    struct trial trial;

    (void)state;
    memset(words, ' ', sizeof(words));
    memcpy(words + TRIAL_WORDS_MAX - 8, "192.168.11.12", 14);
    trial_init(&trial);
    trial_add_check(&trial, "Shell", "a", TRIAL_PASSED, 0, words);
    assert_null(strstr(trial.checks[0].words, "192"));
    trial_release(&trial);
}

static void a_fact_that_was_not_told_is_empty(void **state)
{
    struct trial trial;

    (void)state;
    trial_init(&trial);
    assert_string_equal(trial_fact(&trial, "model"), "");
    trial_release(&trial);
}

static void programs_get_everything(void **state)
{
    struct buf text = BUF_INIT(4096);
    struct trial trial;
    struct cJSON *tree;

    (void)state;
    trial_init(&trial);
    trial_add_fact(&trial, "model", "Pixel");
    trial_add_check(&trial, "Files", "speed", TRIAL_NOT_OFFERED, 1250000,
                    "none");
    trial_add_made(&trial, "directory", "/tmp/x", true);
    trial_end_early(&trial, "lost");
    tree = trial_json(&trial);
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
    trial_release(&trial);
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
