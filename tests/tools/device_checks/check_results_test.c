#include "tools/device_checks/check_results.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/json_write.h"

static void checks_are_counted_by_outcome(void **state)
{
    struct check_results check_results;

    (void)state;
    check_results_init(&check_results);
    check_results_add_check(&check_results, "Shell", "a", CHECK_PASSED, 0, "");
    check_results_add_check(&check_results, "Shell", "b", CHECK_FAILED, 0, "");
    check_results_add_check(&check_results, "Shell", "c", CHECK_PASSED, 0, "");
    assert_int_equal(check_results_count(&check_results, CHECK_PASSED), 2);
    assert_int_equal(check_results_count(&check_results, CHECK_FAILED), 1);
    assert_int_equal(check_results_count(&check_results, CHECK_NOT_OFFERED), 0);
    check_results_release(&check_results);
}

static void all_texts_are_cleaned(void **state)
{
    struct check_results check_results;

    (void)state;
    check_results_init(&check_results);
    redactor_know_serial(&check_results.redactor, "R58M12ABCDE");
    check_results_add_check(&check_results, "Shell", "a", CHECK_FAILED, 0,
                            "R58M12ABCDE at 10.0.0.7 says \033[2J");
    check_results_add_fact(&check_results, "model", "my\nR58M12ABCDE");
    check_results_add_made(&check_results, "directory", "/tmp/R58M12ABCDE",
                           false);
    check_results_end_early(&check_results, "R58M12ABCDE is gone");
    assert_string_equal(check_results.checks[0].detail,
                        "serial-1 at address-1 says ?[2J");
    assert_string_equal(check_results_fact(&check_results, "model"),
                        "my?serial-1");
    assert_string_equal(check_results.made[0].name, "/tmp/serial-1");
    assert_string_equal(check_results.ending, "serial-1 is gone");
    check_results_release(&check_results);
}

static void secret_is_removed_before_text_is_cut(void **state)
{
    char detail[CHECK_RESULT_TEXT_MAX + 64];
    struct check_results check_results;

    (void)state;
    memset(detail, ' ', sizeof(detail));
    memcpy(detail + CHECK_RESULT_TEXT_MAX - 8, "192.168.11.12", 14);
    check_results_init(&check_results);
    check_results_add_check(&check_results, "Shell", "a", CHECK_PASSED, 0,
                            detail);
    assert_null(strstr(check_results.checks[0].detail, "192"));
    check_results_release(&check_results);
}

static void unknown_property_is_empty(void **state)
{
    struct check_results check_results;

    (void)state;
    check_results_init(&check_results);
    assert_string_equal(check_results_fact(&check_results, "model"), "");
    check_results_release(&check_results);
}

static void json_has_all_values(void **state)
{
    struct buf text = BUF_INIT(4096);
    struct check_results check_results;
    struct cJSON *tree;

    (void)state;
    check_results_init(&check_results);
    check_results_add_fact(&check_results, "model", "Pixel");
    check_results_add_check(&check_results, "Files", "speed", CHECK_NOT_OFFERED,
                            1250000, "none");
    check_results_add_made(&check_results, "directory", "/tmp/x", true);
    check_results_end_early(&check_results, "lost");
    tree = check_results_json(&check_results);
    json_format(tree, &text);
    assert_string_equal(
        buf_cstr(&text),
        "{\"version\":\"" PROCTOR_VERSION "\",\"passed\":0,\"failed\":0,"
        "\"not_offered\":1,\"ended_early\":\"lost\","
        "\"phone\":{\"model\":\"Pixel\"},"
        "\"checks\":[{\"topic\":\"Files\",\"name\":\"speed\","
        "\"outcome\":\"not offered\",\"ms\":1.25,\"detail\":\"none\"}],"
        "\"made\":[{\"kind\":\"directory\",\"name\":\"/tmp/x\","
        "\"removed\":true}]}");
    cJSON_Delete(tree);
    buf_release(&text);
    check_results_release(&check_results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checks_are_counted_by_outcome),
        cmocka_unit_test(all_texts_are_cleaned),
        cmocka_unit_test(secret_is_removed_before_text_is_cut),
        cmocka_unit_test(unknown_property_is_empty),
        cmocka_unit_test(json_has_all_values),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
