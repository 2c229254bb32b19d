/* Many trials in parallel, each of a session over a wire that fails once. */
#ifndef TESTS_SUPPORT_ADB_TORTURE_H
#define TESTS_SUPPORT_ADB_TORTURE_H

#include <stdbool.h>
#include <stddef.h>

#define TORTURE_WORKERS 6

/* How much later than its deadline a call may end on a busy computer. */
#define TORTURE_SLACK_MS 20000

/* Distance of tested bytes: slow tools test fewer of them. */
#ifdef __SANITIZE_THREAD__
#define TORTURE_STEP 11
#else
#define TORTURE_STEP 1
#endif

/* Did this trial end in an allowed way? If not, the reason was printed. */
typedef bool torture_fn(void *context, size_t worker, size_t trial);

/* Run that many trials. Fails the running test if one fails. */
void torture_run(size_t count, torture_fn *run, void *context);

/* Is PROCTOR_FULL=1 set? */
bool torture_is_full(void);

/* Setup and teardown of a group: check that no descriptor stays open. */
int torture_setup(void **state);
int torture_teardown(void **state);

#endif
