#include "adb/scrcpy/screenrecord_client.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "adb/scrcpy/h264_stream.h"
#include "adb/services/shell.h"
#include "base/clean_text.h"
#include "base/mem.h"

/* A frame is complete when nothing has arrived for this time. */
#define SILENCE_MS 30

#define READ_SIZE ((size_t)64 * 1024)
#define HELP_MAX ((size_t)64 * 1024)

/* Attempts in a row that gave no packet, before the phone counts as unable. */
#define FAILURES_MAX 3

/* A run that ends at once is not followed by the next one at once. */
#define RUN_NS INT64_C(500000000)

/* For starting it again, which an interrupt does not end. */
#define START_MS 10000

struct screenrecord_client {
    struct device *device; /* borrowed */
    struct buf command;    /* what is run */
    struct h264_splitter splitter;
    uint8_t *input;     /* owned; READ_SIZE bytes */
    struct extent size; /* of the video */
    int64_t arrived_ns; /* when the last bytes came */
    bool is_silent;     /* they were flushed */
    bool has_begun;     /* this run has printed something */
    int failures;       /* runs since the last packet */
    int64_t ran_ns;     /* when it was started last */
    char message[160];  /* what screenrecord printed instead of video */

    pthread_mutex_t lock; /* around the changes of the following */
    pthread_cond_t changed;
    struct stream *stream; /* owned; NULL: screenrecord has ended */
    bool interrupted;
};

/* ---- starting ---- */

/* Android 14 and later can record without a limit. */
static bool can_be_endless(struct device *device, struct deadline by,
                           bool *endless, struct err *err)
{
    struct shell_result result;

    if (!shell_run(device, "screenrecord --help 2>&1", HELP_MAX, by, &result,
                   err))
        return false;
    *endless = strstr(buf_cstr(&result.out), "Set to 0") ||
               strstr(buf_cstr(&result.out), "0 to remove");
    shell_result_release(&result);
    return true;
}

static void put_command(const struct screenrecord_settings *settings,
                        bool endless, struct buf *command)
{
    buf_text(command, "screenrecord --output-format=h264");
    if (settings->size.width)
        buf_printf(command, " --size %dx%d", settings->size.width,
                   settings->size.height);
    buf_printf(command, " --bit-rate %d",
               settings->bit_rate ? settings->bit_rate : 8000000);
    if (endless)
        buf_text(command, " --time-limit 0");
    buf_text(command, " -");
}

static void set_stream(struct screenrecord_client *client,
                       struct stream *stream)
{
    struct stream *old;

    pthread_mutex_lock(&client->lock);
    old = client->stream;
    client->stream = stream;
    if (stream && client->interrupted)
        stream_interrupt(stream);
    pthread_mutex_unlock(&client->lock);
    stream_close(old);
}

static bool run(struct screenrecord_client *client, struct deadline by,
                struct err *err)
{
    struct stream *stream = NULL;

    h264_splitter_clear(&client->splitter);
    client->is_silent = true;
    client->has_begun = false;
    client->ran_ns = clock_ns();
    if (!shell_exec_open(client->device, buf_cstr(&client->command), by,
                         &stream, err))
        return err_wrap(err, "starting screenrecord");
    set_stream(client, stream);
    return true;
}

bool screenrecord_client_open(struct device *device,
                              const struct screenrecord_settings *settings,
                              struct deadline by,
                              struct screenrecord_client **client,
                              struct err *err)
{
    struct screenrecord_client *opened;
    bool endless;

    if (!can_be_endless(device, by, &endless, err))
        return err_wrap(err, "asking for the options of screenrecord");
    opened = mem_new(1, sizeof(*opened));
    opened->device = device;
    opened->command = (struct buf)BUF_INIT(256);
    opened->input = mem_resize(NULL, READ_SIZE, 1);
    pthread_mutex_init(&opened->lock, NULL);
    deadline_cond_init(&opened->changed);
    h264_splitter_init(&opened->splitter);
    put_command(settings, endless, &opened->command);
    if (!run(opened, by, err)) {
        screenrecord_client_close(opened);
        return false;
    }
    *client = opened;
    return true;
}

void screenrecord_client_close(struct screenrecord_client *client)
{
    if (!client)
        return;
    set_stream(client, NULL);
    pthread_cond_destroy(&client->changed);
    pthread_mutex_destroy(&client->lock);
    h264_splitter_release(&client->splitter);
    buf_release(&client->command);
    free(client->input);
    free(client);
}

void screenrecord_client_interrupt(struct screenrecord_client *client)
{
    pthread_mutex_lock(&client->lock);
    client->interrupted = true;
    if (client->stream)
        stream_interrupt(client->stream);
    pthread_cond_broadcast(&client->changed);
    pthread_mutex_unlock(&client->lock);
}

/* ---- packets ---- */

/* Wait until it may run again. */
static bool rest(struct screenrecord_client *client, struct deadline by,
                 struct err *err)
{
    const struct deadline next = {client->ran_ns + RUN_NS};
    const struct timespec end = deadline_timespec(deadline_sooner(by, next));
    bool interrupted;
    int number = 0;

    pthread_mutex_lock(&client->lock);
    while (!client->interrupted && !number)
        number = pthread_cond_timedwait(&client->changed, &client->lock, &end);
    interrupted = client->interrupted;
    pthread_mutex_unlock(&client->lock);
    if (interrupted)
        return err_set(err, ERR_CANCELLED, "screenrecord was interrupted");
    return deadline_passed(next) ||
           err_set(err, ERR_TIMEOUT,
                   "screenrecord has ended: it is started "
                   "again later");
}

/* Start it again after its end, unless it has never worked. */
static bool run_again(struct screenrecord_client *client, struct deadline by,
                      struct err *err)
{
    if (client->failures >= FAILURES_MAX)
        return err_set(err, ERR_UNSUPPORTED,
                       "the phone's screenrecord gives no video%s%s",
                       *client->message ? ": " : "", client->message);
    return rest(client, by, err) &&
           run(client, deadline_sooner(by, deadline_in_ms(START_MS)), err);
}

/* Text where video should begin is an error message. */
static void keep_message(struct screenrecord_client *client, size_t length)
{
    const char *text = (const char *)client->input;
    size_t line = 0;

    if (client->has_begun || !*text)
        return;
    while (line < length && text[line] != '\r' && text[line] != '\n')
        line++;
    clean_text_copy(client->message, sizeof(client->message), text, line);
}

static struct deadline silence_of(const struct screenrecord_client *client)
{
    return (struct deadline){client->arrived_ns +
                             SILENCE_MS * INT64_C(1000000)};
}

/*
 * Read what has arrived, or wait for it. *flush: what has arrived before is a
 * whole frame.
 */
static bool read_some(struct screenrecord_client *client, struct deadline by,
                      bool *flush, struct err *err)
{
    struct deadline limit =
        client->is_silent ? by : deadline_sooner(by, silence_of(client));
    struct err waited = ERR_INIT;
    size_t got;

    if (!stream_read(client->stream, client->input, READ_SIZE, limit, &got,
                     &waited)) {
        *flush = waited.code == ERR_TIMEOUT && !client->is_silent &&
                 deadline_passed(silence_of(client));
        client->is_silent = client->is_silent || *flush;
        if (!*flush)
            *err = waited;
        return *flush;
    }
    if (!got) {
        *flush = true;
        client->failures++;
        set_stream(client, NULL);
        return true;
    }
    keep_message(client, got);
    client->has_begun = true;
    client->arrived_ns = clock_ns();
    client->is_silent = false;
    return h264_splitter_add(&client->splitter, client->input, got, err);
}

static void finish_packet(struct screenrecord_client *client,
                          struct video_packet *packet)
{
    struct h264_config config;
    struct err ignored = ERR_INIT;

    if (packet->kind == VIDEO_CONFIG &&
        h264_config_parse(packet->data, packet->length, &config, &ignored))
        client->size = config.size;
    packet->size = client->size;
    packet->pts_us =
        packet->kind == VIDEO_CONFIG ? 0 : (uint64_t)client->arrived_ns / 1000;
    client->failures = 0;
}

bool screenrecord_client_next(struct screenrecord_client *client,
                              struct deadline by, struct video_packet *packet,
                              struct err *err)
{
    bool flush = false;

    while (!h264_splitter_next(&client->splitter, flush, packet)) {
        flush = false;
        if (!client->stream && !run_again(client, by, err))
            return false;
        if (!read_some(client, by, &flush, err))
            return false;
    }
    finish_packet(client, packet);
    return true;
}
