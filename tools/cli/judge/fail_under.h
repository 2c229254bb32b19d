/* --fail-under: the least percentage with which a command succeeds. */
#ifndef TOOLS_CLI_JUDGE_FAIL_UNDER_H
#define TOOLS_CLI_JUDGE_FAIL_UNDER_H

#include <stdbool.h>

#include "base/err.h"

#define FAIL_UNDER_STATUS 3 /* the exit code when a figure is too low */
#define FAIL_UNDER_NAME_MAX 128

struct fail_under {
    char name[FAIL_UNDER_NAME_MAX]; /* of what is measured; "": not given */
    double percent;
};

/*
 * Read "PERCENT" or "NAME=PERCENT"; the number may have a % behind it. Fails
 * with ERR_INVALID for anything else and for a number beyond 0 to 100; limit
 * is then untouched.
 */
MUST_USE bool fail_under_parse(const char *text, struct fail_under *limit,
                               struct err *err);

/* Is the rate, from 0 to 1, high enough? NAN, which is no figure, is not. */
bool fail_under_reached(const struct fail_under *limit, double rate);

#endif
