#include "tests/tools/live/view_client.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/deadline.h"
#include "base/picture/jpeg.h"
#include "base/picture/png.h"
#include "tests/tools/phone/video/video_decoder.h"

#define ANSWER_MS 60000
#define PAUSE_MS 50   /* between two packets */
#define ALIKE_DB 30.0 /* PSNR of a picture and its video */

static void on_packet(void *context)
{
    struct view_client *client = context;

    pthread_mutex_lock(&client->lock);
    client->ready = true;
    pthread_cond_signal(&client->changed);
    pthread_mutex_unlock(&client->lock);
}

void view_client_open(struct view_client *client, struct phone_view *view,
                      int width)
{
    *client = (struct view_client){.view = view};
    pthread_mutex_init(&client->lock, NULL);
    deadline_cond_init(&client->changed);
    client->watcher = phone_view_watch(view, width, on_packet, client);
}

void view_client_close(struct view_client *client)
{
    if (!client->view)
        return;
    phone_watcher_close(client->watcher);
    pthread_cond_destroy(&client->changed);
    pthread_mutex_destroy(&client->lock);
    picture_release(&client->canvas);
    if (client->decoder)
        video_decoder_free(client->decoder);
    *client = (struct view_client){.view = NULL};
}

/* ---- painting ---- */

static void paint_video(struct view_client *client,
                        const struct live_video *video)
{
    const struct video_packet packet = {
        .kind = video->config ? VIDEO_CONFIG
                : video->key  ? VIDEO_KEY
                              : VIDEO_DELTA,
        .pts_us = (uint64_t)video->time_us,
        .size = {video->width, video->height},
        .data = (const uint8_t *)video->bytes.data,
        .length = video->bytes.length,
    };

    if (!client->decoder)
        client->decoder = video_decoder_new();
    video_decoder_decode(client->decoder, &packet, &client->canvas);
    client->reduction = 1;
}

static void decode(const struct live_patch *patch, struct picture *picture)
{
    struct err err;

    if (patch->format == LIVE_PNG)
        assert_true(
            png_decode(patch->bytes.data, patch->bytes.length, picture, &err));
    else
        assert_true(
            jpeg_decode(patch->bytes.data, patch->bytes.length, picture, &err));
}

static void paint_patch(struct view_client *client,
                        const struct live_patch *patch)
{
    const uint32_t by = patch->reduction;
    struct picture picture = PICTURE_INIT;

    decode(patch, &picture);
    assert_int_equal(picture.width,
                     ((uint32_t)box_width(patch->box) + by - 1) / by);
    assert_int_equal(picture.height,
                     ((uint32_t)box_height(patch->box) + by - 1) / by);
    for (uint32_t y = 0; y < picture.height; y++)
        memcpy(picture_row(&client->canvas, (uint32_t)patch->box.top / by + y) +
                   (size_t)patch->box.left / by * PICTURE_PIXEL,
               picture_row(&picture, y), picture.width * PICTURE_PIXEL);
    client->lossy += patch->format == LIVE_JPEG;
    picture_release(&picture);
}

static void paint(struct view_client *client, const struct live_packet *packet)
{
    struct err err;

    client->packets++;
    client->bytes += live_packet_size(packet);
    client->frame = packet->frame;
    if (packet->kind == LIVE_VIDEO) {
        paint_video(client, packet->video);
        return;
    }
    assert_true(packet->patch_count > 0);
    client->reduction = packet->patches[0]->reduction;
    assert_true(picture_resize(
        &client->canvas,
        (packet->width + client->reduction - 1) / client->reduction,
        (packet->height + client->reduction - 1) / client->reduction, &err));
    for (size_t i = 0; i < packet->patch_count; i++)
        paint_patch(client, packet->patches[i]);
}

bool view_client_paint_unseen(struct view_client *client, int ms)
{
    const struct timespec end = deadline_timespec(deadline_in_ms(ms));
    struct live_packet *packet;
    int number = 0;

    for (;;) {
        packet = phone_watcher_take(client->watcher);
        if (packet || number)
            break;
        pthread_mutex_lock(&client->lock);
        while (!client->ready && !number)
            number =
                pthread_cond_timedwait(&client->changed, &client->lock, &end);
        client->ready = false;
        pthread_mutex_unlock(&client->lock);
    }
    if (!packet)
        return false;
    paint(client, packet);
    live_packet_free(packet);
    return true;
}

bool view_client_paint(struct view_client *client, int ms)
{
    if (!view_client_paint_unseen(client, ms))
        return false;
    phone_watcher_seen(client->watcher, client->frame);
    return true;
}

void view_client_paint_all(struct view_client *client)
{
    if (!client->packets)
        assert_true(view_client_paint(client, ANSWER_MS));
    while (view_client_paint(client, PAUSE_MS))
        continue;
}

bool view_client_shows(const struct view_client *client, const struct buf *png)
{
    struct picture picture = PICTURE_INIT;
    struct err err;
    bool same;

    assert_true(png_decode(png->data, png->length, &picture, &err));
    same = picture.width == client->canvas.width &&
           picture.height == client->canvas.height;
    for (uint32_t y = 0; same && y < picture.height; y++)
        same =
            !memcmp(picture_row(&picture, y), picture_row(&client->canvas, y),
                    picture.width * PICTURE_PIXEL);
    picture_release(&picture);
    return same;
}

bool view_client_resembles(const struct view_client *client,
                           const struct buf *png)
{
    struct picture picture = PICTURE_INIT;
    struct err err;
    bool alike;

    assert_true(png_decode(png->data, png->length, &picture, &err));
    alike = picture.width == client->canvas.width &&
            picture.height == client->canvas.height &&
            picture_psnr(&picture, &client->canvas) >= ALIKE_DB;
    picture_release(&picture);
    return alike;
}

/* ---- commands ---- */

static void on_answer(void *context, struct view_answer *answer)
{
    struct awaited_answer *awaited = context;

    pthread_mutex_lock(&awaited->lock);
    awaited->answer = *answer;
    answer->bytes = (struct buf)BUF_INIT(0);
    awaited->came = true;
    pthread_cond_signal(&awaited->changed);
    pthread_mutex_unlock(&awaited->lock);
}

bool view_command_send(struct phone_view *view,
                       const struct view_command *command,
                       struct awaited_answer *awaited, struct err *err)
{
    *awaited = (struct awaited_answer){.came = false};
    pthread_mutex_init(&awaited->lock, NULL);
    deadline_cond_init(&awaited->changed);
    return phone_view_send(view, command, on_answer, awaited, err);
}

bool view_command_is_answered(struct awaited_answer *awaited)
{
    bool came;

    pthread_mutex_lock(&awaited->lock);
    came = awaited->came;
    pthread_mutex_unlock(&awaited->lock);
    return came;
}

bool view_command_await(struct awaited_answer *awaited, struct buf *bytes,
                        struct err *err)
{
    const struct timespec end = deadline_timespec(deadline_in_ms(ANSWER_MS));
    int number = 0;

    pthread_mutex_lock(&awaited->lock);
    while (!awaited->came && !number)
        number =
            pthread_cond_timedwait(&awaited->changed, &awaited->lock, &end);
    pthread_mutex_unlock(&awaited->lock);
    assert_true(awaited->came);
    pthread_cond_destroy(&awaited->changed);
    pthread_mutex_destroy(&awaited->lock);
    *err = awaited->answer.err;
    if (bytes) {
        buf_release(bytes);
        *bytes = awaited->answer.bytes;
    } else {
        buf_release(&awaited->answer.bytes);
    }
    return awaited->answer.done;
}

bool view_command_run(struct phone_view *view,
                      const struct view_command *command, struct buf *bytes,
                      struct err *err)
{
    struct awaited_answer awaited;

    return view_command_send(view, command, &awaited, err) &&
           view_command_await(&awaited, bytes, err);
}

bool view_client_touch(struct view_client *client, uint32_t epoch,
                       enum view_touch touch, int x, int y, struct err *err)
{
    const struct view_command command = {
        .kind = VIEW_TOUCH,
        .epoch = epoch,
        .frame = client->frame,
        .width = (int)(client->canvas.width * client->reduction),
        .height = (int)(client->canvas.height * client->reduction),
        .touch = touch,
        .x = x,
        .y = y,
    };

    return view_command_run(client->view, &command, NULL, err);
}
