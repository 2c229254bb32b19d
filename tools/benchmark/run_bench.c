/*
 * Whole runs, as people start them: how much more eight phones do than one
 * while a model thinks, and what memory a run of 32 phones takes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/macros.h"
#include "tools/benchmark/harness.h"
#include "tools/benchmark/http_sink.h"
#include "tools/benchmark/phone_farm.h"
#include "tools/benchmark/process.h"
#include "tools/benchmark/socket.h"

#define ROUNDS 9
#define STEPS 4    /* a fifth that does the same would be the last */
#define EPISODES 2 /* of each phone, so that starting weighs little */
#define SOME 8
#define MANY 32
#define NAME_SIZE 96

/* Nothing moves where it taps, so that phones of software take little time. */
static const char suite[] =
    "[{\"id\": \"look\", \"app\": \"org.proctor.shop\", \"kind\": \"process\", "
    "\"instruction\": \"Look.\", \"needs\": [\"it was seen\"]}]";

enum row_id { ONE, EIGHT, MEMORY, ROW_COUNT };

struct bench {
    char folder[NAME_SIZE];
    char suite[NAME_SIZE];
    uint16_t ports[MANY]; /* of the phones elsewhere */
    double rate;          /* steps a second of the last run */
    double mib;           /* of the run with many phones; 0: not measured yet */
};

/* The options that all runs have; devices are added to them. */
struct command {
    const char *argv[3 * MANY + 32];
    size_t count;
    char out[NAME_SIZE];
    char repeats[16];
};

static void add(struct command *command, const char *word)
{
    command->argv[command->count++] = word;
}

static void begin_command(const struct bench *bench, const char *profile,
                          int phones, struct command *command)
{
    static const char steps[] = {'0' + STEPS, '\0'};
    const char *const words[] = {
        PROCTOR_PROGRAM,  "run",        bench->suite,
        "--agent",        "openai:m",   "-p",
        profile,          "--steps",    steps,
        "--out",          command->out, "-k",
        command->repeats, "--no-guard", "--observe-cache",
        "none",
    };

    command->count = 0;
    snprintf(command->out, sizeof(command->out), "%s/run", bench->folder);
    snprintf(command->repeats, sizeof(command->repeats), "%d",
             EPISODES * phones);
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        add(command, words[i]);
}

static bool forget_run(const struct command *command, struct err *err)
{
    const char *const argv[] = {"rm", "-r", command->out, NULL};
    size_t printed;

    return process_run(argv, &printed, err);
}

/* ---- rates ---- */

static bool run_phones(struct bench *bench, int phones, struct err *err)
{
    struct command command;
    struct process_end end;
    char device[16];

    begin_command(bench, "generic", phones, &command);
    snprintf(device, sizeof(device), "phone:%d", phones);
    add(&command, "--device");
    add(&command, device);
    add(&command, NULL);
    if (!process_run_to_end(command.argv, &end, err))
        return false;
    bench->rate = phones * EPISODES * STEPS / end.seconds;
    return forget_run(&command, err);
}

static bool run_one(struct bench *bench, struct err *err)
{
    return run_phones(bench, 1, err);
}

static bool run_eight(struct bench *bench, struct err *err)
{
    return run_phones(bench, SOME, err);
}

static double rate_of(const struct bench *bench)
{
    return bench->rate;
}

/* ---- memory ---- */

/* Once, and not in each round: it takes half a minute. */
static bool weigh(struct bench *bench, struct err *err)
{
    char addresses[MANY][32];
    struct command command;
    struct process_end end;

    if (bench->mib > 0)
        return true;
    begin_command(bench, "qwen-vl", MANY, &command); /* which scales pictures */
    for (size_t i = 0; i < MANY; i++) {
        snprintf(addresses[i], sizeof(addresses[i]), "127.0.0.1:%u",
                 (unsigned)bench->ports[i]);
        add(&command, "-s");
        add(&command, addresses[i]);
    }
    add(&command, NULL);
    if (!process_run_to_end(command.argv, &end, err))
        return false;
    bench->mib = end.peak_mib;
    return forget_run(&command, err);
}

static double mib_of(const struct bench *bench)
{
    return bench->mib;
}

static const struct measure measures[ROW_COUNT] = {
    [ONE] = {"one", "one phone", run_one, 1, .value = rate_of},
    [EIGHT] = {"eight", "eight phones", run_eight, 1, .value = rate_of},
    [MEMORY] = {"memory", "32 phones in another process", weigh, 1,
                .value = mib_of},
};

/* ---- the whole ---- */

static bool set_up(struct bench *bench, struct err *err)
{
    uint16_t model;
    char url[64];

    snprintf(bench->folder, sizeof(bench->folder), "/tmp/bench-run-XXXXXX");
    if (!mkdtemp(bench->folder))
        return err_set(err, ERR_IO, "no folder in /tmp");
    snprintf(bench->suite, sizeof(bench->suite), "%s/suite.json",
             bench->folder);
    if (!file_save(bench->suite, 0666, suite, strlen(suite), err) ||
        !phone_farm_start(MANY, bench->ports, err) ||
        !socket_serve(http_sink_serve_slowly, &model, err))
        return false;
    snprintf(url, sizeof(url), "http://127.0.0.1:%u/v1", (unsigned)model);
    setenv("OPENAI_BASE_URL", url, 1);
    setenv("XDG_STATE_HOME", bench->folder, 1);
    return true;
}

static void tear_down(struct bench *bench)
{
    const char *const argv[] = {"rm", "-r", bench->folder, NULL};
    struct err ignored;
    size_t printed;

    if (bench->folder[0])
        (void)!process_run(argv, &printed, &ignored);
}

static bool print(const struct row *rows, const struct outlet *outlet,
                  struct err *err)
{
    const struct group groups[] = {
        {"runs with a model that thinks for a second", &rows[ONE], 2,
         "steps/s"},
        {"the most memory of a run", &rows[MEMORY], 1, "MiB"},
    };
    const struct goal goals[] = {
        {"eight phones over one", &rows[EIGHT], &rows[ONE],
         .kind = GOAL_AT_LEAST, .wanted = 7},
        {"MiB of a run with 32 phones", &rows[MEMORY], NULL,
         .kind = GOAL_AT_MOST, .wanted = 200},
    };

    return outlet_print(outlet, groups, ARRAY_LEN(groups), goals,
                        ARRAY_LEN(goals), err);
}

const struct harness benchmark = {
    .name = "run",
    .measures = measures,
    .count = ROW_COUNT,
    .rounds = ROUNDS,
    .bench_size = sizeof(struct bench),
    .set_up = set_up,
    .tear_down = tear_down,
    .print = print,
};
