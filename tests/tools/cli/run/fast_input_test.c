/* Runs that act through scrcpy's server instead of commands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/scratch_folder.h"
#include "tests/tools/cli/command_run.h"
#include "tests/tools/cli/run/run_inspect.h"

/* On the built-in phone, a file with a version is a server of that version. */
static void save_server(const char *version)
{
    command_run_save("server", version);
}

/* Every `input` command fails: only the server can act. */
#define WITHOUT_INPUT " --faults 'cut:service=*input '"

static void acts_without_commands(void **state)
{
    static const char *const versions[] = {"2.1", "3.3.4", "4.1"};
    struct command_run run = {0};
    char line[512];

    (void)state;
    for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
        save_server(versions[i]);
        snprintf(line, sizeof(line),
                 "proctor run phone --agent gold --device phone --realtime "
                 "--fast-input --scrcpy-server server -t settings.dark "
                 "--out fast-%zu" WITHOUT_INPUT,
                 i);
        RUN(&run, 0, line);
        snprintf(line, sizeof(line), "proctor judge fast-%zu", i);
        RUN(&run, 0, line);
        SAYS(run.out, "1 success");
    }
    command_run_release(&run);
}

/* A swipe scrolls the shop, and a key leaves it. */
static void gestures_arrive(void **state)
{
    struct command_run run = {0};
    struct trajectory read;
    struct err err = ERR_INIT;

    (void)state;
    save_server("3.3.4");
    command_run_save("lines", "swipe(540,1600,540,600)\nhome\n");
    RUN(&run, 0,
        "proctor run phone --agent script:lines --device phone --realtime "
        "--fast-input --scrcpy-server server -t shop.cheapest "
        "--out gestures" WITHOUT_INPUT);
    if (!trajectory_load("gestures/episodes/shop.cheapest/0/0", &read, &err))
        fail_msg("%s", err.text);
    for (size_t i = 0; i + 1 < read.count; i++)
        assert_int_equal(read.steps[i].block, BLOCK_NONE);
    assert_string_not_equal(read.steps[0].tree.sha256,
                            read.steps[1].tree.sha256);
    assert_string_not_equal(read.steps[1].tree.sha256,
                            read.steps[2].tree.sha256);
    trajectory_release(&read);
    command_run_release(&run);
}

static void goes_on_without_a_server_that_does_not_start(void **state)
{
    struct command_run run = {0};

    (void)state;
    save_server("3.3.4");
    RUN(&run, 0,
        "proctor run phone --agent gold --device phone --realtime --fast-input "
        "--scrcpy-server server -t settings.dark --out slow "
        "--faults 'cut:service=*app_process'");
    SAYS(run.errors, "acting by commands, without scrcpy's server");
    RUN(&run, 0, "proctor judge slow");
    SAYS(run.out, "1 success");
    command_run_release(&run);
}

static void server_must_be_there(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 2,
        "proctor run phone --agent gold --device phone --fast-input "
        "--scrcpy-server missing");
    SAYS(run.errors, "missing");
    RUN(&run, 2, "proctor run phone --agent gold --scrcpy-server missing");
    SAYS(run.errors, "--scrcpy-server needs --fast-input");
    command_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(acts_without_commands),
        cmocka_unit_test(gestures_arrive),
        cmocka_unit_test(goes_on_without_a_server_that_does_not_start),
        cmocka_unit_test(server_must_be_there),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
