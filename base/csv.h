/* CSV cells (RFC 4180). */
#ifndef BASE_CSV_H
#define BASE_CSV_H

#include "base/buf.h"

/*
 * Append text as a quoted cell. Invalid UTF-8, and control characters other
 * than line ends and tabs (text_is_control), become U+FFFD; a text that a
 * spreadsheet would interpret as a formula gets an apostrophe in front.
 */
void csv_text(struct buf *csv, const char *text);

#endif
