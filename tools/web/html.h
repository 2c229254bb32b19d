/*
 * HTML that cannot be broken out of. Every text that is not ours goes through
 * html_text, or as JSON through html_json.
 */
#ifndef TOOLS_WEB_HTML_H
#define TOOLS_WEB_HTML_H

#include <cjson/cJSON.h>
#include <stddef.h>

#include "base/buf.h"

/*
 * Append text so that it shows as it is, between tags and in quoted
 * attributes. What is not UTF-8, and control characters, become U+FFFD; lines
 * and tabs stay.
 */
void html_text(struct buf *html, const char *text);

/*
 * Append the tree so that it may stand in a <script> of data: nothing in it
 * can end that, or begin a comment.
 */
void html_json(struct buf *html, const struct cJSON *tree);

/* 'sha256-…', as a Content-Security-Policy names what may run. */
void html_source_hash(struct buf *html, const char *text, size_t length);

/* Append bytes in base64. */
void html_base64(struct buf *html, const void *bytes, size_t length);

#endif
