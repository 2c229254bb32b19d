/* proctor screendiff for people and programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/picture/canvas.h"
#include "base/picture/picture_file.h"
#include "tests/support/scratch_folder.h"
#include "tests/tools/cli/command_run.h"

static void save(const char *name, struct box box)
{
    struct picture picture = PICTURE_INIT;
    struct canvas canvas;
    struct err err = ERR_INIT;

    assert_true(picture_resize(&picture, 100, 200, &err));
    memset(picture.pixels, 0xff, picture.stride * picture.height);
    canvas_init(&canvas, &picture);
    canvas_fill(&canvas, box, 0xff000000);
    assert_true(picture_file_save(name, &picture, &err));
    picture_release(&picture);
}

/* Two screens in the folder of the commands. */
static int set_up(void **state)
{
    if (scratch_folder_enter(state))
        return -1;
    save("a.png", (struct box){0, 0, 0, 0});
    save("b.png", (struct box){10, 20, 60, 60});
    return 0;
}

static void changes_are_printed(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "proctor screendiff a.png b.png");
    SAYS(run.out, "changed    10.00 % of the pixels\n");
    SAYS(run.out, "where      50x40 at 10,20\n");
    command_run_release(&run);
}

static void equal_screens_are_reported(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "proctor screendiff a.png a.png");
    assert_string_equal(buf_cstr(&run.out), "nothing changed\n");
    command_run_release(&run);
}

static void json_has_all_values(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "proctor screendiff --json a.png b.png");
    SAYS(run.out, "\"share\":0.1,");
    SAYS(run.out,
         "\"rectangles\":[{\"x\":10,\"y\":20,\"width\":50,\"height\":40}]");
    command_run_release(&run);
}

static void masks_can_be_repeated(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "proctor screendiff -m 0,0,100,40 -m 0,40,100,20 a.png b.png");
    assert_string_equal(buf_cstr(&run.out), "nothing changed\n");
    command_run_release(&run);
}

static void the_marked_picture_is_saved(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "proctor screendiff -o m.png a.png b.png && "
        "proctor screendiff b.png m.png");
    SAYS(run.out, "where");
    command_run_release(&run);
}

static void invalid_values_are_reported_with_valid_ones(void **state)
{
    static const char *const lines[][2] = {
        {"-m 1,2,3", "--mask cannot be \"1,2,3\": give X,Y,WIDTH,HEIGHT"},
        {"-m 1,2,3,4,5", "give X,Y,WIDTH,HEIGHT"},
        {"-t 256", "give a number from 0 to 255"},
        {"-t x", "give a number from 0 to 255"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
        struct command_run run = {0};
        char command[128];

        snprintf(command, sizeof(command), "proctor screendiff %s a.png b.png",
                 lines[i][0]);
        RUN(&run, 2, command);
        SAYS(run.errors, lines[i][1]);
        command_run_release(&run);
    }
}

static void a_file_that_is_no_picture_is_named(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 2, "echo no >c.png; proctor screendiff a.png c.png");
    SAYS(run.errors, "c.png: neither PNG nor JPEG");
    command_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_are_printed),
        cmocka_unit_test(equal_screens_are_reported),
        cmocka_unit_test(json_has_all_values),
        cmocka_unit_test(masks_can_be_repeated),
        cmocka_unit_test(the_marked_picture_is_saved),
        cmocka_unit_test(invalid_values_are_reported_with_valid_ones),
        cmocka_unit_test(a_file_that_is_no_picture_is_named),
    };

    return cmocka_run_group_tests(tests, set_up, scratch_folder_leave);
}
