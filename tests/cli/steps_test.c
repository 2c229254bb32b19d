/* The commands that work on screens and steps from files alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/json.h"
#include "tests/cli/command_run.h"
#include "tests/support/scratch.h"

/* Scripts find dump.xml, cut.xml and error.txt. */
static int make_files(void **state)
{
    struct command_run run = {0};

    if (scratch_enter(state))
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

static void repairs_are_told_beside_the_result(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "proctor tree cut.xml");
    assert_string_equal(buf_cstr(&run.out), "Frame [0,0][1000,2000]\n");
    SAYS(run.errors, "repaired: ended elements where the dump was cut off");
    RUN(&run, 0, "proctor tree --json cut.xml");
    SAYS(run.out, "\"repairs\":{\"cut-off\":");
    assert_int_equal(run.errors.length, 0);
    RUN(&run, 0, "proctor tree --xml cut.xml | proctor tree /dev/stdin");
    assert_string_equal(buf_cstr(&run.out), "Frame [0,0][1000,2000]\n");
    command_run_release(&run);
}

static void what_is_no_dump_is_refused_with_what_it_says(void **state)
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
        cmocka_unit_test(repairs_are_told_beside_the_result),
        cmocka_unit_test(what_is_no_dump_is_refused_with_what_it_says),
        cmocka_unit_test(a_tap_is_described),
    };

    return cmocka_run_group_tests(tests, make_files, scratch_leave);
}
