/* Files of the page, embedded in the program. */
#ifndef TOOLS_REPORT_HTML_REPORT_FILES_H
#define TOOLS_REPORT_HTML_REPORT_FILES_H

#include "base/embedded.h"

extern const struct embedded report_files; /* "report/page.css" */

#endif
