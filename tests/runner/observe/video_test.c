/* Observing a phone whose video says when it rests: no needless screenshot. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "runner/device/screen_helper.h"
#include "runner/observe/observer_private.h"
#include "tests/runner/test_phone.h"
#include "tests/support/scratch_folder.h"

#define REST_MS 1000

struct video_phone {
    struct test_phone base;
    struct screen_helper *helper;
};

static void start(struct video_phone *phone)
{
    struct err err = ERR_INIT;

    /* The built-in phone takes a file with a version for that server. */
    if (!file_save("server", 0600, "3.3.4", strlen("3.3.4"), &err))
        fail_msg("%s", err.text);
    test_phone_start(&phone->base,
                     &(struct phone_options){.seed = 7, .realtime = true});
    if (!screen_helper_open(phone->base.device, "server", NULL, SOON,
                            &phone->helper, &err))
        fail_msg("%s", err.text);
    observer_set_helper(phone->base.observer, phone->helper);
}

static void stop(struct video_phone *phone)
{
    observer_set_helper(phone->base.observer, NULL);
    screen_helper_close(phone->helper);
    test_phone_stop(&phone->base);
}

static void open_shop(struct video_phone *phone)
{
    (void)test_phone_run(&phone->base,
                         "am start -n org.proctor.shop/.MainActivity");
}

static void await_rest(const struct video_phone *phone)
{
    while (screen_helper_wait(phone->helper,
                              screen_helper_changes(phone->helper), REST_MS))
        continue;
}

static void capture(struct video_phone *phone)
{
    struct err err = ERR_INIT;

    if (!observer_capture(phone->base.observer, SOON, &phone->base.seen, &err))
        fail_msg("%s", err.text);
}

/* Read the tree; returns how many screenshots were taken. */
static int64_t read_tree(struct video_phone *phone)
{
    struct observer *observer = phone->base.observer;
    const int64_t before = observer->tracker.capture_count;
    struct err err = ERR_INIT;

    if (!observer_read_tree(observer, SOON, &phone->base.seen, &err))
        fail_msg("%s", err.text);
    assert_true(phone->base.seen.has_tree);
    return observer->tracker.capture_count - before;
}

static void screenshot_of_an_app_that_was_opened_serves_for_its_tree(
    void **state)
{
    struct video_phone phone;

    (void)state;
    start(&phone);
    capture(&phone);
    open_shop(&phone);
    await_rest(&phone); /* so that signals are read once */
    capture(&phone);
    assert_string_equal(phone.base.seen.package, "org.proctor.shop");
    assert_int_equal(read_tree(&phone), 0);
    assert_false(phone.base.seen.changed);
    stop(&phone);
}

static void change_before_the_tree_is_seen(void **state)
{
    struct video_phone phone;

    (void)state;
    start(&phone);
    capture(&phone);
    open_shop(&phone);
    assert_int_equal(read_tree(&phone), 1);
    assert_true(phone.base.seen.changed);
    stop(&phone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            screenshot_of_an_app_that_was_opened_serves_for_its_tree),
        cmocka_unit_test(change_before_the_tree_is_seen),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
