/* Commands that work on screens and steps from files alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/json.h"
#include "base/macros.h"
#include "tests/support/scratch_folder.h"
#include "tests/tools/cli/command_run.h"

/* Scripts use dump.xml, cut.xml and error.txt. */
static int make_files(void **state)
{
    struct command_run run = {0};

    if (scratch_folder_enter(state))
        return -1;
    RUN(&run, 0,
        "echo '<hierarchy rotation=\"0\"><node class=\"android.widget.Frame\" "
        "package=\"com.example.shop\" bounds=\"[0,0][1000,2000]\"><node "
        "class=\"android.widget.CheckBox\" text=\"Free cancellation\" "
        "package=\"com.example.shop\" resource-id=\"com.example.shop:id/free\" "
        "checkable=\"true\" clickable=\"true\" bounds=\"[0,100][1000,200]\"/>"
        "</node></hierarchy>' > dump.xml;"
        "head -c 300 dump.xml > cut.xml;"
        "echo 'ERROR: could not get idle state.' > error.txt");
    command_run_release(&run);
    return 0;
}

static void a_tree_is_shown_indented(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "proctor tree dump.xml");
    assert_string_equal(buf_cstr(&run.out),
                        "Frame [0,0][1000,2000]\n"
                        "  CheckBox 'Free cancellation' #free "
                        "[0,100][1000,200] checkable clickable\n");
    assert_int_equal(run.errors.length, 0);
    command_run_release(&run);
}

static void repairs_are_reported(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "proctor tree cut.xml");
    assert_string_equal(buf_cstr(&run.out), "Frame [0,0][1000,2000]\n");
    SAYS(run.errors, "repaired: ended elements where the dump was cut off");
    RUN(&run, 0, "proctor tree --json cut.xml");
    SAYS(run.out, "\"repairs\":{\"cut-off\":");
    assert_int_equal(run.errors.length, 0);
    RUN(&run, 0, "proctor tree --xml cut.xml | proctor tree -");
    assert_string_equal(buf_cstr(&run.out), "Frame [0,0][1000,2000]\n");
    command_run_release(&run);
}

/* None of these may block on missing bytes. */
static void pipes_and_devices_are_refused(void **state)
{
    static const char *const commands[] = {
        "proctor tree pipe",
        "proctor tree /dev/zero",
        "proctor describe pipe 1 1",
        "proctor screendiff pipe pipe",
        "OPENAI_BASE_URL=http://a proctor ask -m openai:x -i pipe hi",
        "proctor meter --suite pipe",
        "proctor judge --prompt pipe nowhere",
    };
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "mkfifo pipe");
    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        RUN(&run, 2, commands[i]);
        SAYS(run.errors, "regular file");
    }
    command_run_release(&run);
}

static void invalid_dump_is_refused_and_quoted(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 2, "proctor tree error.txt");
    SAYS(run.errors, "error.txt: there is no UI tree");
    SAYS(run.errors, "could not get idle state");
    RUN(&run, 2, "proctor tree nowhere.xml");
    SAYS(run.errors, "nowhere.xml");
    command_run_release(&run);
}

static void a_tap_is_described(void **state)
{
    struct command_run run = {0};
    struct cJSON *tree = NULL;
    struct err err;

    (void)state;
    RUN(&run, 0, "proctor describe dump.xml 500 150");
    assert_string_equal(
        buf_cstr(&run.out),
        "tapped checkbox 'Free cancellation', now on; in shop\n");
    RUN(&run, 0, "proctor describe --plain dump.xml 500 150");
    assert_string_equal(buf_cstr(&run.out), "Free cancellation\n");
    RUN(&run, 0, "proctor describe --json dump.xml 500 150");
    assert_true(json_parse(buf_cstr(&run.out), run.out.length, &tree, &err));
    cJSON_Delete(tree);
    SAYS(run.out, "\"role\":\"checkbox\"");
    RUN(&run, 0, "proctor describe dump.xml 500 1500");
    SAYS(run.out, "tapped nothing");
    RUN(&run, 2, "proctor describe dump.xml 500 -3x");
    RUN(&run, 2, "proctor describe --picture nowhere.png dump.xml 500 150");
    SAYS(run.errors, "nowhere.png");
    command_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_is_shown_indented),
        cmocka_unit_test(pipes_and_devices_are_refused),
        cmocka_unit_test(repairs_are_reported),
        cmocka_unit_test(invalid_dump_is_refused_and_quoted),
        cmocka_unit_test(a_tap_is_described),
    };

    return cmocka_run_group_tests(tests, make_files, scratch_folder_leave);
}
