#include "runner/record/field_key.h"

void field_key_put(const struct tree_node *field, struct buf *key)
{
    if (*field->id)
        buf_printf(key, "%s %s", field->package, field->id);
    else
        buf_printf(key, "%s %s %d %d", field->package, field->class_name,
                   (int)field->bounds.left, (int)field->bounds.top);
}
