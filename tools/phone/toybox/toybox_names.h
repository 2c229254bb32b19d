/* Names of the commands that toybox contains on phones. */
#ifndef TOOLS_PHONE_TOYBOX_TOYBOX_NAMES_H
#define TOOLS_PHONE_TOYBOX_TOYBOX_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* Those of Android 13; not all of them exist on this phone. */
extern const char *const toybox_names[];
extern const size_t toybox_name_count;

bool toybox_has(const char *name);

#endif
