/* Other programs, run beside the benchmark on the cores that it runs on. */
#ifndef TOOLS_BENCHMARK_PROCESS_H
#define TOOLS_BENCHMARK_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/err.h"

/* Start a program, found as the shell finds it. argv ends in NULL. */
MUST_USE bool process_start(const char *const argv[], pid_t *pid,
                            struct err *err);

/* The same, to be talked to: the caller closes both ends. */
MUST_USE bool process_start_piped(const char *const argv[], pid_t *pid, int *in,
                                  int *out, struct err *err);

/* End a program that was started; 0, which never was, is fine. */
void process_stop(pid_t pid);

/*
 * Run a program to its end; of what it prints only the length is kept.
 * Fails when its exit status is not 0.
 */
MUST_USE bool process_run(const char *const argv[], size_t *printed,
                          struct err *err);

/* The memory of a running program that is resident, in MiB. */
MUST_USE bool process_resident(pid_t pid, double *mib, struct err *err);

struct process_end {
    double seconds;
    double peak_mib; /* the most memory that it had at once */
};

/* The same, and what it took. What it prints is lost. */
MUST_USE bool process_run_to_end(const char *const argv[],
                                 struct process_end *end, struct err *err);

/* The CPU time that programs which have ended used, in microseconds. */
double process_cpu_us(void);

#endif
