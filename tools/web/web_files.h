/* Files of the pages, which the program carries. */
#ifndef TOOLS_WEB_WEB_FILES_H
#define TOOLS_WEB_WEB_FILES_H

#include "base/embedded.h"

extern const struct embedded web_files; /* "report/page.css" */

#endif
