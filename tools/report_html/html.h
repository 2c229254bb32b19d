/*
 * HTML that untrusted text cannot break out of. Every text that is not ours
 * goes through html_text, or as JSON through html_json.
 */
#ifndef TOOLS_REPORT_HTML_HTML_H
#define TOOLS_REPORT_HTML_HTML_H

#include <cjson/cJSON.h>
#include <stddef.h>

#include "base/buf.h"

/*
 * Append text so that it is shown literally, between tags and in quoted
 * attributes. Invalid UTF-8 and control characters become U+FFFD; line breaks
 * and tabs stay.
 */
void html_text(struct buf *html, const char *text);

/*
 * Append the tree for a <script> of data: nothing in it can end the script, or
 * begin a comment.
 */
void html_json(struct buf *html, const struct cJSON *tree);

/* 'sha256-…', as a Content-Security-Policy names allowed scripts. */
void html_source_hash(struct buf *html, const char *text, size_t length);

/* Append bytes in base64. */
void html_base64(struct buf *html, const void *bytes, size_t length);

#endif
