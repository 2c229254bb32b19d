/*
 * Differences between the versions of the shell that phones have: its texts
 * and variables. Everything else is the same.
 */
#ifndef TOOLS_PHONE_SHELL_SH_DIALECT_H
#define TOOLS_PHONE_SHELL_SH_DIALECT_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/phone/core/android_level.h"

struct sh_dialect_variable {
    const char *name; /* NULL ends a list */
    const char *value;
};

struct sh_dialect {
    const char *version;   /* $KSH_VERSION */
    const char *not_found; /* what it says of a command that is missing */
    bool token_first;      /* "'fi' unexpected", not "unexpected 'fi'" */
    bool exports_names;    /* export lists names, without values */
    const struct sh_dialect_variable *variables; /* exported at the start */
    const char *const *builtins; /* commands of the phone's tables that are a
                                    part of it; NULL ends the list */
};

extern const struct sh_dialect sh_dialect_r59; /* of Android 12 and later */
extern const struct sh_dialect sh_dialect_r48; /* of Android 4.4 */

/* That of a phone. */
const struct sh_dialect *sh_dialect_of(const struct android_level *android);

/* Is it one of the builtins? */
bool sh_dialect_has(const struct sh_dialect *dialect, const char *command);

#endif
