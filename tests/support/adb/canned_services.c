#include "tests/support/adb/canned_services.h"

#include <string.h>
#include <sys/stat.h>

#include "base/bytes.h"

#define SHELL_HEADER_SIZE 5
#define SYNC_HEADER_SIZE 8
#define FILE_MAX ((size_t)1 << 20)

static bool send_buf(struct stream *stream, struct buf *bytes)
{
    struct err err;
    bool sent =
        stream_write(stream, bytes->data, bytes->length, DEADLINE_NEVER, &err);

    buf_release(bytes);
    return sent;
}

static void add_shell_packet(struct buf *bytes, char id, const char *data,
                             size_t length)
{
    buf_byte(bytes, id);
    buf_u32le(bytes, (uint32_t)length);
    buf_append(bytes, data, length);
}

static void serve_shell(void *context, struct stream *stream)
{
    const char status = CANNED_STATUS;
    struct buf bytes = BUF_INIT(256);

    (void)context;
    add_shell_packet(&bytes, 1, CANNED_OUT, strlen(CANNED_OUT));
    add_shell_packet(&bytes, 2, CANNED_ERRORS, strlen(CANNED_ERRORS));
    add_shell_packet(&bytes, 3, &status, 1);
    send_buf(stream, &bytes);
}

/* One request or reply: its id, its number and that many bytes. */
struct sync_message {
    char id[5];
    uint32_t number;
    struct buf data;
};

static bool has_data(const char *id)
{
    return strcmp(id, "DONE") && strcmp(id, "QUIT");
}

static bool receive(struct stream *stream, struct sync_message *message)
{
    uint8_t header[SYNC_HEADER_SIZE];
    struct err err;
    char *room;

    if (!stream_read_exact(stream, header, sizeof(header), DEADLINE_NEVER,
                           &err))
        return false;
    memcpy(message->id, header, 4);
    message->number = get_u32le(header + 4);
    buf_clear(&message->data);
    if (!has_data(message->id))
        return true;
    room = buf_reserve(&message->data, message->number);
    if (!room ||
        !stream_read_exact(stream, room, message->number, DEADLINE_NEVER, &err))
        return false;
    message->data.length = message->number;
    room[message->number] = '\0';
    return true;
}

static void add_reply(struct buf *bytes, const char *id, size_t number)
{
    buf_text(bytes, id);
    buf_u32le(bytes, (uint32_t)number);
}

static bool answer_fail(struct stream *stream, const char *text)
{
    struct buf bytes = BUF_INIT(256);

    add_reply(&bytes, "FAIL", strlen(text));
    buf_text(&bytes, text);
    return send_buf(stream, &bytes);
}

static bool answer_stat(struct stream *stream, const struct canned_file *file,
                        bool found)
{
    struct buf bytes = BUF_INIT(16);

    add_reply(&bytes, "STAT", found ? S_IFREG | 0644 : 0);
    buf_u32le(&bytes, found ? (uint32_t)file->content.length : 0);
    buf_u32le(&bytes, found ? 1000000000 : 0);
    return send_buf(stream, &bytes);
}

static bool answer_receive(struct stream *stream,
                           const struct canned_file *file)
{
    struct buf bytes = BUF_INIT(2 * FILE_MAX);

    add_reply(&bytes, "DATA", file->content.length);
    buf_append(&bytes, file->content.data, file->content.length);
    add_reply(&bytes, "DONE", 0);
    return send_buf(stream, &bytes);
}

static bool answer_send(struct stream *stream, struct canned_file *file)
{
    struct sync_message piece = {.data = BUF_INIT(FILE_MAX)};
    struct buf okay = BUF_INIT(SYNC_HEADER_SIZE);
    bool fine;

    buf_clear(&file->content);
    while ((fine = receive(stream, &piece)) && !strcmp(piece.id, "DATA"))
        buf_append(&file->content, piece.data.data, piece.data.length);
    fine = fine && !strcmp(piece.id, "DONE");
    file->received = fine;
    buf_release(&piece.data);
    add_reply(&okay, "OKAY", 0);
    if (fine)
        return send_buf(stream, &okay);
    buf_release(&okay);
    return answer_fail(stream, "that was no DATA") && false;
}

static bool answer(struct stream *stream, struct canned_file *file,
                   const struct sync_message *request)
{
    const char *path = buf_cstr(&request->data);
    bool found = !strcmp(path, CANNED_PATH);

    if (!strcmp(request->id, "STAT"))
        return answer_stat(stream, file, found);
    if (!strcmp(request->id, "RECV"))
        return found ? answer_receive(stream, file)
                     : answer_fail(stream, "no such file");
    if (!strcmp(request->id, "SEND") &&
        !strncmp(path, CANNED_PATH ",", strlen(CANNED_PATH ",")))
        return answer_send(stream, file);
    return false;
}

static void serve_sync(void *context, struct stream *stream)
{
    struct canned_file *file = context;
    struct sync_message request = {.data = BUF_INIT(FILE_MAX)};

    while (receive(stream, &request) && answer(stream, file, &request))
        ;
    buf_release(&request.data);
}

void canned_services(struct canned_file *file,
                     struct loopback_answer services[CANNED_SERVICES])
{
    services[0] = (struct loopback_answer){
        .service = "shell,v2,raw:" CANNED_COMMAND, .serve = serve_shell};
    services[1] = (struct loopback_answer){
        .service = "sync:", .serve = serve_sync, .context = file};
}
