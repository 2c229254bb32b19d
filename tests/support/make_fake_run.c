/*
 * make_fake_run FOLDER AGENT TASKS REPEATS STEPS SUCCESS [WORD]…: writes a
 * generated run, for tests in other languages. fake_run.h explains the words:
 * hostile, alike, blind, builtin.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/fake_run.h"

static struct fake_run plan;

static void make(void **state)
{
    (void)state;
    fake_run_write(&plan);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(make)};

    if (argc < 7) {
        fprintf(stderr, "usage: make_run FOLDER AGENT TASKS REPEATS STEPS "
                        "SUCCESS [hostile|alike|blind|builtin]...\n");
        return 2;
    }
    plan = (struct fake_run){.folder = argv[1],
                             .id = argv[2],
                             .agent = argv[2],
                             .tasks = strtoul(argv[3], NULL, 10),
                             .repeats = strtoul(argv[4], NULL, 10),
                             .steps = strtoul(argv[5], NULL, 10),
                             .success = (unsigned)strtoul(argv[6], NULL, 10),
                             .seed = 7};
    for (int i = 7; i < argc; i++) {
        plan.hostile = plan.hostile || !strcmp(argv[i], "hostile");
        plan.alike = plan.alike || !strcmp(argv[i], "alike");
        plan.no_screen = plan.no_screen || !strcmp(argv[i], "blind");
        plan.builtin = plan.builtin || !strcmp(argv[i], "builtin");
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
