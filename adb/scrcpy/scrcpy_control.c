#include "adb/scrcpy/scrcpy_control.h"

#include <string.h>

#define READ_SIZE ((size_t)4096)

void scrcpy_control_channel_init(struct scrcpy_control_channel *channel,
                                 struct stream *stream)
{
    *channel = (struct scrcpy_control_channel){
        .stream = stream,
        .replies = BUF_INIT(SCRCPY_CONTROL_MAX + READ_SIZE),
    };
    pthread_mutex_init(&channel->write_lock, NULL);
    pthread_mutex_init(&channel->request_lock, NULL);
}

void scrcpy_control_channel_release(struct scrcpy_control_channel *channel)
{
    stream_close(channel->stream);
    channel->stream = NULL;
    buf_release(&channel->replies);
    pthread_mutex_destroy(&channel->write_lock);
    pthread_mutex_destroy(&channel->request_lock);
}

/* ---- sending ---- */

static bool write_locked(struct scrcpy_control_channel *channel,
                         const struct buf *message, struct deadline by,
                         struct err *err)
{
    if (channel->broken)
        return err_set(err, ERR_CLOSED,
                       "scrcpy's control connection has failed before");
    if (stream_write(channel->stream, message->data, message->length, by, err))
        return true;
    channel->broken = true;
    return err_wrap(err, "sending to scrcpy's server");
}

bool scrcpy_control_channel_send(struct scrcpy_control_channel *channel,
                                 const struct scrcpy_control *control,
                                 struct deadline by, struct err *err)
{
    struct buf message = BUF_INIT(SCRCPY_CONTROL_MAX);
    bool done;

    if (!channel->stream)
        return err_set(err, ERR_UNSUPPORTED,
                       "scrcpy was started without control");
    done = scrcpy_control_write(control, &message, err);
    if (done) {
        pthread_mutex_lock(&channel->write_lock);
        done = write_locked(channel, &message, by, err);
        pthread_mutex_unlock(&channel->write_lock);
    }
    buf_release(&message);
    return done;
}

/* ---- replies ---- */

/* Read what has arrived, or wait for it. */
static bool read_more(struct scrcpy_control_channel *channel,
                      struct deadline by, struct err *err)
{
    char *room = buf_reserve(&channel->replies, READ_SIZE);
    size_t got;

    if (!room)
        return err_set(err, ERR_LIMIT, "scrcpy's server answers too much");
    if (!stream_read(channel->stream, room, READ_SIZE, by, &got, err))
        return false;
    if (!got)
        return err_set(err, ERR_CLOSED,
                       "scrcpy's server has closed the control connection");
    buf_commit(&channel->replies, got);
    return true;
}

/* The reply's text is valid until the next call. */
static bool next_reply(struct scrcpy_control_channel *channel,
                       struct deadline by, struct scrcpy_reply *reply,
                       struct err *err)
{
    struct buf *replies = &channel->replies;

    buf_consume(replies, channel->reply_size);
    channel->reply_size = 0;
    for (;;) {
        if (!scrcpy_reply_parse((const uint8_t *)replies->data, replies->length,
                                &channel->reply_size, reply, err))
            return false;
        if (channel->reply_size)
            return true;
        if (!read_more(channel, by, err))
            return false;
    }
}

/* Replies to earlier requests that were given up. */
static void drop_late_replies(struct scrcpy_control_channel *channel)
{
    struct scrcpy_reply reply;
    struct err ignored = ERR_INIT;

    while (next_reply(channel, deadline_in_ms(0), &reply, &ignored))
        continue;
}

/* Send a message and wait for the reply to it. */
static bool request(struct scrcpy_control_channel *channel,
                    const struct scrcpy_control *control,
                    enum scrcpy_reply_type type, struct deadline by,
                    struct scrcpy_reply *reply, struct err *err)
{
    if (channel->stream)
        drop_late_replies(channel);
    if (!scrcpy_control_channel_send(channel, control, by, err))
        return false;
    do {
        if (!next_reply(channel, by, reply, err))
            return err_wrap(err, "waiting for scrcpy's server");
    } while (reply->type != type || reply->sequence != control->sequence);
    return true;
}

bool scrcpy_control_channel_set_clipboard(
    struct scrcpy_control_channel *channel, const char *text, bool paste,
    struct deadline by, struct err *err)
{
    struct scrcpy_control control = {
        .type = SCRCPY_SET_CLIPBOARD,
        .flag = paste,
        .text = text,
        .text_length = strlen(text),
    };
    struct scrcpy_reply reply;
    bool done;

    pthread_mutex_lock(&channel->request_lock);
    control.sequence = ++channel->sequence;
    done =
        request(channel, &control, SCRCPY_REPLY_CLIPBOARD_SET, by, &reply, err);
    pthread_mutex_unlock(&channel->request_lock);
    return done;
}

bool scrcpy_control_channel_get_clipboard(
    struct scrcpy_control_channel *channel, struct deadline by,
    struct buf *text, struct err *err)
{
    const struct scrcpy_control control = {.type = SCRCPY_GET_CLIPBOARD};
    struct scrcpy_reply reply;
    bool done;

    pthread_mutex_lock(&channel->request_lock);
    done = request(channel, &control, SCRCPY_REPLY_CLIPBOARD, by, &reply, err);
    if (done)
        buf_append(text, reply.text, reply.text_length);
    pthread_mutex_unlock(&channel->request_lock);
    return done;
}
