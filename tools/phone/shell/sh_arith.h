/* $((...)): arithmetic of the shell. */
#ifndef TOOLS_PHONE_SHELL_SH_ARITH_H
#define TOOLS_PHONE_SHELL_SH_ARITH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "tools/phone/shell/sh_vars.h"

/*
 * Evaluate an expression with 32-bit numbers that wrap, as in Android's shell.
 * An unset variable counts as 0; "=", "+=", "++" and similar operators set
 * variables. Fails with ERR_INVALID.
 */
MUST_USE bool sh_arith(const char *text, struct sh_vars *vars, int32_t *value,
                       struct err *err);

#endif
