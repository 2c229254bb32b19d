/*
 * Commands that read the screen, use it, or ask the system's services about it.
 */
#ifndef TOOLS_PHONE_SERVICES_CMD_SCREEN_H
#define TOOLS_PHONE_SERVICES_CMD_SCREEN_H

#include "tools/phone/activities/notification_shade.h"
#include "tools/phone/activities/task_stack.h"
#include "tools/phone/core/virtual_clock.h"
#include "tools/phone/faults/faults.h"
#include "tools/phone/screen/input_devices.h"
#include "tools/phone/screen/screen.h"
#include "tools/phone/shell/command.h"
#include "tools/phone/system/handset.h"

extern const struct command_set screen_commands;   /* screencap, wm, ... */
extern const struct command_set input_commands;    /* input */
extern const struct command_set activity_commands; /* am, monkey */
extern const struct command_set package_commands;  /* pm */
extern const struct command_set keyboard_commands; /* ime */
extern const struct command_set dumpsys_commands;  /* dumpsys */
extern const struct command_set device_commands;   /* getevent, sendevent */
extern const struct command_set service_commands;  /* cmd, svc, service, ... */
extern const struct command_set app_process_commands; /* app_process */
extern const struct command_set admin_commands; /* appops, run-as, media, ... */

/* The context of all these commands; everything is borrowed. */
struct screen_context {
    struct phone_screen *screen;
    struct virtual_clock *clock;
    struct phone_faults *faults;
    struct handset *handset;
    struct task_stack *task_stack;
    struct notification_shade *shade; /* NULL: there is none */
    struct input_devices *devices;
};

#define SCREEN_FAMILIES 10

void screen_families(struct screen_context *context,
                     struct command_family families[SCREEN_FAMILIES]);

/* Exit status of failed commands that are written in Java on phones. */
#define SCREEN_COMMAND_FAILED 255

/* Print one line of errors without the command's name. Always that status. */
PRINTF_LIKE(2, 3)
int screen_command_fail(struct command_call *call, const char *fmt, ...);

/*
 * Type a text as a keyboard does. A fault may drop it, or all but its first
 * characters.
 */
void screen_command_type(struct screen_context *context, const char *text);

#endif
