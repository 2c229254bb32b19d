/* The system's services, by name. */
#ifndef PHONE_SERVICES_H
#define PHONE_SERVICES_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/phone/command.h"

struct service {
    const char *name;
    const char *interface;
};

extern const struct service services[];
extern const size_t service_count;

bool services_find(const char *name);

/* As "dumpsys -l" and "cmd -l" list them. */
void services_print(struct call *call);

#endif
