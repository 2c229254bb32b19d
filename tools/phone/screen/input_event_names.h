/* Names of the types and codes of input events in the kernel's headers. */
#ifndef TOOLS_PHONE_SCREEN_INPUT_EVENT_NAMES_H
#define TOOLS_PHONE_SCREEN_INPUT_EVENT_NAMES_H

#include <stdint.h>

struct input_event_name {
    uint16_t number;
    const char *name; /* NULL ends a table */
};

extern const struct input_event_name input_types[];

/* The codes of a type; NULL if it has none. */
const struct input_event_name *input_codes(unsigned type);

/* The name of a number, or NULL. The table may be NULL. */
const char *input_event_name(const struct input_event_name *names,
                             unsigned number);

#endif
