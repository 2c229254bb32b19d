/* Other programs, run beside the benchmark on the same cores. */
#ifndef TOOLS_BENCHMARK_HARNESS_CHILD_PROCESS_H
#define TOOLS_BENCHMARK_HARNESS_CHILD_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/err.h"

/* Start a program, found as the shell finds it. argv ends in NULL. */
MUST_USE bool child_process_start(const char *const argv[], pid_t *pid,
                                  struct err *err);

/* The same with pipes: the caller closes both ends. */
MUST_USE bool child_process_start_piped(const char *const argv[], pid_t *pid,
                                        int *in, int *out, struct err *err);

/* End a program that was started; 0 is allowed. */
void child_process_stop(pid_t pid);

/*
 * Run a program to its end; only the length of its output is kept. Fails when
 * its exit status is not 0.
 */
MUST_USE bool child_process_run(const char *const argv[], size_t *printed,
                                struct err *err);

/* The memory of a running program that is resident, in MiB. */
MUST_USE bool child_process_resident(pid_t pid, double *mib, struct err *err);

struct child_process_end {
    double seconds;
    double peak_mib; /* peak memory */
};

/* The same, with its resource use. Its output is dropped. */
MUST_USE bool child_process_run_to_end(const char *const argv[],
                                       struct child_process_end *end,
                                       struct err *err);

/* The CPU time of programs that have ended, in microseconds. */
double child_process_cpu_us(void);

#endif
