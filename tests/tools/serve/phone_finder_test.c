/* What is said of phones, and read from them. */
#include "tools/serve/phone_finder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/json_write.h"
#include "base/macros.h"
#include "tools/serve/qr_code.h"

static void states_say_what_to_do(void **state)
{
    static const struct {
        const char *state;
        const char *reason;
        const char *words;
    } cases[] = {
        {"device", "", "ready"},
        {"device", "only the server is authorized", "ready"},
        {"unauthorized", "", "unauthorized: accept the prompt on the phone"},
        {"busy", "adb holds it", "in use by another program (adb holds it)"},
        {"host", "", "host"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char words[320];

        phone_state_words(cases[i].state, cases[i].reason, words,
                          sizeof(words));
        assert_string_equal(words, cases[i].words);
    }
}

static void battery_is_read(void **state)
{
    static const struct {
        const char *text;
        int level;
    } cases[] = {
        {"Current Battery Service state:\n  AC powered: true\n  level: 85\n",
         85},
        {"  level: 0\n", 0},
        {"  level: 101\n", -1},
        {"  level: \n", -1},
        {"", -1},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_int_equal(battery_level(cases[i].text), cases[i].level);
}

/* The three large squares in the corners, which scanners look for. */
static void a_qr_code_has_its_corners(void **state)
{
    struct cJSON *rows = json_new_array();
    struct err err = ERR_INIT;
    const char *first, *last;
    size_t width;

    (void)state;
    assert_true(
        qr_code_rows("WIFI:T:ADB;S:proctor-abc;P:secret;;", rows, &err));
    width = (size_t)cJSON_GetArraySize(rows);
    assert_true(width >= 21 && width % 4 == 1);
    first = cJSON_GetStringValue(cJSON_GetArrayItem(rows, 0));
    last = cJSON_GetStringValue(cJSON_GetArrayItem(rows, (int)width - 1));
    assert_int_equal(strlen(first), width);
    assert_memory_equal(first, "11111110", 8);
    assert_memory_equal(first + width - 8, "01111111", 8);
    assert_memory_equal(last, "11111110", 8);
    cJSON_Delete(rows);
}

static void a_text_too_long_for_a_qr_code_is_refused(void **state)
{
    struct cJSON *rows = json_new_array();
    struct err err = ERR_INIT;
    static char text[4000];

    (void)state;
    memset(text, 'x', sizeof(text) - 1);
    assert_false(qr_code_rows(text, rows, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    cJSON_Delete(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_say_what_to_do),
        cmocka_unit_test(battery_is_read),
        cmocka_unit_test(a_qr_code_has_its_corners),
        cmocka_unit_test(a_text_too_long_for_a_qr_code_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
