#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/tools/cli/command_run.h"

#define DOCTOR                                                                 \
    "ADB_SERVER_SOCKET=tcp:127.0.0.1:9 XDG_STATE_HOME=$d proctor doctor"

static void changes_that_were_not_restored_are_listed(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 1,
        "d=$(mktemp -d); mkdir -p $d/proctor/journals; cd "
        "$d/proctor/journals; echo '{\"setting\": \"system user_rotation\", "
        "\"was\": null}' > prepared-PHONE7-0.jsonl; " DOCTOR
        "; s=$?; rm -r $d; exit $s");
    SAYS(run.out, "prepared-PHONE7-0.jsonl: 1 change is not restored");
    SAYS(run.out, "run any task on it");
    command_run_release(&run);
}

static void a_damaged_list_of_changes_is_named(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 1,
        "d=$(mktemp -d); mkdir -p $d/proctor/journals; cd "
        "$d/proctor/journals; echo '{\"setting\": \"rm -rf\"}' > "
        "prepared-PHONE7-0.jsonl; " DOCTOR "; s=$?; rm -r $d; exit $s");
    SAYS(run.out, "prepared-PHONE7-0.jsonl");
    SAYS(run.out, "delete the file");
    command_run_release(&run);
}

/* Each with the problem and what to do; the good one is counted. */
static void unusable_keys_are_reported(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 1,
        "d=$(mktemp -d); mkdir $d/.android; echo garbage >$d/.android/adbkey;"
        " : >$d/empty; HOME=$d ADB_VENDOR_KEYS=$d/empty:$d/missing " DOCTOR
        "; s=$?; rm -r $d; exit $s");
    SAYS(run.out, ".android/adbkey: it is not a private key");
    SAYS(run.out, "move ");
    SAYS(run.out, "/empty: the file is");
    SAYS(run.out, "/missing: ");
    command_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_that_were_not_restored_are_listed),
        cmocka_unit_test(a_damaged_list_of_changes_is_named),
        cmocka_unit_test(unusable_keys_are_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
