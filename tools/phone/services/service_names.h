/* The system's services, by name. */
#ifndef TOOLS_PHONE_SERVICES_SERVICE_NAMES_H
#define TOOLS_PHONE_SERVICES_SERVICE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/phone/shell/command.h"

struct phone_service {
    const char *name;
    const char *interface;
};

extern const struct phone_service services[];
extern const size_t service_count;

bool service_names_find(const char *name);

/* As "dumpsys -l" and "cmd -l" list them. */
void service_names_print(struct command_call *call);

#endif
