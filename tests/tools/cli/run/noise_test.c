/* Noise on built-in phones: it comes, and gold does its tasks all the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/macros.h"
#include "tests/support/scratch_folder.h"
#include "tests/tools/cli/command_run.h"

#define TASKS                                                                  \
    "-t settings.wifi -t clock.alarm -t shop.cheapest -t eats.order "          \
    "-t errands.share -t calculator.history "

static void gold_does_its_tasks_in_spite_of_noise(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "proctor run phone " TASKS "--agent gold --device phone --seed 3 "
        "--noise heavy --locale en --out heavy && "
        "proctor run phone " TASKS "--agent gold --device phone --seed 3 "
        "--noise light --locale zh --out light && "
        "proctor judge heavy light");
    SAYS(run.out, "12 episodes: 12 success,");
    RUN(&run, 0, "grep -o '\"noise\":\"[a-z]*\"' heavy/run.json");
    assert_string_equal(buf_cstr(&run.out), "\"noise\":\"heavy\"\n");
    command_run_release(&run);
}

static void every_kind_of_window_comes(void **state)
{
    static const char *const packages[] = {
        "com.android.systemui", "com.android.permissioncontroller",
        "com.android.dialer", "com.android.vending"};
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "cat heavy/episodes/*/0/0/trees/*.xml | "
        "grep -o 'package=\"[a-z.]*\"' | sort -u");
    for (size_t i = 0; i < ARRAY_LEN(packages); i++)
        SAYS(run.out, packages[i]);
    command_run_release(&run);
}

static void noise_and_faults_go_together(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "proctor run phone -t settings.dark --agent gold --device phone "
        "--noise light --faults 'dump:how=null-root,times=1' --out both");
    RUN(&run, 2,
        "proctor run phone -t settings.dark --agent gold --device phone "
        "--noise light --faults '[]' --out json");
    SAYS(run.errors, "--noise and --faults in JSON do not go together");
    RUN(&run, 2,
        "proctor run phone -t settings.dark --agent gold --device phone "
        "--noise loud --out loud");
    SAYS(run.errors, "light");
    command_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gold_does_its_tasks_in_spite_of_noise),
        cmocka_unit_test(every_kind_of_window_comes),
        cmocka_unit_test(noise_and_faults_go_together),
    };

    return cmocka_run_group_tests_name("noise", tests, scratch_folder_enter,
                                       scratch_folder_leave);
}
