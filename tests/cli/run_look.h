/* What a test sees of a run that is over, and how it gets there. */
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

/*
 * Do a run by the script, on phones whose connections drop: what is void after
 * all attempts must be told, and must be done by trying again. Fails the test
 * unless so many tasks are done in the end, each of them once and met, with all
 * that the attempts recorded in order.
 */
void run_look_none_lost(const char *script, const char *run, size_t count);

#endif
