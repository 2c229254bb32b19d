/* What dumpsys's files know of each other. */
#ifndef PHONE_DUMPSYS_H
#define PHONE_DUMPSYS_H

#include "base/buf.h"
#include "tools/phone/cmd_screen.h"

/* A service that is dumping itself. */
struct dumpsys {
    struct call *call;
    struct screen_context *phone;
    char **words; /* behind the service's name */
    size_t count;
    struct buf *text; /* what it says */
};

/* Is this the first word, or is there none? */
bool dumpsys_wants(const struct dumpsys *dump, const char *part);

/* An object's number, as Java prints one: the same for the same name. */
unsigned dumpsys_number(const char *name, int more);

/* "com.a/.B", the activity's name and number in front. */
void dumpsys_activity_record(const struct dumpsys *dump,
                             const struct stage_task *task);

/* "Window{1a2b3c4 u0 com.a/com.a.B}". */
void dumpsys_window_of(const struct dumpsys *dump,
                       const struct stage_task *task);

void dumpsys_window(struct dumpsys *dump);
void dumpsys_activity(struct dumpsys *dump);
void dumpsys_display(struct dumpsys *dump);
void dumpsys_input(struct dumpsys *dump);
void dumpsys_battery(struct dumpsys *dump);

#endif
