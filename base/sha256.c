#include "base/sha256.h"

#include <errno.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

#define PIECE ((size_t)65536)

static void format(const unsigned char digest[SHA256_DIGEST_LENGTH],
                   char hex[SHA256_HEX_SIZE])
{
    for (size_t i = 0; i < SHA256_DIGEST_LENGTH; i++)
        snprintf(hex + 2 * i, 3, "%02x", digest[i]);
}

void sha256_hex(const void *data, size_t length, char hex[SHA256_HEX_SIZE])
{
    unsigned char digest[SHA256_DIGEST_LENGTH];

    SHA256(data, length, digest);
    format(digest, hex);
}

static bool add_file(EVP_MD_CTX *context, int fd, struct err *err)
{
    char piece[PIECE];
    off_t at = 0;

    for (;;) {
        ssize_t length = pread(fd, piece, sizeof(piece), at);

        if (length == 0)
            return true;
        if (length < 0 && errno == EINTR)
            continue;
        if (length < 0)
            return err_errno(err, errno, "read a file");
        EVP_DigestUpdate(context, piece, (size_t)length);
        at += length;
    }
}

bool sha256_file_hex(int fd, char hex[SHA256_HEX_SIZE], struct err *err)
{
    unsigned char digest[SHA256_DIGEST_LENGTH];
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool done;

    if (!context || !EVP_DigestInit_ex(context, EVP_sha256(), NULL))
        mem_out();
    done = add_file(context, fd, err);
    EVP_DigestFinal_ex(context, digest, NULL);
    EVP_MD_CTX_free(context);
    if (done)
        format(digest, hex);
    return done;
}

bool sha256_is_hex(const char *text)
{
    return strlen(text) == SHA256_HEX_SIZE - 1 &&
           strspn(text, "0123456789abcdef") == SHA256_HEX_SIZE - 1;
}
