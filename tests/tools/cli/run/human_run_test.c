/* proctor run --agent human in a terminal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/scratch_folder.h"
#include "tests/tools/cli/command_run.h"
#include "tests/tools/cli/pty.h"

static void human_agent_completes_a_task_by_names(void **state)
{
    struct command_run run = {0};
    struct pty pty;

    (void)state;
    pty_start(&pty, "exec " PROCTOR_FOLDER
                    "/proctor run phone -t settings.dark --agent human "
                    "--locale en --out mine");
    pty_expect(&pty, "dark theme");
    pty_expect(&pty, "step 1, ");
    pty_expect(&pty, "Display"); /* in the list of clickable elements */
    pty_expect(&pty, "> ");
    pty_type(&pty, "tap Displya\n");
    pty_expect(&pty, "did you mean \"Display\"?");
    pty_expect(&pty, "> ");
    pty_type(&pty, "tap Display\n");
    pty_expect(&pty, "step 2, ");
    pty_expect(&pty, "marked.png");
    pty_expect(&pty, "> ");
    pty_type(&pty, "tap Dark theme\n");
    pty_expect(&pty, "step 3, ");
    pty_expect(&pty, "> ");
    pty_type(&pty, "complete\n");
    pty_expect(&pty, "complete");
    assert_int_equal(pty_wait(&pty), 0);
    /* A table that is redrawn moves the cursor up. */
    assert_null(strstr(buf_cstr(&pty.seen), "\033[A"));
    pty_release(&pty);
    RUN(&run, 0, "proctor judge mine");
    SAYS(run.out, "1 success");
    command_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(human_agent_completes_a_task_by_names),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
