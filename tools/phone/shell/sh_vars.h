/* Variables of a shell. */
#ifndef TOOLS_PHONE_SHELL_SH_VARS_H
#define TOOLS_PHONE_SHELL_SH_VARS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/macros.h"
#include "base/memory_account.h"

/* Limit of all names and values together. */
#define SH_VARS_BYTES_MAX ((size_t)128 * 1024)

struct sh_var {
    char *name;  /* owned */
    char *value; /* owned */
    bool exported;
};

struct sh_vars {
    struct sh_var *vars; /* owned; sorted by name */
    size_t count;
    size_t bytes;
    struct memory_account *memory_account; /* pays for them; may be NULL */
};

#define SH_VARS_INIT(account_)                                                 \
    {                                                                          \
        .memory_account = (account_)                                           \
    }

void sh_vars_release(struct sh_vars *vars);

/*
 * Copy all variables into to, which is SH_VARS_INIT. False when they do not
 * fit.
 */
MUST_USE bool sh_vars_copy(struct sh_vars *to, const struct sh_vars *from);

/* The value of a variable, borrowed until it changes; NULL if it is not set. */
const char *sh_vars_get(const struct sh_vars *vars, const char *name);

/* False, without any change, when it does not fit. */
MUST_USE bool sh_vars_set(struct sh_vars *vars, const char *name,
                          const char *value);

void sh_vars_unset(struct sh_vars *vars, const char *name);

bool sh_vars_is_exported(const struct sh_vars *vars, const char *name);

/* Export a variable to commands. One that is not set stays unset. */
void sh_vars_export(struct sh_vars *vars, const char *name);

#endif
