/* One thing to try, and what all of them need. */
#ifndef TOOLS_SELFTEST_CHECK_H
#define TOOLS_SELFTEST_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/device.h"
#include "adb/shell.h"
#include "base/cancel.h"
#include "tools/selftest/footprint.h"
#include "tools/selftest/trial.h"

#define KIB ((size_t)1024)
#define MIB (KIB * 1024)

/* As much as the largest transfer needs. */
#define CHECK_DATA_SIZE (16 * MIB)

struct selftest {
    struct device *device;       /* borrowed, as are all others */
    const struct cancel *cancel; /* may be NULL */
    struct deadline by;          /* of the check under way */
    struct footprint *footprint;
    struct trial *trial;
    const uint8_t *data; /* CHECK_DATA_SIZE bytes to send, of every value */
    char words[TRIAL_WORDS_MAX];
};

/*
 * Try it. True is passed, with words (by check_say) on what was seen. False is
 * failed, or not offered when the code is ERR_REFUSED or ERR_UNSUPPORTED.
 */
typedef bool check_fn(struct selftest *test, struct err *err);

struct check {
    const char *name;
    check_fn *run;
    bool required; /* every phone has this: not offered is failed, too */
};

/* Checks that stand under one heading. */
struct check_group {
    const char *topic;
    const struct check *checks;
    size_t count;
};

extern const struct check_group connection_checks;
extern const struct check_group shell_checks;
extern const struct check_group file_checks;
extern const struct check_group stream_checks;
extern const struct check_group phone_checks;
extern const struct check_group screen_checks;
extern const struct check_group input_checks;

PRINTF_LIKE(2, 3)
void check_say(struct selftest *test, const char *fmt, ...);

/* MiB a second. */
double check_speed(size_t bytes, int64_t took_ns);

/* ERR_UNSUPPORTED: the phone does not have the program. */
MUST_USE bool check_need(struct selftest *test, const char *program,
                         struct err *err);

/* Run a program that the phone may have, for at most 64 KiB of output. */
MUST_USE bool check_run(struct selftest *test, const char *program,
                        const char *arguments, struct shell_result *result,
                        struct err *err);

/* The same, but it must succeed; failing, it says why in its own words. */
MUST_USE bool check_run_well(struct selftest *test, const char *program,
                             const char *arguments, struct shell_result *result,
                             struct err *err);

/* Fail with the first line that the program said. Always false. */
bool check_fail_with_words(const struct shell_result *result,
                           const char *program, struct err *err);

/*
 * Send size bytes of data to something that gives back what it gets, in pieces
 * that no pipe is too small for, and compare.
 */
MUST_USE bool check_echo(struct stream *stream, const uint8_t *data,
                         size_t size, struct deadline by, struct err *err);

#endif
