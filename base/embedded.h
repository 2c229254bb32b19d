/* Files of data that a program carries (cmake/Embed.cmake). */
#ifndef BASE_EMBEDDED_H
#define BASE_EMBEDDED_H

#include <stddef.h>

struct embedded_file {
    const char *name; /* as in the folder that it is from: "report/page.css" */
    const char *text;
    size_t length;
};

struct embedded {
    const struct embedded_file *files;
    size_t count;
};

/* The one of that name; NULL: there is none. */
const struct embedded_file *embedded_find(const struct embedded *embedded,
                                          const char *name);

/* The same for one that must be there. */
const struct embedded_file *embedded_get(const struct embedded *embedded,
                                         const char *name);

#endif
