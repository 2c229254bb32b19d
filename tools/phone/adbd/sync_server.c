#include "tools/phone/adbd/sync_server.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "tools/phone/adbd/sync_session.h"

#define FLAG_DRY_RUN 0x80000000U

/* Memory of a codec: see adb/sync/compression.h. */
#define COMPRESSION_MEMORY ((uint64_t)20 << 20)

/* Entries of a directory that are in memory at once. */
#define LIST_PAGE 256

/* Memory of any request: its replies, and a page of a directory. */
#define REQUEST_MEMORY                                                         \
    (SYNC_SESSION_OUT +                                                        \
     LIST_PAGE * (sizeof(struct files_entry) + FILES_NAME_MAX + 1))

/* The number of the only device. */
#define DEVICE_NUMBER 0xfd05

void sync_server_init(struct sync_server *server, struct phone_files *files)
{
    *server = (struct sync_server){
        .files = files,
        .memory = space_new(SYNC_SERVER_MEMORY),
    };
}

void sync_server_release(struct sync_server *server)
{
    space_drop(server->memory);
    *server = (struct sync_server){.memory = NULL};
}

bool sync_session_take(struct sync_session *session, void *data, size_t size)
{
    struct err ignored;

    return stream_read_exact(session->stream, data, size, DEADLINE_NEVER,
                             &ignored);
}

bool sync_session_flush(struct sync_session *session)
{
    struct err ignored;
    bool sent = !session->out.length ||
                stream_write(session->stream, session->out.data,
                             session->out.length, DEADLINE_NEVER, &ignored);

    buf_clear(&session->out);
    return sent;
}

bool sync_session_fail(struct sync_session *session, const char *fmt, ...)
{
    char text[256];
    va_list values;
    bool sent;

    va_start(values, fmt);
    vsnprintf(text, sizeof(text), fmt, values);
    va_end(values);
    sync_wire_header(&session->out, SYNC_ID_FAIL, (uint32_t)strlen(text));
    buf_text(&session->out, text);
    sent = sync_session_flush(session);
    (void)sent; /* a lost connection is noticed at the next read */
    return false;
}

bool sync_session_fail_errno(struct sync_session *session, const char *what,
                             int number)
{
    return sync_session_fail(session, "%s: %s", what, files_reason(number));
}

bool sync_desk_open(struct sync_desk *desk, struct sync_session *session,
                    const struct sync_way *way, sync_open_codec_fn *open_codec)
{
    uint64_t memory = SYNC_DATA_MAX + (way->packed ? COMPRESSION_MEMORY : 0);
    struct compression *codec = NULL;
    struct err ignored;

    if (!space_take(session->server->memory, memory))
        return false;
    if (way->packed && !open_codec(way->format, &codec, &ignored)) {
        space_give(session->server->memory, memory);
        return false;
    }
    *desk = (struct sync_desk){
        .piece = mem_new(SYNC_DATA_MAX, 1),
        .codec = codec,
        .charged = memory,
    };
    return true;
}

void sync_desk_close(struct sync_desk *desk, struct sync_session *session)
{
    space_give(session->server->memory, desk->charged);
    compression_close(desk->codec);
    free(desk->piece);
    *desk = (struct sync_desk)SYNC_DESK_INIT;
}

/* ---------------------------------------------------------------- facts */

static void put_u64(struct buf *out, uint64_t value)
{
    buf_u32le(out, (uint32_t)value);
    buf_u32le(out, (uint32_t)(value >> 32));
}

static int64_t seconds(int64_t nanoseconds)
{
    return nanoseconds / PHONE_SECOND;
}

/* STAT, and the start of DENT; the wire has 32 bits for each field. */
static void put_facts(struct buf *out, enum sync_id id,
                      const struct files_stat *stat)
{
    sync_wire_header(out, id, stat->mode);
    buf_u32le(out, (uint32_t)stat->size);
    buf_u32le(out, (uint32_t)seconds(stat->mtime));
}

/* STA2, LST2, and the start of DNT2. */
static void put_facts2(struct buf *out, enum sync_id id, int number,
                       const struct files_stat *stat)
{
    sync_wire_header(out, id, (uint32_t)number);
    put_u64(out, number ? 0 : DEVICE_NUMBER);
    put_u64(out, stat->inode);
    buf_u32le(out, stat->mode);
    buf_u32le(out, stat->links);
    buf_u32le(out, stat->uid);
    buf_u32le(out, stat->gid);
    put_u64(out, stat->size);
    for (int i = 0; i < 3; i++) /* accessed, modified, changed */
        put_u64(out, (uint64_t)seconds(stat->mtime));
}

static bool answer_stat(struct sync_session *session, enum sync_id id,
                        const char *path)
{
    struct files_stat stat;
    int number = 0;

    if (!files_stat(session->server->files, path, id == SYNC_ID_STA2, &stat,
                    &number))
        stat = (struct files_stat){.mode = 0};
    if (id == SYNC_ID_STAT)
        put_facts(&session->out, id, &stat);
    else
        put_facts2(&session->out, id, number, &stat);
    return sync_session_flush(session);
}

/* ----------------------------------------------------------------- list */

/* DENT or DNT2; if the name is "", DONE of the same size. */
static bool put_entry(struct sync_session *session, enum sync_id id, bool v2,
                      const char *name, const struct files_stat *stat)
{
    size_t length = strlen(name);

    if (session->out.limit - session->out.length < SYNC_DENT2_SIZE + length &&
        !sync_session_flush(session))
        return false;
    if (v2)
        put_facts2(&session->out, id, 0, stat);
    else
        put_facts(&session->out, id, stat);
    buf_u32le(&session->out, (uint32_t)length);
    buf_append(&session->out, name, length);
    return true;
}

/* "." and "..", which the tree does not list. */
static bool put_dots(struct sync_session *session, bool v2, const char *path)
{
    static const char *const dots[] = {".", ".."};
    enum sync_id id = v2 ? SYNC_ID_DNT2 : SYNC_ID_DENT;
    char full[SYNC_PATH_MAX + 4];

    for (size_t i = 0; i < ARRAY_LEN(dots); i++) {
        struct files_stat stat;
        int ignored;

        snprintf(full, sizeof(full), "%s/%s", path, dots[i]);
        if (files_stat(session->server->files, full, true, &stat, &ignored) &&
            !put_entry(session, id, v2, dots[i], &stat))
            return false;
    }
    return true;
}

static bool put_page(struct sync_session *session, bool v2,
                     const struct files_list *list)
{
    enum sync_id id = v2 ? SYNC_ID_DNT2 : SYNC_ID_DENT;

    for (size_t i = 0; i < list->count; i++) {
        if (!put_entry(session, id, v2, list->entries[i].name,
                       &list->entries[i].stat))
            return false;
    }
    return true;
}

/* An unreadable directory is listed as empty, without dots. */
static bool put_list(struct sync_session *session, bool v2, const char *path)
{
    char after[FILES_NAME_MAX + 1] = "";
    bool more = true;

    for (bool first = true; more; first = false) {
        struct files_list list = FILES_LIST_INIT;
        int ignored;
        bool sent;

        if (!files_list_page(session->server->files, path, after, LIST_PAGE,
                             &list, &ignored))
            return true;
        sent = (!first || put_dots(session, v2, path)) &&
               put_page(session, v2, &list);
        more = list.count == LIST_PAGE;
        if (more)
            snprintf(after, sizeof(after), "%s",
                     list.entries[LIST_PAGE - 1].name);
        files_list_release(&list);
        if (!sent)
            return false;
    }
    return true;
}

static bool answer_list(struct sync_session *session, bool v2, const char *path)
{
    static const struct files_stat nothing = {.mode = 0};

    return put_list(session, v2, path) &&
           put_entry(session, SYNC_ID_DONE, v2, "", &nothing) &&
           sync_session_flush(session);
}

/* ------------------------------------------------------------ transfers */

/* Read the flags of SND2 and RCV2; only known ones may be set. */
static bool read_flags(struct sync_session *session, uint32_t flags,
                       uint32_t known, struct sync_way *way)
{
    static const struct {
        enum sync_flag flag;
        enum compression_format format;
    } formats[] = {
        {SYNC_FLAG_BROTLI, COMPRESSION_BROTLI},
        {SYNC_FLAG_LZ4, COMPRESSION_LZ4},
        {SYNC_FLAG_ZSTD, COMPRESSION_ZSTD},
    };

    *way = (struct sync_way){.dry_run = flags & FLAG_DRY_RUN};
    for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
        if (!(flags & formats[i].flag))
            continue;
        if (way->packed)
            return sync_session_fail(
                session, "multiple compression flags received: %" PRIu32,
                flags);
        way->packed = true;
        way->format = formats[i].format;
    }
    if (flags & ~known)
        return sync_session_fail(session, "unknown flags: %" PRIu32, flags);
    return true;
}

#define FLAGS_PACKED (SYNC_FLAG_BROTLI | SYNC_FLAG_LZ4 | SYNC_FLAG_ZSTD)

/* SEND has the mode after the path: "/sdcard/a,b.txt,33188". */
static bool answer_send(struct sync_session *session, char *named)
{
    const struct sync_way plain = {.packed = false};
    char *comma = strrchr(named, ',');
    unsigned long mode;
    char *end;

    if (!comma)
        return sync_session_fail(session, "missing , in ID_SEND_V1");
    errno = 0;
    mode = strtoul(comma + 1, &end, 0);
    if (end == comma + 1 || errno || mode > UINT32_MAX)
        return sync_session_fail(session, "bad mode");
    *comma = '\0';
    return sync_session_send(session, named, (uint32_t)mode, &plain);
}

static bool answer_send2(struct sync_session *session, const char *path)
{
    uint8_t setup[SYNC_HEADER_SIZE + 4];
    struct sync_way way;

    if (!sync_session_take(session, setup, sizeof(setup)))
        return false;
    return read_flags(session, get_u32le(setup + 8),
                      FLAGS_PACKED | FLAG_DRY_RUN, &way) &&
           sync_session_send(session, path, get_u32le(setup + 4), &way);
}

static bool answer_receive2(struct sync_session *session, const char *path)
{
    uint8_t setup[SYNC_HEADER_SIZE];
    struct sync_way way;

    if (!sync_session_take(session, setup, sizeof(setup)))
        return false;
    return read_flags(session, get_u32le(setup + 4), FLAGS_PACKED, &way) &&
           sync_session_receive(session, path, &way);
}

/* ------------------------------------------------------------- requests */

/* Modifies path. */
static bool answer(struct sync_session *session, enum sync_id id, char *path)
{
    const struct sync_way plain = {.packed = false};

    switch ((int)id) {
    case SYNC_ID_STAT:
    case SYNC_ID_STA2:
    case SYNC_ID_LST2:
        return answer_stat(session, id, path);
    case SYNC_ID_LIST:
    case SYNC_ID_LIS2:
        return answer_list(session, id == SYNC_ID_LIS2, path);
    case SYNC_ID_SEND:
        return answer_send(session, path) && !session->server->once;
    case SYNC_ID_SND2:
        return answer_send2(session, path);
    case SYNC_ID_RECV:
        return sync_session_receive(session, path, &plain);
    case SYNC_ID_RCV2:
        return answer_receive2(session, path);
    default: /* QUIT */
        return false;
    }
}

#define REQUESTS                                                               \
    (SYNC_ID_BIT(SYNC_ID_STAT) | SYNC_ID_BIT(SYNC_ID_STA2) |                   \
     SYNC_ID_BIT(SYNC_ID_LST2) | SYNC_ID_BIT(SYNC_ID_LIST) |                   \
     SYNC_ID_BIT(SYNC_ID_LIS2) | SYNC_ID_BIT(SYNC_ID_SEND) |                   \
     SYNC_ID_BIT(SYNC_ID_SND2) | SYNC_ID_BIT(SYNC_ID_RECV) |                   \
     SYNC_ID_BIT(SYNC_ID_RCV2) | SYNC_ID_BIT(SYNC_ID_QUIT))

#define REQUESTS_V1                                                            \
    (SYNC_ID_BIT(SYNC_ID_STAT) | SYNC_ID_BIT(SYNC_ID_LIST) |                   \
     SYNC_ID_BIT(SYNC_ID_SEND) | SYNC_ID_BIT(SYNC_ID_RECV) |                   \
     SYNC_ID_BIT(SYNC_ID_QUIT))

/* Answer the next request. False if it was the last. */
static bool serve_next(struct sync_session *session)
{
    uint8_t bytes[SYNC_HEADER_SIZE];
    char path[SYNC_PATH_MAX + 1];
    struct sync_header header;
    struct err ignored;
    bool goes_on;

    if (!sync_session_take(session, bytes, sizeof(bytes)))
        return false;
    if (!sync_wire_read(bytes, session->server->v1 ? REQUESTS_V1 : REQUESTS,
                        &header, &ignored))
        return sync_session_fail(session, "unknown command %08" PRIx32,
                                 get_u32le(bytes));
    if (header.value > SYNC_PATH_MAX)
        return sync_session_fail(session, "path too long");
    if (!sync_session_take(session, path, header.value))
        return false;
    path[header.value] = '\0';
    if (!space_take(session->server->memory, REQUEST_MEMORY))
        return sync_session_fail_errno(session, "request failed", ENOMEM);
    goes_on = answer(session, header.id, path);
    /* An idle stream uses no memory. */
    buf_release(&session->out);
    space_give(session->server->memory, REQUEST_MEMORY);
    return goes_on;
}

void sync_server_serve(void *context, const char *argument,
                       struct stream *stream, struct conn *conn)
{
    struct sync_session session = {
        .server = context,
        .stream = stream,
        .out = BUF_INIT(SYNC_SESSION_OUT),
    };

    (void)argument, (void)conn;
    while (serve_next(&session))
        ;
    buf_release(&session.out);
}
