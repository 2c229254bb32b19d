/* The name of an activity or a service: "com.android.settings/.Settings". */
#ifndef TOOLS_PHONE_SYSTEM_COMPONENT_H
#define TOOLS_PHONE_SYSTEM_COMPONENT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/macros.h"

#define COMPONENT_PACKAGE_SIZE 128
#define COMPONENT_CLASS_SIZE 192
#define COMPONENT_TEXT_SIZE (COMPONENT_PACKAGE_SIZE + COMPONENT_CLASS_SIZE + 1)

struct phone_component {
    char package[COMPONENT_PACKAGE_SIZE];
    char class[COMPONENT_CLASS_SIZE]; /* full class name:
                                         "com.android.settings.Settings" */
};

/* From a package and a class, which may begin with '.'; long names are cut. */
struct phone_component component_of(const char *package, const char *class);

/* Parse "PACKAGE/CLASS". False if a part is missing or too long. */
MUST_USE bool component_parse(const char *text,
                              struct phone_component *component);

/* "com.android.settings/.Settings": short if the class is in the package. */
const char *component_short(const struct phone_component *component,
                            char text[static COMPONENT_TEXT_SIZE]);

/* "com.android.settings/com.android.settings.Settings". */
const char *component_long(const struct phone_component *component,
                           char text[static COMPONENT_TEXT_SIZE]);

#endif
