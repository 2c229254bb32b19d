#include "adb/services/shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/services/pty_stream.h"
#include "adb/services/shell_status.h"
#include "adb/services/shell_wire.h"
#include "base/clean_text.h"
#include "base/mem.h"

/* The size of one read from the stream, and the most data in one v2 packet. */
#define PIECE_SIZE ((size_t)64 * 1024)

/* Ends the input of a terminal, at the start of a line. */
#define END_OF_TRANSMISSION 4

struct shell {
    struct stream *stream; /* owned */
    bool v2;
    bool wants_status; /* v1: the device prints the status at the end */

    /* Used by the reader */
    struct shell_wire wire;
    uint8_t *input; /* owned; PIECE_SIZE bytes */
    size_t input_at;
    size_t input_end;
    bool output_ended; /* v1 */
    int status;        /* v1; -1: unknown */
    bool crlf;         /* v1: the terminal turned each LF into CR LF */
    bool ended;        /* EXIT was given */

    /* Used by the writer */
    bool in_line; /* v1: the written data does not end with a line end */
    struct buf packet;
    size_t packet_data_max;
};

void shell_result_release(struct shell_result *result)
{
    buf_release(&result->out);
    buf_release(&result->errors);
}

void shell_result_words(const struct shell_result *result, char *words,
                        size_t size)
{
    const struct buf *said =
        result->errors.length ? &result->errors : &result->out;
    const char *text = buf_cstr(said);

    text += strspn(text, "\r\n *");
    clean_text_copy(words, size, text, strcspn(text, "\r\n"));
}

/*
 * TERM is part of the service name: values that would end the field are
 * omitted.
 */
static bool term_is_safe(const char *term)
{
    return term && *term && !strpbrk(term, ",:");
}

/* A v1 device is asked to print the status of a command. */
static bool wants_status(bool v2, const struct shell_options *options)
{
    return !v2 && options->status && options->command && *options->command;
}

static void put_service(struct buf *service, bool v2,
                        const struct shell_options *options)
{
    buf_text(service, "shell");
    if (v2) {
        buf_text(service, ",v2");
        if (options->pty && term_is_safe(options->term))
            buf_printf(service, ",TERM=%s", options->term);
        buf_text(service, options->pty ? ",pty" : ",raw");
    }
    buf_byte(service, ':');
    if (wants_status(v2, options))
        shell_status_put_command(service, options->command);
    else if (options->command)
        buf_text(service, options->command);
}

/* Open a service whose name contains a command. */
static bool open_command(struct device *device, const struct buf *service,
                         struct deadline by, struct stream **stream,
                         struct err *err)
{
    if (service->overflow)
        return err_set(err, ERR_LIMIT, "the command is too long");
    return device_open_service(device, buf_cstr(service), by, stream, err);
}

/* The data that fits into one packet of the connection, after the header. */
static size_t packet_data_max(const struct device *device)
{
    const struct conn *conn = device_conn(device);
    size_t max = conn ? conn_max_payload(conn) : PIECE_SIZE;

    return (max < PIECE_SIZE ? max : PIECE_SIZE) - SHELL_WIRE_HEADER_SIZE;
}

bool shell_open(struct device *device, const struct shell_options *options,
                struct deadline by, struct shell **shell, struct err *err)
{
    bool v2 = device_has(device, FEATURE_SHELL_V2);
    struct buf service = BUF_INIT(PACKET_MAX_PAYLOAD);
    struct stream *stream = NULL;
    struct shell *opened;
    bool done;

    put_service(&service, v2, options);
    done = open_command(device, &service, by, &stream, err);
    buf_release(&service);
    if (!done)
        return err_wrap(err, "starting a shell");
    opened = mem_new(1, sizeof(*opened));
    opened->stream = stream;
    opened->v2 = v2;
    opened->wants_status = wants_status(v2, options);
    opened->status = -1;
    opened->input = mem_resize(NULL, PIECE_SIZE, 1);
    opened->packet = (struct buf)BUF_INIT(PIECE_SIZE);
    opened->packet_data_max = packet_data_max(device);
    *shell = opened;
    return true;
}

void shell_close(struct shell *shell)
{
    if (!shell)
        return;
    stream_close(shell->stream);
    buf_release(&shell->packet);
    free(shell->input);
    free(shell);
}

void shell_interrupt(struct shell *shell)
{
    stream_interrupt(shell->stream);
}

/* A stream checks its deadline only when it waits, so it is checked here. */
static bool fill_input(struct shell *shell, struct deadline by, struct err *err)
{
    size_t got;

    if (deadline_passed(by))
        return err_set(err, ERR_TIMEOUT, "timed out");
    if (!stream_read(shell->stream, shell->input, PIECE_SIZE, by, &got, err))
        return false;
    shell->input_at = 0;
    shell->input_end = got;
    return true;
}

static void set_exit(struct shell *shell, int status, struct shell_event *event)
{
    shell->ended = true;
    *event = (struct shell_event){.kind = SHELL_EXIT, .status = status};
}

/* Read more input after the held bytes. */
static bool read_more(struct shell *shell, size_t held, struct deadline by,
                      size_t *got, struct err *err)
{
    if (deadline_passed(by))
        return err_set(err, ERR_TIMEOUT, "timed out");
    if (!stream_read(shell->stream, shell->input + held, PIECE_SIZE - held, by,
                     got, err))
        return false;
    shell->input_end = held + *got;
    return true;
}

/* Remove the status line from the end of the output, if there is one. */
static size_t take_status(struct shell *shell, size_t length)
{
    struct shell_status found;

    shell->output_ended = true;
    if (!shell->wants_status ||
        !shell_status_parse((const char *)shell->input, length, &found))
        return length;
    shell->status = found.status;
    shell->crlf = found.crlf;
    return length - found.size;
}

/* Bytes that may belong to the status line are held back. */
static bool next_v1(struct shell *shell, struct deadline by,
                    struct shell_event *event, struct err *err)
{
    const char *data = (const char *)shell->input;
    size_t length = 0;
    size_t got = 0;

    while (!length && !shell->output_ended) {
        size_t held = shell->input_end - shell->input_at;

        memmove(shell->input, shell->input + shell->input_at, held);
        shell->input_at = 0;
        shell->input_end = held;
        if (!read_more(shell, held, by, &got, err))
            return false;
        length = shell->input_end;
        if (!got)
            length = take_status(shell, length);
        else if (shell->wants_status)
            length -= shell_status_held(data, length);
        shell->input_at = length;
    }
    if (!length)
        set_exit(shell, shell->status, event);
    else
        *event = (struct shell_event){
            .kind = SHELL_OUT, .data = data, .length = length};
    return true;
}

static void set_event(struct shell *shell, const struct shell_wire_piece *piece,
                      struct shell_event *event)
{
    if (piece->id == SHELL_WIRE_EXIT) {
        set_exit(shell, piece->data[0], event);
        return;
    }
    *event = (struct shell_event){
        .kind = piece->id == SHELL_WIRE_STDERR ? SHELL_ERRORS : SHELL_OUT,
        .data = (const char *)piece->data,
        .length = piece->length,
    };
}

static bool next_v2(struct shell *shell, struct deadline by,
                    struct shell_event *event, struct err *err)
{
    struct shell_wire_piece piece = {.length = 0};

    for (;;) {
        size_t used;

        if (!shell_wire_next(&shell->wire, shell->input + shell->input_at,
                             shell->input_end - shell->input_at, &used, &piece,
                             err))
            return false;
        shell->input_at += used;
        if (piece.length)
            break;
        if (!fill_input(shell, by, err))
            return false;
        if (shell->input_end == 0)
            return err_set(err, ERR_CLOSED,
                           "the device ended the shell without a status");
    }
    set_event(shell, &piece, event);
    return true;
}

bool shell_next(struct shell *shell, struct deadline by,
                struct shell_event *event, struct err *err)
{
    if (shell->ended)
        return err_set(err, ERR_CLOSED, "the shell has ended");
    return shell->v2 ? next_v2(shell, by, event, err)
                     : next_v1(shell, by, event, err);
}

static bool write_packet(struct shell *shell, enum shell_wire_id id,
                         const void *data, size_t size, struct deadline by,
                         struct err *err)
{
    buf_clear(&shell->packet);
    shell_wire_put(&shell->packet, id, data, size);
    return stream_write(shell->stream, shell->packet.data, shell->packet.length,
                        by, err);
}

bool shell_write(struct shell *shell, const void *data, size_t size,
                 struct deadline by, struct err *err)
{
    const char *next = data;

    if (!shell->v2) {
        if (size)
            shell->in_line = next[size - 1] != '\n';
        return stream_write(shell->stream, data, size, by, err);
    }
    while (size) {
        size_t part =
            size < shell->packet_data_max ? size : shell->packet_data_max;

        if (!write_packet(shell, SHELL_WIRE_STDIN, next, part, by, err))
            return false;
        next += part;
        size -= part;
    }
    return true;
}

bool shell_end_input(struct shell *shell, struct deadline by, struct err *err)
{
    static const char ends[2] = {END_OF_TRANSMISSION, END_OF_TRANSMISSION};

    /* Within a line, the first one only submits the line. */
    if (!shell->v2)
        return stream_write(shell->stream, ends, shell->in_line ? 2 : 1, by,
                            err);
    return write_packet(shell, SHELL_WIRE_CLOSE_STDIN, NULL, 0, by, err);
}

bool shell_resize(struct shell *shell, unsigned rows, unsigned columns,
                  struct deadline by, struct err *err)
{
    char size[64];
    int length;

    if (!shell->v2)
        return true;
    length = snprintf(size, sizeof(size), "%ux%u,0x0", rows, columns);
    return write_packet(shell, SHELL_WIRE_WINDOW_SIZE, size, (size_t)length + 1,
                        by, err);
}

static void collect(const struct shell_event *event,
                    struct shell_result *result)
{
    switch (event->kind) {
    case SHELL_OUT:
        buf_append(&result->out, event->data, event->length);
        break;
    case SHELL_ERRORS:
        buf_append(&result->errors, event->data, event->length);
        break;
    case SHELL_EXIT:
        result->status = event->status;
        break;
    }
}

static void undo_crlf(struct buf *text)
{
    if (text->length)
        buf_truncate(text, pty_stream_undo(text->data, text->length));
}

bool shell_run(struct device *device, const char *command, size_t limit,
               struct deadline by, struct shell_result *result, struct err *err)
{
    const struct shell_options options = {.command = command, .status = true};
    struct shell_result gathered = {.out = BUF_INIT(limit),
                                    .errors = BUF_INIT(limit)};
    struct shell_event event = {.kind = SHELL_OUT};
    struct shell *shell = NULL;
    bool done;

    done = shell_open(device, &options, by, &shell, err);
    while (done && event.kind != SHELL_EXIT) {
        done = shell_next(shell, by, &event, err);
        if (done)
            collect(&event, &gathered);
        if (gathered.out.overflow || gathered.errors.overflow)
            done = err_set(err, ERR_LIMIT,
                           "the command printed more than %zu bytes", limit);
    }
    if (done && shell->crlf)
        undo_crlf(&gathered.out);
    shell_close(shell);
    if (!done) {
        shell_result_release(&gathered);
        return false;
    }
    *result = gathered;
    return true;
}

static bool open_prefixed(struct device *device, const char *prefix,
                          const char *command, struct deadline by,
                          struct stream **stream, struct err *err)
{
    struct buf service = BUF_INIT(PACKET_MAX_PAYLOAD);
    bool done;

    buf_text(&service, prefix);
    buf_text(&service, command);
    done = open_command(device, &service, by, stream, err);
    buf_release(&service);
    return done;
}

/* Android before 5 has no exec: service. */
static bool lacks_exec(const struct device *device, const struct err *err)
{
    return err->code == ERR_REFUSED && !device_has(device, FEATURE_SHELL_V2);
}

bool shell_exec_open(struct device *device, const char *command,
                     struct deadline by, struct stream **stream,
                     struct err *err)
{
    struct stream *pty;
    struct err refused;

    if (!device_has_no_exec(device)) {
        if (open_prefixed(device, "exec:", command, by, stream, &refused))
            return true;
        if (!lacks_exec(device, &refused)) {
            *err = refused;
            return false;
        }
        device_set_no_exec(device);
    }
    if (!open_prefixed(device, "shell:", command, by, &pty, err))
        return false;
    *stream = pty_stream_new(pty);
    return true;
}

bool shell_exec(struct device *device, const char *command, struct deadline by,
                struct buf *output, struct err *err)
{
    size_t before = output->length;
    struct stream *stream = NULL;
    bool done;

    done = shell_exec_open(device, command, by, &stream, err) &&
           stream_read_all(stream, by, output, err);
    stream_close(stream);
    if (!done)
        buf_truncate(output, before);
    return done;
}

void shell_quote(struct buf *command, const char *text)
{
    buf_byte(command, '\'');
    for (; *text; text++) {
        if (*text == '\'')
            buf_text(command, "'\\''");
        else
            buf_byte(command, *text);
    }
    buf_byte(command, '\'');
}
