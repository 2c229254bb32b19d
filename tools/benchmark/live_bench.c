/*
 * bench live: built-in phones that are looked at and touched, without a
 * browser: what phone_view costs and how fast it is.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/deadline.h"
#include "base/keycode.h"
#include "base/macros.h"
#include "tools/benchmark/harness/harness.h"
#include "tools/live/phone_view.h"
#include "tools/phone/graphics/font.h"
#include "tools/phone/phone.h"

#define ROUNDS 9
#define PHONES 8
#define WATCHERS 10
#define SCROLL_MS 1000
#define WAIT_MS 10000
#define MOVE_NS INT64_C(8000000) /* between two moves of a finger */

#define WALL_WIDTH 270 /* of one phone of eight on a wall */
#define PAGE_WIDTH 500 /* of a phone on its own page */

enum row_index {
    RATE,
    RATE_FULL,
    RATE_TEN,
    RATE_WALL,
    CPU,
    CPU_FULL,
    CPU_TEN,
    CPU_WALL,
    FIRST,
    TAP,
    BACK,
    IDLE_BYTES,
    IDLE_CPU,
    ROW_COUNT,
};

/* A watcher that throws away what it gets. */
struct bench_watcher {
    struct phone_watcher *watcher;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t packets;
    size_t bytes;
    bool stopped; /* takes nothing */
    uint32_t frame;
};

struct bench {
    struct phone_fonts *fonts;
    struct phone *phones[PHONES];
    struct phone_view *views[PHONES];
    uint32_t epochs[PHONES];
    struct bench_watcher watchers[WATCHERS];
    size_t watcher_count;
    struct scroll_result {
        double rate; /* packets per second and watcher */
        double cpu;  /* percent of a core */
    } one, full, ten, wall;
    double first_ms;
    double tap_ms;
    double back_ms;
    double idle_bytes;
    double idle_cpu;
};

/* ---- watching ---- */

/* As a page that paints at once. */
static void on_packet(void *context)
{
    struct bench_watcher *watcher = context;
    struct live_packet *packet;

    pthread_mutex_lock(&watcher->lock);
    if (!watcher->stopped && watcher->watcher) {
        packet = phone_watcher_take(watcher->watcher);
        if (packet) {
            watcher->packets++;
            watcher->bytes += live_packet_size(packet);
            watcher->frame = packet->frame;
            phone_watcher_seen(watcher->watcher, packet->frame);
            live_packet_free(packet);
            pthread_cond_broadcast(&watcher->changed);
        }
    }
    pthread_mutex_unlock(&watcher->lock);
}

static struct bench_watcher *watch(struct bench *bench, size_t phone, int width)
{
    struct bench_watcher *watcher = &bench->watchers[bench->watcher_count++];

    *watcher = (struct bench_watcher){.packets = 0};
    pthread_mutex_init(&watcher->lock, NULL);
    deadline_cond_init(&watcher->changed);
    pthread_mutex_lock(&watcher->lock);
    watcher->watcher =
        phone_view_watch(bench->views[phone], width, on_packet, watcher);
    pthread_mutex_unlock(&watcher->lock);
    return watcher;
}

static void unwatch_all(struct bench *bench)
{
    while (bench->watcher_count) {
        struct bench_watcher *watcher =
            &bench->watchers[--bench->watcher_count];

        phone_watcher_close(watcher->watcher);
        pthread_cond_destroy(&watcher->changed);
        pthread_mutex_destroy(&watcher->lock);
    }
}

/* Wait until it has got more packets than that. */
static bool await_packets(struct bench_watcher *watcher, size_t packets,
                          struct err *err)
{
    const struct timespec end = deadline_timespec(deadline_in_ms(WAIT_MS));
    int number = 0;
    bool came;

    pthread_mutex_lock(&watcher->lock);
    while (!number && watcher->packets <= packets)
        number =
            pthread_cond_timedwait(&watcher->changed, &watcher->lock, &end);
    came = watcher->packets > packets;
    pthread_mutex_unlock(&watcher->lock);
    return came || err_set(err, ERR_TIMEOUT, "no picture came");
}

static size_t packets_of(struct bench_watcher *watcher)
{
    size_t packets;

    pthread_mutex_lock(&watcher->lock);
    packets = watcher->packets;
    pthread_mutex_unlock(&watcher->lock);
    return packets;
}

static void sleep_until(int64_t at_ns)
{
    const struct timespec until = {(time_t)(at_ns / 1000000000),
                                   (long)(at_ns % 1000000000)};

    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL))
        continue;
}

/* Let what was begun come to its end. */
static void settle(void)
{
    sleep_until(clock_ns() + INT64_C(600000000));
}

/* The shop, at the top of its list. */
static void show_shop(struct phone *phone)
{
    struct buf out = BUF_INIT((size_t)64 << 10);
    struct buf errors = BUF_INIT((size_t)64 << 10);

    phone_run(phone,
              "am force-stop org.proctor.shop; "
              "am start -n org.proctor.shop/.MainActivity",
              &out, &errors);
    buf_release(&out);
    buf_release(&errors);
}

/* ---- scrolling ---- */

/* A list that moves up and down with a finger, on the first phones. */
static void scroll(struct bench *bench, size_t phones)
{
    const int64_t began = clock_ns();
    int64_t now = began;

    for (size_t i = 0; i < phones; i++)
        phone_touch(bench->phones[i], SCREEN_DOWN, 500, 1800);
    for (int step = 0; now - began < INT64_C(1000000) * SCROLL_MS; step++) {
        const int away = step % 120 < 60 ? step % 120 : 120 - step % 120;

        for (size_t i = 0; i < phones; i++)
            phone_touch(bench->phones[i], SCREEN_MOVE, 500, 1750 - 16 * away);
        now += MOVE_NS;
        sleep_until(now);
    }
    for (size_t i = 0; i < phones; i++)
        phone_touch(bench->phones[i], SCREEN_CANCEL, 500, 1800);
}

/* Scroll, and measure the rate and the CPU time. */
static bool measure_scroll(struct bench *bench, size_t phones,
                           struct scroll_result *result, struct err *err)
{
    size_t packets = 0;
    int64_t began;
    double cpu, seconds;

    for (size_t i = 0; i < bench->watcher_count; i++) {
        if (!await_packets(&bench->watchers[i], 0, err))
            return false;
    }
    settle();
    for (size_t i = 0; i < bench->watcher_count; i++)
        packets -= packets_of(&bench->watchers[i]);
    began = clock_ns();
    cpu = harness_own_cpu_us(bench);
    scroll(bench, phones);
    cpu = harness_own_cpu_us(bench) - cpu;
    seconds = (double)(clock_ns() - began) / 1e9;
    for (size_t i = 0; i < bench->watcher_count; i++)
        packets += packets_of(&bench->watchers[i]);
    result->rate = (double)packets / seconds / (double)bench->watcher_count;
    result->cpu = cpu / seconds / 1e4;
    return true;
}

static bool scroll_once(struct bench *bench, size_t phones, size_t watchers,
                        int width, struct scroll_result *result,
                        struct err *err)
{
    bool done;

    for (size_t i = 0; i < watchers; i++)
        watch(bench, i % phones, width);
    done = measure_scroll(bench, phones, result, err);
    unwatch_all(bench);
    return done;
}

static bool one_once(struct bench *bench, struct err *err)
{
    return scroll_once(bench, 1, 1, PAGE_WIDTH, &bench->one, err);
}

static bool full_once(struct bench *bench, struct err *err)
{
    return scroll_once(bench, 1, 1, 0, &bench->full, err);
}

static bool ten_once(struct bench *bench, struct err *err)
{
    return scroll_once(bench, 1, WATCHERS, PAGE_WIDTH, &bench->ten, err);
}

static bool wall_once(struct bench *bench, struct err *err)
{
    return scroll_once(bench, PHONES, PHONES, WALL_WIDTH, &bench->wall, err);
}

/* Measured with the rate, in a row before. */
static bool measured_already(struct bench *bench, struct err *err)
{
    (void)bench;
    (void)err;
    return true;
}

static double rate_of_one(const struct bench *bench)
{
    return bench->one.rate;
}

static double cpu_of_one(const struct bench *bench)
{
    return bench->one.cpu;
}

static double rate_of_full(const struct bench *bench)
{
    return bench->full.rate;
}

static double cpu_of_full(const struct bench *bench)
{
    return bench->full.cpu;
}

static double rate_of_ten(const struct bench *bench)
{
    return bench->ten.rate;
}

static double cpu_of_ten(const struct bench *bench)
{
    return bench->ten.cpu;
}

static double rate_of_wall(const struct bench *bench)
{
    return bench->wall.rate;
}

static double cpu_of_wall(const struct bench *bench)
{
    return bench->wall.cpu;
}

/* ---- delays ---- */

static double ms_since(int64_t began)
{
    return (double)(clock_ns() - began) / 1e6;
}

/* A view that shows phone i. */
static bool open_view(struct bench *bench, size_t i, struct err *err)
{
    const struct phone_view_options options = {.rung = LIVE_RUNG_AUTO,
                                               .phone = bench->phones[i]};

    if (!phone_view_open(&options, &bench->views[i], err))
        return false;
    bench->epochs[i] =
        control_lease_take(phone_view_lease(bench->views[i]), CONTROL_PERSON);
    return true;
}

/* Of a phone that no one has looked at. */
static bool first_once(struct bench *bench, struct err *err)
{
    int64_t began;
    bool done;

    phone_view_close(bench->views[0]);
    bench->views[0] = NULL;
    began = clock_ns();
    done = open_view(bench, 0, err) &&
           await_packets(watch(bench, 0, PAGE_WIDTH), 0, err);
    bench->first_ms = ms_since(began);
    unwatch_all(bench);
    return done;
}

static double first_of(const struct bench *bench)
{
    return bench->first_ms;
}

static bool send(struct bench *bench, struct view_command command,
                 struct err *err)
{
    command.epoch = bench->epochs[0];
    return phone_view_send(bench->views[0], &command, NULL, NULL, err);
}

/* A tap on what the left column of the shop shows, which opens it. */
static bool tap_once(struct bench *bench, struct err *err)
{
    struct bench_watcher *watcher = watch(bench, 0, PAGE_WIDTH);
    struct view_command touch = {.kind = VIEW_TOUCH, .x = 270, .y = 1200};
    struct phone_view_status status;
    bool done = await_packets(watcher, 0, err);
    size_t packets;
    int64_t began;

    show_shop(bench->phones[0]);
    settle();
    phone_view_status(bench->views[0], &status);
    touch.frame = status.frame;
    touch.width = status.width;
    touch.height = status.height;
    packets = packets_of(watcher);
    began = clock_ns();
    touch.touch = VIEW_DOWN;
    done = done && send(bench, touch, err);
    touch.touch = VIEW_UP;
    done =
        done && send(bench, touch, err) && await_packets(watcher, packets, err);
    bench->tap_ms = ms_since(began);
    settle();
    done = done &&
           send(bench, (struct view_command){.kind = VIEW_KEY, .key = KEY_BACK},
                err);
    settle();
    unwatch_all(bench);
    return done;
}

static double tap_of(const struct bench *bench)
{
    return bench->tap_ms;
}

static void set_stopped(struct bench_watcher *watcher, bool stopped)
{
    pthread_mutex_lock(&watcher->lock);
    watcher->stopped = stopped;
    pthread_mutex_unlock(&watcher->lock);
}

/* A watcher that stood still while the screen scrolled sees the end of it. */
static bool back_once(struct bench *bench, struct err *err)
{
    struct bench_watcher *watcher = watch(bench, 0, PAGE_WIDTH);
    struct phone_view_status status;
    int64_t began;
    bool done = await_packets(watcher, 0, err);

    set_stopped(watcher, true);
    scroll(bench, 1);
    phone_view_status(bench->views[0], &status);
    began = clock_ns();
    set_stopped(watcher, false);
    on_packet(watcher);
    while (done && watcher->frame < status.frame)
        done = await_packets(watcher, packets_of(watcher), err);
    bench->back_ms = ms_since(began);
    unwatch_all(bench);
    return done;
}

static double back_of(const struct bench *bench)
{
    return bench->back_ms;
}

/* ---- nothing changes ---- */

static bool idle_once(struct bench *bench, struct err *err)
{
    struct bench_watcher *watcher = watch(bench, 0, PAGE_WIDTH);
    size_t bytes;
    double cpu;

    if (!await_packets(watcher, 0, err))
        return false;
    settle();
    bytes = watcher->bytes;
    cpu = harness_own_cpu_us(bench);
    sleep_until(clock_ns() + INT64_C(1000000000));
    bench->idle_cpu = (harness_own_cpu_us(bench) - cpu) / 1e4;
    bench->idle_bytes = (double)(watcher->bytes - bytes);
    unwatch_all(bench);
    return true;
}

static double idle_bytes_of(const struct bench *bench)
{
    return bench->idle_bytes;
}

static double idle_cpu_of(const struct bench *bench)
{
    return bench->idle_cpu;
}

/* ---- the benchmark ---- */

static bool start_phone(struct bench *bench, size_t i, struct err *err)
{
    const struct phone_options options = {.fonts = bench->fonts,
                                          .seed = i + 1,
                                          .realtime = true,
                                          .unreachable = true};

    if (!phone_start(&options, &bench->phones[i], err))
        return false;
    show_shop(bench->phones[i]);
    return open_view(bench, i, err);
}

static bool set_up(struct bench *bench, struct err *err)
{
    if (!fonts_open(&bench->fonts, err))
        return false;
    for (size_t i = 0; i < PHONES; i++) {
        if (!start_phone(bench, i, err))
            return false;
    }
    return true;
}

static void tear_down(struct bench *bench)
{
    unwatch_all(bench);
    for (size_t i = 0; i < PHONES; i++) {
        phone_view_close(bench->views[i]);
        phone_stop(bench->phones[i]);
    }
    fonts_close(bench->fonts);
}

static const struct measure measures[ROW_COUNT] = {
    [RATE] = {"rate", "one watcher, half size", one_once, 1,
              .value = rate_of_one},
    [RATE_FULL] = {"rate_full", "one watcher, every pixel", full_once, 1,
                   .value = rate_of_full},
    [RATE_TEN] = {"rate_ten", "ten watchers, half size", ten_once, 1,
                  .value = rate_of_ten},
    [RATE_WALL] = {"rate_wall", "eight phones, a watcher each, small",
                   wall_once, 1, .value = rate_of_wall},
    [CPU] = {"cpu", "one watcher, half size", measured_already, 1,
             .value = cpu_of_one},
    [CPU_FULL] = {"cpu_full", "one watcher, every pixel", measured_already, 1,
                  .value = cpu_of_full},
    [CPU_TEN] = {"cpu_ten", "ten watchers, half size", measured_already, 1,
                 .value = cpu_of_ten},
    [CPU_WALL] = {"cpu_wall", "eight phones, a watcher each, small",
                  measured_already, 1, .value = cpu_of_wall},
    [FIRST] = {"first", "from opening a view to its first packet", first_once,
               5, .value = first_of},
    [TAP] = {"tap", "from a tap to the packet of its effect", tap_once, 1,
             .value = tap_of},
    [BACK] = {"back", "until a watcher stopped for 1 s has the newest",
              back_once, 1, .value = back_of},
    [IDLE_BYTES] = {"idle_bytes", "bytes in a second", idle_once, 1,
                    .value = idle_bytes_of},
    [IDLE_CPU] = {"idle_cpu", "percent of a core", measured_already, 1,
                  .value = idle_cpu_of},
};

static bool print(const struct bench_row *rows,
                  const struct bench_output *bench_output, struct err *err)
{
    const struct bench_group groups[] = {
        {"packets a second of a scrolling screen", &rows[RATE], 4, "1/s"},
        {"CPU time meanwhile, with that of the phone", &rows[CPU], 4,
         "% of a core"},
        {"delays", &rows[FIRST], 3, "ms"},
        {"nothing changes", &rows[IDLE_BYTES], 2, ""},
    };
    const struct goal goals[] = {
        {"packets a second", &rows[RATE], .kind = GOAL_AT_LEAST, .wanted = 30},
        {"packets a second, every pixel", &rows[RATE_FULL],
         .kind = GOAL_AT_LEAST, .wanted = 30},
        {"percent of a core", &rows[CPU], .kind = GOAL_AT_MOST, .wanted = 100},
        {"percent of a core, eight phones", &rows[CPU_WALL],
         .kind = GOAL_AT_MOST, .wanted = 100},
        {"ten watchers against one", &rows[CPU_TEN], &rows[CPU],
         .kind = GOAL_AT_MOST, .wanted = 2},
        {"ms until the first packet", &rows[FIRST], .kind = GOAL_AT_MOST,
         .wanted = 300},
        {"ms from tap to packet", &rows[TAP], .kind = GOAL_AT_MOST,
         .wanted = 60},
        {"ms after a stop", &rows[BACK], .kind = GOAL_AT_MOST, .wanted = 250},
        {"bytes while nothing changes", &rows[IDLE_BYTES], .kind = GOAL_AT_MOST,
         .wanted = 0},
    };

    return bench_output_print(bench_output, groups, ARRAY_LEN(groups), goals,
                              ARRAY_LEN(goals), err);
}

const struct harness benchmark = {
    .name = "live",
    .measures = measures,
    .count = ROW_COUNT,
    .rounds = ROUNDS,
    .bench_size = sizeof(struct bench),
    .set_up = set_up,
    .tear_down = tear_down,
    .print = print,
};
