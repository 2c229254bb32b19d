/* What tests do with a shell; each fails the running test where it cannot. */
#ifndef TESTS_SUPPORT_SHELL_TALK_H
#define TESTS_SUPPORT_SHELL_TALK_H

#include "adb/shell.h"

/* A phone that listens on 127.0.0.1; the caller closes it. */
struct device *shell_talk_connect(uint16_t port);

/* Run a command; what came of it is the caller's to release. */
void shell_talk_run(struct device *device, const char *command,
                    struct shell_result *result);

/* The same, and it prints just that. */
void shell_talk_expect(struct device *device, const char *command,
                       const char *out);

struct shell *shell_talk_open(struct device *device,
                              const struct shell_options *options);

/* Type text. */
void shell_talk_type(struct shell *shell, const char *text);

/* Everything up to the exit, and its status. */
int shell_talk_gather(struct shell *shell, struct buf *output);

/*
 * So many bytes, in which every value is followed by every other sooner or
 * later; the caller frees them.
 */
char *shell_talk_bytes(size_t size);

/* A megabyte of them goes in, all the while it comes out as it was. */
void shell_talk_expect_echo(struct device *device, const char *command);

#endif
