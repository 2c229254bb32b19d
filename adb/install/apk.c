#include "adb/install/apk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/mem.h"

/* Records of a ZIP archive (APPNOTE 4.3.12 and 4.3.16). */
#define ENTRY_SIGNATURE 0x02014b50U
#define ENTRY_SIZE 46
#define END_SIGNATURE 0x06054b50U
#define END_SIZE 22

#define MANIFEST "AndroidManifest.xml"

static size_t get_u16le(const uint8_t *bytes)
{
    return (size_t)bytes[0] | (size_t)bytes[1] << 8;
}

/*
 * The end record is the last one whose comment reaches to the end of the file.
 */
static const uint8_t *find_end(const uint8_t *tail, size_t length)
{
    for (size_t back = END_SIZE; back <= length; back++) {
        const uint8_t *end = tail + length - back;

        if (get_u32le(end) == END_SIGNATURE &&
            get_u16le(end + 20) == back - END_SIZE)
            return end;
    }
    return NULL;
}

bool apk_find_directory(const uint8_t *tail, size_t length, uint64_t file_size,
                        struct apk_directory *directory, struct err *err)
{
    const uint8_t *end = find_end(tail, length);
    uint64_t offset;
    size_t size;

    if (!end)
        return err_set(err, ERR_INVALID,
                       "it is not a ZIP archive, or it is truncated");
    size = get_u32le(end + 12);
    offset = get_u32le(end + 16);
    if (offset + size > file_size - (uint64_t)(tail + length - end))
        return err_set(err, ERR_INVALID,
                       "its central directory is not where it should be");
    if (size > APK_DIRECTORY_MAX)
        return err_set(err, ERR_LIMIT, "its central directory is too large");
    *directory = (struct apk_directory){.offset = offset, .size = size};
    return true;
}

bool apk_has_manifest(const uint8_t *directory, size_t size)
{
    const size_t wanted = strlen(MANIFEST);
    size_t at = 0;

    while (size - at >= ENTRY_SIZE) {
        const uint8_t *entry = directory + at;
        size_t name = get_u16le(entry + 28);
        size_t whole =
            ENTRY_SIZE + name + get_u16le(entry + 30) + get_u16le(entry + 32);

        if (get_u32le(entry) != ENTRY_SIGNATURE || whole > size - at)
            return false;
        if (name == wanted && !memcmp(entry + ENTRY_SIZE, MANIFEST, wanted))
            return true;
        at += whole;
    }
    return false;
}

static bool read_at(int fd, void *data, size_t size, uint64_t offset,
                    struct err *err)
{
    char *next = data;

    while (size) {
        ssize_t n = pread(fd, next, size, (off_t)offset);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_errno(err, errno, "reading it");
        if (n == 0)
            return err_set(err, ERR_INVALID, "it is truncated");
        next += n;
        size -= (size_t)n;
        offset += (uint64_t)n;
    }
    return true;
}

static bool check_directory(int fd, const struct apk_directory *directory,
                            struct err *err)
{
    uint8_t *bytes = mem_resize(NULL, directory->size + 1, 1);
    bool good = read_at(fd, bytes, directory->size, directory->offset, err);

    if (good && !apk_has_manifest(bytes, directory->size))
        good = err_set(err, ERR_INVALID, "it contains no " MANIFEST);
    free(bytes);
    return good;
}

bool apk_check(int fd, uint64_t *size, struct err *err)
{
    struct apk_directory directory;
    struct stat facts;
    uint8_t *tail;
    uint64_t whole;
    size_t length;
    bool good;

    if (fstat(fd, &facts))
        return err_errno(err, errno, "looking at it");
    if (!S_ISREG(facts.st_mode))
        return err_set(err, ERR_INVALID, "it is not a regular file");
    whole = (uint64_t)facts.st_size;
    length = whole < APK_TAIL_MAX ? (size_t)whole : APK_TAIL_MAX;
    tail = mem_resize(NULL, length + 1, 1);
    good = read_at(fd, tail, length, whole - length, err) &&
           apk_find_directory(tail, length, whole, &directory, err) &&
           check_directory(fd, &directory, err);
    free(tail);
    if (good)
        *size = whole;
    return good;
}
