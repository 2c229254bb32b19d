/* Header blocks of a tar archive (POSIX ustar, and GNU). */
#ifndef TOOLS_PHONE_TOYBOX_TAR_HEADER_H
#define TOOLS_PHONE_TOYBOX_TAR_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"

#define TAR_BLOCK 512U
#define TAR_NAME_SIZE 1024U

struct tar_header {
    char name[TAR_NAME_SIZE];
    char link[TAR_NAME_SIZE]; /* the target of a link */
    char type; /* '0' a file, '5' a directory, '2' a link, 'L' a long name */
    uint32_t mode;
    uint32_t uid;
    uint32_t gid;
    uint64_t size;
    int64_t mtime; /* seconds */
};

/* False if a name does not fit into a block. */
MUST_USE bool tar_header_write(const struct tar_header *header,
                               uint8_t block[static TAR_BLOCK]);

/* False if it is no header; a block of zeros ends an archive. */
MUST_USE bool tar_header_read(const uint8_t block[static TAR_BLOCK],
                              struct tar_header *header);

bool tar_header_is_end(const uint8_t block[static TAR_BLOCK]);

#endif
