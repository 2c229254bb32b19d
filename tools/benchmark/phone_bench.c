/* bench phone: the built-in phone beside bare TCP and memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "adb/device/device.h"
#include "adb/services/screenshot.h"
#include "adb/services/shell.h"
#include "base/macros.h"
#include "base/mem.h"
#include "tools/benchmark/harness/child_process.h"
#include "tools/benchmark/harness/harness.h"
#include "tools/benchmark/loads/dense_app.h"
#include "tools/benchmark/loads/idle_phones.h"
#include "tools/benchmark/peers/bare_tcp.h"
#include "tools/phone/graphics/font.h"
#include "tools/phone/screen/screen.h"

#define ROUNDS 21
#define FRAMES 9 /* at a time: the first ones find the caches cold */
#define SHOT_MAX ((size_t)16 << 20)
#define SOON deadline_in_ms(30000)

#define PORT "15555"
#define PORT_STARTED "15557"

enum row_index {
    START,
    COPY,
    REDRAW,
    SAME,
    BARE,
    RAW,
    FRAMEBUFFER,
    PNG,
    DUMP,
    ONE_PHONE,
    LOOKED_AT,
    MANY,
    MANY_IDLE,
    ROW_COUNT,
};

/* All owned. */
struct bench {
    struct idle_phones many;
    pid_t phone;
    struct device *device; /* the phone, connected */
    double looked_at_mib;  /* what it took after some looks */
    pid_t started;         /* another one */
    int bare;              /* connected to bare_tcp_serve_frames */
    struct phone_fonts *fonts;
    struct phone_screen *screen;
    struct buf data; /* what was received, in memory that is used again */
    struct screenshot shot;
    char *frames[2];
};

/* ---- a phone that is a program ---- */

/* Start it, and wait until it takes a connection. */
static bool start_phone(const char *port, pid_t *pid, struct err *err)
{
    const char *const argv[] = {PROCTOR, "phone", "--port", port, NULL};
    const struct timespec pause = {.tv_nsec = 200000};
    uint16_t number = (uint16_t)strtoul(port, NULL, 10);
    struct deadline by = SOON;
    int fd;

    if (!child_process_start(argv, pid, err))
        return false;
    while (!loopback_socket_connect(number, &fd, err)) {
        if (deadline_passed(by))
            return false;
        nanosleep(&pause, NULL);
    }
    close(fd);
    return true;
}

static bool start_once(struct bench *bench, struct err *err)
{
    return start_phone(PORT_STARTED, &bench->started, err);
}

/* The one before is gone, which is not what is measured. */
static bool stop_started(struct bench *bench, struct err *err)
{
    (void)err;
    child_process_stop(bench->started);
    bench->started = 0;
    return true;
}

static bool fetch_bare(struct bench *bench, struct err *err)
{
    return bare_tcp_fetch(bench->bare, bench->frames[0], BARE_TCP_FRAME_SIZE,
                          err);
}

static bool take_raw(struct bench *bench, struct err *err)
{
    buf_clear(&bench->data);
    return shell_exec(bench->device, "screencap", SOON, &bench->data, err);
}

static bool take_png(struct bench *bench, struct err *err)
{
    buf_clear(&bench->data);
    return shell_exec(bench->device, "screencap -p", SOON, &bench->data, err);
}

static bool take_framebuffer(struct bench *bench, struct err *err)
{
    return screenshot_take(bench->device, SCREENSHOT_FRAMEBUFFER, SOON,
                           &bench->shot, err);
}

/* ---- a screen in this process ---- */

static bool copy_frame(struct bench *bench, struct err *err)
{
    (void)err;
    memcpy(bench->frames[1], bench->frames[0], BARE_TCP_FRAME_SIZE);
    return true;
}

static bool look(struct bench *bench, struct err *err)
{
    struct phone_frame *frame;

    if (!screen_look(bench->screen, &frame, err))
        return false;
    screen_frame_drop(frame);
    return true;
}

/* From light to dark and back: no pixel stays, and every widget is new. */
static bool redraw(struct bench *bench, struct err *err)
{
    struct screen_display display = screen_display(bench->screen);

    display.dark = !display.dark;
    return screen_set_display(bench->screen, &display, err) && look(bench, err);
}

static bool dump(struct bench *bench, struct err *err)
{
    buf_clear(&bench->data);
    screen_dump(bench->screen, false, &bench->data);
    return bench->data.length || err_set(err, ERR_IO, "the screen has no tree");
}

static double cpu_of_thread(const struct bench *bench)
{
    struct timespec used;

    (void)bench;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return (double)used.tv_sec * 1e6 + (double)used.tv_nsec / 1e3;
}

/* ---- many phones ---- */

static bool measured_before(struct bench *bench, struct err *err)
{
    (void)bench, (void)err;
    return true;
}

static double memory_of_one(const struct bench *bench)
{
    return bench->many.one_mib;
}

static double memory_of_looked_at(const struct bench *bench)
{
    return bench->looked_at_mib;
}

static double memory_of_many(const struct bench *bench)
{
    return bench->many.many_mib;
}

static double cpu_of_many(const struct bench *bench)
{
    return bench->many.many_ms;
}

static const struct measure measures[ROW_COUNT] = {
    [START] = {"start", "proctor phone, to its first connection", start_once,
               .repeats = 1, .prepare = stop_started},
    [COPY] = {"copy", "memcpy of a frame", copy_frame, .repeats = 5},
    [REDRAW] = {"redraw", "all of 51 cards built and drawn", redraw,
                .repeats = 5},
    [SAME] = {"same", "looked at again", look, .repeats = 100},
    [BARE] = {"bare", "bare TCP", fetch_bare, .repeats = FRAMES},
    [RAW] = {"raw", "screencap", take_raw, .repeats = FRAMES},
    [FRAMEBUFFER] = {"framebuffer", "framebuffer:", take_framebuffer,
                     .repeats = FRAMES},
    [PNG] = {"png", "screencap -p", take_png, .repeats = FRAMES},
    [DUMP] = {"dump", "uiautomator's tree of 155 nodes", dump, .repeats = 20,
              .cpu_us = cpu_of_thread},
    [ONE_PHONE] = {"one", "one phone", measured_before, .repeats = 1,
                   .value = memory_of_one},
    [LOOKED_AT] = {"looked_at", "proctor phone, connected and looked at",
                   measured_before, .repeats = 1, .value = memory_of_looked_at},
    [MANY] = {"many", "32 phones that have been looked at", measured_before,
              .repeats = 1, .value = memory_of_many},
    [MANY_IDLE] = {"many_idle", "32 phones", measured_before, .repeats = 1,
                   .value = cpu_of_many},
};

/* Two screens as PNGs, and one as it is: then what the program has kept. */
static bool look_around(struct bench *bench, struct err *err)
{
    static const char *const looks[] = {"screencap -p",
                                        "cmd uimode night yes; screencap -p",
                                        "cmd uimode night no; screencap"};

    for (size_t i = 0; i < ARRAY_LEN(looks); i++) {
        buf_clear(&bench->data);
        if (!shell_exec(bench->device, looks[i], SOON, &bench->data, err))
            return false;
    }
    return child_process_resident(bench->phone, &bench->looked_at_mib, err);
}

static int64_t no_time(void *context)
{
    (void)context;
    return 0;
}

static bool open_screen(struct bench *bench, struct err *err)
{
    struct screen_options options = {.clock = {no_time, NULL}};

    if (!fonts_open(&bench->fonts, err))
        return false;
    options.fonts = bench->fonts;
    options.app = dense_app_open();
    return screen_open(&options, &bench->screen, err);
}

static bool set_up(struct bench *bench, struct err *err)
{
    const struct device_options host = {.log = NULL};
    uint16_t port;

    bench->bare = -1;
    bench->data = (struct buf)BUF_INIT(SHOT_MAX);
    bench->shot = (struct screenshot)SCREENSHOT_INIT;
    for (size_t i = 0; i < ARRAY_LEN(bench->frames); i++)
        bench->frames[i] = mem_new(BARE_TCP_FRAME_SIZE, 1);
    /* It forks, so before there are threads. */
    return idle_phones_measure(&bench->many, err) &&
           loopback_socket_serve(bare_tcp_serve_frames, &port, err) &&
           loopback_socket_connect(port, &bench->bare, err) &&
           start_phone(PORT, &bench->phone, err) &&
           device_open_tcp("127.0.0.1", (uint16_t)strtoul(PORT, NULL, 10),
                           &host, SOON, &bench->device, err) &&
           look_around(bench, err) && open_screen(bench, err);
}

static void tear_down(struct bench *bench)
{
    screen_close(bench->screen);
    fonts_close(bench->fonts);
    device_close(bench->device);
    child_process_stop(bench->phone);
    child_process_stop(bench->started);
    if (bench->bare >= 0)
        close(bench->bare);
    screenshot_release(&bench->shot);
    buf_release(&bench->data);
    for (size_t i = 0; i < ARRAY_LEN(bench->frames); i++)
        free(bench->frames[i]);
}

/* ---- results ---- */

static bool print(const struct bench_row *rows,
                  const struct bench_output *bench_output, struct err *err)
{
    const struct bench_group groups[] = {
        {"start", &rows[START], 1, NULL},
        {"a screen of 1080 x 2400", &rows[COPY], 3, NULL},
        {"the same over the wire", &rows[BARE], 4, NULL},
        {"dump", &rows[DUMP], 1, NULL},
        {"memory of the process", &rows[ONE_PHONE], 3, "MiB"},
        {"CPU time of an idle second", &rows[MANY_IDLE], 1, "ms"},
    };
    const struct goal goals[] = {
        {"us from start to first connection", &rows[START],
         .kind = GOAL_AT_MOST, .wanted = 50000},
        {"redraw over memcpy", &rows[REDRAW], &rows[COPY], .kind = GOAL_AT_MOST,
         .wanted = 8},
        {"bare TCP over screencap", &rows[BARE], &rows[RAW],
         .kind = GOAL_AT_LEAST, .wanted = 0.7},
        {"CPU us of a dump", &rows[DUMP], .cpu = true, .kind = GOAL_AT_MOST,
         .wanted = 1000},
        {"MiB of one phone", &rows[ONE_PHONE], .kind = GOAL_AT_MOST,
         .wanted = 20},
        {"MiB of one that was looked at", &rows[LOOKED_AT],
         .kind = GOAL_AT_MOST, .wanted = 20},
        {"MiB of 32 phones", &rows[MANY], .kind = GOAL_AT_MOST, .wanted = 500},
        {"ms of CPU in a second of 32 idle phones", &rows[MANY_IDLE],
         .kind = GOAL_AT_MOST, .wanted = 10},
    };

    return bench_output_print(bench_output, groups, ARRAY_LEN(groups), goals,
                              ARRAY_LEN(goals), err);
}

const struct harness benchmark = {
    .name = "phone",
    .measures = measures,
    .count = ROW_COUNT,
    .rounds = ROUNDS,
    .bench_size = sizeof(struct bench),
    .set_up = set_up,
    .tear_down = tear_down,
    .print = print,
};
