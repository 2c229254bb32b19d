#include "tools/phone/video/scrcpy_session.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "adb/transport/tcp.h"
#include "base/mem.h"
#include "tools/phone/video/scrcpy_input.h"
#include "tools/phone/video/screen_video.h"

#define READ_SIZE ((size_t)16 * 1024)

enum socket_kind {
    SOCKET_VIDEO,
    SOCKET_AUDIO,
    SOCKET_CONTROL,
    SOCKET_KINDS,
};

/* A connection that the phone makes: both ends are in this process. */
struct link {
    struct stream shown; /* far, as the host's listener gets it */
    struct scrcpy_session *session;
    struct stream *near;  /* owned; what the session serves */
    struct stream *far;   /* owned */
    pthread_t threads[2]; /* one for each end */
    bool accepted;        /* the host uses it; guarded by the session's lock */
};

struct scrcpy_session {
    struct phone_video *phone; /* borrowed */
    struct scrcpy_options options;
    enum socket_kind kinds[SOCKET_KINDS]; /* in the order of connecting */
    size_t kind_count;
    char spec[sizeof("localabstract:") + SCRCPY_SOCKET_MAX];
    struct link links[SOCKET_KINDS]; /* without tunnel_forward */
    size_t link_count;

    pthread_mutex_t lock; /* guards everything below */
    pthread_cond_t changed;
    unsigned holders; /* references: the command, and the listener */
    size_t connected; /* number of sockets so far */
    struct stream *streams[SOCKET_KINDS]; /* being served; borrowed */
    bool listening;
    bool ended;
    bool reset;          /* the client wants a key frame */
    bool acted;          /* the client did something: look at once */
    struct extent video; /* size of the frames; 0 x 0: none yet */
    struct err failure;
};

static void drop(struct scrcpy_session *session)
{
    bool last;

    pthread_mutex_lock(&session->lock);
    last = --session->holders == 0;
    pthread_mutex_unlock(&session->lock);
    if (!last)
        return;
    pthread_cond_destroy(&session->changed);
    pthread_mutex_destroy(&session->lock);
    clock_follower_leave(&session->phone->follower);
    free(session);
}

/* End it, with the lock held: wake all threads. */
static void end_locked(struct scrcpy_session *session)
{
    session->ended = true;
    for (size_t i = 0; i < SOCKET_KINDS; i++) {
        if (session->streams[i])
            stream_interrupt(session->streams[i]);
    }
    pthread_cond_broadcast(&session->changed);
}

/* ---- video ---- */

static void fail(struct scrcpy_session *session, const struct err *err)
{
    pthread_mutex_lock(&session->lock);
    if (session->failure.code == ERR_NONE && !session->ended)
        session->failure = *err;
    pthread_mutex_unlock(&session->lock);
}

static void put_header(const struct scrcpy_session *session,
                       const struct video_packet *packet, struct buf *out)
{
    static const enum scrcpy_packet_kind kinds[] = {
        [VIDEO_CONFIG] = SCRCPY_PACKET_CONFIG,
        [VIDEO_KEY] = SCRCPY_PACKET_KEY,
        [VIDEO_DELTA] = SCRCPY_PACKET_DELTA,
    };
    const struct scrcpy_packet_header header = {
        .kind = kinds[packet->kind],
        .pts_us = packet->pts_us,
        .length = (uint32_t)packet->length,
    };

    if (session->options.send_frame_meta)
        scrcpy_packet_header_write(
            scrcpy_version_layout(&session->options.version), &header, out);
}

/* Note the size; what has to be sent when it is new is appended to out. */
static void take_size(struct scrcpy_session *session, struct extent size,
                      struct buf *out)
{
    enum scrcpy_layout layout =
        scrcpy_version_layout(&session->options.version);
    const struct scrcpy_video_header video = {SCRCPY_CODEC_H264, size};
    const struct scrcpy_packet_header header = {.kind = SCRCPY_PACKET_SESSION,
                                                .size = size};
    bool is_first;
    bool is_new;

    pthread_mutex_lock(&session->lock);
    is_first = !session->video.width;
    is_new = session->video.width != size.width ||
             session->video.height != size.height;
    session->video = size;
    pthread_mutex_unlock(&session->lock);
    if (!session->options.send_codec_meta)
        return;
    if (is_first)
        scrcpy_video_header_write(layout, &video, out);
    if (is_new)
        scrcpy_packet_header_write(layout, &header, out);
}

static bool send_packet(struct scrcpy_session *session, struct stream *stream,
                        const struct video_packet *packet, struct buf *out,
                        struct err *err)
{
    buf_clear(out);
    take_size(session, packet->size, out);
    put_header(session, packet, out);
    buf_append(out, packet->data, packet->length);
    return stream_write(stream, out->data, out->length, DEADLINE_NEVER, err);
}

/* A limit of the rate holds for changes by the client, too. */
static bool is_due(const struct scrcpy_session *session)
{
    return session->ended || session->reset ||
           (session->acted && session->options.max_fps <= 0);
}

/* Wait until the next look at the screen; false: the session has ended. */
static bool wait_for_look(struct scrcpy_session *session,
                          struct screen_video *video, struct deadline next)
{
    struct timespec until = deadline_timespec(next);
    int late = 0;
    bool ended;

    pthread_mutex_lock(&session->lock);
    while (!late && !is_due(session))
        late =
            pthread_cond_timedwait(&session->changed, &session->lock, &until);
    if (session->reset)
        screen_video_reset(video);
    session->reset = false;
    session->acted = false;
    ended = session->ended;
    pthread_mutex_unlock(&session->lock);
    return !ended;
}

/* Send what is there of one look at the screen. */
static bool send_look(struct scrcpy_session *session, struct stream *stream,
                      struct screen_video *video, struct buf *out,
                      struct err *err)
{
    struct video_packet packet;
    bool got;

    do {
        if (!screen_video_poll(video, &got, &packet, err)) {
            fail(session, err);
            return false;
        }
        if (got && !send_packet(session, stream, &packet, out, err))
            return false;
    } while (got && packet.kind == VIDEO_CONFIG);
    return true;
}

static void serve_video(struct scrcpy_session *session, struct stream *stream)
{
    float fps = session->options.max_fps > 0 ? session->options.max_fps
                                             : SCREEN_VIDEO_FPS;
    const struct screen_video_settings settings = {
        .max_side = session->options.max_size,
        .bit_rate = session->options.bit_rate,
        .fps = fps,
    };
    struct buf out = BUF_INIT(VIDEO_PACKET_MAX + 64);
    struct screen_video *video = NULL;
    struct deadline next;
    struct err err = ERR_INIT;

    if (!screen_video_open(session->phone, &settings, &video, &err)) {
        fail(session, &err);
        return;
    }
    do {
        next = (struct deadline){clock_ns() + (int64_t)(1e9F / fps)};
        if (!send_look(session, stream, video, &out, &err))
            break;
    } while (wait_for_look(session, video, next));
    screen_video_close(video);
    buf_release(&out);
}

/* ---- audio ---- */

/* There is none: a codec of 0 says so, and video continues. */
static void serve_audio(struct scrcpy_session *session, struct stream *stream)
{
    static const char no_codec[4] = {0};
    struct err ignored = ERR_INIT;

    if (session->options.send_codec_meta)
        (void)!stream_write(stream, no_codec, sizeof(no_codec), DEADLINE_NEVER,
                            &ignored);
    pthread_mutex_lock(&session->lock);
    while (!session->ended)
        pthread_cond_wait(&session->changed, &session->lock);
    pthread_mutex_unlock(&session->lock);
}

/* ---- control ---- */

static struct extent video_size(struct scrcpy_session *session)
{
    struct extent size;

    pthread_mutex_lock(&session->lock);
    size = session->video;
    pthread_mutex_unlock(&session->lock);
    return size;
}

/* Wake the video's thread; reset: for a key frame. */
static void wake_video(struct scrcpy_session *session, bool reset)
{
    pthread_mutex_lock(&session->lock);
    session->reset = session->reset || reset;
    session->acted = true;
    pthread_cond_broadcast(&session->changed);
    pthread_mutex_unlock(&session->lock);
}

/* Do what all complete messages say. */
static bool apply_messages(struct scrcpy_session *session,
                           struct scrcpy_input *input, struct buf *messages,
                           struct buf *replies, struct err *err)
{
    struct scrcpy_control control;
    size_t taken = 0;
    size_t used;

    do {
        if (!scrcpy_control_parse((const uint8_t *)messages->data + taken,
                                  messages->length - taken, &used, &control,
                                  err))
            return false;
        if (used && control.type == SCRCPY_RESET_VIDEO)
            wake_video(session, true);
        else if (used)
            scrcpy_input_apply(input, &control, video_size(session), replies);
        taken += used;
    } while (used && !replies->overflow);
    if (taken)
        wake_video(session, false);
    buf_consume(messages, taken);
    return true;
}

static bool serve_messages(struct scrcpy_session *session,
                           struct scrcpy_input *input, struct stream *stream,
                           struct buf *messages, struct err *err)
{
    struct buf replies = BUF_INIT(2 * SCRCPY_CONTROL_MAX);
    char *room = buf_reserve(messages, READ_SIZE);
    size_t got = 0;
    bool done =
        room && stream_read(stream, room, READ_SIZE, DEADLINE_NEVER, &got, err);

    if (done && got) {
        buf_commit(messages, got);
        done = apply_messages(session, input, messages, &replies, err);
        if (done && replies.length)
            done = stream_write(stream, replies.data, replies.length,
                                DEADLINE_NEVER, err);
    }
    buf_release(&replies);
    return done && got;
}

static void serve_control(struct scrcpy_session *session, struct stream *stream)
{
    struct scrcpy_input input = {.phone = session->phone,
                                 .options = &session->options};
    struct buf messages = BUF_INIT(SCRCPY_CONTROL_MAX + READ_SIZE);
    struct err err = ERR_INIT;

    while (serve_messages(session, &input, stream, &messages, &err))
        continue;
    if (err.code == ERR_PROTOCOL || err.code == ERR_LIMIT)
        fail(session, &err);
    scrcpy_input_end(&input);
    buf_release(&messages);
}

/* ---- sockets ---- */

/* Take the next place; false: there is none left. */
static bool take_place(struct scrcpy_session *session, struct stream *stream,
                       size_t *place)
{
    bool taken;

    pthread_mutex_lock(&session->lock);
    taken = !session->ended && session->connected < session->kind_count;
    if (taken) {
        *place = session->connected++;
        session->streams[session->kinds[*place]] = stream;
        pthread_cond_broadcast(&session->changed);
    }
    pthread_mutex_unlock(&session->lock);
    return taken;
}

/* The server sends nothing else before all sockets are connected. */
static bool wait_for_all(struct scrcpy_session *session)
{
    bool ended;

    pthread_mutex_lock(&session->lock);
    while (!session->ended && session->connected < session->kind_count)
        pthread_cond_wait(&session->changed, &session->lock);
    ended = session->ended;
    pthread_mutex_unlock(&session->lock);
    return !ended;
}

/* A byte that shows the connection, then the phone's name. */
static bool greet(struct scrcpy_session *session, struct stream *stream,
                  struct err *err)
{
    char name[SCRCPY_DEVICE_NAME_SIZE] = {0};
    struct buf model = BUF_INIT(SCRCPY_DEVICE_NAME_SIZE - 1);

    if (session->options.tunnel_forward && session->options.send_dummy_byte &&
        !stream_write(stream, name, 1, DEADLINE_NEVER, err))
        return false;
    if (!wait_for_all(session))
        return err_set(err, ERR_CANCELLED, "scrcpy's server has ended");
    if (!session->options.send_device_meta)
        return true;
    props_get(&session->phone->screen->handset->props, "ro.product.model",
              &model);
    memcpy(name, buf_cstr(&model), model.length);
    buf_release(&model);
    return stream_write(stream, name, sizeof(name), DEADLINE_NEVER, err);
}

static void serve_kind(struct scrcpy_session *session, enum socket_kind kind,
                       struct stream *stream)
{
    switch (kind) {
    case SOCKET_VIDEO:
        serve_video(session, stream);
        break;
    case SOCKET_AUDIO:
        serve_audio(session, stream);
        break;
    case SOCKET_CONTROL:
        serve_control(session, stream);
        break;
    case SOCKET_KINDS:
        break;
    }
}

/* Serve one connection, until it or another one ends. */
static void serve(void *context, struct stream *stream)
{
    struct scrcpy_session *session = context;
    struct err err = ERR_INIT;
    size_t place;

    if (!take_place(session, stream, &place))
        return;
    if (place ? wait_for_all(session) : greet(session, stream, &err))
        serve_kind(session, session->kinds[place], stream);
    pthread_mutex_lock(&session->lock);
    session->streams[session->kinds[place]] = NULL;
    end_locked(session);
    pthread_mutex_unlock(&session->lock);
}

static void release(void *context)
{
    drop(context);
}

static bool listen_for_host(struct scrcpy_session *session, struct err *err)
{
    const struct socket_service service = {serve, release, session};

    session->holders++; /* the listener's; released in any case */
    session->listening = true;
    return sockets_listen(&session->phone->screen->handset->sockets,
                          session->spec, service, NULL, err);
}

/* As scrcpy's, the socket is closed when all have connected. */
static void stop_listening(struct scrcpy_session *session)
{
    bool was;

    pthread_mutex_lock(&session->lock);
    was = session->listening;
    session->listening = false;
    pthread_mutex_unlock(&session->lock);
    if (was)
        sockets_unlisten(&session->phone->screen->handset->sockets,
                         session->spec);
}

/* ---- connections to the host ---- */

/* The host's listener reads once the host has accepted the connection. */
static bool shown_read(struct stream *stream, void *data, size_t size,
                       struct deadline by, size_t *got, struct err *err)
{
    struct link *link = (struct link *)stream;

    pthread_mutex_lock(&link->session->lock);
    link->accepted = true;
    pthread_cond_broadcast(&link->session->changed);
    pthread_mutex_unlock(&link->session->lock);
    return stream_read(link->far, data, size, by, got, err);
}

static bool shown_write(struct stream *stream, const void *data, size_t size,
                        struct deadline by, struct err *err)
{
    return stream_write(((struct link *)stream)->far, data, size, by, err);
}

static void shown_interrupt(struct stream *stream)
{
    stream_interrupt(((struct link *)stream)->far);
}

/* close_link closes it. */
static void shown_close(struct stream *stream)
{
    (void)stream;
}

static const struct stream_ops shown_ops = {
    .read = shown_read,
    .write = shown_write,
    .interrupt = shown_interrupt,
    .close = shown_close,
};

static void *serve_near(void *context)
{
    struct link *link = context;

    serve(link->session, link->near);
    stream_interrupt(link->far);
    return NULL;
}

static void *serve_far(void *context)
{
    struct link *link = context;
    struct err ignored = ERR_INIT;

    (void)!sockets_connect(&link->session->phone->screen->handset->sockets,
                           link->session->spec, &link->shown, &ignored);
    stream_interrupt(link->near);
    return NULL;
}

static bool wrap_end(int fd, struct stream **stream, struct err *err)
{
    const struct tcp_keepalive none = {0};
    struct transport *transport;

    if (!tcp_wrap(fd, none, NULL, &transport, err))
        return false;
    *stream = stream_over_transport(transport);
    return true;
}

static bool make_ends(struct link *link, struct err *err)
{
    int ends[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0,
                   ends))
        return err_errno(err, errno, "making a socket");
    if (!wrap_end(ends[0], &link->near, err)) {
        close(ends[1]);
        return false;
    }
    if (wrap_end(ends[1], &link->far, err))
        return true;
    stream_close(link->near);
    return false;
}

static bool start_link(struct link *link, struct err *err)
{
    if (pthread_create(&link->threads[0], NULL, serve_near, link))
        return err_set(err, ERR_IO, "no thread for a connection");
    if (!pthread_create(&link->threads[1], NULL, serve_far, link))
        return true;
    stream_interrupt(link->near);
    pthread_join(link->threads[0], NULL);
    return err_set(err, ERR_IO, "no thread for a connection");
}

static void close_link(struct link *link)
{
    stream_close(link->near);
    stream_close(link->far);
}

/* Each is accepted before the next one connects, to keep their order. */
static bool connect_next(struct scrcpy_session *session, struct err *err)
{
    struct link *link = &session->links[session->link_count];

    link->session = session;
    link->shown.ops = &shown_ops;
    if (!make_ends(link, err))
        return false;
    if (!start_link(link, err)) {
        close_link(link);
        return false;
    }
    session->link_count++;
    pthread_mutex_lock(&session->lock);
    while (!session->ended &&
           (!link->accepted || session->connected < session->link_count))
        pthread_cond_wait(&session->changed, &session->lock);
    pthread_mutex_unlock(&session->lock);
    return true;
}

static bool connect_to_host(struct scrcpy_session *session, struct err *err)
{
    struct phone_sockets *sockets = &session->phone->screen->handset->sockets;

    if (!sockets_has_listener(sockets, session->spec))
        return err_set(err, ERR_REFUSED, "Connection refused");
    while (session->link_count < session->kind_count) {
        if (!connect_next(session, err))
            return false;
    }
    return true;
}

static void join_links(struct scrcpy_session *session)
{
    for (size_t i = 0; i < session->link_count; i++) {
        struct link *link = &session->links[i];

        stream_interrupt(link->near);
        stream_interrupt(link->far);
        pthread_join(link->threads[0], NULL);
        pthread_join(link->threads[1], NULL);
        close_link(link);
    }
}

/* ---- the session ---- */

static void list_kinds(struct scrcpy_session *session)
{
    const bool wanted[SOCKET_KINDS] = {
        [SOCKET_VIDEO] = session->options.video,
        [SOCKET_AUDIO] = session->options.audio,
        [SOCKET_CONTROL] = session->options.control,
    };

    for (size_t i = 0; i < SOCKET_KINDS; i++) {
        if (wanted[i])
            session->kinds[session->kind_count++] = (enum socket_kind)i;
    }
}

static struct scrcpy_session *session_new(struct phone_video *phone,
                                          const struct scrcpy_options *options)
{
    struct scrcpy_session *session = mem_new(1, sizeof(*session));
    char name[SCRCPY_SOCKET_MAX];

    session->phone = phone;
    session->options = *options;
    session->holders = 1;
    scrcpy_options_socket(options, name);
    snprintf(session->spec, sizeof(session->spec), "localabstract:%s", name);
    pthread_mutex_init(&session->lock, NULL);
    deadline_cond_init(&session->changed);
    clock_follower_join(&phone->follower);
    list_kinds(session);
    return session;
}

bool scrcpy_session_open(struct phone_video *phone,
                         const struct scrcpy_options *options,
                         struct scrcpy_session **session, struct err *err)
{
    struct scrcpy_session *opened = session_new(phone, options);

    if (options->tunnel_forward ? listen_for_host(opened, err)
                                : connect_to_host(opened, err)) {
        *session = opened;
        return true;
    }
    scrcpy_session_close(opened);
    return false;
}

bool scrcpy_session_has_ended(struct scrcpy_session *session, struct err *err)
{
    bool all_connected;
    bool ended;

    pthread_mutex_lock(&session->lock);
    all_connected = session->connected == session->kind_count;
    ended = session->ended;
    *err = session->failure;
    pthread_mutex_unlock(&session->lock);
    if (all_connected)
        stop_listening(session);
    return ended;
}

void scrcpy_session_close(struct scrcpy_session *session)
{
    stop_listening(session);
    pthread_mutex_lock(&session->lock);
    end_locked(session);
    pthread_mutex_unlock(&session->lock);
    join_links(session);
    drop(session);
}
