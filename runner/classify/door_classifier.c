#include "runner/classify/door_classifier.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/macros.h"
#include "base/mem.h"
#include "runner/classify/door_stream.h"

#define SERVICE_MAX 512 /* of its name, for the record */
#define TYPED_MAX ((size_t)32 * 1024)
#define PENDING_MAX ((size_t)1 << 20)

#define SHELL_PACKET_HEADER 5
#define SHELL_PACKET_STDOUT 1
#define SHELL_PACKET_EXIT 3

/* ---- the classifier ---- */

struct door_classifier *door_classifier_new(const struct door_options *options)
{
    struct door_classifier *classifier = mem_new(1, sizeof(*classifier));

    classifier->options = *options;
    return classifier;
}

void door_classifier_free(struct door_classifier *classifier)
{
    if (!classifier)
        return;
    door_merge_release(&classifier->merge);
    free(classifier->clipboard);
    free(classifier);
}

void door_classifier_set_display(struct door_classifier *classifier,
                                 struct touch_display display)
{
    classifier->options.display = display;
}

struct door_counts door_classifier_counts(
    const struct door_classifier *classifier)
{
    return classifier->counts;
}

void door_captures_release(struct door_captures *captures)
{
    for (size_t i = 0; i < captures->count; i++)
        buf_release(&captures->items[i].data);
    free(captures->items);
    *captures = (struct door_captures)DOOR_CAPTURES_INIT;
}

/* ---- services ---- */

/* Opens a stream whose name begins so; rest is what follows. */
typedef void open_fn(struct door_stream *stream, const char *rest,
                     size_t length, struct door_context *context);

static bool has_option(const char *options, size_t length, const char *name)
{
    size_t size = strlen(name);

    for (size_t i = 0; i + size <= length; i++) {
        if ((!i || options[i - 1] == ',') && !memcmp(options + i, name, size) &&
            (i + size == length || options[i + size] == ','))
            return true;
    }
    return false;
}

static void read_commands(struct door_stream *stream)
{
    stream->protocol = DOOR_SHELL;
    stream->line = (struct buf)BUF_INIT(TYPED_MAX);
}

/* A command, or without one a shell that reads commands. */
static void run_line(struct door_stream *stream, const char *line,
                     size_t length, struct door_context *context)
{
    context->pty = stream->pty;
    context->command = line;
    context->length = length;
    stream->shell = mem_new(1, sizeof(*stream->shell));
    door_shell_init(stream->shell, context);
    if (!length) {
        read_commands(stream);
        return;
    }
    door_shell_run(stream->shell, line, length);
    if (stream->shell->reads_commands)
        read_commands(stream);
}

/* "shell:COMMAND", "shell,v2,TERM=xterm,raw:COMMAND" */
static void open_shell(struct door_stream *stream, const char *rest,
                       size_t length, struct door_context *context)
{
    const char *colon = memchr(rest, ':', length);
    size_t options = colon ? (size_t)(colon - rest) : length;
    size_t line = colon ? length - options - 1 : 0;

    if (has_option(rest, options, "v2"))
        stream->wrapping = DOOR_SHELL_V2;
    stream->pty = !has_option(rest, options, "raw") &&
                  (!line || has_option(rest, options, "pty"));
    run_line(stream, colon ? colon + 1 : "", line, context);
}

static void open_exec(struct door_stream *stream, const char *rest,
                      size_t length, struct door_context *context)
{
    run_line(stream, rest, length, context);
}

/* "abb_exec:SERVICE\0WORD\0...": `cmd` without a shell. */
static void open_abb(struct door_stream *stream, const char *rest,
                     size_t length, struct door_context *context)
{
    char *words[64];
    bool known[ARRAY_LEN(words)];
    size_t count = 0;
    char *copy = mem_dup_n(rest, length);

    for (size_t at = 0; at < length && count < ARRAY_LEN(words);) {
        known[count] = true;
        words[count++] = copy + at;
        at += strlen(copy + at) + 1;
    }
    stream->shell = mem_new(1, sizeof(*stream->shell));
    door_shell_init(stream->shell, context);
    door_cmd_run(stream->shell, (struct door_args){words, known, count});
    free(copy);
}

static void open_quiet(struct door_stream *stream, const char *rest,
                       size_t length, struct door_context *context)
{
    (void)stream, (void)rest, (void)length;
    door_record_read(context);
}

static void open_raw(struct door_stream *stream, const char *rest,
                     size_t length, struct door_context *context)
{
    (void)stream, (void)rest, (void)length;
    door_record_raw(context, EFFECT_SETTING);
}

static void open_framebuffer(struct door_stream *stream, const char *rest,
                             size_t length, struct door_context *context)
{
    (void)stream, (void)rest, (void)length;
    door_record_capture(context, DOOR_SCREENSHOT, DOOR_FRAMEBUFFER, NULL);
}

static void open_sync(struct door_stream *stream, const char *rest,
                      size_t length, struct door_context *context)
{
    (void)rest, (void)length, (void)context;
    stream->protocol = DOOR_SYNC;
    stream->wrapping = DOOR_SYNC_REPLIES;
    stream->sync = mem_new(1, sizeof(*stream->sync));
    door_sync_init(stream->sync);
}

static void open_tcp(struct door_stream *stream, const char *rest,
                     size_t length, struct door_context *context)
{
    (void)rest, (void)length, (void)context;
    stream->protocol = DOOR_HTTP;
    stream->wrapping = DOOR_HTTP_REPLIES;
    stream->http = mem_new(1, sizeof(*stream->http));
    door_http_init(stream->http);
}

static bool begins_with(const char *text, size_t length, const char *start)
{
    return length >= strlen(start) && !memcmp(text, start, strlen(start));
}

/* A program of the phone that listens on a name. */
static void open_local(struct door_stream *stream, const char *rest,
                       size_t length, struct door_context *context)
{
    if (!begins_with(rest, length, "scrcpy")) {
        open_tcp(stream, rest, length, context);
        return;
    }
    stream->protocol = DOOR_SCRCPY;
    stream->scrcpy = mem_new(1, sizeof(*stream->scrcpy));
    door_scrcpy_init(stream->scrcpy);
}

static const struct {
    const char *start;
    open_fn *open;
} services[] = {
    {"shell", open_shell},
    {"exec:", open_exec},
    {"abb_exec:", open_abb},
    {"abb:", open_abb},
    {"sync:", open_sync},
    {"framebuffer:", open_framebuffer},
    {"tcp:", open_tcp},
    {"localabstract:", open_local},
    {"localfilesystem:", open_local},
    {"localreserved:", open_local},
    {"local:", open_local},
    {"reverse:", open_quiet},
    {"jdwp", open_quiet},
    {"track-", open_quiet},
    {"sink:", open_quiet},
    {"source:", open_quiet},
    {"spin", open_quiet},
    {"wait-for-", open_quiet},
    {"reboot:", open_raw},
    {"root:", open_raw},
    {"unroot:", open_raw},
    {"remount:", open_raw},
    {"tcpip:", open_raw},
    {"usb:", open_raw},
    {"disable-verity:", open_raw},
    {"enable-verity:", open_raw},
};

static struct door_context context_of(struct door_classifier *classifier,
                                      int64_t now, struct door_items *items)
{
    return (struct door_context){
        .classifier = classifier, .items = items, .now = now, .command = ""};
}

static struct door_stream *stream_new(struct door_classifier *classifier,
                                      const char *service, size_t length)
{
    struct door_stream *stream = mem_new(1, sizeof(*stream));

    if (length && !service[length - 1])
        length--;
    *stream = (struct door_stream){
        .classifier = classifier,
        .service =
            mem_dup_n(service, length < SERVICE_MAX ? length : SERVICE_MAX),
        .pending = BUF_INIT(PENDING_MAX),
        .out_header = BUF_INIT(SHELL_PACKET_HEADER),
    };
    door_output_init(&stream->output);
    return stream;
}

/* Screenshots and trees among the new items come in this stream. */
static void expect_captures(struct door_stream *stream,
                            const struct door_items *items, size_t first)
{
    for (size_t i = first; i < items->count; i++) {
        const struct door_item *item = &items->items[i];

        if (stream->protocol != DOOR_SYNC && item->capture &&
            item->delivery == DOOR_IN_OUTPUT)
            door_output_expect(&stream->output, item);
    }
}

struct door_stream *door_stream_open(struct door_classifier *classifier,
                                     const char *service, size_t length,
                                     int64_t now, struct door_items *items)
{
    struct door_stream *stream = stream_new(classifier, service, length);
    struct door_context context = context_of(classifier, now, items);
    size_t first = items->count;

    if (length && !service[length - 1])
        length--;
    context.command = service;
    context.length = length;
    for (size_t i = 0; i < ARRAY_LEN(services); i++) {
        size_t start = strlen(services[i].start);

        if (begins_with(service, length, services[i].start)) {
            services[i].open(stream, service + start, length - start, &context);
            expect_captures(stream, items, first);
            return stream;
        }
    }
    door_record_raw(&context, EFFECT_UNKNOWN);
    return stream;
}

struct door_stream *door_stream_open_reverse(struct door_classifier *classifier,
                                             const char *remote)
{
    size_t length = strlen(remote);
    struct door_stream *stream = stream_new(classifier, remote, length);
    const char *colon = strchr(remote, ':');
    const char *name = colon ? colon + 1 : remote;

    open_local(stream, name, strlen(name), NULL);
    return stream;
}

/* ---- bytes ---- */

bool door_stream_wants_input(const struct door_stream *stream)
{
    return stream->protocol != DOOR_NO_INPUT;
}

static void report_other(struct door_stream *stream,
                         struct door_context *context)
{
    if (stream->reported)
        return;
    stream->reported = true;
    context->command = stream->service;
    context->length = strlen(stream->service);
    door_record_raw(context, EFFECT_UNKNOWN);
}

void door_stream_input(struct door_stream *stream, const void *data,
                       size_t length, int64_t now, struct door_items *items)
{
    struct door_context context = context_of(stream->classifier, now, items);
    size_t first = items->count;

    switch (stream->protocol) {
    case DOOR_NO_INPUT:
        break;
    case DOOR_SHELL:
        door_lines_input(stream, data, length, &context);
        break;
    case DOOR_SYNC:
        door_sync_input(stream->sync, data, length, &context);
        break;
    case DOOR_SCRCPY:
        if (!door_scrcpy_input(stream->scrcpy, data, length, &context)) {
            stream->protocol = DOOR_OTHER;
            report_other(stream, &context);
        }
        break;
    case DOOR_HTTP:
        if (!door_http_input(stream->http, data, length, &context)) {
            stream->protocol = DOOR_OTHER;
            stream->http->lost = true;
            report_other(stream, &context);
        }
        return; /* its captures are expected already */
    case DOOR_OTHER:
        if (length)
            report_other(stream, &context);
        break;
    }
    expect_captures(stream, items, first);
}

bool door_stream_wants_output(const struct door_stream *stream)
{
    return stream->output.count || (stream->sync && !stream->sync->lost) ||
           (stream->http && stream->http->expected_count &&
            !stream->http->lost);
}

static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* stdout of the packets of shell v2. */
static void take_packets(struct door_stream *stream, const char *data,
                         size_t length, struct door_captures *captures)
{
    struct buf *header = &stream->out_header;

    while (length) {
        size_t part;

        if (stream->out_left) {
            part = min_size(stream->out_left, length);
            if (stream->out_packet == SHELL_PACKET_STDOUT)
                door_output_add(&stream->output, data, part, captures);
            stream->out_left -= part;
        } else {
            part = min_size(SHELL_PACKET_HEADER - header->length, length);
            buf_append(header, data, part);
            if (header->length == SHELL_PACKET_HEADER) {
                stream->out_packet = (uint8_t)header->data[0];
                stream->out_left = get_u32le((uint8_t *)header->data + 1);
                buf_clear(header);
                if (stream->out_packet == SHELL_PACKET_EXIT)
                    door_output_end(&stream->output, captures);
            }
        }
        data += part;
        length -= part;
    }
}

void door_stream_output(struct door_stream *stream, const void *data,
                        size_t length, struct door_captures *captures)
{
    switch (stream->wrapping) {
    case DOOR_PLAIN:
        door_output_add(&stream->output, data, length, captures);
        break;
    case DOOR_HTTP_REPLIES:
        door_http_output(stream->http, data, length, captures);
        break;
    case DOOR_SHELL_V2:
        take_packets(stream, data, length, captures);
        break;
    case DOOR_SYNC_REPLIES:
        door_sync_output(stream->sync, data, length, captures);
        break;
    }
}

void door_stream_output_end(struct door_stream *stream,
                            struct door_captures *captures)
{
    door_output_end(&stream->output, captures);
}

void door_stream_close(struct door_stream *stream, int64_t now,
                       struct door_items *items, struct door_captures *captures)
{
    struct door_context context;

    if (!stream)
        return;
    context = context_of(stream->classifier, now, items);
    if (stream->protocol == DOOR_SHELL)
        door_lines_end(stream, &context);
    door_output_end(&stream->output, captures);
    door_output_release(&stream->output);
    if (stream->sync)
        door_sync_release(stream->sync);
    free(stream->sync);
    if (stream->http)
        door_http_release(stream->http);
    free(stream->http);
    if (stream->scrcpy)
        door_scrcpy_release(stream->scrcpy);
    free(stream->scrcpy);
    buf_release(&stream->out_header);
    buf_release(&stream->pending);
    buf_release(&stream->line);
    free(stream->shell);
    free(stream->service);
    free(stream);
}
