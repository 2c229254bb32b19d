#include "tools/cli/judge/fail_under.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A rate is a quotient: 57 of 100 is not to miss 57 %. */
#define ROUNDING 1e-9

bool fail_under_parse(const char *text, struct fail_under *limit,
                      struct err *err)
{
    const char *equals = strrchr(text, '=');
    const char *digits = equals ? equals + 1 : text;
    size_t length = equals ? (size_t)(equals - text) : 0;
    char *end = NULL;
    double number = strtod(digits, &end);

    if ((equals && !length) || length >= sizeof(limit->name) || end == digits ||
        (*end && strcmp(end, "%") != 0) || !(number >= 0 && number <= 100))
        return err_set(err, ERR_INVALID,
                       "--fail-under %.60s: expected a percentage from 0 to "
                       "100, or NAME=PERCENTAGE",
                       text);
    memcpy(limit->name, text, length);
    limit->name[length] = '\0';
    limit->percent = number;
    return true;
}

bool fail_under_reached(const struct fail_under *limit, double rate)
{
    return !isnan(rate) && 100 * rate >= limit->percent - ROUNDING;
}
