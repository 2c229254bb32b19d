/* The families of commands that look at the screen, and use it. */
#ifndef PHONE_CMD_SCREEN_H
#define PHONE_CMD_SCREEN_H

#include "tools/phone/command.h"
#include "tools/phone/faults.h"
#include "tools/phone/screen.h"
#include "tools/phone/virtual_clock.h"

extern const struct command_set
    screen_commands;                            /* screencap, uiautomator, wm */
extern const struct command_set input_commands; /* input */

/* The context of both. */
struct screen_context {
    struct screen *screen;
    struct virtual_clock *clock;
    struct faults *faults;
};

/* What commands return that are written in Java on phones, when they fail. */
#define SCREEN_COMMAND_FAILED 255

/* One line of errors, without the command's name. Always that status. */
PRINTF_LIKE(2, 3)
int screen_command_fail(struct call *call, const char *fmt, ...);

#endif
