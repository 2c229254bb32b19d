/* Signals with Linux's numbers and names. */
#ifndef TOOLS_PHONE_SHELL_SIGNALS_H
#define TOOLS_PHONE_SHELL_SIGNALS_H

#include <stdbool.h>

#include "base/macros.h"

#define SIGNALS_COUNT 32 /* 0: the end of a shell */

enum {
    SIGNALS_HUP = 1,
    SIGNALS_INT = 2,
    SIGNALS_KILL = 9,
    SIGNALS_TERM = 15,
};

/* The name without "SIG"; "EXIT" for 0. */
const char *signals_name(int number);

/* Parse a number, or a name in any case with or without "SIG". */
MUST_USE bool signals_find(const char *text, int *number);

/* Does the signal end a process without a handler? */
bool signals_ends(int number);

#endif
