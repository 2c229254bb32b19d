#include "tools/benchmark/harness/proctor_program.h"

#include <stddef.h>

#include "tools/benchmark/harness/child_process.h"

bool proctor_program_run(const char *serial, const char *verb, const char *a,
                         const char *b, struct err *err)
{
    const char *const argv[] = {PROCTOR, verb, "-s", serial, a, b, NULL};
    size_t printed;

    return child_process_run(argv, &printed, err);
}
