/*
 * make_run FOLDER AGENT TASKS REPEATS STEPS SUCCESS [WORD]…: a run that nobody
 * ran, for tests in other languages. run_maker.h says what the words mean:
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

#include "tests/support/run_maker.h"

static struct run_plan plan;

static void make(void **state)
{
    (void)state;
    run_make(&plan);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(make)};

    if (argc < 7) {
        fprintf(stderr, "usage: make_run FOLDER AGENT TASKS REPEATS STEPS "
                        "SUCCESS [hostile|alike|blind|builtin]...\n");
        return 2;
    }
    plan = (struct run_plan){.folder = argv[1],
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
