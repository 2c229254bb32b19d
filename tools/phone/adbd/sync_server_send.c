/*
 * SEND: receives files and links from a host.
 *
 *   request ──▶ DATA… ──▶ DONE ──▶ OKAY                sync_session_send
 *      │          │
 *      └──────────┴─ failure ─────▶ FAIL ──▶ DATA… ──▶ DONE ──▶ the end
 *                                              refuse, drain
 *
 * A refused host goes on sending for a while. Its data is read and discarded;
 * otherwise it would see a closed stream before it reads the reason.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/bytes.h"
#include "tools/phone/adbd/sync_session.h"

#define DIRECTORY_MODE 0775U

/* The file being received. */
struct upload {
    struct sync_session *session;
    const char *path;
    uint32_t mode;
    const struct sync_way *way;
    struct sync_desk desk;
    struct shared_bytes_writer writer;
    bool unpacked; /* the codec has reached its end */
    uint32_t mtime;
};

/* The meaning of the next eight bytes. */
enum sent_part {
    PART_DATA, /* DATA: *value bytes follow */
    PART_DONE, /* DONE: *value is a time */
    PART_BAD,  /* invalid, or too long */
    PART_GONE, /* the host has disconnected */
};

static enum sent_part take_part(struct sync_session *session, uint32_t *value)
{
    const unsigned expected =
        SYNC_ID_BIT(SYNC_ID_DATA) | SYNC_ID_BIT(SYNC_ID_DONE);
    uint8_t bytes[SYNC_HEADER_SIZE];
    struct sync_header header;
    struct err ignored;

    if (!sync_session_take(session, bytes, sizeof(bytes)))
        return PART_GONE;
    if (!sync_wire_read(bytes, expected, &header, &ignored))
        return PART_BAD;
    *value = header.value;
    return header.id == SYNC_ID_DATA ? PART_DATA : PART_DONE;
}

/* Discard the rest of a refused file. */
static void drain(struct sync_session *session, uint8_t *piece)
{
    uint32_t size;

    while (take_part(session, &size) == PART_DATA) {
        if (!sync_session_take(session, piece, size))
            return;
    }
}

/* Free memory, send the reason, and read the rest. Always false. */
static bool refuse(struct upload *upload, const char *what, int number)
{
    shared_bytes_writer_release(&upload->writer);
    sync_session_fail_errno(upload->session, what, number);
    drain(upload->session, upload->desk.piece);
    return false;
}

static bool store_plain(struct upload *upload, uint32_t size)
{
    struct sync_session *session = upload->session;
    uint8_t *to = upload->desk.piece;
    int number = 0;

    if (!upload->way->dry_run && size) {
        to = shared_bytes_reserve(&upload->writer, size);
        if (!to) {
            to = upload->desk.piece;
            number = ENOSPC;
        }
    }
    if (!sync_session_take(session, to, size))
        return false;
    if (number)
        return refuse(upload, "write failed", number);
    if (!upload->way->dry_run && size)
        shared_bytes_commit(&upload->writer, size);
    return true;
}

/* Decompress the bytes in desk.piece, a bounded amount at a time. */
static bool store_packed(struct upload *upload, uint32_t size)
{
    struct compression_step step = {.in = upload->desk.piece, .in_left = size};
    struct err err;

    if (!size)
        return true;
    do {
        if (upload->unpacked)
            return refuse(upload, "decompress failed", EIO);
        step.out = shared_bytes_reserve(&upload->writer, SYNC_DATA_MAX);
        step.out_left = SYNC_DATA_MAX;
        if (!step.out)
            return refuse(upload, "write failed", ENOSPC);
        if (!compression_run(upload->desk.codec, &step, false,
                             &upload->unpacked, &err))
            return refuse(upload, "decompress failed", EIO);
        if (!upload->way->dry_run)
            shared_bytes_commit(&upload->writer, SYNC_DATA_MAX - step.out_left);
    } while (step.in_left || (!step.out_left && !upload->unpacked));
    return true;
}

static bool store(struct upload *upload, uint32_t size)
{
    if (!upload->way->packed)
        return store_plain(upload, size);
    return sync_session_take(upload->session, upload->desk.piece, size) &&
           store_packed(upload, size);
}

/* Receive everything up to DONE. */
static bool take_content(struct upload *upload)
{
    struct sync_session *session = upload->session;

    for (;;) {
        uint32_t value;

        switch (take_part(session, &value)) {
        case PART_DATA:
            if (!store(upload, value))
                return false;
            break;
        case PART_DONE:
            if (upload->way->packed && !upload->unpacked)
                return sync_session_fail_errno(session, "decompress failed",
                                               EIO);
            upload->mtime = value;
            return true;
        case PART_BAD:
            return sync_session_fail(session, "invalid data message");
        case PART_GONE:
        default:
            return false;
        }
    }
}

/* Create the directories of path. */
static bool make_parents(struct phone_files *files, const char *path,
                         int *number)
{
    const char *slash = strrchr(path, '/');
    char directory[SYNC_PATH_MAX + 1];

    if (!slash || slash == path)
        return true;
    memcpy(directory, path, (size_t)(slash - path));
    directory[slash - path] = '\0';
    return files_make_directory(files, directory, DIRECTORY_MODE, true, number);
}

/* Check before the first byte what a phone checks when opening. */
static bool prepare(struct upload *upload)
{
    struct phone_files *files = upload->session->server->files;
    int number;

    if (upload->way->dry_run || files_may_replace(files, upload->path, &number))
        return true;
    if (number != ENOENT)
        return refuse(upload, "couldn't create file", number);
    if (!make_parents(files, upload->path, &number))
        return refuse(upload, "secure_mkdirs failed", number);
    if (!files_may_replace(files, upload->path, &number))
        return refuse(upload, "couldn't create file", number);
    return true;
}

/* The file is complete: give it its name. */
static bool install(struct upload *upload)
{
    struct sync_session *session = upload->session;
    /* As in adbd: group and others get the owner's permissions. */
    uint32_t owner = upload->mode & 0700;
    uint32_t mode = (upload->mode & 0777) | owner >> 3 | owner >> 6;
    struct shared_bytes *content;
    bool installed;
    int number;

    if (upload->way->dry_run)
        return true;
    content = shared_bytes_finish(&upload->writer);
    installed =
        files_replace(session->server->files, upload->path, content, mode,
                      (int64_t)upload->mtime * PHONE_SECOND, &number);
    shared_bytes_drop(content);
    return installed ||
           sync_session_fail_errno(session, "couldn't create file", number);
}

/* A link's target is one DATA, with or without a NUL at its end. */
static bool take_target(struct upload *upload, char target[SYNC_PATH_MAX + 1])
{
    struct sync_session *session = upload->session;
    uint32_t size;
    uint32_t mtime;

    if (take_part(session, &size) != PART_DATA)
        return sync_session_fail(session,
                                 "invalid data message: expected ID_DATA");
    if (size > SYNC_PATH_MAX)
        return sync_session_fail(session, "oversize data message");
    if (!sync_session_take(session, target, size))
        return false;
    target[size] = '\0';
    if (take_part(session, &mtime) != PART_DONE)
        return sync_session_fail(session,
                                 "invalid data message: expected ID_DONE");
    upload->mtime = mtime;
    return true;
}

/* Replace a file or a link by this link. */
static bool make_link(struct phone_files *files, const char *target,
                      const struct upload *upload, int *number)
{
    struct files_stat stat;
    int ignored;

    if (files_stat(files, upload->path, false, &stat, &ignored) &&
        !S_ISDIR(stat.mode) &&
        !files_remove(files, upload->path, false, number))
        return false;
    return files_link(files, target, upload->path, number) &&
           files_set_time(files, upload->path, false,
                          (int64_t)upload->mtime * PHONE_SECOND, number);
}

static bool send_link(struct upload *upload)
{
    struct sync_session *session = upload->session;
    struct phone_files *files = session->server->files;
    char target[SYNC_PATH_MAX + 1];
    int number;

    if (!take_target(upload, target))
        return false;
    if (upload->way->dry_run || make_link(files, target, upload, &number))
        return true;
    if (number == ENOENT && !make_parents(files, upload->path, &number))
        return sync_session_fail_errno(session, "secure_mkdirs failed", number);
    return make_link(files, target, upload, &number) ||
           sync_session_fail_errno(session, "symlink failed", number);
}

static bool send_file(struct upload *upload)
{
    bool sent;

    if (!sync_desk_open(&upload->desk, upload->session, upload->way,
                        compression_open_decoder))
        return sync_session_fail_errno(upload->session, "write failed", ENOMEM);
    sent = prepare(upload) && take_content(upload) && install(upload);
    shared_bytes_writer_release(&upload->writer);
    sync_desk_close(&upload->desk, upload->session);
    return sent;
}

bool sync_session_send(struct sync_session *session, const char *path,
                       uint32_t mode, const struct sync_way *way)
{
    struct upload upload = {
        .session = session,
        .path = path,
        .mode = mode,
        .way = way,
        .writer = files_writer(session->server->files),
    };

    if (S_ISLNK(mode) ? !send_link(&upload) : !send_file(&upload))
        return false;
    sync_wire_header(&session->out, SYNC_ID_OKAY, 0);
    return sync_session_flush(session);
}
