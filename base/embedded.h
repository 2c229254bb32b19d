/* Data files that are compiled into a program (cmake/Embed.cmake). */
#ifndef BASE_EMBEDDED_H
#define BASE_EMBEDDED_H

#include <stddef.h>

struct embedded_file {
    const char *name; /* relative to the embedded folder: "report/page.css" */
    const char *text;
    size_t length;
};

struct embedded {
    const struct embedded_file *files;
    size_t count;
};

/* Find a file by name; NULL: there is none. */
const struct embedded_file *embedded_find(const struct embedded *embedded,
                                          const char *name);

/* The same for a file that must exist. */
const struct embedded_file *embedded_get(const struct embedded *embedded,
                                         const char *name);

#endif
