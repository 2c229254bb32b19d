/* Built-in phones that are reached by calls: commands, looks, forks, truth. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "adb/services/shell.h"
#include "adb/sync/sync.h"
#include "base/mem.h"
#include "tools/phone/phone.h"
#include "tools/phone/truths/truth_session.h"
#include "tools/phone_source/phone_device.h"

#define SOON deadline_in_ms(60000)
#define OUTPUT_MAX ((size_t)4 << 20)
#define PNG_MAX ((size_t)32 << 20)

#define OPEN_SHOP "am start -n org.proctor.shop/.MainActivity"

static const struct phone_options options = {.seed = 7, .unreachable = true};

static struct phone *start(void)
{
    struct phone *phone = NULL;
    struct err err = ERR_INIT;

    if (!phone_start(&options, &phone, &err))
        fail_msg("%s", err.text);
    return phone;
}

static struct phone *fork_of(struct phone *phone)
{
    struct phone *fork = NULL;
    struct err err = ERR_INIT;

    if (!phone_fork(phone, &options, &fork, &err))
        fail_msg("%s", err.text);
    return fork;
}

static void run(struct phone *phone, const char *command)
{
    struct buf out = BUF_INIT(OUTPUT_MAX);
    int status = phone_run(phone, command, &out, &out);

    if (status)
        fail_msg("%s: status %d: %s", command, status, buf_cstr(&out));
    buf_release(&out);
}

/* Everything that can be seen and read of a phone. */
static char *describe(struct phone *phone)
{
    struct buf all = BUF_INIT(PNG_MAX);
    struct err err = ERR_INIT;
    char *copy;

    phone_tree(phone, &all);
    (void)phone_run(phone, "date +%s; ps -A; logcat -d; settings list system",
                    &all, &all);
    if (!phone_judge(phone, "shop.cheapest", NULL, &all, &err))
        fail_msg("%s", err.text);
    copy = mem_dup(buf_cstr(&all));
    buf_release(&all);
    return copy;
}

static void assert_same(struct phone *a, struct phone *b)
{
    struct buf pngs[] = {BUF_INIT(PNG_MAX), BUF_INIT(PNG_MAX)};
    char *texts[] = {describe(a), describe(b)};
    struct err err = ERR_INIT;

    assert_string_equal(texts[0], texts[1]);
    if (!phone_screenshot(a, &pngs[0], &err) ||
        !phone_screenshot(b, &pngs[1], &err))
        fail_msg("%s", err.text);
    assert_int_equal(pngs[0].length, pngs[1].length);
    assert_memory_equal(pngs[0].data, pngs[1].data, pngs[0].length);
    for (size_t i = 0; i < 2; i++) {
        free(texts[i]);
        buf_release(&pngs[i]);
    }
}

/* ---- commands ---- */

static void its_shell_answers_with_output_errors_and_status(void **state)
{
    struct phone *phone = start();
    struct device *device = phone_device_open(phone, "inside");
    struct shell_result result;
    struct buf text = BUF_INIT(OUTPUT_MAX);
    struct err err = ERR_INIT;

    (void)state;
    if (!shell_run(device, "echo out; echo bad >&2; exit 3", OUTPUT_MAX, SOON,
                   &result, &err) ||
        !shell_exec(device, "cat /proc/version | wc -l", SOON, &text, &err))
        fail_msg("%s", err.text);
    assert_string_equal(buf_cstr(&result.out), "out\n");
    assert_string_equal(buf_cstr(&result.errors), "bad\n");
    assert_int_equal(result.status, 3);
    assert_string_equal(buf_cstr(&text), "1\n");
    shell_result_release(&result);
    buf_release(&text);
    device_close(device);
    phone_stop(phone);
}

static void a_command_that_never_ends_is_stopped(void **state)
{
    struct phone *phone = start();
    struct buf small = BUF_INIT(1000);
    struct buf errors = BUF_INIT(1000);

    (void)state;
    assert_int_not_equal(phone_run(phone, "logcat", &small, &errors), 0);
    buf_clear(&small);
    assert_int_not_equal(phone_run(phone, "yes", &small, &errors), 0);
    run(phone, "cat"); /* its input is empty */
    buf_release(&small);
    buf_release(&errors);
    phone_stop(phone);
}

static void other_services_are_refused(void **state)
{
    struct phone *phone = start();
    struct device *device = phone_device_open(phone, "inside");
    struct sync *sync = NULL;
    struct err err = ERR_INIT;

    (void)state;
    assert_false(
        sync_open(device, &(struct sync_options){0}, SOON, &sync, &err));
    assert_int_equal(err.code, ERR_UNSUPPORTED);
    assert_null(device_conn(device));
    assert_null(device_server(device));
    device_close(device);
    phone_stop(phone);
}

/* ---- looking ---- */

static void tiles_differ_only_where_something_changed(void **state)
{
    struct phone *phone = start();
    struct phone_tiles before, after;
    struct box where;

    (void)state;
    phone_look(phone, &before);
    phone_look(phone, &after);
    assert_false(screen_tiles_differ(&before, &after, NULL));
    assert_int_equal(screen_tiles_digest(&before), screen_tiles_digest(&after));
    run(phone, OPEN_SHOP);
    phone_look(phone, &after);
    assert_true(screen_tiles_differ(&before, &after, &where));
    assert_true(box_width(where) > after.width / 2);
    phone_stop(phone);
}

static void observing_moves_no_time(void **state)
{
    struct phone *phone = start();
    struct buf times[] = {BUF_INIT(100), BUF_INIT(100)};
    struct buf png = BUF_INIT(PNG_MAX);
    struct buf xml = BUF_INIT(OUTPUT_MAX);
    struct err err = ERR_INIT;

    (void)state;
    (void)phone_run(phone, "date +%s.%N", &times[0], &times[0]);
    assert_true(phone_screenshot(phone, &png, &err));
    phone_tree(phone, &xml);
    phone_forget_frame(phone);
    (void)phone_run(phone, "date +%s.%N", &times[1], &times[1]);
    assert_string_equal(buf_cstr(&times[0]), buf_cstr(&times[1]));
    assert_non_null(strstr(buf_cstr(&xml), "<hierarchy"));
    for (size_t i = 0; i < 2; i++)
        buf_release(&times[i]);
    buf_release(&png);
    buf_release(&xml);
    phone_stop(phone);
}

/* ---- forks ---- */

static void a_fork_continues_as_its_origin(void **state)
{
    static const char *const steps[] = {"input tap 540 700",
                                        "input swipe 540 1600 540 800 600",
                                        "input keyevent 4", "sleep 3"};
    struct phone *phone = start();
    struct phone *fork;

    (void)state;
    run(phone, OPEN_SHOP);
    run(phone, steps[0]);
    fork = fork_of(phone);
    assert_same(phone, fork);
    for (size_t i = 1; i < ARRAY_LEN(steps); i++) {
        run(phone, steps[i]);
        run(fork, steps[i]);
    }
    assert_same(phone, fork);
    run(fork, "input keyevent 3");
    run(phone, "sleep 1");
    phone_stop(phone);
    run(fork, OPEN_SHOP);
    phone_stop(fork);
}

/* ---- truth ---- */

static void a_session_answers_as_a_new_question_does(void **state)
{
    static const char *const steps[] = {
        OPEN_SHOP, "input tap 540 300", "input text headphones",
        "input keyevent 66", "cmd uimode night yes"};
    struct phone *phone = start();
    struct truth_session *session = NULL;
    struct err err = ERR_INIT;

    (void)state;
    if (!truth_session_open("shop.cheapest", &session, &err))
        fail_msg("%s", err.text);
    for (size_t i = 0; i < ARRAY_LEN(steps); i++) {
        struct buf once = BUF_INIT(OUTPUT_MAX);
        struct buf again = BUF_INIT(OUTPUT_MAX);

        run(phone, steps[i]);
        if (!phone_judge(phone, "shop.cheapest", NULL, &once, &err) ||
            !phone_session_judge(phone, session, NULL, &again, &err))
            fail_msg("%s", err.text);
        buf_truncate(&again, again.length - 1); /* all but "}" */
        assert_memory_equal(once.data, again.data, again.length);
        buf_release(&once);
        buf_release(&again);
    }
    truth_session_close(session);
    assert_false(truth_session_open("nothing.here", &session, &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
    phone_stop(phone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(its_shell_answers_with_output_errors_and_status),
        cmocka_unit_test(a_command_that_never_ends_is_stopped),
        cmocka_unit_test(other_services_are_refused),
        cmocka_unit_test(tiles_differ_only_where_something_changed),
        cmocka_unit_test(observing_moves_no_time),
        cmocka_unit_test(a_fork_continues_as_its_origin),
        cmocka_unit_test(a_session_answers_as_a_new_question_does),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
