/* One thing to try, and what all of them need. */
#ifndef TOOLS_DEVICE_CHECKS_DEVICE_CHECK_H
#define TOOLS_DEVICE_CHECKS_DEVICE_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/device/device.h"
#include "adb/services/shell.h"
#include "base/cancel.h"
#include "tools/device_checks/check_results.h"
#include "tools/device_checks/cleanup_list.h"

#define KIB ((size_t)1024)
#define MIB (KIB * 1024)

/* As much as the largest transfer needs. */
#define CHECK_DATA_SIZE (16 * MIB)

struct device_check_context {
    struct device *device;       /* borrowed, as are all others */
    const struct cancel *cancel; /* may be NULL */
    struct deadline by;          /* of the running check */
    struct cleanup_list *cleanup_list;
    struct check_results *check_results;
    const uint8_t *data; /* CHECK_DATA_SIZE bytes to send, of every value */
    char detail[CHECK_RESULT_TEXT_MAX];
};

/*
 * Try it. True is passed, with words (by device_check_say) on what was seen.
 * False is failed, or not offered when the code is ERR_REFUSED or
 * ERR_UNSUPPORTED.
 */
typedef bool device_check_fn(struct device_check_context *test,
                             struct err *err);

struct device_check {
    const char *name;
    device_check_fn *run;
    bool required; /* every phone has this: not offered is failed, too */
};

/* Checks with a common heading. */
struct device_check_group {
    const char *topic;
    const struct device_check *checks;
    size_t count;
};

extern const struct device_check_group connection_checks;
extern const struct device_check_group shell_checks;
extern const struct device_check_group file_checks;
extern const struct device_check_group stream_checks;
extern const struct device_check_group phone_checks;
extern const struct device_check_group screen_checks;
extern const struct device_check_group input_checks;

PRINTF_LIKE(2, 3)
void device_check_say(struct device_check_context *test, const char *fmt, ...);

/* MiB a second. */
double device_check_speed(size_t bytes, int64_t took_ns);

/* ERR_UNSUPPORTED: the phone does not have the program. */
MUST_USE bool device_check_need(struct device_check_context *test,
                                const char *program, struct err *err);

/* Run a program that the phone may have, for at most 64 KiB of output. */
MUST_USE bool device_check_run(struct device_check_context *test,
                               const char *program, const char *arguments,
                               struct shell_result *result, struct err *err);

/* The same, but it must succeed; on failure err has the program's message. */
MUST_USE bool device_check_run_well(struct device_check_context *test,
                                    const char *program, const char *arguments,
                                    struct shell_result *result,
                                    struct err *err);

/* Fail with the first line of the program's output. Always false. */
bool device_check_fail_with_words(const struct shell_result *result,
                                  const char *program, struct err *err);

/*
 * Send size bytes of data to something that gives back what it gets, in pieces
 * that no pipe is too small for, and compare.
 */
MUST_USE bool device_check_echo(struct stream *stream, const uint8_t *data,
                                size_t size, struct deadline by,
                                struct err *err);

#endif
