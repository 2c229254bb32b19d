/* Extracts one file from a ZIP archive in memory. Archives are untrusted. */
#ifndef TOOLS_PHONE_SYSTEM_ZIP_ARCHIVE_H
#define TOOLS_PHONE_SYSTEM_ZIP_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

/*
 * Append the content of the file of that name, up to content's limit. Fails
 * with ERR_INVALID if this is no archive, or the file is missing or damaged.
 */
MUST_USE bool zip_archive_read(const uint8_t *archive, size_t size,
                               const char *name, struct buf *content,
                               struct err *err);

#endif
