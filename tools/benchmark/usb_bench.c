/*
 * A phone on USB, by proctor and by the stock adb in turn: only one of them can
 * claim it. Run it by tests/peers/usb/with-usb.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "adb/discover/discover.h"
#include "adb/services/shell.h"
#include "base/macros.h"
#include "tools/benchmark/harness/bench_files.h"
#include "tools/benchmark/harness/child_process.h"
#include "tools/benchmark/harness/harness.h"
#include "tools/benchmark/harness/proctor_program.h"
#include "tools/benchmark/peers/stock_server.h"

/* The machine is emulated, and slow. */
#define OPEN_MS 20000
#define CALL_MS 20000

/* They take some minutes. */
#define ROUNDS 11

#define SERVER_PORT 5049

#define FILE_SIZE ((size_t)16 * 1024 * 1024)
#define FILE_HERE "/run/bench.file"
#define FILE_PULLED "/run/bench.pulled"
#define FILE_THERE "/data/local/tmp/bench.file"
#define FILE_PUSHED "/data/local/tmp/bench.pushed"

/*
 * All rows of one after all of the other: adb needs seconds to get the phone.
 */
enum row_id {
    OPEN_PROCTOR,
    SHELL_PROCTOR,
    PULL_PROCTOR,
    PUSH_PROCTOR,
    OPEN_ADB,
    SHELL_ADB,
    PULL_ADB,
    PUSH_ADB,
    ROW_COUNT
};

struct bench {
    const char *serial; /* borrowed */
    struct adb_program adb;
    struct stock_server server; /* runs while adb has the phone */
    struct device *device;      /* open while we have it; or NULL */
};

/* ---- what is measured: one operation each ---- */

static bool open_proctor(struct bench *bench, struct err *err)
{
    struct shell_result result;

    if (!shell_run(bench->device, "echo", 4096, deadline_in_ms(CALL_MS),
                   &result, err))
        return false;
    shell_result_release(&result);
    return true;
}

static bool open_adb(struct bench *bench, struct err *err)
{
    char text[64];
    size_t got;

    return stock_server_run(&bench->server, "shell,v2,raw:echo", text,
                            sizeof(text), &got, err);
}

static bool shell_proctor(struct bench *bench, struct err *err)
{
    return proctor_program_run(bench->serial, "shell", "echo", NULL, err);
}

static bool shell_adb(struct bench *bench, struct err *err)
{
    return stock_server_command(&bench->server, "shell", "echo", NULL, NULL,
                                err);
}

static bool pull_proctor(struct bench *bench, struct err *err)
{
    return proctor_program_run(bench->serial, "pull", FILE_THERE, FILE_PULLED,
                               err);
}

static bool pull_adb(struct bench *bench, struct err *err)
{
    return stock_server_command(&bench->server, "pull", FILE_THERE, FILE_PULLED,
                                NULL, err);
}

static bool push_proctor(struct bench *bench, struct err *err)
{
    return proctor_program_run(bench->serial, "push", FILE_HERE, FILE_PUSHED,
                               err);
}

static bool push_adb(struct bench *bench, struct err *err)
{
    return stock_server_command(&bench->server, "push", FILE_HERE, FILE_PUSHED,
                                NULL, err);
}

/* ---- who holds the phone ---- */

static bool held_by_nobody(struct bench *bench, struct err *err)
{
    (void)err;
    stock_server_stop(&bench->server);
    device_close(bench->device);
    bench->device = NULL;
    (void)unlink(FILE_PULLED); /* every pull creates a new file */
    return true;
}

static bool held_by_proctor(struct bench *bench, struct err *err)
{
    static const struct discover on_usb = {.usb = true};

    return held_by_nobody(bench, err) &&
           discover_open(&on_usb, bench->serial, deadline_in_ms(OPEN_MS),
                         &bench->device, err);
}

static bool held_by_adb(struct bench *bench, struct err *err)
{
    (void)unlink(FILE_PULLED);
    return bench->server.pid || (held_by_nobody(bench, err) &&
                                 stock_server_start(&bench->server, err));
}

static double cpu_of_command(const struct bench *bench)
{
    (void)bench;
    return child_process_cpu_us();
}

static double cpu_with_server(const struct bench *bench)
{
    return child_process_cpu_us() + stock_server_cpu_us(&bench->server);
}

static const struct measure measures[ROW_COUNT] = {
    [OPEN_PROCTOR] = {"open_proctor", "proctor, on an open connection",
                      open_proctor, .repeats = 20, .prepare = held_by_proctor},
    [SHELL_PROCTOR] = {"shell_proctor", "proctor shell, which opens USB",
                       shell_proctor, .repeats = 3, .prepare = held_by_nobody,
                       .cpu_us = cpu_of_command},
    [PULL_PROCTOR] = {"pull_proctor", "proctor pull", pull_proctor,
                      .repeats = 1, .prepare = held_by_nobody,
                      .cpu_us = cpu_of_command},
    [PUSH_PROCTOR] = {"push_proctor", "proctor push", push_proctor,
                      .repeats = 1, .prepare = held_by_nobody,
                      .cpu_us = cpu_of_command},
    [OPEN_ADB] = {"open_adb", "through an adb server's socket", open_adb,
                  .repeats = 20, .prepare = held_by_adb},
    [SHELL_ADB] = {"shell_adb", "adb shell, whose server has it open",
                   shell_adb, .repeats = 3, .prepare = held_by_adb,
                   .cpu_us = cpu_with_server},
    [PULL_ADB] = {"pull_adb", "adb pull", pull_adb, .repeats = 1,
                  .prepare = held_by_adb, .cpu_us = cpu_with_server},
    [PUSH_ADB] = {"push_adb", "adb push", push_adb, .repeats = 1,
                  .prepare = held_by_adb, .cpu_us = cpu_with_server},
};

static bool set_up(struct bench *bench, struct err *err)
{
    const char *root = getenv("PROCTOR_PEER_ROOT");

    bench->serial = getenv("PROCTOR_PEER_SERIAL");
    if (!root || !bench->serial)
        return err_set(err, ERR_INVALID,
                       "there is no phone on USB here; run tools/bench usb");
    adb_program_tune();
    adb_program_init_below(&bench->adb, root);
    stock_server_init(&bench->server, &bench->adb, SERVER_PORT, bench->serial);
    return bench_files_make(FILE_HERE, root, FILE_THERE, FILE_SIZE, err);
}

static void tear_down(struct bench *bench)
{
    stock_server_stop(&bench->server);
    device_close(bench->device);
}

/* ---- results ---- */

static bool print(const struct bench_row *rows,
                  const struct bench_output *bench_output, struct err *err)
{
    const struct bench_row open[] = {rows[OPEN_ADB], rows[OPEN_PROCTOR]};
    const struct bench_row shell[] = {rows[SHELL_ADB], rows[SHELL_PROCTOR]};
    const struct bench_row pull[] = {rows[PULL_ADB], rows[PULL_PROCTOR]};
    const struct bench_row push[] = {rows[PUSH_ADB], rows[PUSH_PROCTOR]};
    const struct bench_group groups[] = {
        {"shell echo", open, 2, NULL},
        {"shell echo, whole commands", shell, 2, NULL},
        {"pull of 16 MiB", pull, 2, NULL},
        {"push of 16 MiB", push, 2, NULL},
    };
    const struct goal goals[] = {
        {"adb server's socket over shell echo", &rows[OPEN_ADB],
         &rows[OPEN_PROCTOR], .kind = GOAL_AT_LEAST, .wanted = 1},
        {"adb shell over proctor shell", &rows[SHELL_ADB], &rows[SHELL_PROCTOR],
         .kind = GOAL_AT_LEAST, .wanted = 1},
        {"adb pull over proctor pull", &rows[PULL_ADB], &rows[PULL_PROCTOR],
         .kind = GOAL_AT_LEAST, .wanted = 1},
        {"adb push over proctor push", &rows[PUSH_ADB], &rows[PUSH_PROCTOR],
         .kind = GOAL_AT_LEAST, .wanted = 1},
        {"CPU time of proctor pull over adb pull", &rows[PULL_PROCTOR],
         &rows[PULL_ADB], .cpu = true, .kind = GOAL_AT_MOST, .wanted = 1},
        {"CPU time of proctor push over adb push", &rows[PUSH_PROCTOR],
         &rows[PUSH_ADB], .cpu = true, .kind = GOAL_AT_MOST, .wanted = 1},
    };

    return bench_output_print(bench_output, groups, ARRAY_LEN(groups), goals,
                              ARRAY_LEN(goals), err);
}

const struct harness benchmark = {
    .name = "usb",
    .measures = measures,
    .count = ROW_COUNT,
    .rounds = ROUNDS,
    .bench_size = sizeof(struct bench),
    .set_up = set_up,
    .tear_down = tear_down,
    .print = print,
};
