/* $((...)): sums of the shell. */
#ifndef PHONE_SH_ARITH_H
#define PHONE_SH_ARITH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "tools/phone/sh_vars.h"

/*
 * What an expression comes to, in numbers of 32 bits that wrap, as Android's
 * shell has them. A variable that is not set counts as 0.
 * Fails with ERR_INVALID.
 */
MUST_USE bool sh_arith(const char *text, const struct sh_vars *vars,
                       int32_t *value, struct err *err);

#endif
