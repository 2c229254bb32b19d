/* A shell's variables. */
#ifndef PHONE_SH_VARS_H
#define PHONE_SH_VARS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/macros.h"
#include "tools/phone/account.h"

/* Of all names and values together. */
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
    struct account *account; /* pays for them; may be NULL */
};

#define SH_VARS_INIT(account_)                                                 \
    {                                                                          \
        .account = (account_)                                                  \
    }

void sh_vars_release(struct sh_vars *vars);

/* Become a copy of from; to is SH_VARS_INIT. False when that does not fit. */
MUST_USE bool sh_vars_copy(struct sh_vars *to, const struct sh_vars *from);

/* A variable's value, borrowed until it changes; NULL when there is none. */
const char *sh_vars_get(const struct sh_vars *vars, const char *name);

/* False, and nothing is changed, when it does not fit. */
MUST_USE bool sh_vars_set(struct sh_vars *vars, const char *name,
                          const char *value);

void sh_vars_unset(struct sh_vars *vars, const char *name);

/* Hand it to commands from now on. One that is not set stays so. */
void sh_vars_export(struct sh_vars *vars, const char *name);

#endif
