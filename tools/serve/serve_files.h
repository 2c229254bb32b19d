/* Files of the page, embedded in the program. */
#ifndef TOOLS_SERVE_SERVE_FILES_H
#define TOOLS_SERVE_SERVE_FILES_H

#include "base/embedded.h"

extern const struct embedded serve_files; /* "page/app.js" */

#endif
