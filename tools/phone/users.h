/* Android's users and groups, by number and by name. */
#ifndef PHONE_USERS_H
#define PHONE_USERS_H

#include <stdint.h>

#define USERS_NAME_SIZE 24

/* A number's name, such as "shell", or "u0_a51" for an app's. */
void users_name(uint32_t id, char name[static USERS_NAME_SIZE]);

#endif
