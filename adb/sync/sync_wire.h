/*
 * The wire format of the sync service: requests and replies as bytes.
 *
 * Each starts with eight bytes: four letters and a number, which is a length, a
 * mode or a time. Nothing here reads, blocks or allocates.
 */
#ifndef ADB_SYNC_SYNC_WIRE_H
#define ADB_SYNC_SYNC_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/sync/sync.h"
#include "base/buf.h"
#include "base/err.h"

/* The largest payload of one DATA or FAIL (AOSP's SYNC_DATA_MAX). */
#define SYNC_DATA_MAX 65536U

/* File names have at most 255 bytes on Linux; on vfat three times as many. */
#define SYNC_NAME_MAX 1024U

#define SYNC_HEADER_SIZE 8
#define SYNC_STAT_SIZE 16
#define SYNC_STAT2_SIZE 72
#define SYNC_DENT_SIZE 20
#define SYNC_DENT2_SIZE 76

/* The largest request, including its arguments. */
#define SYNC_REQUEST_MAX (SYNC_HEADER_SIZE + SYNC_PATH_MAX + 12)

enum sync_id {
    SYNC_ID_STAT, /* of a link itself; errors appear as mode 0 */
    SYNC_ID_STA2, /* of a link's target */
    SYNC_ID_LST2, /* of a link itself */
    SYNC_ID_LIST,
    SYNC_ID_LIS2,
    SYNC_ID_DENT,
    SYNC_ID_DNT2,
    SYNC_ID_SEND,
    SYNC_ID_SND2,
    SYNC_ID_RECV,
    SYNC_ID_RCV2,
    SYNC_ID_DATA,
    SYNC_ID_DONE,
    SYNC_ID_OKAY,
    SYNC_ID_FAIL,
    SYNC_ID_QUIT,
    SYNC_ID_COUNT
};

/* A set of ids, one bit each. */
#define SYNC_ID_BIT(id) (1U << (id))

/* Compression of a file's content, as in SND2 and RCV2. */
enum sync_flag {
    SYNC_FLAG_NONE = 0,
    SYNC_FLAG_BROTLI = 1,
    SYNC_FLAG_LZ4 = 2,
    SYNC_FLAG_ZSTD = 4,
};

struct sync_header {
    enum sync_id id;
    uint32_t value;
};

/* Write the eight bytes in place, in front of an existing payload. */
void sync_wire_put(uint8_t bytes[SYNC_HEADER_SIZE], enum sync_id id,
                   uint32_t value);

/* Append the eight bytes: DONE with a time, QUIT. */
void sync_wire_header(struct buf *out, enum sync_id id, uint32_t value);

/*
 * Append a request for path. Fails with ERR_INVALID when path is empty or
 * longer than SYNC_PATH_MAX; out is then unchanged.
 */
MUST_USE bool sync_wire_request(struct buf *out, enum sync_id id,
                                const char *path, struct err *err);

/* Append a complete SEND, SND2 or RCV2; mode is as in POSIX st_mode. */
MUST_USE bool sync_wire_send(struct buf *out, const char *path, uint32_t mode,
                             struct err *err);
MUST_USE bool sync_wire_send2(struct buf *out, const char *path, uint32_t mode,
                              enum sync_flag flag, struct err *err);
MUST_USE bool sync_wire_receive2(struct buf *out, const char *path,
                                 enum sync_flag flag, struct err *err);

/*
 * Parse the first eight bytes of a reply. Fails with ERR_PROTOCOL when its id
 * is not an expected one (bits), or when DATA or FAIL announce too many bytes.
 */
MUST_USE bool sync_wire_read(const uint8_t bytes[SYNC_HEADER_SIZE],
                             unsigned expected, struct sync_header *header,
                             struct err *err);

/* Parse the attributes in STAT, and in STA2 or LST2 (*number is an errno). */
void sync_wire_stat(const uint8_t bytes[SYNC_STAT_SIZE],
                    struct sync_stat *stat);
void sync_wire_stat2(const uint8_t bytes[SYNC_STAT2_SIZE],
                     struct sync_stat *stat, uint32_t *number);

/*
 * Parse DENT or DNT2, which is followed by *name_length bytes of name. A file
 * that the device could not stat has mode 0. Fails with ERR_PROTOCOL when the
 * name is empty or longer than SYNC_NAME_MAX.
 */
MUST_USE bool sync_wire_dent(const uint8_t bytes[SYNC_DENT_SIZE],
                             struct sync_stat *stat, uint32_t *name_length,
                             struct err *err);
MUST_USE bool sync_wire_dent2(const uint8_t bytes[SYNC_DENT2_SIZE],
                              struct sync_stat *stat, uint32_t *name_length,
                              struct err *err);

/* Is this a valid name in a directory, without a slash or a NUL? */
bool sync_wire_is_name(const char *name, size_t length);

#endif
