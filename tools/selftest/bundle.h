/* A ZIP file of texts that a phone's owner can look at, and send. */
#ifndef TOOLS_SELFTEST_BUNDLE_H
#define TOOLS_SELFTEST_BUNDLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

struct bundle_file {
    const char *name;
    const struct buf *content;
};

/*
 * Write path with these files in it: whole, or not at all. Fails as file_save
 * does, and with ERR_IO when a file cannot be packed.
 */
MUST_USE bool bundle_save(const char *path, const struct bundle_file *files,
                          size_t count, struct err *err);

#endif
