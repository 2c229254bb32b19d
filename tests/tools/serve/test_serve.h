/* A server that a test looks into, with one page. */
#ifndef TESTS_TOOLS_SERVE_TEST_SERVE_H
#define TESTS_TOOLS_SERVE_TEST_SERVE_H

#include "tools/serve/serve_private.h"

/* The page: a client that the HTTP server does not have. */
#define TEST_SERVE_PAGE 1

/* The test fails when it cannot be started. End it with serve_stop. */
struct serve *test_serve_start(const struct serve_options *options);

/* The page says a text. */
void test_serve_handle(struct serve *serve, const char *text);

/* Start a built-in phone, the only one. The lock is held afterwards. */
struct served_phone *test_serve_builtin(struct serve *serve);

/* Set up a group of tests in a scratch folder, with nothing of this computer:
 * no adb server, no remembered phones. */
int test_serve_enter(void **state);

#endif
