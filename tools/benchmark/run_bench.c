/*
 * Whole runs: how much more eight phones do than one while a model thinks, the
 * memory of a run with 32 phones, and what fast input saves on a phone that is
 * as slow as a real one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/macros.h"
#include "tasks/trajectory/trajectory.h"
#include "tools/benchmark/harness/child_process.h"
#include "tools/benchmark/harness/harness.h"
#include "tools/benchmark/loads/phone_farm.h"
#include "tools/benchmark/peers/http_sink.h"
#include "tools/benchmark/peers/loopback_socket.h"

#define ROUNDS 9
#define STEPS 4    /* a fifth that does the same would be the last */
#define EPISODES 2 /* for each phone, so that the start has little weight */
#define SOME 8
#define MANY 32
#define NAME_SIZE 96

/* Nothing moves where it taps, so that built-in phones take little time. */
static const char suite[] =
    "[{\"id\": \"look\", \"app\": \"org.proctor.shop\", \"kind\": \"process\", "
    "\"instruction\": \"Look.\", \"needs\": [\"it was seen\"]}]";

enum row_id { ONE, EIGHT, MEMORY, PLAIN, FAST, ROW_COUNT };

struct bench {
    char folder[NAME_SIZE];
    char suite[NAME_SIZE];
    uint16_t ports[MANY]; /* phones in another process */
    double rate;          /* steps a second of the last run */
    double mib;           /* of the run with many phones; 0: not measured yet */
    char lines[NAME_SIZE];  /* what the agent of slow phones does */
    char server[NAME_SIZE]; /* a file that built-in phones take for scrcpy's */
    double step_ms;         /* of the last run on a slow phone */
};

/* The options that all runs have; devices are added to them. */
struct bench_command {
    const char *argv[3 * MANY + 32];
    size_t count;
    char out[NAME_SIZE];
    char repeats[16];
};

static void add(struct bench_command *command, const char *word)
{
    command->argv[command->count++] = word;
}

static void begin_command(const struct bench *bench, const char *profile,
                          int phones, struct bench_command *command)
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

static bool forget_run(const struct bench_command *command, struct err *err)
{
    const char *const argv[] = {"rm", "-r", command->out, NULL};
    size_t printed;

    return child_process_run(argv, &printed, err);
}

/* ---- rates ---- */

static bool run_phones(struct bench *bench, int phones, struct err *err)
{
    struct bench_command command;
    struct child_process_end end;
    char device[16];

    begin_command(bench, "generic", phones, &command);
    snprintf(device, sizeof(device), "phone:%d", phones);
    add(&command, "--device");
    add(&command, device);
    add(&command, NULL);
    if (!child_process_run_to_end(command.argv, &end, err))
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

/* Once, not in each round: it takes half a minute. */
static bool weigh(struct bench *bench, struct err *err)
{
    char addresses[MANY][32];
    struct bench_command command;
    struct child_process_end end;

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
    if (!child_process_run_to_end(command.argv, &end, err))
        return false;
    bench->mib = end.peak_mib;
    return forget_run(&command, err);
}

static double mib_of(const struct bench *bench)
{
    return bench->mib;
}

/* ---- fast input ---- */

/* An input command starts a Java process, and a screenshot is compressed: they
 * take as long as on a phone of some years. */
static const char costs[] = "delay:service=*input ,ms=700;"
                            "delay:service=*screencap,ms=200;"
                            "delay:service=framebuffer,ms=200";

/* Each of them changes the whole screen. */
static const char lines[] = "home\n"
                            "click(173,480)\nback\n"
                            "click(173,480)\nback\n"
                            "click(173,480)\nback\n";

/* The median of the times from one observation, to which the agent replies at
 * once, to the next. */
static bool read_steps(struct bench *bench, const char *out, struct err *err)
{
    struct samples samples = {.count = 0};
    struct trajectory read;
    char path[NAME_SIZE + 32];

    snprintf(path, sizeof(path), "%s/episodes/look/0/0", out);
    if (!trajectory_load(path, &read, err))
        return false;
    for (size_t i = 1; i < read.count && read.steps[i - 1].reply; i++)
        samples_add(&samples, (double)(read.steps[i].seen_ms -
                                       read.steps[i - 1].seen_ms));
    trajectory_release(&read);
    if (!samples.count)
        return err_set(err, ERR_INVALID, "the run has no steps");
    bench->step_ms = samples_median(&samples);
    return true;
}

static bool run_slow_phone(struct bench *bench, bool fast, struct err *err)
{
    struct child_process_end end;
    struct bench_command command = {.count = 0};
    char agent[NAME_SIZE + 16];
    const char *const words[] = {
        PROCTOR_PROGRAM, "run",       bench->suite, "--agent", agent,
        "--out",         command.out, "--device",   "phone",   "--realtime",
        "--faults",      costs,       "--no-guard"};

    snprintf(agent, sizeof(agent), "script:%s", bench->lines);
    snprintf(command.out, sizeof(command.out), "%s/run", bench->folder);
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        add(&command, words[i]);
    if (fast) {
        add(&command, "--fast-input");
        add(&command, "--scrcpy-server");
        add(&command, bench->server);
    }
    add(&command, NULL);
    return child_process_run_to_end(command.argv, &end, err) &&
           read_steps(bench, command.out, err) && forget_run(&command, err);
}

static bool run_plain(struct bench *bench, struct err *err)
{
    return run_slow_phone(bench, false, err);
}

static bool run_fast(struct bench *bench, struct err *err)
{
    return run_slow_phone(bench, true, err);
}

static double step_of(const struct bench *bench)
{
    return bench->step_ms;
}

static const struct measure measures[ROW_COUNT] = {
    [ONE] = {"one", "one phone", run_one, 1, .value = rate_of},
    [EIGHT] = {"eight", "eight phones", run_eight, 1, .value = rate_of},
    [MEMORY] = {"memory", "32 phones in another process", weigh, 1,
                .value = mib_of},
    [PLAIN] = {"plain", "by commands", run_plain, 1, .value = step_of},
    [FAST] = {"fast", "with --fast-input", run_fast, 1, .value = step_of},
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
    snprintf(bench->lines, sizeof(bench->lines), "%s/lines", bench->folder);
    snprintf(bench->server, sizeof(bench->server), "%s/server", bench->folder);
    if (!file_save(bench->suite, 0666, suite, strlen(suite), err) ||
        !file_save(bench->lines, 0666, lines, strlen(lines), err) ||
        !file_save(bench->server, 0666, "3.3.4", strlen("3.3.4"), err) ||
        !phone_farm_start(MANY, bench->ports, err) ||
        !loopback_socket_serve(http_sink_serve_slowly, &model, err))
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
        (void)!child_process_run(argv, &printed, &ignored);
}

static bool print(const struct bench_row *rows,
                  const struct bench_output *bench_output, struct err *err)
{
    const struct bench_group groups[] = {
        {"runs with a model that thinks for a second", &rows[ONE], 2,
         "steps/s"},
        {"the most memory of a run", &rows[MEMORY], 1, "MiB"},
        {"from a reply to the next observation, slow phone", &rows[PLAIN], 2,
         "ms"},
    };
    const struct goal goals[] = {
        {"eight phones over one", &rows[EIGHT], &rows[ONE],
         .kind = GOAL_AT_LEAST, .wanted = 7},
        {"MiB of a run with 32 phones", &rows[MEMORY], NULL,
         .kind = GOAL_AT_MOST, .wanted = 200},
        {"a step with --fast-input over one by commands", &rows[FAST],
         &rows[PLAIN], .kind = GOAL_AT_MOST, .wanted = 1.0 / 3},
    };

    return bench_output_print(bench_output, groups, ARRAY_LEN(groups), goals,
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
