#include "tools/live/source_video.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "adb/scrcpy/scrcpy_client.h"
#include "adb/scrcpy/screenrecord_client.h"
#include "base/mem.h"

#define OPEN_MS 15000
#define CONTROL_MS 5000

/* The first packet must come by then: the phone sends one at once. */
#define FIRST_MS 10000

/* One of the two clients. */
struct video_client_ops {
    bool (*next)(void *client, struct deadline by, struct video_packet *packet,
                 struct err *err);
    void (*interrupt)(void *client);
    void (*close)(void *client);
};

struct source_video {
    struct live_source source; /* first */
    const struct video_client_ops *ops;
    void *client; /* owned */
    struct live_sink sink;
    pthread_t thread;
    atomic_bool stopped;
};

/* ---- the thread ---- */

static void deliver(const struct source_video *source,
                    const struct video_packet *packet)
{
    const struct live_source_packet delivered = {
        .bytes = packet->data,
        .length = packet->length,
        .config = packet->kind == VIDEO_CONFIG,
        .key = packet->kind == VIDEO_KEY,
        .width = (uint16_t)packet->size.width,
        .height = (uint16_t)packet->size.height,
        .time_us = (int64_t)packet->pts_us,
    };

    source->sink.video(source->sink.context, &delivered);
}

static void *read_video(void *context)
{
    struct source_video *source = context;
    struct deadline by = deadline_in_ms(FIRST_MS);
    struct video_packet packet;
    struct err err;

    while (!atomic_load(&source->stopped) &&
           source->ops->next(source->client, by, &packet, &err)) {
        deliver(source, &packet);
        by = DEADLINE_NEVER;
    }
    if (!atomic_load(&source->stopped))
        source->sink.failed(source->sink.context, &err);
    return NULL;
}

static void source_video_stop(struct live_source *source)
{
    struct source_video *video = (struct source_video *)source;

    atomic_store(&video->stopped, true);
    video->ops->interrupt(video->client);
    pthread_join(video->thread, NULL);
    video->ops->close(video->client);
    free(video);
}

/* The source takes the client over, also on failure. */
static bool start(const struct live_source_ops *source_ops,
                  const struct video_client_ops *ops, void *client,
                  const struct live_sink *sink, struct live_source **source,
                  struct err *err)
{
    struct source_video *made = mem_new(1, sizeof(*made));
    int number;

    made->source.ops = source_ops;
    made->ops = ops;
    made->client = client;
    made->sink = *sink;
    atomic_init(&made->stopped, false);
    number = pthread_create(&made->thread, NULL, read_video, made);
    if (number) {
        ops->close(client);
        free(made);
        return err_errno(err, number, "starting a thread for the video");
    }
    *source = &made->source;
    return true;
}

/* ---- scrcpy ---- */

static bool source_scrcpy_next(void *client, struct deadline by,
                               struct video_packet *packet, struct err *err)
{
    return scrcpy_client_next(client, by, packet, err);
}

static void source_scrcpy_interrupt(void *client)
{
    scrcpy_client_interrupt(client);
}

static void source_scrcpy_close(void *client)
{
    scrcpy_client_close(client);
}

/* Servers before 3.0 cannot: the watcher then follows later. */
static void source_scrcpy_request_key(struct live_source *source)
{
    struct source_video *video = (struct source_video *)source;
    struct err ignored;

    (void)!scrcpy_client_send(video->client, SCRCPY_RESET_VIDEO,
                              deadline_in_ms(CONTROL_MS), &ignored);
}

bool source_scrcpy_start(struct device *device, const char *server,
                         const struct live_sink *sink,
                         struct live_source **source,
                         struct scrcpy_client **client, struct err *err)
{
    static const struct live_source_ops source_ops = {
        .stop = source_video_stop, .request_key = source_scrcpy_request_key};
    static const struct video_client_ops ops = {
        source_scrcpy_next, source_scrcpy_interrupt, source_scrcpy_close};
    const struct scrcpy_settings settings = {.server_path = server};
    struct scrcpy_client *opened;

    if (!scrcpy_client_open(device, &settings, deadline_in_ms(OPEN_MS), &opened,
                            err) ||
        !start(&source_ops, &ops, opened, sink, source, err))
        return false;
    *client = opened;
    return true;
}

/* ---- screenrecord ---- */

static bool source_screenrecord_next(void *client, struct deadline by,
                                     struct video_packet *packet,
                                     struct err *err)
{
    return screenrecord_client_next(client, by, packet, err);
}

static void source_screenrecord_interrupt(void *client)
{
    screenrecord_client_interrupt(client);
}

static void source_screenrecord_close(void *client)
{
    screenrecord_client_close(client);
}

bool source_screenrecord_start(struct device *device,
                               const struct live_sink *sink,
                               struct live_source **source, struct err *err)
{
    static const struct live_source_ops source_ops = {.stop =
                                                          source_video_stop};
    static const struct video_client_ops ops = {source_screenrecord_next,
                                                source_screenrecord_interrupt,
                                                source_screenrecord_close};
    const struct screenrecord_settings settings = {.bit_rate = 0};
    struct screenrecord_client *opened;

    return screenrecord_client_open(device, &settings, deadline_in_ms(OPEN_MS),
                                    &opened, err) &&
           start(&source_ops, &ops, opened, sink, source, err);
}
