/* Files of the pages, which the program carries. */
#ifndef TOOLS_WEB_WEB_FILES_H
#define TOOLS_WEB_WEB_FILES_H

#include <stddef.h>

struct web_file {
    const char *name; /* such as "report/page.css" */
    const char *text;
    size_t length;
};

/* Written by cmake/EmbedFiles.cmake. */
extern const struct web_file web_files[];
extern const size_t web_files_count;

/* There is one of that name, or this is a bug. */
const struct web_file *web_file_find(const char *name);

#endif
