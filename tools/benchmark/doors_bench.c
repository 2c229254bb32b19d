/*
 * What an agent's adb server of ours costs, with the recording of what is done:
 * next to the phone itself, and next to a stock adb server.
 *
 * Run it by tests/peers/with-adbd.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adb/services/shell.h"
#include "base/macros.h"
#include "base/mem.h"
#include "tools/benchmark/harness/bench_files.h"
#include "tools/benchmark/harness/child_process.h"
#include "tools/benchmark/harness/cpu_affinity.h"
#include "tools/benchmark/harness/harness.h"
#include "tools/benchmark/harness/proctor_program.h"
#include "tools/benchmark/peers/doors_server.h"
#include "tools/benchmark/peers/loopback_socket.h"
#include "tools/benchmark/peers/stock_server.h"
#include "tools/benchmark/peers/zero_device.h"

#define ROUNDS 21
#define CALL_MS 10000
#define ADDED_CALLS 100

#define ZERO_SERVER_PORT 5047
#define STOCK_SERVER_PORT 5048

#define FILE_SIZE ((size_t)64 * 1024 * 1024)
#define FILE_HERE DOORS_FOLDER "/doors.file"
#define FILE_PULLED DOORS_FOLDER "/doors.pulled"
#define FILE_THERE "/data/local/tmp/doors.file"

enum row_id {
    SHELL_DIRECT,
    SHELL_OURS,
    SHELL_STOCK,
    SHELL_ADDED,
    FRAME_DIRECT,
    FRAME_OURS,
    FRAME_STOCK,
    PROGRAM_OURS,
    PROGRAM_STOCK,
    PULL_DIRECT,
    PULL_STOCK,
    PULL_OURS,
    PULL_PROCTOR_ADB,
    ROW_COUNT
};

struct bench {
    struct cpu_affinity cpu_affinity;
    struct adb_program adb;
    struct buf frame;
    double added_us;

    /* The device without work, on one core: */
    struct doors_server zero_doors;
    struct device *zero;
    struct stock_server zero_stock;
    struct stock_server zero_ours; /* a client of zero_doors */

    /* adbd, on all cores: */
    struct doors_server stock_doors;
    struct stock_server stock_stock;
    struct stock_server stock_ours; /* a client of stock_doors */
};

/* ---- what is measured: one operation each ---- */

static bool check_length(size_t got, size_t wanted, struct err *err)
{
    return got == wanted ||
           err_set(err, ERR_PROTOCOL, "%zu bytes came back instead of %zu", got,
                   wanted);
}

static bool run_shell(const struct stock_server *server, struct err *err)
{
    char text[64];
    size_t got;

    return stock_server_run(server, "shell:echo", text, sizeof(text), &got,
                            err) &&
           check_length(got, strlen(ZERO_ANSWER), err);
}

static bool shell_direct(struct bench *bench, struct err *err)
{
    struct shell_result result;
    size_t got;

    if (!shell_run(bench->zero, "echo", 4096, deadline_in_ms(CALL_MS), &result,
                   err))
        return false;
    got = result.out.length;
    shell_result_release(&result);
    return check_length(got, strlen(ZERO_ANSWER), err);
}

static bool shell_ours(struct bench *bench, struct err *err)
{
    return run_shell(&bench->zero_ours, err);
}

static bool shell_stock(struct bench *bench, struct err *err)
{
    return run_shell(&bench->zero_stock, err);
}

/* Both in turn: the difference of their times. */
static bool shell_added(struct bench *bench, struct err *err)
{
    int64_t direct_ns = 0;
    int64_t ours_ns = 0;

    for (int i = 0; i < ADDED_CALLS; i++) {
        int64_t start = clock_ns();
        int64_t middle;

        if (!shell_direct(bench, err))
            return false;
        middle = clock_ns();
        if (!shell_ours(bench, err))
            return false;
        direct_ns += middle - start;
        ours_ns += clock_ns() - middle;
    }
    bench->added_us = (double)(ours_ns - direct_ns) / 1e3 / ADDED_CALLS;
    return true;
}

static bool fetch_frame(struct bench *bench, const struct stock_server *server,
                        struct err *err)
{
    size_t got;

    return stock_server_run(server, "exec:screencap", bench->frame.data,
                            bench->frame.capacity, &got, err) &&
           check_length(got, ZERO_FRAME_SIZE, err);
}

static bool frame_direct(struct bench *bench, struct err *err)
{
    buf_clear(&bench->frame);
    return shell_exec(bench->zero, "screencap", deadline_in_ms(CALL_MS),
                      &bench->frame, err) &&
           check_length(bench->frame.length, ZERO_FRAME_SIZE, err);
}

static bool frame_ours(struct bench *bench, struct err *err)
{
    return fetch_frame(bench, &bench->zero_ours, err);
}

static bool frame_stock(struct bench *bench, struct err *err)
{
    return fetch_frame(bench, &bench->zero_stock, err);
}

/* proctor-adb at our server: what an agent's door does for each command. */
static bool run_proctor_adb(const struct stock_server *server, const char *verb,
                            const char *a, const char *b, struct err *err)
{
    const char *const argv[] = {PROCTOR_ADB, verb, a, b, NULL};
    size_t printed;

    setenv("PROCTOR_ADB_SERVER", server->port_text, 1);
    return child_process_run(argv, &printed, err) ||
           err_wrap(err, "proctor-adb %s", verb);
}

static bool program_ours(struct bench *bench, struct err *err)
{
    return run_proctor_adb(&bench->zero_ours, "shell", "echo", NULL, err);
}

static bool program_stock(struct bench *bench, struct err *err)
{
    return stock_server_command(&bench->zero_stock, "shell", "echo", NULL, NULL,
                                err);
}

static bool pull_direct(struct bench *bench, struct err *err)
{
    return proctor_program_run(bench->stock_stock.serial, "pull", FILE_THERE,
                               FILE_PULLED, err);
}

static bool pull_stock(struct bench *bench, struct err *err)
{
    return stock_server_command(&bench->stock_stock, "pull", FILE_THERE,
                                FILE_PULLED, NULL, err);
}

static bool pull_ours(struct bench *bench, struct err *err)
{
    return stock_server_command(&bench->stock_ours, "pull", FILE_THERE,
                                FILE_PULLED, NULL, err);
}

static bool pull_proctor_adb(struct bench *bench, struct err *err)
{
    return run_proctor_adb(&bench->stock_ours, "pull", FILE_THERE, FILE_PULLED,
                           err);
}

/* ---- how it is measured ---- */

static bool on_one_core(struct bench *bench, struct err *err)
{
    return cpu_affinity_use_one(&bench->cpu_affinity, err);
}

/* Every pull creates a new file. */
static bool without_copy(struct bench *bench, struct err *err)
{
    (void)unlink(FILE_PULLED);
    return cpu_affinity_use_all(&bench->cpu_affinity, err);
}

static double added_us(const struct bench *bench)
{
    return bench->added_us;
}

static const struct measure measures[ROW_COUNT] = {
    [SHELL_DIRECT] = {"shell_direct", "the phone itself, on an open connection",
                      shell_direct, .repeats = 200, .prepare = on_one_core},
    [SHELL_OURS] = {"shell_ours", "through our server's socket", shell_ours,
                    .repeats = 100, .prepare = on_one_core},
    [SHELL_STOCK] = {"shell_stock", "through a stock server's socket",
                     shell_stock, .repeats = 100, .prepare = on_one_core},
    [SHELL_ADDED] = {"shell_added", "what our server adds", shell_added,
                     .repeats = 1, .prepare = on_one_core, .value = added_us},
    [FRAME_DIRECT] = {"frame_direct", "the phone itself, on an open connection",
                      frame_direct, .repeats = 5, .prepare = on_one_core},
    [FRAME_OURS] = {"frame_ours", "through our server's socket", frame_ours,
                    .repeats = 5, .prepare = on_one_core},
    [FRAME_STOCK] = {"frame_stock", "through a stock server's socket",
                     frame_stock, .repeats = 5, .prepare = on_one_core},
    [PROGRAM_OURS] = {"program_ours", "proctor-adb shell, our server",
                      program_ours, .repeats = 5, .prepare = on_one_core},
    [PROGRAM_STOCK] = {"program_stock", "adb shell, stock server",
                       program_stock, .repeats = 5, .prepare = on_one_core},
    [PULL_DIRECT] = {"pull_direct", "proctor pull, the phone itself",
                     pull_direct, .repeats = 1, .prepare = without_copy},
    [PULL_STOCK] = {"pull_stock", "adb pull, stock server", pull_stock,
                    .repeats = 1, .prepare = without_copy},
    [PULL_OURS] = {"pull_ours", "adb pull, our server", pull_ours, .repeats = 1,
                   .prepare = without_copy},
    [PULL_PROCTOR_ADB] = {"pull_proctor_adb", "proctor-adb pull, our server",
                          pull_proctor_adb, .repeats = 1,
                          .prepare = without_copy},
};

/* ---- the peers ---- */

static void name_port(uint16_t port, char text[32])
{
    snprintf(text, 32, "127.0.0.1:%u", (unsigned)port);
}

/* Forked before this process has threads. */
static bool set_up_doors(struct bench *bench, uint16_t zero, uint16_t adbd,
                         struct err *err)
{
    return cpu_affinity_use_one(&bench->cpu_affinity, err) &&
           doors_server_start(&bench->zero_doors, zero, err) &&
           cpu_affinity_use_all(&bench->cpu_affinity, err) &&
           doors_server_start(&bench->stock_doors, adbd, err);
}

static bool set_up_servers(struct bench *bench, uint16_t zero, uint16_t adbd,
                           struct err *err)
{
    char zero_serial[32];
    char adbd_serial[32];

    name_port(zero, zero_serial);
    name_port(adbd, adbd_serial);
    stock_server_init(&bench->zero_ours, &bench->adb, bench->zero_doors.port,
                      zero_serial);
    stock_server_init(&bench->stock_ours, &bench->adb, bench->stock_doors.port,
                      adbd_serial);
    stock_server_init(&bench->zero_stock, &bench->adb, ZERO_SERVER_PORT,
                      zero_serial);
    stock_server_init(&bench->stock_stock, &bench->adb, STOCK_SERVER_PORT,
                      adbd_serial);
    return stock_server_start(&bench->stock_stock, err) &&
           cpu_affinity_use_one(&bench->cpu_affinity, err) &&
           stock_server_start(&bench->zero_stock, err) &&
           device_open_tcp("127.0.0.1", zero, NULL, deadline_in_ms(CALL_MS),
                           &bench->zero, err);
}

static bool set_up(struct bench *bench, struct err *err)
{
    const char *address = getenv("PROCTOR_PEER_ADBD");
    const char *root = getenv("PROCTOR_PEER_ROOT");
    uint16_t adbd;
    uint16_t zero;

    bench->frame = (struct buf)BUF_INIT(2 * ZERO_FRAME_SIZE);
    if (!buf_reserve(&bench->frame, ZERO_FRAME_SIZE + 1))
        mem_out();
    if (!address || !root || !tcp_parse_port(strchr(address, ':') + 1, &adbd))
        return err_set(err, ERR_INVALID,
                       "there is no adbd here; run tools/bench doors");
    adb_program_tune();
    adb_program_init_own(&bench->adb);
    return cpu_affinity_init(&bench->cpu_affinity, err) &&
           cpu_affinity_use_one(&bench->cpu_affinity, err) &&
           loopback_socket_serve(zero_device_serve, &zero, err) &&
           set_up_doors(bench, zero, adbd, err) &&
           set_up_servers(bench, zero, adbd, err) &&
           bench_files_make(FILE_HERE, root, FILE_THERE, FILE_SIZE, err);
}

static void tear_down(struct bench *bench)
{
    stock_server_stop(&bench->zero_stock);
    stock_server_stop(&bench->stock_stock);
    doors_server_stop(&bench->zero_doors);
    doors_server_stop(&bench->stock_doors);
    device_close(bench->zero);
    buf_release(&bench->frame);
    (void)unlink(FILE_HERE);
    (void)unlink(FILE_PULLED);
}

/* ---- the result ---- */

static bool print(const struct bench_row *rows,
                  const struct bench_output *bench_output, struct err *err)
{
    const struct bench_group groups[] = {
        {"shell echo, a device without work, one core", &rows[SHELL_DIRECT], 4,
         NULL},
        {"a frame of 10.4 MB, the same device, one core", &rows[FRAME_DIRECT],
         3, NULL},
        {"shell echo by a program, the same device, one core",
         &rows[PROGRAM_OURS], 2, NULL},
        {"a file of 64 MiB, stock adbd, all cores", &rows[PULL_DIRECT], 4,
         NULL},
    };
    const struct goal goals[] = {
        {"us that our server adds to a request", &rows[SHELL_ADDED], NULL,
         .kind = GOAL_AT_MOST, .wanted = 300},
        {"our server's socket over a stock server's", &rows[SHELL_OURS],
         &rows[SHELL_STOCK], .kind = GOAL_AT_MOST, .wanted = 1.5},
        {"a recorded frame over one by a stock server", &rows[FRAME_OURS],
         &rows[FRAME_STOCK], .kind = GOAL_AT_MOST, .wanted = 1.5},
        {"proctor-adb shell over adb shell", &rows[PROGRAM_OURS],
         &rows[PROGRAM_STOCK], .kind = GOAL_AT_MOST, .wanted = 1.3},
        {"adb pull by our server over a stock server", &rows[PULL_OURS],
         &rows[PULL_STOCK], .kind = GOAL_AT_MOST, .wanted = 1.05},
        {"proctor-adb pull over adb pull", &rows[PULL_PROCTOR_ADB],
         &rows[PULL_STOCK], .kind = GOAL_AT_MOST, .wanted = 1.05},
    };

    return bench_output_print(bench_output, groups, ARRAY_LEN(groups), goals,
                              ARRAY_LEN(goals), err);
}

const struct harness benchmark = {
    .name = "doors",
    .measures = measures,
    .count = ROW_COUNT,
    .rounds = ROUNDS,
    .bench_size = sizeof(struct bench),
    .set_up = set_up,
    .tear_down = tear_down,
    .print = print,
};
