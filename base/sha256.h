/* SHA-256, used for the names of files by content. */
#ifndef BASE_SHA256_H
#define BASE_SHA256_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/macros.h"

#define SHA256_HEX_SIZE 65 /* 64 digits in lower case, and a NUL */

void sha256_hex(const void *data, size_t length, char hex[SHA256_HEX_SIZE]);

/* The same for a file, from its beginning. Fails as the system does. */
MUST_USE bool sha256_file_hex(int fd, char hex[SHA256_HEX_SIZE],
                              struct err *err);

/* Is text a SHA-256 in that form? */
MUST_USE bool sha256_is_hex(const char *text);

#endif
