/*
 * A profile's JSON as it is meant: with what it extends and the files that it
 * names put in, and texts that stand there line by line joined.
 */
#ifndef RUNNER_PROFILE_TREE_H
#define RUNNER_PROFILE_TREE_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* The caller frees the tree. Both fail as profile_load does. */
MUST_USE bool profile_tree_load(const char *name, struct cJSON **tree,
                                struct err *err);
MUST_USE bool profile_tree_parse(const char *text, size_t length,
                                 const char *folder, struct cJSON **tree,
                                 struct err *err);

#endif
