/* What a test sees of a run that is over. */
#ifndef TESTS_CLI_RUN_LOOK_H
#define TESTS_CLI_RUN_LOOK_H

#include <stdbool.h>

#include "tasks/results.h"

/* Fail the test unless the run has so many ended results; they are released
 * by the caller. */
void run_look_results(const char *run, size_t count, struct results *results);

/* Did the phone see the task done, in that attempt? Fails the test if the
 * phone does not say. */
bool run_look_truth(const char *run, const struct result *result);

/* Fail the test unless every attempt of the run ended so, and was (not) met. */
void run_look_all(const char *run, size_t count, bool met);

/* The same, but void attempts are fine if another one was met. */
void run_look_none_lost(const char *run, size_t count);

#endif
