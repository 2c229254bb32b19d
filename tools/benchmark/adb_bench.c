/*
 * Ways to reach a phone, side by side: the limit of loopback TCP, proctor, a
 * stock adb server's socket, the stock adb command, and npm packages.
 *
 * Run it by tests/peers/with-adbd.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "adb/services/shell.h"
#include "base/macros.h"
#include "base/mem.h"
#include "tools/benchmark/harness/child_process.h"
#include "tools/benchmark/harness/harness.h"
#include "tools/benchmark/harness/proctor_program.h"
#include "tools/benchmark/peers/adb_peers.h"
#include "tools/benchmark/peers/bare_tcp.h"
#include "tools/benchmark/peers/zero_device.h"

#define ROUNDS 21
#define CALL_MS 10000

/* A client from npm does that many at a time, and measures them itself. */
#define NPM_SHELLS 50
#define NPM_FRAMES 3

/*
 * The service that proctor and adb open for "echo"; newline and status are
 * framed.
 */
#define STOCK_SHELL "shell,v2,raw:echo"
#define STOCK_SHELL_SIZE (5 + 1 + 5 + 1)

enum row_id {
    PING_PONG,
    SHELL_PROCTOR,
    SHELL_SERVER,
    SHELL_ADB,
    SHELL_ADBKIT,
    SHELL_YUME,
    FRAME_BARE,
    FRAME_PROCTOR,
    FRAME_SERVER,
    FRAME_ADB,
    FRAME_ADBKIT,
    FRAME_YUME,
    STOCK_BARE,
    STOCK_PROCTOR,
    STOCK_SERVER,
    STOCK_ADB,
    FILE_BARE,
    PULL_PROCTOR,
    PULL_ADB,
    PULL_NEW_ADB,
    PUSH_PROCTOR,
    PUSH_ADB,
    PUSH_NEW_ADB,
    ROW_COUNT
};

struct bench {
    struct adb_peers peers;
    uint32_t stock_streams; /* opened on peers.stock_socket so far */
    struct buf frame;       /* touched once before */
};

/* ---- what is measured: one operation each ---- */

static bool ping_pong(struct bench *bench, struct err *err)
{
    return bare_tcp_ping(bench->peers.bare, err);
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

static bool run_server_shell(const struct stock_server *server,
                             const char *service, size_t wanted,
                             struct err *err)
{
    char text[64];
    size_t got;

    return stock_server_run(server, service, text, sizeof(text), &got, err) &&
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
    return stock_server_command(&bench->peers.zero_server, "shell", "echo",
                                NULL, NULL, err);
}

static bool shell_adbkit(struct bench *bench, struct err *err)
{
    return npm_client_run(&bench->peers.adbkit, "shell", NPM_SHELLS,
                          strlen(ZERO_ANSWER), err);
}

static bool shell_yume(struct bench *bench, struct err *err)
{
    return npm_client_run(&bench->peers.yume, "shell", NPM_SHELLS,
                          strlen(ZERO_ANSWER), err);
}

static bool frame_bare(struct bench *bench, struct err *err)
{
    return bare_tcp_fetch(bench->peers.bare, bench->frame.data, ZERO_FRAME_SIZE,
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

    return stock_server_run(&bench->peers.zero_server, "exec:frame",
                            bench->frame.data, bench->frame.capacity, &got,
                            err) &&
           check_length(got, ZERO_FRAME_SIZE, err);
}

static bool frame_adb(struct bench *bench, struct err *err)
{
    size_t got;

    return stock_server_command(&bench->peers.zero_server, "exec-out", "frame",
                                NULL, &got, err) &&
           check_length(got, ZERO_FRAME_SIZE, err);
}

static bool frame_adbkit(struct bench *bench, struct err *err)
{
    return npm_client_run(&bench->peers.adbkit, "frame", NPM_FRAMES,
                          ZERO_FRAME_SIZE, err);
}

static bool frame_yume(struct bench *bench, struct err *err)
{
    return npm_client_run(&bench->peers.yume, "frame", NPM_FRAMES,
                          ZERO_FRAME_SIZE, err);
}

static bool stock_bare(struct bench *bench, struct err *err)
{
    return minimal_host_run(bench->peers.stock_socket, ++bench->stock_streams,
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
    return stock_server_command(&bench->peers.stock_server, "shell", "echo",
                                NULL, NULL, err);
}

static bool file_bare(struct bench *bench, struct err *err)
{
    return bare_tcp_fetch_file(bench->peers.bare, PEERS_FILE_SIZE,
                               PEERS_FILE_PULLED, err);
}

static bool pull_proctor(struct bench *bench, struct err *err)
{
    return proctor_program_run(bench->peers.stock_server.serial, "pull",
                               PEERS_FILE_THERE, PEERS_FILE_PULLED, err);
}

static bool pull_adb(struct bench *bench, struct err *err)
{
    return stock_server_command(&bench->peers.stock_server, "pull",
                                PEERS_FILE_THERE, PEERS_FILE_PULLED, NULL, err);
}

static bool pull_new_adb(struct bench *bench, struct err *err)
{
    return stock_server_command(&bench->peers.new_server, "pull",
                                PEERS_FILE_THERE, PEERS_FILE_PULLED, NULL, err);
}

static bool push_proctor(struct bench *bench, struct err *err)
{
    return proctor_program_run(bench->peers.stock_server.serial, "push",
                               PEERS_FILE_HERE, PEERS_FILE_PUSHED, err);
}

static bool push_adb(struct bench *bench, struct err *err)
{
    return stock_server_command(&bench->peers.stock_server, "push",
                                PEERS_FILE_HERE, PEERS_FILE_PUSHED, NULL, err);
}

static bool push_new_adb(struct bench *bench, struct err *err)
{
    return stock_server_command(&bench->peers.new_server, "push",
                                PEERS_FILE_HERE, PEERS_FILE_PUSHED, NULL, err);
}

/* ---- how it is measured ---- */

static bool on_one_core(struct bench *bench, struct err *err)
{
    return cpu_affinity_use_one(&bench->peers.cpu_affinity, err);
}

static bool on_all_cores(struct bench *bench, struct err *err)
{
    return cpu_affinity_use_all(&bench->peers.cpu_affinity, err);
}

/* Every pull creates a new file. */
static bool without_copy(struct bench *bench, struct err *err)
{
    (void)unlink(PEERS_FILE_PULLED);
    return on_all_cores(bench, err);
}

static double cpu_of_command(const struct bench *bench)
{
    (void)bench;
    return child_process_cpu_us();
}

static double cpu_with_server(const struct bench *bench)
{
    return child_process_cpu_us() +
           stock_server_cpu_us(&bench->peers.stock_server);
}

static double cpu_with_new_server(const struct bench *bench)
{
    return child_process_cpu_us() +
           stock_server_cpu_us(&bench->peers.new_server);
}

static bool has_adbkit(const struct bench *bench)
{
    return bench->peers.adbkit.pid;
}

static bool has_yume(const struct bench *bench)
{
    return bench->peers.yume.pid;
}

static double adbkit_us(const struct bench *bench)
{
    return bench->peers.adbkit.us;
}

static double yume_us(const struct bench *bench)
{
    return bench->peers.yume.us;
}

static const struct measure measures[ROW_COUNT] = {
    [PING_PONG] = {"ping_pong", "bare ping-pong of 24 bytes", ping_pong,
                   .repeats = 1000, .prepare = on_one_core},
    [SHELL_PROCTOR] = {"shell_proctor", "proctor, on an open connection",
                       shell_proctor, .repeats = 500, .prepare = on_one_core},
    [SHELL_SERVER] = {"shell_server", "through an adb server's socket",
                      shell_server, .repeats = 100, .prepare = on_one_core},
    [SHELL_ADB] = {"shell_adb", "adb shell", shell_adb, .repeats = 5,
                   .prepare = on_one_core},
    [SHELL_ADBKIT] = {"shell_adbkit", "adbkit, through the same server",
                      shell_adbkit, .repeats = 1, .prepare = on_one_core,
                      .value = adbkit_us, .there = has_adbkit},
    [SHELL_YUME] = {"shell_yume", "@yume-chan/adb, on an open connection",
                    shell_yume, .repeats = 1, .prepare = on_one_core,
                    .value = yume_us, .there = has_yume},
    [FRAME_BARE] = {"frame_bare", "bare TCP", frame_bare, .repeats = 5,
                    .prepare = on_one_core},
    [FRAME_PROCTOR] = {"frame_proctor", "proctor, on an open connection",
                       frame_proctor, .repeats = 5, .prepare = on_one_core},
    [FRAME_SERVER] = {"frame_server", "through an adb server's socket",
                      frame_server, .repeats = 5, .prepare = on_one_core},
    [FRAME_ADB] = {"frame_adb", "adb exec-out", frame_adb, .repeats = 5,
                   .prepare = on_one_core},
    [FRAME_ADBKIT] = {"frame_adbkit", "adbkit, through the same server",
                      frame_adbkit, .repeats = 1, .prepare = on_one_core,
                      .value = adbkit_us, .there = has_adbkit},
    [FRAME_YUME] = {"frame_yume", "@yume-chan/adb, on an open connection",
                    frame_yume, .repeats = 1, .prepare = on_one_core,
                    .value = yume_us, .there = has_yume},
    [STOCK_BARE] = {"stock_bare", "adbd's own time (a bare host)", stock_bare,
                    .repeats = 20, .prepare = on_all_cores},
    [STOCK_PROCTOR] = {"stock_proctor", "proctor, on an open connection",
                       stock_proctor, .repeats = 20, .prepare = on_all_cores},
    [STOCK_SERVER] = {"stock_server", "through an adb server's socket",
                      stock_server, .repeats = 20, .prepare = on_all_cores},
    [STOCK_ADB] = {"stock_adb", "adb shell", stock_adb, .repeats = 5,
                   .prepare = on_all_cores},
    [FILE_BARE] = {"file_bare", "bare TCP to a file", file_bare, .repeats = 1,
                   .prepare = without_copy},
    [PULL_PROCTOR] = {"pull_proctor", "proctor pull", pull_proctor,
                      .repeats = 1, .prepare = without_copy,
                      .cpu_us = cpu_of_command},
    [PULL_ADB] = {"pull_adb", "adb pull", pull_adb, .repeats = 1,
                  .prepare = without_copy, .cpu_us = cpu_with_server},
    [PULL_NEW_ADB] = {"pull_new_adb", "adb 34.0.5 pull, delayed_ack",
                      pull_new_adb, .repeats = 1, .prepare = without_copy,
                      .cpu_us = cpu_with_new_server},
    [PUSH_PROCTOR] = {"push_proctor", "proctor push", push_proctor,
                      .repeats = 1, .prepare = on_all_cores,
                      .cpu_us = cpu_of_command},
    [PUSH_ADB] = {"push_adb", "adb push", push_adb, .repeats = 1,
                  .prepare = on_all_cores, .cpu_us = cpu_with_server},
    [PUSH_NEW_ADB] = {"push_new_adb", "adb 34.0.5 push, delayed_ack",
                      push_new_adb, .repeats = 1, .prepare = on_all_cores,
                      .cpu_us = cpu_with_new_server},
};

static bool set_up(struct bench *bench, struct err *err)
{
    bench->frame = (struct buf)BUF_INIT(2 * ZERO_FRAME_SIZE);
    if (!buf_reserve(&bench->frame, ZERO_FRAME_SIZE + 1))
        mem_out();
    return adb_peers_set_up(&bench->peers, err);
}

static void tear_down(struct bench *bench)
{
    adb_peers_tear_down(&bench->peers);
    buf_release(&bench->frame);
}

/* ---- results ---- */

static bool print(const struct bench_row *rows,
                  const struct bench_output *bench_output, struct err *err)
{
    const struct bench_group groups[] = {
        {"shell echo, a device without work, one core", &rows[PING_PONG], 6,
         NULL},
        {"a frame of 10.4 MB, the same device, one core", &rows[FRAME_BARE], 6,
         NULL},
        {"shell echo, stock adbd, all cores", &rows[STOCK_BARE], 4, NULL},
        {"a file of 64 MiB, stock adbd, all cores", &rows[FILE_BARE], 7, NULL},
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
        {"adb 34.0.5 pull over proctor pull", &rows[PULL_NEW_ADB],
         &rows[PULL_PROCTOR], .kind = GOAL_AT_LEAST, .wanted = 1},
        {"adb 34.0.5 push over proctor push", &rows[PUSH_NEW_ADB],
         &rows[PUSH_PROCTOR], .kind = GOAL_AT_LEAST, .wanted = 1},
        {"CPU time of proctor pull over adb pull", &rows[PULL_PROCTOR],
         &rows[PULL_ADB], .cpu = true, .kind = GOAL_AT_MOST, .wanted = 1},
        {"CPU time of proctor push over adb push", &rows[PUSH_PROCTOR],
         &rows[PUSH_ADB], .cpu = true, .kind = GOAL_AT_MOST, .wanted = 1},
        {"CPU time of proctor pull over adb 34.0.5 pull", &rows[PULL_PROCTOR],
         &rows[PULL_NEW_ADB], .cpu = true, .kind = GOAL_AT_MOST, .wanted = 1},
        {"CPU time of proctor push over adb 34.0.5 push", &rows[PUSH_PROCTOR],
         &rows[PUSH_NEW_ADB], .cpu = true, .kind = GOAL_AT_MOST, .wanted = 1},
    };

    return bench_output_print(bench_output, groups, ARRAY_LEN(groups), goals,
                              ARRAY_LEN(goals), err);
}

const struct harness benchmark = {
    .name = "adb",
    .measures = measures,
    .count = ROW_COUNT,
    .rounds = ROUNDS,
    .bench_size = sizeof(struct bench),
    .set_up = set_up,
    .tear_down = tear_down,
    .print = print,
};
