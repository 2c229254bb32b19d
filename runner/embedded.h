/* Files of data that the program carries: profiles, prices, what the guard
 * denies. */
#ifndef RUNNER_EMBEDDED_H
#define RUNNER_EMBEDDED_H

#include <stddef.h>

struct embedded_file {
    const char *name; /* such as "profiles/generic.json" */
    const char *text;
    size_t length;
};

/* Written by cmake/EmbedFiles.cmake. */
extern const struct embedded_file embedded_files[];
extern const size_t embedded_files_count;

/* NULL: there is none. */
const struct embedded_file *embedded_find(const char *name);

#endif
