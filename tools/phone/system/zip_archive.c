#include "tools/phone/system/zip_archive.h"

#include <string.h>

#include <zlib.h>

#include "adb/install/apk.h"
#include "base/bytes.h"

/* Records of a ZIP archive (APPNOTE 4.3.7 and 4.3.12). */
#define FILE_SIGNATURE 0x04034b50U
#define FILE_SIZE 30U
#define ENTRY_SIGNATURE 0x02014b50U
#define ENTRY_SIZE 46U
#define STORED 0U
#define DEFLATED 8U

static size_t get_u16le(const uint8_t *bytes)
{
    return (size_t)bytes[0] | (size_t)bytes[1] << 8;
}

/* The entry of that name in the central directory; NULL if there is none. */
static const uint8_t *find_entry(const uint8_t *table, size_t size,
                                 const char *wanted)
{
    while (size >= ENTRY_SIZE && get_u32le(table) == ENTRY_SIGNATURE) {
        size_t name = get_u16le(table + 28);
        size_t whole =
            ENTRY_SIZE + name + get_u16le(table + 30) + get_u16le(table + 32);

        if (whole > size)
            return NULL;
        if (name == strlen(wanted) && !memcmp(table + ENTRY_SIZE, wanted, name))
            return table;
        table += whole;
        size -= whole;
    }
    return NULL;
}

static bool inflate_into(const uint8_t *data, size_t size, size_t expected,
                         struct buf *content)
{
    char *room = buf_reserve(content, expected);
    z_stream stream = {
        .next_in = (uint8_t *)(uintptr_t)data,
        .avail_in = (uInt)size,
        .next_out = (uint8_t *)room,
        .avail_out = (uInt)expected,
    };
    bool good;

    if (!room || inflateInit2(&stream, -MAX_WBITS) != Z_OK)
        return false;
    good = inflate(&stream, Z_FINISH) == Z_STREAM_END &&
           stream.total_out == expected;
    inflateEnd(&stream);
    if (good)
        buf_commit(content, expected);
    return good;
}

/* The compressed bytes of an entry. */
static bool read_entry(const uint8_t *archive, size_t size,
                       const uint8_t *entry, struct buf *content)
{
    size_t packed = get_u32le(entry + 20);
    size_t expected = get_u32le(entry + 24);
    size_t offset = get_u32le(entry + 42);
    const uint8_t *file = archive + offset;
    size_t header;

    if (size < FILE_SIZE || offset > size - FILE_SIZE ||
        get_u32le(file) != FILE_SIGNATURE)
        return false;
    header = FILE_SIZE + get_u16le(file + 26) + get_u16le(file + 28);
    if (header > size - offset || packed > size - offset - header)
        return false;
    if (get_u16le(entry + 10) == DEFLATED)
        return inflate_into(file + header, packed, expected, content);
    if (get_u16le(entry + 10) != STORED || packed != expected)
        return false;
    buf_append(content, file + header, packed);
    return !content->overflow;
}

bool zip_archive_read(const uint8_t *archive, size_t size, const char *name,
                      struct buf *content, struct err *err)
{
    size_t tail = size < APK_TAIL_MAX ? size : APK_TAIL_MAX;
    struct apk_directory directory;
    const uint8_t *entry;

    if (!apk_find_directory(archive + size - tail, tail, size, &directory, err))
        return false;
    entry = find_entry(archive + directory.offset, directory.size, name);
    if (!entry)
        return err_set(err, ERR_INVALID, "the archive has no %s", name);
    if (!read_entry(archive, size, entry, content))
        return err_set(err, ERR_INVALID, "%s in the archive is damaged", name);
    return true;
}
