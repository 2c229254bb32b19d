/*
 * What proctor adds to a step outside phone and model: a tap, a settled screen,
 * its tree; compared with inflating, unfiltering and comparing one picture
 * received over bare TCP.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/macros.h"
#include "base/mem.h"
#include "base/picture/png.h"
#include "runner/device/actor.h"
#include "runner/observe/observer.h"
#include "tools/benchmark/harness/cpu_affinity.h"
#include "tools/benchmark/harness/harness.h"
#include "tools/benchmark/peers/bare_tcp.h"
#include "tools/benchmark/peers/canned_phone.h"

#define ROUNDS 21
#define SOON deadline_in_ms(20000)
#define PNG_MAX ((size_t)32 << 20)

enum row_id { LIMIT, LOOK, STEP, FAULTS, ROW_COUNT };

struct bench {
    int bare;
    struct device *device;
    struct observer *observer;
    struct actor *actor;
    struct observation seen;
    struct buf png;
    char *arrived;        /* owned; as large as the PNG */
    struct picture other; /* to compare with */
    struct picture picture;
    double faults; /* of the last step */
};

/* Receive, decode, compare: the minimum. */
static bool limit(struct bench *bench, struct err *err)
{
    size_t size;

    if (!bare_tcp_fetch(bench->bare, bench->arrived, bench->png.length, err) ||
        !png_decode(bench->png.data, bench->png.length, &bench->picture, err))
        return false;
    size = bench->picture.stride * bench->picture.height;
    if (memcmp(bench->picture.pixels, bench->other.pixels, size) != 0)
        return err_set(err, ERR_INVALID, "the picture is another");
    return true;
}

static bool tap(struct bench *bench, struct err *err)
{
    const struct action action = {
        .kind = ACTION_CLICK, .has_from = true, .from = {540, 1200}};

    observer_begin_action(bench->observer);
    if (!actor_perform(bench->actor, &action, (struct extent){1080, 2400}, SOON,
                       err))
        return false;
    observer_note_action(bench->observer);
    return true;
}

static bool look(struct bench *bench, struct err *err)
{
    return tap(bench, err) &&
           observer_capture(bench->observer, SOON, &bench->seen, err);
}

static bool step(struct bench *bench, struct err *err)
{
    return look(bench, err) &&
           observer_read_tree(bench->observer, SOON, &bench->seen, err);
}

static long faults_so_far(void)
{
    struct rusage used;

    getrusage(RUSAGE_SELF, &used);
    return used.ru_minflt;
}

static bool count_faults(struct bench *bench, struct err *err)
{
    long before = faults_so_far();

    if (!step(bench, err))
        return false;
    bench->faults = (double)(faults_so_far() - before);
    return true;
}

static double faults_of_step(const struct bench *bench)
{
    return bench->faults;
}

static const struct measure measures[ROW_COUNT] = {
    [LIMIT] = {"limit", "TCP, inflate, unfilter, memcmp", limit, 3,
               .cpu_us = harness_own_cpu_us},
    [LOOK] = {"look", "tap, and see it settled", look, 3,
              .cpu_us = harness_own_cpu_us},
    [STEP] = {"step", "the same, and the tree", step, 3,
              .cpu_us = harness_own_cpu_us},
    [FAULTS] = {"faults", "page faults of a step", count_faults, 1,
                .value = faults_of_step},
};

/*
 * Everything on one core: the phone does no work, and waking another core for
 * each of its answers would dominate.
 */
static bool set_up(struct bench *bench, struct err *err)
{
    struct cpu_affinity cpu_affinity;
    uint16_t bare, phone;

    bench->bare = -1;
    bench->png = (struct buf)BUF_INIT(PNG_MAX);
    observation_init(&bench->seen);
    if (!cpu_affinity_init(&cpu_affinity, err) ||
        !cpu_affinity_use_one(&cpu_affinity, err) ||
        !loopback_socket_serve(bare_tcp_serve, &bare, err) ||
        !loopback_socket_serve(canned_phone_serve, &phone, err) ||
        !loopback_socket_connect(bare, &bench->bare, err) ||
        !canned_phone_picture(&bench->png, err) ||
        !png_decode(bench->png.data, bench->png.length, &bench->other, err))
        return false;
    bench->arrived = mem_new(bench->png.length, 1);
    return device_open_tcp("127.0.0.1", phone,
                           &(struct device_options){.log = NULL}, SOON,
                           &bench->device, err) &&
           observer_open(bench->device, &(struct observer_options){0}, SOON,
                         &bench->observer, err) &&
           actor_open(bench->device, &(struct actor_options){0}, SOON,
                      &bench->actor, err) &&
           step(bench, err) && step(bench, err);
}

static void tear_down(struct bench *bench)
{
    actor_close(bench->actor);
    observer_close(bench->observer);
    device_close(bench->device);
    observation_release(&bench->seen);
    if (bench->bare >= 0)
        close(bench->bare);
    free(bench->arrived);
    buf_release(&bench->png);
    picture_release(&bench->other);
    picture_release(&bench->picture);
}

static bool print(const struct bench_row *rows,
                  const struct bench_output *bench_output, struct err *err)
{
    const struct bench_group groups[] = {
        {"a step without phone and model, one core", &rows[LIMIT], 3, NULL},
        {"memory", &rows[FAULTS], 1, "page faults"},
    };
    const struct goal goals[] = {
        {"look over the limit", &rows[LOOK], &rows[LIMIT], .kind = GOAL_AT_MOST,
         .wanted = 1.25},
        {"step over the limit", &rows[STEP], &rows[LIMIT], .kind = GOAL_AT_MOST,
         .wanted = 1.25},
        {"page faults of a step", &rows[FAULTS], NULL, .kind = GOAL_AT_MOST,
         .wanted = 0},
    };

    return bench_output_print(bench_output, groups, ARRAY_LEN(groups), goals,
                              ARRAY_LEN(goals), err);
}

const struct harness benchmark = {
    .name = "step",
    .measures = measures,
    .count = ROW_COUNT,
    .rounds = ROUNDS,
    .bench_size = sizeof(struct bench),
    .set_up = set_up,
    .tear_down = tear_down,
    .print = print,
};
