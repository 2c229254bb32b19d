/* A ZIP file of texts that a phone's owner can look at, and send. */
#ifndef TOOLS_DEVICE_CHECKS_REPORT_ZIP_H
#define TOOLS_DEVICE_CHECKS_REPORT_ZIP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

struct report_zip_file {
    const char *name;
    const struct buf *content;
};

/*
 * Write path with these files in it: whole, or not at all. Fails as file_save
 * does, and with ERR_IO when a file cannot be packed.
 */
MUST_USE bool report_zip_save(const char *path,
                              const struct report_zip_file *files, size_t count,
                              struct err *err);

#endif
