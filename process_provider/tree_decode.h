/* The bytes of a dump as UTF-8, whatever they were. */
#ifndef PROCESS_PROVIDER_TREE_DECODE_H
#define PROCESS_PROVIDER_TREE_DECODE_H

#include <stddef.h>

#include "base/buf.h"
#include "process_provider/tree_repair.h"

/*
 * Append bytes to text as valid UTF-8, and count in repairs what that took.
 * UTF-16 is known by its mark or its zeros, GBK and CP949 by what they would
 * say. Overflows text when it is too much.
 */
void tree_decode(const char *bytes, size_t length, struct buf *text,
                 struct tree_repairs *repairs);

#endif
