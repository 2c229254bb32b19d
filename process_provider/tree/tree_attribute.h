/* The attributes of nodes in a dump: their names and values. */
#ifndef PROCESS_PROVIDER_TREE_TREE_ATTRIBUTE_H
#define PROCESS_PROVIDER_TREE_TREE_ATTRIBUTE_H

#include <stddef.h>
#include <stdint.h>

#include "process_provider/tree/tree.h"

/* Attributes whose values are kept as they are. */
enum tree_text {
    TEXT_TEXT,
    TEXT_DESCRIPTION,
    TEXT_ID,
    TEXT_CLASS,
    TEXT_PACKAGE,
    TEXT_HINT,
    TREE_TEXTS,
};

enum tree_attribute_kind {
    ATTRIBUTE_TEXT,
    ATTRIBUTE_FLAG,     /* set by "true" */
    ATTRIBUTE_NOT_FLAG, /* set by "false" */
    ATTRIBUTE_BOUNDS,
    ATTRIBUTE_ORDER,
};

struct tree_attribute {
    const char *name;
    enum tree_attribute_kind kind;
    uint32_t which; /* enum tree_text or enum tree_flag */
};

/* NULL for an attribute that is not used. */
const struct tree_attribute *tree_attribute_find(const char *name);

/* A value, which is not NUL-ended. */
struct tree_value {
    const char *text;
    size_t length;
};

/* "[0,72][1080,1920]"; anything else is no area. */
struct tree_rect tree_value_bounds(struct tree_value value);

/* The number that it begins with. Large ones are cut. */
int32_t tree_value_int(struct tree_value value, int32_t otherwise);

#endif
