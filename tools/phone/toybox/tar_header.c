#include "tools/phone/toybox/tar_header.h"

#include <stdio.h>
#include <string.h>

/* Offsets and lengths of the fields. */
/* 33 bits of seconds: as nanoseconds they fit into 64 bits. */
#define TIME_MASK UINT64_C(0x1ffffffff)

enum {
    NAME = 0,
    NAME_LENGTH = 100,
    MODE = 100,
    UID = 108,
    GID = 116,
    SIZE = 124,
    MTIME = 136,
    CHECKSUM = 148,
    TYPE = 156,
    LINK = 157,
    LINK_LENGTH = 100,
    MAGIC = 257,
    PREFIX = 345,
    PREFIX_LENGTH = 155,
};

static unsigned checksum(const uint8_t *block)
{
    unsigned sum = 0;

    for (size_t i = 0; i < TAR_BLOCK; i++)
        sum += i >= CHECKSUM && i < CHECKSUM + 8 ? ' ' : block[i];
    return sum;
}

/* Octal digits, followed by a NUL. */
static void put_number(uint8_t *at, size_t size, uint64_t value)
{
    at[size - 1] = '\0';
    for (size_t i = size - 1; i-- > 0; value >>= 3)
        at[i] = (uint8_t)('0' + (value & 7));
}

static uint64_t get_number(const uint8_t *at, size_t size)
{
    uint64_t value = 0;
    size_t i = 0;

    while (i < size && at[i] == ' ')
        i++;
    for (; i < size && at[i] >= '0' && at[i] <= '7'; i++)
        value = value << 3 | (uint64_t)(at[i] - '0');
    return value;
}

/* Long names are split at a slash into two fields. */
static bool put_name(uint8_t *block, const char *name)
{
    size_t length = strlen(name);
    const char *cut = name;

    if (length <= NAME_LENGTH) {
        memcpy(block + NAME, name, length);
        return true;
    }
    while ((cut = strchr(cut + 1, '/'))) {
        size_t front = (size_t)(cut - name);

        if (front > PREFIX_LENGTH)
            return false;
        if (length - front - 1 > NAME_LENGTH || length == front + 1)
            continue;
        memcpy(block + PREFIX, name, front);
        memcpy(block + NAME, cut + 1, length - front - 1);
        return true;
    }
    return false;
}

bool tar_header_write(const struct tar_header *header,
                      uint8_t block[static TAR_BLOCK])
{
    memset(block, 0, TAR_BLOCK);
    if (!put_name(block, header->name) || strlen(header->link) > LINK_LENGTH)
        return false;
    put_number(block + MODE, 8, header->mode & 07777U);
    put_number(block + UID, 8, header->uid);
    put_number(block + GID, 8, header->gid);
    put_number(block + SIZE, 12, header->size);
    put_number(block + MTIME, 12,
               header->mtime > 0 ? (uint64_t)header->mtime : 0);
    block[TYPE] = (uint8_t)header->type;
    memcpy(block + LINK, header->link, strlen(header->link));
    memcpy(block + MAGIC, "ustar\00000", 8);
    put_number(block + CHECKSUM, 7, checksum(block));
    block[CHECKSUM + 7] = ' ';
    return true;
}

bool tar_header_is_end(const uint8_t block[static TAR_BLOCK])
{
    for (size_t i = 0; i < TAR_BLOCK; i++) {
        if (block[i])
            return false;
    }
    return true;
}

static void get_text(const uint8_t *at, size_t size, char *text)
{
    size_t length = strnlen((const char *)at, size);

    memcpy(text, at, length);
    text[length] = '\0';
}

bool tar_header_read(const uint8_t block[static TAR_BLOCK],
                     struct tar_header *header)
{
    char prefix[PREFIX_LENGTH + 1];
    char name[NAME_LENGTH + 1];

    if (get_number(block + CHECKSUM, 8) != checksum(block))
        return false;
    *header = (struct tar_header){
        .type = block[TYPE] ? (char)block[TYPE] : '0',
        .mode = (uint32_t)get_number(block + MODE, 8) & 07777U,
        .uid = (uint32_t)get_number(block + UID, 8),
        .gid = (uint32_t)get_number(block + GID, 8),
        .size = get_number(block + SIZE, 12),
        .mtime = (int64_t)(get_number(block + MTIME, 12) & TIME_MASK),
    };
    get_text(block + NAME, NAME_LENGTH, name);
    get_text(block + LINK, LINK_LENGTH, header->link);
    prefix[0] = '\0';
    if (!memcmp(block + MAGIC, "ustar\0", 6))
        get_text(block + PREFIX, PREFIX_LENGTH, prefix);
    snprintf(header->name, sizeof(header->name), "%s%s%s", prefix,
             *prefix ? "/" : "", name);
    return true;
}
