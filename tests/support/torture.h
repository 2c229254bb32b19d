/* Many trials side by side, each of a session over a wire that fails once. */
#ifndef TESTS_SUPPORT_TORTURE_H
#define TESTS_SUPPORT_TORTURE_H

#include <stdbool.h>
#include <stddef.h>

#define TORTURE_WORKERS 6

/* How much later than its deadline a call may end on a busy computer. */
#define TORTURE_SLACK_MS 20000

/* Every so many bytes: slow tools see fewer places, though all kinds. */
#ifdef __SANITIZE_THREAD__
#define TORTURE_STEP 11
#else
#define TORTURE_STEP 1
#endif

/* Did this trial end as it may? If not, it has told why. */
typedef bool torture_fn(void *context, size_t worker, size_t trial);

/* Run so many trials. Fails the running test when one did not end well. */
void torture_run(size_t count, torture_fn *run, void *context);

/* Is there time for everything? PROCTOR_FULL=1 says so. */
bool torture_is_full(void);

/* For a group of tests: its setup and teardown see that nothing stays open. */
int torture_setup(void **state);
int torture_teardown(void **state);

#endif
