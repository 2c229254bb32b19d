/*
 * The ways to a phone, side by side: the limit of loopback TCP, proctor, a
 * stock adb server's socket, and the stock adb command.
 *
 * Each round runs each of them once, so that what disturbs the machine
 * disturbs all of them. It is to be run by tests/peers/with-adbd.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "adb/shell.h"
#include "base/mem.h"
#include "tools/benchmark/adb_peers.h"
#include "tools/benchmark/bare.h"
#include "tools/benchmark/process.h"
#include "tools/benchmark/report.h"
#include "tools/benchmark/zero_device.h"

#define ROUNDS 21
#define ROUNDS_MIN 9
#define CALL_MS 10000

/* What proctor and adb open for "echo"; its newline and status come framed. */
#define STOCK_SHELL "shell,v2,raw:echo"
#define STOCK_SHELL_SIZE (5 + 1 + 5 + 1)

enum row_id {
    PING_PONG,
    SHELL_PROCTOR,
    SHELL_SERVER,
    SHELL_ADB,
    FRAME_BARE,
    FRAME_PROCTOR,
    FRAME_SERVER,
    FRAME_ADB,
    STOCK_BARE,
    STOCK_PROCTOR,
    STOCK_SERVER,
    STOCK_ADB,
    FILE_BARE,
    PULL_PROCTOR,
    PULL_ADB,
    PUSH_PROCTOR,
    PUSH_ADB,
    ROW_COUNT
};

struct bench {
    struct peers peers;
    struct row rows[ROW_COUNT];
    double load;            /* before it began */
    uint32_t stock_streams; /* opened on peers.stock_wire so far */
    struct buf frame;       /* its memory is touched once */
};

/* ---- what is measured: one operation each ---- */

static bool ping_pong(struct bench *bench, struct err *err)
{
    return bare_ping(bench->peers.bare, err);
}

static bool check_length(size_t got, size_t wanted, struct err *err)
{
    return got == wanted ||
           err_set(err, ERR_PROTOCOL, "%zu bytes came back instead of %zu", got,
                   wanted);
}

static bool run_shell(struct device *device, size_t wanted, struct err *err)
{
    struct shell_result result;
    size_t got;

    if (!shell_run(device, "echo", 4096, deadline_in_ms(CALL_MS), &result, err))
        return false;
    got = result.out.length;
    shell_result_release(&result);
    return check_length(got, wanted, err);
}

static bool run_server_shell(const struct adb_server *server,
                             const char *service, size_t wanted,
                             struct err *err)
{
    char text[64];
    size_t got;

    return adb_server_run(server, service, text, sizeof(text), &got, err) &&
           check_length(got, wanted, err);
}

static bool shell_proctor(struct bench *bench, struct err *err)
{
    return run_shell(bench->peers.zero, strlen(ZERO_ANSWER), err);
}

static bool shell_server(struct bench *bench, struct err *err)
{
    return run_server_shell(&bench->peers.zero_server, "shell:echo",
                            strlen(ZERO_ANSWER), err);
}

static bool shell_adb(struct bench *bench, struct err *err)
{
    return adb_server_command(&bench->peers.zero_server, "shell", "echo", NULL,
                              NULL, err);
}

static bool frame_bare(struct bench *bench, struct err *err)
{
    return bare_fetch(bench->peers.bare, bench->frame.data, ZERO_FRAME_SIZE,
                      err);
}

static bool frame_proctor(struct bench *bench, struct err *err)
{
    buf_clear(&bench->frame);
    return shell_exec(bench->peers.zero, "frame", deadline_in_ms(CALL_MS),
                      &bench->frame, err) &&
           check_length(bench->frame.length, ZERO_FRAME_SIZE, err);
}

static bool frame_server(struct bench *bench, struct err *err)
{
    size_t got;

    return adb_server_run(&bench->peers.zero_server, "exec:frame",
                          bench->frame.data, bench->frame.capacity, &got,
                          err) &&
           check_length(got, ZERO_FRAME_SIZE, err);
}

static bool frame_adb(struct bench *bench, struct err *err)
{
    size_t got;

    return adb_server_command(&bench->peers.zero_server, "exec-out", "frame",
                              NULL, &got, err) &&
           check_length(got, ZERO_FRAME_SIZE, err);
}

static bool stock_bare(struct bench *bench, struct err *err)
{
    return bare_host_run(bench->peers.stock_wire, ++bench->stock_streams,
                         STOCK_SHELL, err);
}

static bool stock_proctor(struct bench *bench, struct err *err)
{
    return run_shell(bench->peers.stock, 1, err);
}

static bool stock_server(struct bench *bench, struct err *err)
{
    return run_server_shell(&bench->peers.stock_server, STOCK_SHELL,
                            STOCK_SHELL_SIZE, err);
}

static bool stock_adb(struct bench *bench, struct err *err)
{
    return adb_server_command(&bench->peers.stock_server, "shell", "echo", NULL,
                              NULL, err);
}

static bool file_bare(struct bench *bench, struct err *err)
{
    return bare_fetch_file(bench->peers.bare, PEERS_FILE_SIZE,
                           PEERS_FILE_PULLED, err);
}

static bool proctor_command(const struct bench *bench, const char *verb,
                            const char *from, const char *to, struct err *err)
{
    const char *const argv[] = {
        PROCTOR, verb, "-s", bench->peers.stock_server.serial, from, to, NULL};
    size_t printed;

    return process_run(argv, &printed, err);
}

static bool pull_proctor(struct bench *bench, struct err *err)
{
    return proctor_command(bench, "pull", PEERS_FILE_THERE, PEERS_FILE_PULLED,
                           err);
}

static bool pull_adb(struct bench *bench, struct err *err)
{
    return adb_server_command(&bench->peers.stock_server, "pull",
                              PEERS_FILE_THERE, PEERS_FILE_PULLED, NULL, err);
}

static bool push_proctor(struct bench *bench, struct err *err)
{
    return proctor_command(bench, "push", PEERS_FILE_HERE, PEERS_FILE_PUSHED,
                           err);
}

static bool push_adb(struct bench *bench, struct err *err)
{
    return adb_server_command(&bench->peers.stock_server, "push",
                              PEERS_FILE_HERE, PEERS_FILE_PUSHED, NULL, err);
}

/* ---- how it is measured ---- */

/* Whose CPU time counts beside the time on the clock. */
enum cpu_of {
    CPU_OF_NOBODY,
    CPU_OF_COMMAND,
    CPU_OF_COMMAND_AND_SERVER,
};

struct measure {
    const char *id;
    const char *name;
    bool (*once)(struct bench *bench, struct err *err);
    int repeats; /* in each round */
    bool one_core;
    enum cpu_of cpu_of;
};

static const struct measure measures[ROW_COUNT] = {
    [PING_PONG] = {"ping_pong", "bare ping-pong of 24 bytes", ping_pong, 1000,
                   .one_core = true},
    [SHELL_PROCTOR] = {"shell_proctor", "proctor, on an open connection",
                       shell_proctor, 500, .one_core = true},
    [SHELL_SERVER] = {"shell_server", "through an adb server's socket",
                      shell_server, 100, .one_core = true},
    [SHELL_ADB] = {"shell_adb", "adb shell", shell_adb, 5, .one_core = true},
    [FRAME_BARE] = {"frame_bare", "bare TCP", frame_bare, 5, .one_core = true},
    [FRAME_PROCTOR] = {"frame_proctor", "proctor, on an open connection",
                       frame_proctor, 5, .one_core = true},
    [FRAME_SERVER] = {"frame_server", "through an adb server's socket",
                      frame_server, 5, .one_core = true},
    [FRAME_ADB] = {"frame_adb", "adb exec-out", frame_adb, 5, .one_core = true},
    [STOCK_BARE] = {"stock_bare", "adbd's own time (a bare host)", stock_bare,
                    .repeats = 20},
    [STOCK_PROCTOR] = {"stock_proctor", "proctor, on an open connection",
                       stock_proctor, .repeats = 20},
    [STOCK_SERVER] = {"stock_server", "through an adb server's socket",
                      stock_server, .repeats = 20},
    [STOCK_ADB] = {"stock_adb", "adb shell", stock_adb, .repeats = 5},
    [FILE_BARE] = {"file_bare", "bare TCP to a file", file_bare, .repeats = 1},
    [PULL_PROCTOR] = {"pull_proctor", "proctor pull", pull_proctor, 1,
                      .cpu_of = CPU_OF_COMMAND},
    [PULL_ADB] = {"pull_adb", "adb pull (CPU: with its server)", pull_adb, 1,
                  .cpu_of = CPU_OF_COMMAND_AND_SERVER},
    [PUSH_PROCTOR] = {"push_proctor", "proctor push", push_proctor, 1,
                      .cpu_of = CPU_OF_COMMAND},
    [PUSH_ADB] = {"push_adb", "adb push (CPU: with its server)", push_adb, 1,
                  .cpu_of = CPU_OF_COMMAND_AND_SERVER},
};

static double cpu_us(const struct bench *bench, enum cpu_of cpu_of)
{
    struct rusage used;
    double sum;

    getrusage(RUSAGE_CHILDREN, &used);
    sum = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e6 +
          (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    if (cpu_of == CPU_OF_COMMAND_AND_SERVER)
        sum += adb_server_cpu_us(&bench->peers.stock_server);
    return sum;
}

static bool choose_cores(const struct bench *bench,
                         const struct measure *measure, struct err *err)
{
    return measure->one_core ? cores_use_one(&bench->peers.cores, err)
                             : cores_use_all(&bench->peers.cores, err);
}

static bool measure_row(struct bench *bench, enum row_id id, bool keep,
                        struct err *err)
{
    const struct measure *measure = &measures[id];
    double cpu_before;
    int64_t began;
    double repeats = measure->repeats;

    if (!choose_cores(bench, measure, err))
        return false;
    (void)unlink(PEERS_FILE_PULLED); /* every pull makes a new file */
    cpu_before = cpu_us(bench, measure->cpu_of);
    began = clock_ns();
    for (int i = 0; i < measure->repeats; i++) {
        if (!measure->once(bench, err))
            return err_wrap(err, "%s", measure->id);
    }
    if (!keep)
        return true;
    samples_add(&bench->rows[id].wall_us,
                (double)(clock_ns() - began) / 1e3 / repeats);
    if (measure->cpu_of != CPU_OF_NOBODY)
        samples_add(&bench->rows[id].cpu_us,
                    (cpu_us(bench, measure->cpu_of) - cpu_before) / repeats);
    return true;
}

/* The first round only warms up. */
static bool measure_all(struct bench *bench, int rounds, struct err *err)
{
    for (int round = 0; round <= rounds; round++) {
        for (int id = 0; id < ROW_COUNT; id++) {
            if (!measure_row(bench, (enum row_id)id, round > 0, err))
                return false;
        }
    }
    return true;
}

static void bench_init(struct bench *bench)
{
    getloadavg(&bench->load, 1);
    for (int id = 0; id < ROW_COUNT; id++) {
        bench->rows[id].id = measures[id].id;
        bench->rows[id].name = measures[id].name;
    }
    bench->frame = (struct buf)BUF_INIT(2 * ZERO_FRAME_SIZE);
    if (!buf_reserve(&bench->frame, ZERO_FRAME_SIZE + 1))
        mem_out();
}

static void bench_release(struct bench *bench)
{
    peers_tear_down(&bench->peers);
    buf_release(&bench->frame);
}

/* ---- what came of it ---- */

static bool print_report(const struct bench *bench, bool json, struct err *err)
{
    const struct row *rows = bench->rows;
    const struct group groups[] = {
        {"shell echo, a device without work, one core", &rows[PING_PONG], 4},
        {"a frame of 10.4 MB, the same device, one core", &rows[FRAME_BARE], 4},
        {"shell echo, stock adbd, all cores", &rows[STOCK_BARE], 4},
        {"a file of 64 MiB, stock adbd, all cores", &rows[FILE_BARE], 5},
    };
    const struct goal goals[] = {
        {"shell echo over bare ping-pong", &rows[SHELL_PROCTOR],
         &rows[PING_PONG], .kind = GOAL_AT_MOST, .wanted = 3.2, .stretch = 2.3},
        {"adb server's socket over shell echo", &rows[SHELL_SERVER],
         &rows[SHELL_PROCTOR], .kind = GOAL_AT_LEAST, .wanted = 4},
        {"adb shell over shell echo", &rows[SHELL_ADB], &rows[SHELL_PROCTOR],
         .kind = GOAL_AT_LEAST, .wanted = 80},
        {"bare TCP over frame", &rows[FRAME_BARE], &rows[FRAME_PROCTOR],
         .kind = GOAL_AT_LEAST, .wanted = 0.8},
        {"adb server's socket over frame", &rows[FRAME_SERVER],
         &rows[FRAME_PROCTOR], .kind = GOAL_AT_LEAST, .wanted = 1.7},
        {"adb pull over proctor pull", &rows[PULL_ADB], &rows[PULL_PROCTOR],
         .kind = GOAL_AT_LEAST, .wanted = 1.4, .stretch = 1.8},
        {"adb push over proctor push", &rows[PUSH_ADB], &rows[PUSH_PROCTOR],
         .kind = GOAL_AT_LEAST, .wanted = 1.3},
        {"CPU time of proctor pull over adb pull", &rows[PULL_PROCTOR],
         &rows[PULL_ADB], .cpu = true, .kind = GOAL_AT_MOST, .wanted = 1},
        {"CPU time of proctor push over adb push", &rows[PUSH_PROCTOR],
         &rows[PUSH_ADB], .cpu = true, .kind = GOAL_AT_MOST, .wanted = 1},
    };
    const struct report report = {
        .name = "adb",
        .load = bench->load,
        .groups = groups,
        .group_count = sizeof(groups) / sizeof(*groups),
        .goals = goals,
        .goal_count = sizeof(goals) / sizeof(*goals),
    };

    if (json)
        return report_print_json(&report, stdout, err);
    report_print(&report, stdout);
    return true;
}

struct options {
    bool json;
    int rounds;
};

static bool parse_options(int argc, char **argv, struct options *options)
{
    static const struct option names[] = {
        {"json", no_argument, NULL, 'j'},
        {"rounds", required_argument, NULL, 'r'},
        {NULL, 0, NULL, 0},
    };
    int c;

    while ((c = getopt_long(argc, argv, "", names, NULL)) != -1) {
        if (c == 'j')
            options->json = true;
        else if (c == 'r')
            options->rounds = (int)strtol(optarg, NULL, 10);
        else
            return false;
    }
    return optind == argc && options->rounds >= ROUNDS_MIN &&
           options->rounds <= REPORT_ROUNDS_MAX;
}

int main(int argc, char **argv)
{
    struct options options = {.rounds = ROUNDS};
    struct bench *bench;
    struct err err;
    bool fine;

    if (!parse_options(argc, argv, &options)) {
        fprintf(stderr, "usage: tools/bench adb [--json] [--rounds %d..%d]\n",
                ROUNDS_MIN, REPORT_ROUNDS_MAX);
        return 2;
    }
    bench = mem_new(1, sizeof(*bench));
    bench_init(bench);
    fine = peers_set_up(&bench->peers, &err) &&
           measure_all(bench, options.rounds, &err) &&
           print_report(bench, options.json, &err);
    if (!fine)
        fprintf(stderr, "bench: %s\n", err.text);
    bench_release(bench);
    free(bench);
    return fine ? EXIT_SUCCESS : EXIT_FAILURE;
}
