/* RECV: sends files of the phone to a host. */
#include <errno.h>

#include "tools/phone/adbd/sync_session.h"

/* Send the buffered bytes, unless another full DATA fits. */
static bool make_room(struct sync_session *session)
{
    if (session->out.limit - session->out.length >=
        2 * SYNC_HEADER_SIZE + SYNC_DATA_MAX)
        return true;
    return sync_session_flush(session);
}

static bool give_plain(struct sync_session *session,
                       const struct shared_bytes *content)
{
    for (size_t at = 0; at < content->size;) {
        size_t left = content->size - at;
        size_t size = left < SYNC_DATA_MAX ? left : SYNC_DATA_MAX;

        if (!make_room(session))
            return false;
        sync_wire_header(&session->out, SYNC_ID_DATA, (uint32_t)size);
        buf_append(&session->out, content->data + at, size);
        at += size;
    }
    return true;
}

static bool give_packed(struct sync_session *session,
                        const struct shared_bytes *content,
                        struct sync_desk *desk)
{
    struct compression_step step = {.in = content->data,
                                    .in_left = content->size};
    bool done = false;

    while (!done) {
        struct err err;
        size_t size;

        step.out = desk->piece;
        step.out_left = SYNC_DATA_MAX;
        if (!compression_run(desk->codec, &step, true, &done, &err))
            return sync_session_fail(session, "compress failed: %s", err.text);
        size = SYNC_DATA_MAX - step.out_left;
        if (!size)
            continue;
        if (!make_room(session))
            return false;
        sync_wire_header(&session->out, SYNC_ID_DATA, (uint32_t)size);
        buf_append(&session->out, desk->piece, size);
    }
    return true;
}

static bool give_with_desk(struct sync_session *session,
                           const struct shared_bytes *content,
                           const struct sync_way *way)
{
    struct sync_desk desk = SYNC_DESK_INIT;
    bool given;

    if (!sync_desk_open(&desk, session, way, compression_open_encoder))
        return sync_session_fail_errno(session, "read failed", ENOMEM);
    given = give_packed(session, content, &desk);
    sync_desk_close(&desk, session);
    return given;
}

static bool give(struct sync_session *session,
                 const struct shared_bytes *content, const struct sync_way *way)
{
    if (way->packed ? !give_with_desk(session, content, way)
                    : !give_plain(session, content))
        return false;
    sync_wire_header(&session->out, SYNC_ID_DONE, 0);
    return sync_session_flush(session);
}

bool sync_session_receive(struct sync_session *session, const char *path,
                          const struct sync_way *way)
{
    struct shared_bytes *content;
    int number;
    bool given;

    if (!files_open(session->server->files, path, &content, &number))
        return sync_session_fail_errno(
            session, number == EISDIR ? "read failed" : "open failed", number);
    given = give(session, content, way);
    shared_bytes_drop(content);
    return given;
}
