/*
 * The families of commands that look at the screen, use it, and ask the
 * services of the system what is on it.
 */
#ifndef PHONE_CMD_SCREEN_H
#define PHONE_CMD_SCREEN_H

#include "tools/phone/command.h"
#include "tools/phone/faults.h"
#include "tools/phone/handset.h"
#include "tools/phone/input_devices.h"
#include "tools/phone/screen.h"
#include "tools/phone/stage.h"
#include "tools/phone/virtual_clock.h"

extern const struct command_set screen_commands;   /* screencap, wm, ... */
extern const struct command_set input_commands;    /* input */
extern const struct command_set activity_commands; /* am, monkey */
extern const struct command_set package_commands;  /* pm */
extern const struct command_set keyboard_commands; /* ime */
extern const struct command_set dumpsys_commands;  /* dumpsys */
extern const struct command_set device_commands;   /* getevent, sendevent */
extern const struct command_set service_commands;  /* cmd, svc, service, ... */

/* The context of all; everything is borrowed. */
struct screen_context {
    struct screen *screen;
    struct virtual_clock *clock;
    struct faults *faults;
    struct handset *handset;
    struct stage *stage;
    struct input_devices *devices;
};

#define SCREEN_FAMILIES 8

void screen_families(struct screen_context *context,
                     struct command_family families[SCREEN_FAMILIES]);

/* What commands return that are written in Java on phones, when they fail. */
#define SCREEN_COMMAND_FAILED 255

/* One line of errors, without the command's name. Always that status. */
PRINTF_LIKE(2, 3)
int screen_command_fail(struct call *call, const char *fmt, ...);

#endif
