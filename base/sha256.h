/* SHA-256, as files name their content by it. */
#ifndef BASE_SHA256_H
#define BASE_SHA256_H

#include <stdbool.h>
#include <stddef.h>

#include "base/macros.h"

#define SHA256_HEX_SIZE 65 /* 64 digits in lower case, and a NUL */

void sha256_hex(const void *data, size_t length, char hex[SHA256_HEX_SIZE]);

/* Is text such a name? */
MUST_USE bool sha256_is_hex(const char *text);

#endif
