/*
 * The sync service on the wire: requests and replies as bytes.
 *
 * Everything begins with eight bytes: four letters and a number, which is a
 * length, a mode or a time. Nothing here reads, waits or allocates.
 */
#ifndef ADB_SYNC_WIRE_H
#define ADB_SYNC_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/sync.h"
#include "base/buf.h"
#include "base/err.h"

/* The most bytes one DATA or FAIL carries (AOSP's SYNC_DATA_MAX). */
#define SYNC_DATA_MAX 65536U

/* File names are at most 255 bytes on Linux; vfat's can be three times that. */
#define SYNC_NAME_MAX 1024U

#define SYNC_HEADER_SIZE 8
#define SYNC_STAT_SIZE 16
#define SYNC_STAT2_SIZE 72
#define SYNC_DENT_SIZE 20
#define SYNC_DENT2_SIZE 76

/* The largest request, with all that belongs to it. */
#define SYNC_REQUEST_MAX (SYNC_HEADER_SIZE + SYNC_PATH_MAX + 12)

enum sync_id {
    SYNC_ID_STAT, /* a link itself; no error is told, only mode 0 */
    SYNC_ID_STA2, /* what a link names */
    SYNC_ID_LST2, /* a link itself */
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

/* How a file's bytes are compressed, as SND2 and RCV2 say it. */
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

/* The eight bytes in place, for those who built what follows before them. */
void sync_wire_put(uint8_t bytes[SYNC_HEADER_SIZE], enum sync_id id,
                   uint32_t value);

/* Append the eight bytes: DONE with a time, QUIT. */
void sync_wire_header(struct buf *out, enum sync_id id, uint32_t value);

/*
 * Append a request for path. Fails with ERR_INVALID when path is empty or
 * longer than SYNC_PATH_MAX; out is then as it was.
 */
MUST_USE bool sync_wire_request(struct buf *out, enum sync_id id,
                                const char *path, struct err *err);

/* Append a whole SEND, SND2 or RCV2; mode is as in POSIX st_mode. */
MUST_USE bool sync_wire_send(struct buf *out, const char *path, uint32_t mode,
                             struct err *err);
MUST_USE bool sync_wire_send2(struct buf *out, const char *path, uint32_t mode,
                              enum sync_flag flag, struct err *err);
MUST_USE bool sync_wire_receive2(struct buf *out, const char *path,
                                 enum sync_flag flag, struct err *err);

/*
 * Read a reply's first eight bytes. Fails with ERR_PROTOCOL when its id is not
 * among those expected (bits), or when DATA or FAIL announce too much.
 */
MUST_USE bool sync_wire_read(const uint8_t bytes[SYNC_HEADER_SIZE],
                             unsigned expected, struct sync_header *header,
                             struct err *err);

/* Read the facts in STAT, and in STA2 or LST2 (where *number is an errno). */
void sync_wire_stat(const uint8_t bytes[SYNC_STAT_SIZE],
                    struct sync_stat *stat);
void sync_wire_stat2(const uint8_t bytes[SYNC_STAT2_SIZE],
                     struct sync_stat *stat, uint32_t *number);

/*
 * Read DENT or DNT2, which *name_length bytes of name follow. A file that the
 * device could not look at has mode 0.
 * Fails with ERR_PROTOCOL when the name would be empty or beyond SYNC_NAME_MAX.
 */
MUST_USE bool sync_wire_dent(const uint8_t bytes[SYNC_DENT_SIZE],
                             struct sync_stat *stat, uint32_t *name_length,
                             struct err *err);
MUST_USE bool sync_wire_dent2(const uint8_t bytes[SYNC_DENT2_SIZE],
                              struct sync_stat *stat, uint32_t *name_length,
                              struct err *err);

/* May this be a name in a directory? Not with a slash or a NUL in it. */
bool sync_wire_is_name(const char *name, size_t length);

#endif
