/* One file out of a ZIP archive in memory. Archives come from anywhere. */
#ifndef PHONE_ARCHIVE_H
#define PHONE_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

/*
 * Append what the file of that name holds, up to content's limit. Fails with
 * ERR_INVALID when this is no archive, or the file is not in it or broken.
 */
MUST_USE bool archive_read(const uint8_t *archive, size_t size,
                           const char *name, struct buf *content,
                           struct err *err);

#endif
