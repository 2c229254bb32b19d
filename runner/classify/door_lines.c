/* The input of a shell: lines of commands. */
#include <string.h>

#include "base/bytes.h"
#include "runner/classify/door_stream.h"

#define PACKET_HEADER 5
#define PACKET_STDIN 0

/* Of one command: a loop or a here-document. */
#define LINES_MAX 256

#define CTRL_C 3
#define CTRL_U 21
#define BACKSPACE 8
#define DELETE 127

/* A line ends: the typed text is a command if it is complete. */
static void end_line(struct door_stream *stream, struct door_context *context)
{
    struct buf *line = &stream->line;
    struct door_shell *shell = stream->shell;

    if (line->overflow) {
        door_record_raw(context, EFFECT_UNKNOWN);
        buf_clear(line);
        return;
    }
    if (++stream->line_count < LINES_MAX &&
        !door_shell_is_complete(buf_cstr(line), line->length)) {
        buf_byte(line, '\n');
        return;
    }
    stream->line_count = 0;
    context->command = buf_cstr(line);
    context->length = line->length;
    context->pty = stream->pty;
    shell->context = *context;
    shell->commands = 0;
    if (strspn(buf_cstr(line), " \t\r\n") < line->length)
        door_shell_run(shell, buf_cstr(line), line->length);
    buf_clear(line);
}

/* A terminal edits the line; a pipe does not. */
static void take_byte(struct door_stream *stream, char byte,
                      struct door_context *context)
{
    struct buf *line = &stream->line;

    if (byte == '\n' || (stream->pty && byte == '\r'))
        end_line(stream, context);
    else if (stream->pty && (byte == CTRL_C || byte == CTRL_U))
        buf_clear(line);
    else if (stream->pty && (byte == BACKSPACE || byte == DELETE)) {
        if (line->length)
            buf_truncate(line, line->length - 1);
    } else if (byte)
        buf_byte(line, byte);
}

static void take_bytes(struct door_stream *stream, const char *data,
                       size_t length, struct door_context *context)
{
    for (size_t i = 0; i < length; i++)
        take_byte(stream, data[i], context);
}

static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The rest of a packet: stdin is taken, anything else skipped. */
static size_t take_packet(struct door_stream *stream, const char *data,
                          size_t length, struct door_context *context)
{
    size_t part = min_size(stream->skip, length);

    if (stream->packet == PACKET_STDIN)
        take_bytes(stream, data, part, context);
    stream->skip -= part;
    return part;
}

void door_lines_input(struct door_stream *stream, const char *data,
                      size_t length, struct door_context *context)
{
    struct buf *header = &stream->pending;

    if (stream->wrapping != DOOR_SHELL_V2) {
        take_bytes(stream, data, length, context);
        return;
    }
    while (length) {
        size_t part;

        if (stream->skip) {
            part = take_packet(stream, data, length, context);
        } else {
            part = min_size(PACKET_HEADER - header->length, length);
            buf_append(header, data, part);
            if (header->length == PACKET_HEADER) {
                stream->packet = (uint8_t)header->data[0];
                stream->skip = get_u32le((const uint8_t *)header->data + 1);
                buf_clear(header);
            }
        }
        data += part;
        length -= part;
    }
}

void door_lines_end(struct door_stream *stream, struct door_context *context)
{
    if (stream->line.length || stream->line.overflow)
        end_line(stream, context);
    if (stream->line.length) {
        context->command = buf_cstr(&stream->line);
        context->length = stream->line.length;
        door_record_raw(context, EFFECT_UNKNOWN);
        buf_clear(&stream->line);
    }
}
