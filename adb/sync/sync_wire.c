#include "adb/sync/sync_wire.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/clean_text.h"

static const char id_names[SYNC_ID_COUNT][5] = {
    [SYNC_ID_STAT] = "STAT", [SYNC_ID_STA2] = "STA2", [SYNC_ID_LST2] = "LST2",
    [SYNC_ID_LIST] = "LIST", [SYNC_ID_LIS2] = "LIS2", [SYNC_ID_DENT] = "DENT",
    [SYNC_ID_DNT2] = "DNT2", [SYNC_ID_SEND] = "SEND", [SYNC_ID_SND2] = "SND2",
    [SYNC_ID_RECV] = "RECV", [SYNC_ID_RCV2] = "RCV2", [SYNC_ID_DATA] = "DATA",
    [SYNC_ID_DONE] = "DONE", [SYNC_ID_OKAY] = "OKAY", [SYNC_ID_FAIL] = "FAIL",
    [SYNC_ID_QUIT] = "QUIT",
};

void sync_wire_put(uint8_t bytes[SYNC_HEADER_SIZE], enum sync_id id,
                   uint32_t value)
{
    memcpy(bytes, id_names[id], 4);
    put_u32le(bytes + 4, value);
}

void sync_wire_header(struct buf *out, enum sync_id id, uint32_t value)
{
    uint8_t bytes[SYNC_HEADER_SIZE];

    sync_wire_put(bytes, id, value);
    buf_append(out, bytes, sizeof(bytes));
}

bool sync_wire_request(struct buf *out, enum sync_id id, const char *path,
                       struct err *err)
{
    size_t length = strlen(path);

    if (!length)
        return err_set(err, ERR_INVALID, "the path is empty");
    if (length > SYNC_PATH_MAX)
        return err_set(err, ERR_INVALID,
                       "the path has %zu bytes; devices accept at most %d",
                       length, SYNC_PATH_MAX);
    sync_wire_header(out, id, (uint32_t)length);
    buf_append(out, path, length);
    return true;
}

bool sync_wire_send(struct buf *out, const char *path, uint32_t mode,
                    struct err *err)
{
    /* Enough of a too long path for it to be refused. */
    char named[SYNC_PATH_MAX + 16];

    if (!*path)
        return err_set(err, ERR_INVALID, "the path is empty");
    snprintf(named, sizeof(named), "%s,%" PRIu32, path, mode);
    return sync_wire_request(out, SYNC_ID_SEND, named, err);
}

bool sync_wire_send2(struct buf *out, const char *path, uint32_t mode,
                     enum sync_flag flag, struct err *err)
{
    if (!sync_wire_request(out, SYNC_ID_SND2, path, err))
        return false;
    sync_wire_header(out, SYNC_ID_SND2, mode);
    buf_u32le(out, flag);
    return true;
}

bool sync_wire_receive2(struct buf *out, const char *path, enum sync_flag flag,
                        struct err *err)
{
    if (!sync_wire_request(out, SYNC_ID_RCV2, path, err))
        return false;
    sync_wire_header(out, SYNC_ID_RCV2, flag);
    return true;
}

static bool find_id(const uint8_t bytes[4], unsigned among, enum sync_id *id)
{
    for (int i = 0; i < SYNC_ID_COUNT; i++) {
        if ((among & SYNC_ID_BIT(i)) && !memcmp(bytes, id_names[i], 4)) {
            *id = (enum sync_id)i;
            return true;
        }
    }
    return false;
}

bool sync_wire_read(const uint8_t bytes[SYNC_HEADER_SIZE], unsigned expected,
                    struct sync_header *header, struct err *err)
{
    uint32_t value = get_u32le(bytes + 4);
    enum sync_id id;

    if (!find_id(bytes, expected, &id)) {
        char name[5];

        clean_text_copy(name, sizeof(name), (const char *)bytes, 4);
        return err_set(err, ERR_PROTOCOL,
                       "the device answered with an unexpected \"%s\"", name);
    }
    if ((id == SYNC_ID_DATA || id == SYNC_ID_FAIL) && value > SYNC_DATA_MAX)
        return err_set(err, ERR_PROTOCOL,
                       "the device announced %" PRIu32 " bytes in one %s",
                       value, id_names[id]);
    *header = (struct sync_header){id, value};
    return true;
}

void sync_wire_stat(const uint8_t bytes[SYNC_STAT_SIZE], struct sync_stat *stat)
{
    *stat = (struct sync_stat){.mode = get_u32le(bytes + 4),
                               .size = get_u32le(bytes + 8),
                               .mtime = get_u32le(bytes + 12)};
}

/*
 * STA2, LST2 and the front of DNT2: id 4, errno 4, dev 8, ino 8, mode 4,
 * nlink 4, uid 4, gid 4, size 8, atime 8, mtime 8, ctime 8.
 */
void sync_wire_stat2(const uint8_t bytes[SYNC_STAT2_SIZE],
                     struct sync_stat *stat, uint32_t *number)
{
    *number = get_u32le(bytes + 4);
    *stat = (struct sync_stat){.dev = get_u64le(bytes + 8),
                               .ino = get_u64le(bytes + 16),
                               .mode = get_u32le(bytes + 24),
                               .uid = get_u32le(bytes + 32),
                               .gid = get_u32le(bytes + 36),
                               .size = get_u64le(bytes + 40),
                               .mtime = (int64_t)get_u64le(bytes + 56)};
    if (*number)
        stat->mode = 0;
}

static bool check_name_length(uint32_t length, struct err *err)
{
    if (length == 0 || length > SYNC_NAME_MAX)
        return err_set(err, ERR_PROTOCOL,
                       "the device announced a file name of %" PRIu32 " bytes",
                       length);
    return true;
}

bool sync_wire_dent(const uint8_t bytes[SYNC_DENT_SIZE], struct sync_stat *stat,
                    uint32_t *name_length, struct err *err)
{
    uint32_t length = get_u32le(bytes + 16);

    if (!check_name_length(length, err))
        return false;
    sync_wire_stat(bytes, stat);
    *name_length = length;
    return true;
}

bool sync_wire_dent2(const uint8_t bytes[SYNC_DENT2_SIZE],
                     struct sync_stat *stat, uint32_t *name_length,
                     struct err *err)
{
    uint32_t length = get_u32le(bytes + 72);
    uint32_t number;

    if (!check_name_length(length, err))
        return false;
    sync_wire_stat2(bytes, stat, &number);
    *name_length = length;
    return true;
}

bool sync_wire_is_name(const char *name, size_t length)
{
    return length > 0 && !memchr(name, '/', length) &&
           !memchr(name, '\0', length);
}
