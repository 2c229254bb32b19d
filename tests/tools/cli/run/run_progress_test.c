#include "tools/cli/run/run_progress.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define SECOND INT64_C(1000000000)

static void expect(const struct run_progress *progress, unsigned lines,
                   const char *text)
{
    struct text_page page = {.text = BUF_INIT(4096), .width = 80};

    run_progress_format(progress, 10 * SECOND, &page, lines);
    assert_string_equal(buf_cstr(&page.text), text);
    text_page_release(&page);
}

static void a_phone_is_shown_with_its_task_step_and_time(void **state)
{
    struct run_row rows[] = {
        {.phone = "phone-0",
         .task = "shop.cart",
         .state = {.doing = "step", .step = 2, .steps = 15, .left_ms = 60000},
         .at_ns = 5 * SECOND},
        {.phone = "phone-1",
         .task = "eats.order",
         .repeat = 1,
         .attempt = 2,
         .state = {.doing = "preparing", .steps = 15, .left_ms = -1}},
        {.phone = "10.0.0.1:5555", .trouble = "no route\nto host"},
        {.phone = "idle"},
    };
    const struct run_progress progress = {
        .rows = rows,
        .count = 4,
        .work = {.all = 20, .ended = 7, .given_up = 1},
        .work_known = true,
        .start_ns = 2 * SECOND,
    };

    (void)state;
    expect(&progress, 24,
           "phone-0        shop.cart            step 3 of 15  55.0 s left\n"
           "phone-1        eats.order #2 try 3  preparing\n"
           "10.0.0.1:5555  no route?to host\n"
           "idle\n"
           "7 of 20 done, 1 void, 8.00 s\n");
}

static void more_phones_than_lines_are_counted(void **state)
{
    struct run_row rows[32] = {{.phone = "phone-0"}, {.phone = "phone-1"}};
    const struct run_progress progress = {
        .rows = rows, .count = 32, .start_ns = 9 * SECOND};

    (void)state;
    expect(&progress, 4, "phone-0\nphone-1\nand 30 more\n1.00 s\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_phone_is_shown_with_its_task_step_and_time),
        cmocka_unit_test(more_phones_than_lines_are_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
