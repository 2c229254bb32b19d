/*
 * Style and script that the pages of proctor share, embedded in the program:
 * theme.css (colours, text, controls, tables), film_strip.css and film_strip.js
 * (an episode as a strip of screens), dom.js.
 */
#ifndef TOOLS_WEB_PARTS_WEB_PARTS_H
#define TOOLS_WEB_PARTS_WEB_PARTS_H

#include "base/buf.h"
#include "base/embedded.h"

extern const struct embedded web_part_files; /* "theme.css" */

/*
 * Append a script for a page in one file: without the lines that import from
 * other modules, which come before it in the same script.
 */
void web_parts_inline_script(struct buf *script,
                             const struct embedded_file *file);

#endif
