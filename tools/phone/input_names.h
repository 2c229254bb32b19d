/* What the kernel's headers call the types and codes of input events. */
#ifndef PHONE_INPUT_NAMES_H
#define PHONE_INPUT_NAMES_H

#include <stdint.h>

struct input_name {
    uint16_t number;
    const char *name; /* NULL behind the last one of a table */
};

extern const struct input_name input_types[];

/* The codes of a type; NULL where it has none. */
const struct input_name *input_codes(unsigned type);

/* The name of a number, or NULL. The table may be NULL. */
const char *input_name(const struct input_name *names, unsigned number);

#endif
