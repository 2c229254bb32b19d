/* A key that identifies a field in later trees, while its content changes. */
#ifndef RUNNER_RECORD_FIELD_KEY_H
#define RUNNER_RECORD_FIELD_KEY_H

#include "base/buf.h"
#include "process_provider/tree/tree.h"

/* Append the key of a field. */
void field_key_put(const struct tree_node *field, struct buf *key);

#endif
