/* test and [: conditions on texts, numbers and files. */
#ifndef TOOLS_PHONE_SHELL_SH_TEST_H
#define TOOLS_PHONE_SHELL_SH_TEST_H

#include "tools/phone/shell/command.h"

/*
 * 0: true, 1: false, 2: invalid. With "[[", the right side of "=" is a pattern.
 */
int sh_test(struct command_call *call);

#endif
