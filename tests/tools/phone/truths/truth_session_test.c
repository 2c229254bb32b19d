#include "tools/phone/truths/truth_session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define TRUTH "calculator.history"
#define JSON_MAX ((size_t)1 << 20)
#define LONG_STATE ((size_t)400 * 1024)

struct fixture {
    struct truth_log log;
    struct truth_checks checks;
    struct truth_session *session;
};

static int set_up(void **state)
{
    static struct fixture here;
    struct err err = ERR_INIT;

    truth_log_init(&here.log);
    here.checks = (struct truth_checks){
        .truth = &here.log, .seed = 7, .front = "com.android.calculator2"};
    if (!truth_session_open(TRUTH, &here.session, &err))
        fail_msg("%s", err.text);
    *state = &here;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *here = *state;

    truth_session_close(here->session);
    truth_log_release(&here->log);
    return 0;
}

/* The clauses, as the session and as a new one see them: they are the same. */
static void judge(struct fixture *here, struct buf *verdict)
{
    struct truth_session *fresh = NULL;
    struct buf again = BUF_INIT(JSON_MAX);
    struct err err = ERR_INIT;

    buf_clear(verdict);
    if (!truth_session_judge(here->session, &here->checks, NULL, verdict,
                             &err) ||
        !truth_session_open(TRUTH, &fresh, &err) ||
        !truth_session_judge(fresh, &here->checks, NULL, &again, &err))
        fail_msg("%s", err.text);
    assert_string_equal(buf_cstr(verdict), buf_cstr(&again));
    truth_session_close(fresh);
    buf_release(&again);
}

static bool is_met(const struct buf *verdict, const char *clause)
{
    char met_first[96];
    char name_first[96];

    snprintf(met_first, sizeof(met_first), "\"met\":true,\"name\":\"%s\"",
             clause);
    snprintf(name_first, sizeof(name_first), "\"name\":\"%s\",\"met\":true",
             clause);
    return strstr(buf_cstr(verdict), met_first) ||
           strstr(buf_cstr(verdict), name_first);
}

/* A number of the task. */
static int fact(struct fixture *here, const char *name)
{
    struct buf facts = BUF_INIT(JSON_MAX);
    struct err err = ERR_INIT;
    char key[32];
    const char *found;
    int number;

    snprintf(key, sizeof(key), "\"%s\":\"", name);
    if (!truth_session_facts(here->session, &here->checks, &facts, &err))
        fail_msg("%s", err.text);
    found = strstr(buf_cstr(&facts), key);
    assert_non_null(found);
    number = (int)strtol(found + strlen(key), NULL, 10);
    buf_release(&facts);
    return number;
}

/* The app works something out, and has that in its history afterwards. */
static void work_out(struct fixture *here, const char *text, int result)
{
    char arguments[32];
    char after[160];

    snprintf(arguments, sizeof(arguments), "[\"%d\"]", result);
    snprintf(after, sizeof(after),
             "{\"state\":{\"history\":[{\"text\":\"%s\",\"result\":\"%d\"}]},"
             "\"stack\":[[\"main\"]]}",
             text, result);
    truth_log_event(&here->log, 0, "calculator", "result", arguments);
    truth_log_state(&here->log, "calculator", after);
}

static void work_out_difference(struct fixture *here)
{
    char text[64];

    snprintf(text, sizeof(text), "%d−%d", fact(here, "c"), fact(here, "d"));
    work_out(here, text, fact(here, "c") - fact(here, "d"));
}

static void work_out_product(struct fixture *here)
{
    char text[64];

    snprintf(text, sizeof(text), "%d×%d", fact(here, "a"), fact(here, "b"));
    work_out(here, text, fact(here, "a") * fact(here, "b"));
}

static void asking_again_sees_what_happened_since(void **state)
{
    struct fixture *here = *state;
    struct buf verdict = BUF_INIT(JSON_MAX);

    judge(here, &verdict);
    assert_false(is_met(&verdict, "difference"));
    work_out_difference(here);
    judge(here, &verdict);
    assert_true(is_met(&verdict, "difference"));
    assert_false(is_met(&verdict, "product"));
    work_out_product(here);
    judge(here, &verdict);
    assert_true(is_met(&verdict, "difference"));
    assert_true(is_met(&verdict, "product"));
    buf_release(&verdict);
}

static void states_that_the_log_dropped_are_forgotten(void **state)
{
    struct fixture *here = *state;
    struct buf verdict = BUF_INIT(JSON_MAX);
    char *large = malloc(LONG_STATE + 64);

    assert_non_null(large);
    work_out_difference(here);
    judge(here, &verdict);
    assert_true(is_met(&verdict, "difference"));
    for (size_t i = 0; i < 2 * TRUTH_LOG_MOMENTS_MAX / LONG_STATE; i++) {
        int start = snprintf(large, 64, "{\"number\":%zu,\"text\":\"", i);

        memset(large + start, 'x', LONG_STATE);
        memcpy(large + LONG_STATE, "\"}", 3);
        truth_log_state(&here->log, "clock", large);
    }
    truth_log_state(&here->log, "calculator",
                    "{\"state\":{\"history\":[]},\"stack\":[]}");
    judge(here, &verdict);
    assert_false(is_met(&verdict, "difference"));
    free(large);
    buf_release(&verdict);
}

static void events_of_a_replaced_log_are_forgotten(void **state)
{
    struct fixture *here = *state;
    struct buf verdict = BUF_INIT(JSON_MAX);
    struct truth_log other;

    truth_log_init(&other);
    work_out_difference(here);
    judge(here, &verdict);
    assert_true(is_met(&verdict, "difference"));
    truth_log_copy(&here->log, &other);
    judge(here, &verdict);
    assert_false(is_met(&verdict, "difference"));
    work_out_product(here);
    judge(here, &verdict);
    assert_true(is_met(&verdict, "product"));
    assert_false(is_met(&verdict, "difference"));
    truth_log_release(&other);
    buf_release(&verdict);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(asking_again_sees_what_happened_since,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            states_that_the_log_dropped_are_forgotten, set_up, tear_down),
        cmocka_unit_test_setup_teardown(events_of_a_replaced_log_are_forgotten,
                                        set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
