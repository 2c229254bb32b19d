/* Helpers for tests of a shell; each fails the running test on errors. */
#ifndef TESTS_SUPPORT_ADB_SHELL_HELPER_H
#define TESTS_SUPPORT_ADB_SHELL_HELPER_H

#include "adb/services/shell.h"

/* A phone that listens on 127.0.0.1; the caller closes it. */
struct device *shell_helper_connect(uint16_t port);

/* Run a command; the caller releases the result. */
void shell_helper_run(struct device *device, const char *command,
                      struct shell_result *result);

/* The same; it must print exactly that. */
void shell_helper_expect(struct device *device, const char *command,
                         const char *out);

struct shell *shell_helper_open(struct device *device,
                                const struct shell_options *options);

/* Type text. */
void shell_helper_type(struct shell *shell, const char *text);

/* Read everything up to the exit, and check its status. */
int shell_helper_gather(struct shell *shell, struct buf *output);

/*
 * That many bytes, in which every pair of values occurs; the caller frees them.
 */
char *shell_helper_bytes(size_t size);

/* Send a megabyte of them, and read it back unchanged at the same time. */
void shell_helper_expect_echo(struct device *device, const char *command);

#endif
