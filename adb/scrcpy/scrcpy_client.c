#include "adb/scrcpy/scrcpy_client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "adb/scrcpy/h264_stream.h"
#include "adb/scrcpy/scrcpy_control.h"
#include "base/clean_text.h"
#include "base/mem.h"

/* How long to wait before the server's socket is tried again. */
#define RETRY_MS 20

/* How long a server that closes its sockets may take to say why. */
#define LAST_WORDS_MS 1000

/* For removing the server's file after a start that failed, maybe by time. */
#define REMOVE_MS 2000

struct scrcpy_client {
    struct scrcpy_server server;
    struct scrcpy_options options;
    char version[SCRCPY_VERSION_MAX];
    char device_name[SCRCPY_DEVICE_NAME_SIZE + 1];
    struct scrcpy_control_channel control;

    /* Used by the reader of the video */
    struct stream *video; /* owned; NULL: there is none */
    struct extent size;
    uint8_t header[SCRCPY_PACKET_HEADER_SIZE];
    size_t header_got;
    struct scrcpy_packet_header packet; /* once the header is complete */
    struct buf data;                    /* what has arrived of the packet */
};

/* ---- opening ---- */

static bool choose_id(int32_t *id, struct err *err)
{
    uint32_t random;

    if (getrandom(&random, sizeof(random), 0) != (ssize_t)sizeof(random))
        return err_set(err, ERR_IO, "no random numbers are available");
    *id = (int32_t)(random & INT32_MAX);
    return true;
}

static bool set_options(struct scrcpy_client *client,
                        const struct scrcpy_settings *settings, int32_t id,
                        struct err *err)
{
    struct scrcpy_options *options = &client->options;

    scrcpy_options_init(options);
    if (!scrcpy_version_parse(client->version, &options->version, err))
        return false;
    options->id = id;
    options->video = !settings->no_video;
    options->audio = false;
    options->control = !settings->no_control;
    options->max_size = settings->max_size;
    options->max_fps = (float)settings->max_fps;
    if (settings->bit_rate)
        options->bit_rate = settings->bit_rate;
    options->tunnel_forward = true;
    options->power_on = !settings->keep_screen_off;
    options->clipboard_autosync = false;
    return true;
}

static bool push_server(struct scrcpy_client *client,
                        const struct scrcpy_settings *settings,
                        struct deadline by, struct err *err)
{
    struct buf path = BUF_INIT(4096);
    bool done = scrcpy_server_find(settings->server_path, &path, err) &&
                scrcpy_server_push(&client->server, buf_cstr(&path), by, err);

    buf_release(&path);
    return done;
}

static bool learn_version(struct scrcpy_client *client,
                          const struct scrcpy_settings *settings,
                          struct deadline by, struct err *err)
{
    if (!settings->version)
        return scrcpy_server_ask_version(&client->server, by, client->version,
                                         err);
    snprintf(client->version, sizeof(client->version), "%s", settings->version);
    return true;
}

static bool open_socket(struct scrcpy_client *client, struct deadline by,
                        struct stream **stream, struct err *err)
{
    char name[SCRCPY_SOCKET_MAX];
    char service[sizeof("localabstract:") + SCRCPY_SOCKET_MAX];

    scrcpy_options_socket(&client->options, name);
    snprintf(service, sizeof(service), "localabstract:%s", name);
    return device_open_service(client->server.device, service, by, stream, err);
}

/* One attempt to open the first socket. It sends a byte when it is served. */
static bool try_first_socket(struct scrcpy_client *client, struct deadline by,
                             struct stream **stream, struct err *err)
{
    struct stream *opened = NULL;
    uint8_t byte;

    if (!open_socket(client, by, &opened, err))
        return false;
    if (stream_read_exact(opened, &byte, 1, by, err)) {
        *stream = opened;
        return true;
    }
    stream_close(opened);
    return false;
}

/* The socket is refused until the server listens. */
static bool open_first_socket(struct scrcpy_client *client, struct deadline by,
                              struct stream **stream, struct err *err)
{
    struct err tried = ERR_INIT;

    while (!try_first_socket(client, by, stream, &tried)) {
        struct deadline pause = deadline_in_ms(RETRY_MS);

        if (tried.code != ERR_REFUSED && tried.code != ERR_CLOSED) {
            *err = tried;
            return err_wrap(err, "connecting to scrcpy's server");
        }
        if (!scrcpy_server_watch(&client->server, deadline_sooner(by, pause),
                                 err))
            return false;
        if (deadline_passed(by))
            return err_set(err, ERR_TIMEOUT,
                           "scrcpy's server did not listen in time");
    }
    return true;
}

/* In the order in which the server accepts them. */
static bool open_sockets(struct scrcpy_client *client, struct deadline by,
                         struct err *err)
{
    bool has_video = client->options.video;

    if (has_video && !open_first_socket(client, by, &client->video, err))
        return false;
    if (!client->options.control)
        return true;
    if (!has_video)
        return open_first_socket(client, by, &client->control.stream, err);
    return open_socket(client, by, &client->control.stream, err);
}

static bool read_device_name(struct scrcpy_client *client, struct deadline by,
                             struct err *err)
{
    struct stream *first =
        client->video ? client->video : client->control.stream;
    char name[SCRCPY_DEVICE_NAME_SIZE];

    if (!stream_read_exact(first, name, sizeof(name), by, err))
        return false;
    clean_text_copy(client->device_name, sizeof(client->device_name), name,
                    strnlen(name, sizeof(name)));
    return true;
}

static bool read_video_header(struct scrcpy_client *client, struct deadline by,
                              struct err *err)
{
    enum scrcpy_layout layout = scrcpy_version_layout(&client->options.version);
    uint8_t bytes[SCRCPY_VIDEO_HEADER_MAX];
    struct scrcpy_video_header header;

    if (!client->video)
        return true;
    if (!stream_read_exact(client->video, bytes,
                           scrcpy_video_header_size(layout), by, err) ||
        !scrcpy_video_header_parse(layout, bytes, &header, err))
        return false;
    client->size = header.size;
    return true;
}

/* When the server has closed its sockets, say why it did. */
static bool explain_end(struct scrcpy_client *client, struct deadline by,
                        struct err *err)
{
    struct deadline limit = deadline_in_ms(LAST_WORDS_MS);

    if (err->code == ERR_CLOSED &&
        scrcpy_server_watch(&client->server, deadline_sooner(by, limit), err))
        return err_set(err, ERR_REMOTE, "scrcpy's server has closed the video");
    return false;
}

static bool start(struct scrcpy_client *client, struct deadline by,
                  struct err *err)
{
    return scrcpy_server_start(&client->server, &client->options, by, err) &&
           open_sockets(client, by, err) &&
           ((read_device_name(client, by, err) &&
             read_video_header(client, by, err)) ||
            explain_end(client, by, err));
}

bool scrcpy_client_open(struct device *device,
                        const struct scrcpy_settings *settings,
                        struct deadline by, struct scrcpy_client **client,
                        struct err *err)
{
    struct scrcpy_client *opened;
    int32_t id;

    if (settings->no_video && settings->no_control)
        return err_set(err, ERR_INVALID, "neither video nor control is wanted");
    if (!choose_id(&id, err))
        return false;
    opened = mem_new(1, sizeof(*opened));
    opened->data = (struct buf)BUF_INIT(VIDEO_PACKET_MAX);
    scrcpy_server_init(&opened->server, device, id);
    scrcpy_control_channel_init(&opened->control, NULL);
    if (push_server(opened, settings, by, err)) {
        if (learn_version(opened, settings, by, err) &&
            set_options(opened, settings, id, err) && start(opened, by, err)) {
            *client = opened;
            return true;
        }
        if (err->code != ERR_LOST && err->code != ERR_CANCELLED)
            scrcpy_server_remove(&opened->server, deadline_in_ms(REMOVE_MS));
    }
    scrcpy_client_close(opened);
    return false;
}

void scrcpy_client_close(struct scrcpy_client *client)
{
    if (!client)
        return;
    scrcpy_control_channel_release(&client->control);
    stream_close(client->video);
    scrcpy_server_release(&client->server);
    buf_release(&client->data);
    free(client);
}

void scrcpy_client_interrupt(struct scrcpy_client *client)
{
    if (client->video)
        stream_interrupt(client->video);
    if (client->control.stream)
        stream_interrupt(client->control.stream);
    scrcpy_server_interrupt(&client->server);
}

const char *scrcpy_client_version(const struct scrcpy_client *client)
{
    return client->version;
}

const char *scrcpy_client_device_name(const struct scrcpy_client *client)
{
    return client->device_name;
}

/* ---- video ---- */

static bool read_some(struct scrcpy_client *client, void *data, size_t size,
                      struct deadline by, size_t *got, struct err *err)
{
    if (!stream_read(client->video, data, size, by, got, err))
        return false;
    if (!*got)
        return err_set(err, ERR_CLOSED, "scrcpy's server closed the video");
    return true;
}

/* May be called again after a timeout, as all functions for packets. */
static bool read_header(struct scrcpy_client *client, struct deadline by,
                        struct err *err)
{
    if (client->header_got == sizeof(client->header))
        return true;
    buf_clear(&client->data);
    while (client->header_got < sizeof(client->header)) {
        size_t got;

        if (!read_some(client, client->header + client->header_got,
                       sizeof(client->header) - client->header_got, by, &got,
                       err))
            return false;
        client->header_got += got;
    }
    return scrcpy_packet_header_parse(
        scrcpy_version_layout(&client->options.version), client->header,
        &client->packet, err);
}

static bool read_data(struct scrcpy_client *client, struct deadline by,
                      struct err *err)
{
    while (client->data.length < client->packet.length) {
        size_t left = client->packet.length - client->data.length;
        char *room = buf_reserve(&client->data, left);
        size_t got;

        if (!room)
            return err_set(err, ERR_LIMIT, "a packet of scrcpy is too large");
        if (!read_some(client, room, left, by, &got, err))
            return false;
        buf_commit(&client->data, got);
    }
    return true;
}

static bool read_packet(struct scrcpy_client *client, struct deadline by,
                        struct err *err)
{
    do {
        if (!read_header(client, by, err) || !read_data(client, by, err))
            return false;
        client->header_got = 0;
        if (client->packet.kind == SCRCPY_PACKET_SESSION)
            client->size = client->packet.size;
    } while (client->packet.kind == SCRCPY_PACKET_SESSION);
    return true;
}

/* Layout 2 reports a new size nowhere else. */
static void take_size(struct scrcpy_client *client)
{
    struct h264_config config;
    struct err ignored = ERR_INIT;

    if (h264_config_parse((const uint8_t *)client->data.data,
                          client->data.length, &config, &ignored))
        client->size = config.size;
}

static enum video_packet_kind kind_of(enum scrcpy_packet_kind kind)
{
    switch (kind) {
    case SCRCPY_PACKET_CONFIG:
        return VIDEO_CONFIG;
    case SCRCPY_PACKET_KEY:
        return VIDEO_KEY;
    case SCRCPY_PACKET_SESSION:
    case SCRCPY_PACKET_DELTA:
        break;
    }
    return VIDEO_DELTA;
}

bool scrcpy_client_next(struct scrcpy_client *client, struct deadline by,
                        struct video_packet *packet, struct err *err)
{
    if (!client->video)
        return err_set(err, ERR_UNSUPPORTED,
                       "scrcpy was started without video");
    if (!read_packet(client, by, err))
        return explain_end(client, by, err);
    if (client->packet.kind == SCRCPY_PACKET_CONFIG)
        take_size(client);
    *packet = (struct video_packet){
        .kind = kind_of(client->packet.kind),
        .pts_us = client->packet.pts_us,
        .size = client->size,
        .data = (const uint8_t *)client->data.data,
        .length = client->data.length,
    };
    return true;
}

/* ---- control ---- */

static bool send(struct scrcpy_client *client, struct scrcpy_control control,
                 struct deadline by, struct err *err)
{
    return scrcpy_control_channel_send(&client->control, &control, by, err);
}

#define PRIMARY_BUTTON 1

bool scrcpy_client_touch(struct scrcpy_client *client,
                         enum scrcpy_action action, uint64_t pointer,
                         struct scrcpy_position position, float pressure,
                         struct deadline by, struct err *err)
{
    struct scrcpy_control control = {
        .type = SCRCPY_TOUCH,
        .action = (uint8_t)action,
        .pointer = pointer,
        .position = position,
        .pressure = (uint16_t)(pressure >= 1.0F ? UINT16_MAX
                                                : pressure * (UINT16_MAX + 1)),
    };

    if (action == SCRCPY_DOWN || action == SCRCPY_UP)
        control.action_button = PRIMARY_BUTTON;
    if (action == SCRCPY_DOWN || action == SCRCPY_MOVE)
        control.buttons = PRIMARY_BUTTON;
    return send(client, control, by, err);
}

bool scrcpy_client_scroll(struct scrcpy_client *client,
                          struct scrcpy_position position, float right,
                          float up, struct deadline by, struct err *err)
{
    float max = scrcpy_version_scroll_max(&client->options.version);

    return send(client,
                (struct scrcpy_control){
                    .type = SCRCPY_SCROLL,
                    .position = position,
                    .scroll_x = scrcpy_scroll_encode(right, max),
                    .scroll_y = scrcpy_scroll_encode(up, max),
                },
                by, err);
}

bool scrcpy_client_key(struct scrcpy_client *client, enum scrcpy_action action,
                       int code, uint32_t meta, struct deadline by,
                       struct err *err)
{
    return send(client,
                (struct scrcpy_control){
                    .type = SCRCPY_KEY,
                    .action = (uint8_t)action,
                    .code = (uint32_t)code,
                    .meta = meta,
                },
                by, err);
}

bool scrcpy_client_press(struct scrcpy_client *client, int code,
                         struct deadline by, struct err *err)
{
    return scrcpy_client_key(client, SCRCPY_DOWN, code, 0, by, err) &&
           scrcpy_client_key(client, SCRCPY_UP, code, 0, by, err);
}

static bool is_printable_ascii(const char *text)
{
    for (; *text; text++) {
        if (*text < ' ' || *text > '~')
            return false;
    }
    return true;
}

bool scrcpy_client_text(struct scrcpy_client *client, const char *text,
                        struct deadline by, struct err *err)
{
    size_t length = strlen(text);

    if (!is_printable_ascii(text))
        return scrcpy_client_set_clipboard(client, text, true, by, err);
    while (length) {
        size_t part = length < SCRCPY_TEXT_MAX ? length : SCRCPY_TEXT_MAX;
        struct scrcpy_control control = {
            .type = SCRCPY_TEXT, .text = text, .text_length = part};

        if (!send(client, control, by, err))
            return false;
        text += part;
        length -= part;
    }
    return true;
}

bool scrcpy_client_set_clipboard(struct scrcpy_client *client, const char *text,
                                 bool paste, struct deadline by,
                                 struct err *err)
{
    return scrcpy_control_channel_set_clipboard(&client->control, text, paste,
                                                by, err);
}

bool scrcpy_client_get_clipboard(struct scrcpy_client *client,
                                 struct deadline by, struct buf *text,
                                 struct err *err)
{
    return scrcpy_control_channel_get_clipboard(&client->control, by, text,
                                                err);
}

bool scrcpy_client_send(struct scrcpy_client *client,
                        enum scrcpy_control_type type, struct deadline by,
                        struct err *err)
{
    struct scrcpy_control control = {.type = type, .action = SCRCPY_DOWN};

    if (type == SCRCPY_RESET_VIDEO &&
        !scrcpy_version_is_at_least(&client->options.version, 3, 0, 0))
        return err_set(err, ERR_UNSUPPORTED,
                       "scrcpy %s cannot start its video again; 3.0 or later "
                       "can",
                       client->version);
    if (!send(client, control, by, err))
        return false;
    if (type != SCRCPY_BACK_OR_SCREEN_ON)
        return true;
    control.action = SCRCPY_UP;
    return send(client, control, by, err);
}

bool scrcpy_client_display_power(struct scrcpy_client *client, bool on,
                                 struct deadline by, struct err *err)
{
    return send(
        client,
        (struct scrcpy_control){.type = SCRCPY_DISPLAY_POWER, .flag = on}, by,
        err);
}
