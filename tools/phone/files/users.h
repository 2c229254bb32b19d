/* Android's users and groups, by number and by name. */
#ifndef TOOLS_PHONE_FILES_USERS_H
#define TOOLS_PHONE_FILES_USERS_H

#include <stdint.h>

#define USERS_NAME_SIZE 24

/* The name of a uid, such as "shell", or "u0_a51" for an app. */
void users_name(uint32_t id, char name[static USERS_NAME_SIZE]);

#endif
