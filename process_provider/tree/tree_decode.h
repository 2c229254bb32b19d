/* The bytes of a dump as UTF-8, whatever they were. */
#ifndef PROCESS_PROVIDER_TREE_TREE_DECODE_H
#define PROCESS_PROVIDER_TREE_TREE_DECODE_H

#include <stddef.h>

#include "base/buf.h"
#include "process_provider/tree/tree_repair.h"

/*
 * Append bytes to text as valid UTF-8, and count the repairs. UTF-16 is
 * recognized by its byte order mark or its zeros, GBK and CP949 by how
 * plausible the decoded text is. Overflows text when there is too much.
 */
void tree_decode(const char *bytes, size_t length, struct buf *text,
                 struct tree_repairs *repairs);

#endif
