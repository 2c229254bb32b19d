/*
 * The complete JSON of a profile: with the profile it extends and the files it
 * names inserted, and texts that are lists of lines joined.
 */
#ifndef RUNNER_PROMPT_PROFILE_JSON_H
#define RUNNER_PROMPT_PROFILE_JSON_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* The caller frees the tree. Both fail as profile_load. */
MUST_USE bool profile_json_load(const char *name, struct cJSON **tree,
                                struct err *err);
MUST_USE bool profile_json_parse(const char *text, size_t length,
                                 const char *folder, struct cJSON **tree,
                                 struct err *err);

#endif
