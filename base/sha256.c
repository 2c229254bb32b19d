#include "base/sha256.h"

#include <openssl/sha.h>
#include <stdio.h>
#include <string.h>

void sha256_hex(const void *data, size_t length, char hex[SHA256_HEX_SIZE])
{
    unsigned char digest[SHA256_DIGEST_LENGTH];

    SHA256(data, length, digest);
    for (size_t i = 0; i < sizeof(digest); i++)
        snprintf(hex + 2 * i, 3, "%02x", digest[i]);
}

bool sha256_is_hex(const char *text)
{
    return strlen(text) == SHA256_HEX_SIZE - 1 &&
           strspn(text, "0123456789abcdef") == SHA256_HEX_SIZE - 1;
}
