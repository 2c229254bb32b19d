/* Checks of a finished run, and how to get one. */
#ifndef TESTS_TOOLS_CLI_RUN_RUN_INSPECT_H
#define TESTS_TOOLS_CLI_RUN_RUN_INSPECT_H

#include <stdbool.h>

#include "tasks/trajectory/run_results.h"

/*
 * Fail the test unless the run has that many ended results; the caller releases
 * them.
 */
void run_inspect_results(const char *run, size_t count,
                         struct run_results *results);

/*
 * According to the phone's truth, was the task done in that attempt? Fails the
 * test if there is no truth.
 */
bool run_inspect_truth(const char *run, const struct run_result *result);

/* Fail the test unless every attempt ended like that, and was (not) met. */
void run_inspect_all(const char *run, size_t count, bool met);

/*
 * Run the script on phones whose connections drop: attempts that stay void must
 * be reported, and succeed when they are repeated. Fails the test unless that
 * many tasks are done at the end, each once and met, with all recorded attempts
 * in order.
 */
void run_inspect_none_lost(const char *script, const char *run, size_t count);

#endif
