#include "runner/device/screen_helper.h"

#include <poll.h>
#include <pthread.h>
#include <stdlib.h>

#include "adb/scrcpy/scrcpy_client.h"
#include "base/mem.h"

#define BIT_RATE 1000000 /* the video only shows that something changed */
#define FRAMES_PER_SECOND 30
#define MOVE_MS 8    /* between two places of a finger */
#define LIFT_MS 1000 /* to lift a finger after a failure */

/*
 * An encoder repeats the last frame of a still screen a few times. Such a frame
 * has next to no content.
 */
#define REPEATED_FRAME_MAX 64

struct screen_helper {
    struct scrcpy_client *client;
    const struct cancel *cancel; /* borrowed; may be NULL */
    pthread_t thread;            /* reads the video */

    pthread_mutex_t lock; /* guards all below */
    pthread_cond_t changed;
    uint64_t changes;
    struct extent video; /* size of the frames */
    bool failed;
    struct err why; /* if it has failed */
};

/* It is not used any more. */
static void give_up(struct screen_helper *helper, const struct err *why)
{
    pthread_mutex_lock(&helper->lock);
    if (!helper->failed)
        helper->why = *why;
    helper->failed = true;
    pthread_cond_broadcast(&helper->changed);
    pthread_mutex_unlock(&helper->lock);
}

/* ---- the video ---- */

static bool is_change(const struct video_packet *packet)
{
    return packet->kind == VIDEO_KEY ||
           (packet->kind == VIDEO_DELTA && packet->length > REPEATED_FRAME_MAX);
}

static void *read_video(void *context)
{
    struct screen_helper *helper = context;
    struct video_packet packet;
    struct err err = ERR_INIT;

    while (scrcpy_client_next(helper->client, DEADLINE_NEVER, &packet, &err)) {
        pthread_mutex_lock(&helper->lock);
        helper->video = packet.size;
        helper->changes += is_change(&packet);
        pthread_cond_broadcast(&helper->changed);
        pthread_mutex_unlock(&helper->lock);
    }
    give_up(helper, &err);
    return NULL;
}

uint64_t screen_helper_changes(struct screen_helper *helper)
{
    uint64_t changes;

    pthread_mutex_lock(&helper->lock);
    changes = helper->changes;
    pthread_mutex_unlock(&helper->lock);
    return changes;
}

bool screen_helper_wait(struct screen_helper *helper, uint64_t known,
                        int64_t ms)
{
    const struct timespec by = deadline_timespec(deadline_in_ms(ms));
    int error = 0;
    bool other;

    pthread_mutex_lock(&helper->lock);
    while (helper->changes == known && !helper->failed && !error)
        error = pthread_cond_timedwait(&helper->changed, &helper->lock, &by);
    other = helper->changes != known;
    pthread_mutex_unlock(&helper->lock);
    return other;
}

bool screen_helper_works(struct screen_helper *helper)
{
    bool works;

    if (!helper)
        return false;
    pthread_mutex_lock(&helper->lock);
    works = !helper->failed;
    pthread_mutex_unlock(&helper->lock);
    return works;
}

/* ---- acting ---- */

/* A point of the screen in the frames, whose sides may be a little shorter. */
static struct scrcpy_position position_of(struct screen_helper *helper,
                                          struct action_point at,
                                          struct extent screen)
{
    struct extent video;

    pthread_mutex_lock(&helper->lock);
    video = helper->video;
    pthread_mutex_unlock(&helper->lock);
    return (struct scrcpy_position){
        .x = (int32_t)((int64_t)at.x * video.width / screen.width),
        .y = (int32_t)((int64_t)at.y * video.height / screen.height),
        .width = (uint16_t)video.width,
        .height = (uint16_t)video.height,
    };
}

/* Wait for this time; a gesture ends early when it is cancelled. */
static bool rest(const struct screen_helper *helper, int64_t ms,
                 struct deadline by, struct err *err)
{
    const struct deadline end = deadline_sooner(deadline_in_ms(ms), by);
    struct pollfd cancelled = {.fd = cancel_fd(helper->cancel),
                               .events = POLLIN};

    while (!deadline_passed(end)) {
        if (cancel_fired(helper->cancel))
            return err_set(err, ERR_CANCELLED, "interrupted");
        (void)poll(&cancelled, 1, deadline_left_ms(end));
    }
    return !deadline_passed(by) ||
           err_set(err, ERR_TIMEOUT, "the gesture took too long");
}

static bool put_finger(struct screen_helper *helper, enum scrcpy_action action,
                       struct action_point at, struct extent screen,
                       struct deadline by, struct err *err)
{
    if (scrcpy_client_touch(
            helper->client, action, SCRCPY_POINTER_FINGER,
            position_of(helper, at, screen),
            action == SCRCPY_MOVE || action == SCRCPY_DOWN ? 1.0F : 0.0F, by,
            err))
        return true;
    give_up(helper, err);
    return false;
}

/* The place of the finger at a part of its way. */
static struct action_point point_at(const struct gesture *path, int ms)
{
    const int64_t right = path->to.x - path->from.x;
    const int64_t down = path->to.y - path->from.y;

    return (struct action_point){
        path->from.x + (int)(right * ms / path->milliseconds),
        path->from.y + (int)(down * ms / path->milliseconds),
    };
}

/* The finger is down: move it along the path, up to its end. */
static bool follow(struct screen_helper *helper, const struct gesture *path,
                   struct extent screen, struct deadline by, struct err *err)
{
    for (int ms = MOVE_MS; ms < path->milliseconds; ms += MOVE_MS) {
        if (!rest(helper, MOVE_MS, by, err) ||
            !put_finger(helper, SCRCPY_MOVE, point_at(path, ms), screen, by,
                        err))
            return false;
    }
    return !path->milliseconds ||
           put_finger(helper, SCRCPY_MOVE, path->to, screen, by, err);
}

bool screen_helper_touch(struct screen_helper *helper,
                         const struct gesture *path, int hold_ms,
                         struct extent screen, struct deadline by,
                         struct err *err)
{
    struct err ignored;

    if (screen.width < 1 || screen.height < 1)
        return err_set(err, ERR_INVALID, "the size of the screen is unknown");
    if (!put_finger(helper, SCRCPY_DOWN, path->from, screen, by, err))
        return false;
    if (rest(helper, hold_ms, by, err) && follow(helper, path, screen, by, err))
        return put_finger(helper, SCRCPY_UP, path->to, screen, by, err);
    (void)!put_finger(helper, SCRCPY_CANCEL, path->to, screen,
                      deadline_in_ms(LIFT_MS), &ignored);
    return false;
}

bool screen_helper_press(struct screen_helper *helper, int key,
                         struct deadline by, struct err *err)
{
    if (scrcpy_client_press(helper->client, key, by, err))
        return true;
    give_up(helper, err);
    return false;
}

/* ---- life ---- */

static void helper_free(struct screen_helper *helper)
{
    scrcpy_client_close(helper->client);
    pthread_cond_destroy(&helper->changed);
    pthread_mutex_destroy(&helper->lock);
    free(helper);
}

void screen_helper_close(struct screen_helper *helper)
{
    if (!helper)
        return;
    scrcpy_client_interrupt(helper->client);
    pthread_join(helper->thread, NULL);
    helper_free(helper);
}

/* Wait for the first frame. */
static bool wait_for_picture(struct screen_helper *helper, struct deadline by,
                             struct err *err)
{
    bool failed;

    if (screen_helper_wait(helper, 0, deadline_left_ms(by)))
        return true;
    pthread_mutex_lock(&helper->lock);
    failed = helper->failed;
    *err = helper->why;
    pthread_mutex_unlock(&helper->lock);
    return !failed &&
           err_set(err, ERR_TIMEOUT, "scrcpy's server sends no picture");
}

bool screen_helper_open(struct device *device, const char *server,
                        const struct cancel *cancel, struct deadline by,
                        struct screen_helper **helper, struct err *err)
{
    const struct scrcpy_settings settings = {
        .server_path = server,
        .bit_rate = BIT_RATE,
        .max_fps = FRAMES_PER_SECOND,
    };
    struct screen_helper *made = mem_new(1, sizeof(*made));

    made->cancel = cancel;
    pthread_mutex_init(&made->lock, NULL);
    deadline_cond_init(&made->changed);
    if (!scrcpy_client_open(device, &settings, by, &made->client, err)) {
        helper_free(made);
        return false;
    }
    if (pthread_create(&made->thread, NULL, read_video, made)) {
        helper_free(made);
        return err_set(err, ERR_IO, "cannot start a thread");
    }
    if (!wait_for_picture(made, by, err)) {
        screen_helper_close(made);
        return false;
    }
    *helper = made;
    return true;
}
