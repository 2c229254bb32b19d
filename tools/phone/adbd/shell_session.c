#include "tools/phone/adbd/shell_session.h"

#include <stdlib.h>
#include <string.h>

#include "adb/services/shell_wire.h"

/* Bytes read at once, and limit of buffered input. */
#define RECEIVE_SIZE ((size_t)16 * 1024)
#define INPUT_MAX ((size_t)64 * 1024)

/* Output is sent when there is this much, or after this time. */
#define GATHER_SIZE ((size_t)32 * 1024)
#define GATHER_NS ((int64_t)20 * 1000 * 1000)

/* Largest payload of a packet. */
#define PACKET_SIZE ((size_t)128 * 1024)

/* ---- output; with out_lock held ---- */

static bool send(struct phone_shell_session *talk, const void *data,
                 size_t size)
{
    struct err err;

    return stream_write(talk->stream, data, size, DEADLINE_NEVER, &err);
}

static bool send_packets(struct phone_shell_session *talk, enum sh_side side,
                         const char *data, size_t size)
{
    enum shell_wire_id id =
        side == SH_ERRORS && !talk->pty ? SHELL_WIRE_STDERR : SHELL_WIRE_STDOUT;
    bool sent = true;

    while (sent && size) {
        size_t part = size < PACKET_SIZE ? size : PACKET_SIZE;

        buf_clear(&talk->packet);
        shell_wire_put(&talk->packet, id, data, part);
        sent = send(talk, talk->packet.data, talk->packet.length);
        data += part;
        size -= part;
    }
    return sent;
}

static bool send_side(struct phone_shell_session *talk, enum sh_side side,
                      const char *data, size_t size)
{
    return talk->v2 ? send_packets(talk, side, data, size)
                    : send(talk, data, size);
}

static bool flush(struct phone_shell_session *talk)
{
    bool sent = true;

    if (talk->out.length)
        sent = send_side(talk, talk->side, talk->out.data, talk->out.length);
    buf_clear(&talk->out);
    return sent;
}

/* Buffer little output; send much at once. */
static bool gather(struct phone_shell_session *talk, enum sh_side side,
                   const char *data, size_t size)
{
    bool sent = true;

    if (talk->out.length &&
        (side != talk->side || talk->out.length + size > GATHER_SIZE))
        sent = flush(talk);
    if (sent && size > GATHER_SIZE)
        return send_side(talk, side, data, size);
    if (!talk->out.length)
        talk->out_since = clock_ns();
    talk->side = side;
    buf_append(&talk->out, data, size);
    return sent;
}

/* Send terminal output in pieces, as conversion makes it longer. */
static bool gather_lines(struct phone_shell_session *talk, const char *data,
                         size_t size)
{
    struct buf lines = BUF_INIT(2 * RECEIVE_SIZE);
    bool sent = true;

    while (sent && size) {
        size_t part = size < RECEIVE_SIZE ? size : RECEIVE_SIZE;

        buf_clear(&lines);
        tty_print(data, part, &lines);
        sent = gather(talk, SH_OUT, buf_cstr(&lines), lines.length);
        data += part;
        size -= part;
    }
    buf_release(&lines);
    return sent;
}

/* ---- output ---- */

static void lose(struct phone_shell_session *talk)
{
    pthread_mutex_lock(&talk->lock);
    talk->gone = true;
    pthread_cond_broadcast(&talk->changed);
    pthread_mutex_unlock(&talk->lock);
}

static bool talk_write(struct sh_io *io, enum sh_side side, const void *data,
                       size_t size)
{
    struct phone_shell_session *talk = (struct phone_shell_session *)io;
    bool sent;

    pthread_mutex_lock(&talk->out_lock);
    sent = talk->pty ? gather_lines(talk, data, size)
                     : gather(talk, side, data, size);
    pthread_mutex_unlock(&talk->out_lock);
    if (!sent)
        lose(talk);
    return sent;
}

/* Send buffered output; recent output may stay, unless it is due. */
static void talk_flush(struct phone_shell_session *talk, bool due)
{
    bool sent = true;

    pthread_mutex_lock(&talk->out_lock);
    if (due || (talk->out.length && clock_ns() - talk->out_since > GATHER_NS))
        sent = flush(talk);
    pthread_mutex_unlock(&talk->out_lock);
    if (!sent)
        lose(talk);
}

/* ---- input ---- */

/* Process typed bytes; ready and echo belong to the caller. */
static void type_all(struct phone_shell_session *talk, const char *data,
                     size_t size, struct buf *ready, struct buf *echo)
{
    for (size_t i = 0; i < size; i++) {
        enum tty_event event = tty_type(&talk->tty, data[i], ready, echo);

        if (event == TTY_NOTHING)
            continue;
        pthread_mutex_lock(&talk->lock);
        if (event == TTY_INTERRUPT) {
            talk->interrupted = true;
            buf_clear(&talk->input);
            buf_clear(ready);
        } else {
            talk->ended = true;
        }
        pthread_mutex_unlock(&talk->lock);
    }
}

static void take_typed(struct phone_shell_session *talk, const char *data,
                       size_t size)
{
    struct buf ready = BUF_INIT(RECEIVE_SIZE + TTY_LINE_MAX);
    struct buf echo = BUF_INIT(4 * (RECEIVE_SIZE + TTY_LINE_MAX));

    type_all(talk, data, size, &ready, &echo);
    pthread_mutex_lock(&talk->out_lock);
    (void)!gather(talk, SH_OUT, buf_cstr(&echo), echo.length);
    (void)!flush(talk); /* a lost connection is noticed by reading */
    pthread_mutex_unlock(&talk->out_lock);
    pthread_mutex_lock(&talk->lock);
    buf_append(&talk->input, buf_cstr(&ready), ready.length);
    pthread_mutex_unlock(&talk->lock);
    buf_release(&ready);
    buf_release(&echo);
}

static void take_input(struct phone_shell_session *talk, const char *data,
                       size_t size)
{
    if (talk->pty) {
        take_typed(talk, data, size);
        return;
    }
    pthread_mutex_lock(&talk->lock);
    buf_append(&talk->input, data, size);
    pthread_mutex_unlock(&talk->lock);
}

static void take_packets(struct phone_shell_session *talk, const char *data,
                         size_t size)
{
    while (size) {
        struct shell_packets_piece piece;
        size_t used = shell_packets_next(&talk->feed, data, size, &piece);

        if (piece.kind == SHELL_PACKETS_INPUT)
            take_input(talk, piece.data, piece.length);
        if (piece.kind == SHELL_PACKETS_END) {
            pthread_mutex_lock(&talk->lock);
            talk->ended = true;
            pthread_mutex_unlock(&talk->lock);
        }
        data += used;
        size -= used;
    }
}

/* Read what arrives until by. Without the lock. */
static void receive(struct phone_shell_session *talk, struct deadline by)
{
    char data[RECEIVE_SIZE];
    struct err err;
    size_t got;

    if (!stream_read(talk->stream, data, sizeof(data), by, &got, &err)) {
        if (err.code != ERR_TIMEOUT)
            lose(talk);
    } else if (!got) {
        lose(talk);
    } else if (talk->v2) {
        take_packets(talk, data, got);
    } else {
        take_input(talk, data, got);
    }
}

/* One thread receives; others wait for its data. With the lock held. */
static void receive_or_wait(struct phone_shell_session *talk,
                            struct deadline by)
{
    if (talk->receiving) {
        struct timespec until = deadline_timespec(by);

        if (by.at_ns == DEADLINE_NEVER.at_ns)
            pthread_cond_wait(&talk->changed, &talk->lock);
        else
            pthread_cond_timedwait(&talk->changed, &talk->lock, &until);
        return;
    }
    talk->receiving = true;
    pthread_mutex_unlock(&talk->lock);
    receive(talk, by);
    pthread_mutex_lock(&talk->lock);
    talk->receiving = false;
    pthread_cond_broadcast(&talk->changed);
}

static bool is_stopped(const struct phone_shell_session *talk)
{
    return talk->gone || talk->interrupted;
}

static bool talk_read(struct sh_io *io, void *data, size_t size, size_t *got)
{
    struct phone_shell_session *talk = (struct phone_shell_session *)io;
    bool fine;

    talk_flush(talk, true);
    pthread_mutex_lock(&talk->lock);
    while (!is_stopped(talk) && !talk->input.length && !talk->ended)
        receive_or_wait(talk, DEADLINE_NEVER);
    fine = !is_stopped(talk);
    *got = size < talk->input.length ? size : talk->input.length;
    if (*got) {
        memcpy(data, talk->input.data, *got);
        buf_consume(&talk->input, *got);
    } else if (talk->pty) {
        talk->ended = false; /* ^D ends one read */
    }
    pthread_mutex_unlock(&talk->lock);
    return fine;
}

/* There is room for everything that may arrive. */
static bool has_room(const struct phone_shell_session *talk)
{
    return talk->input.length + RECEIVE_SIZE + TTY_LINE_MAX <= INPUT_MAX;
}

static bool talk_wait(struct sh_io *io, struct deadline by)
{
    struct phone_shell_session *talk = (struct phone_shell_session *)io;
    bool looks = deadline_passed(by); /* only poll */
    bool fine;

    talk_flush(talk, !looks);
    pthread_mutex_lock(&talk->lock);
    do {
        if (is_stopped(talk) || !has_room(talk) || (looks && talk->receiving))
            break;
        receive_or_wait(talk, by);
    } while (!deadline_passed(by));
    fine = !is_stopped(talk);
    pthread_mutex_unlock(&talk->lock);
    return fine;
}

static bool talk_resume(struct sh_io *io)
{
    return shell_session_resume((struct phone_shell_session *)io);
}

/* ---- open and close ---- */

static const struct sh_io_ops talk_ops = {
    .read = talk_read,
    .write = talk_write,
    .wait = talk_wait,
    .resume = talk_resume,
};

void shell_session_init(struct phone_shell_session *talk, struct stream *stream,
                        bool v2, bool pty)
{
    *talk = (struct phone_shell_session){
        .io = {&talk_ops},
        .stream = stream,
        .v2 = v2,
        .pty = pty,
        .input = BUF_INIT(INPUT_MAX),
        .tty = TTY_INIT,
        .out = BUF_INIT(GATHER_SIZE),
        .packet = BUF_INIT(PACKET_SIZE + SHELL_WIRE_HEADER_SIZE),
    };
    pthread_mutex_init(&talk->lock, NULL);
    pthread_mutex_init(&talk->out_lock, NULL);
    deadline_cond_init(&talk->changed);
}

void shell_session_release(struct phone_shell_session *talk)
{
    pthread_cond_destroy(&talk->changed);
    pthread_mutex_destroy(&talk->out_lock);
    pthread_mutex_destroy(&talk->lock);
    tty_release(&talk->tty);
    buf_release(&talk->input);
    buf_release(&talk->out);
    buf_release(&talk->packet);
}

void shell_session_print(struct phone_shell_session *talk, const char *text)
{
    (void)!talk_write(&talk->io, SH_OUT, text, strlen(text));
}

enum shell_session_result shell_session_line(struct phone_shell_session *talk,
                                             struct buf *line)
{
    char byte = 0;
    size_t got;

    buf_clear(line);
    while (byte != '\n') {
        if (!talk_read(&talk->io, &byte, 1, &got))
            return SHELL_SESSION_STOPPED;
        if (!got)
            return line->length ? SHELL_SESSION_LINE : SHELL_SESSION_END;
        if (byte)
            buf_byte(line, byte);
    }
    return SHELL_SESSION_LINE;
}

bool shell_session_resume(struct phone_shell_session *talk)
{
    bool here;

    pthread_mutex_lock(&talk->lock);
    talk->interrupted = false;
    here = !talk->gone;
    pthread_mutex_unlock(&talk->lock);
    return here;
}

void shell_session_end(struct phone_shell_session *talk, int status)
{
    const uint8_t byte = (uint8_t)status;

    talk_flush(talk, true);
    if (!talk->v2)
        return;
    pthread_mutex_lock(&talk->out_lock);
    buf_clear(&talk->packet);
    shell_wire_put(&talk->packet, SHELL_WIRE_EXIT, &byte, 1);
    (void)!send(talk, talk->packet.data, talk->packet.length);
    pthread_mutex_unlock(&talk->out_lock);
}
