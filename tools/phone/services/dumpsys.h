/* Shared by the files of dumpsys. */
#ifndef TOOLS_PHONE_SERVICES_DUMPSYS_H
#define TOOLS_PHONE_SERVICES_DUMPSYS_H

#include "base/buf.h"
#include "tools/phone/services/cmd_screen.h"

/* A running dump of a service. */
struct dumpsys {
    struct command_call *call;
    struct screen_context *phone;
    char **words; /* arguments behind the service's name */
    size_t count;
    struct buf *text; /* its output */
};

/* Is this the first argument, or is there none? */
bool dumpsys_wants(const struct dumpsys *dump, const char *part);

/* The hash of a Java object, as printed by Java: the same for the same name. */
unsigned dumpsys_number(const char *name, int more);

/* "com.a/.B", after the activity's name and hash. */
void dumpsys_activity_record(const struct dumpsys *dump,
                             const struct task_info *task);

/* "Window{1a2b3c4 u0 com.a/com.a.B}". */
void dumpsys_window_of(const struct dumpsys *dump,
                       const struct task_info *task);

void dumpsys_window(struct dumpsys *dump);
void dumpsys_activity(struct dumpsys *dump);
void dumpsys_display(struct dumpsys *dump);

/* One line for each display, as "cmd display get-displays" prints them. */
void dumpsys_displays(struct dumpsys *dump);
void dumpsys_input(struct dumpsys *dump);
void dumpsys_battery(struct dumpsys *dump);

#endif
