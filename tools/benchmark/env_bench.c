/* bench env: environments on built-in phones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/deadline.h"
#include "base/json_write.h"
#include "base/macros.h"
#include "tasks/task/suite.h"
#include "tools/benchmark/harness/child_process.h"
#include "tools/benchmark/harness/harness.h"
#include "tools/env/env_hub.h"
#include "tools/phone/graphics/font.h"

#define ROUNDS 11
#define MANY 512   /* whose memory is measured */
#define BUSY 64    /* that step at the same time */
#define BATCH 4096 /* steps of all of them together */
#define ANSWER_MAX ((size_t)1 << 20)

enum row_index {
    RESET,
    FORK,
    STEP,
    STEP_TREE,
    THROUGHPUT,
    STEP_CPU,
    MEMORY,
    ROW_COUNT,
};

/* All owned. */
struct bench {
    struct env_sink sink;
    struct suite suite;
    struct phone_fonts *fonts;
    struct env_builtin_maker maker;
    struct env_world world;
    struct env_hub *hub;
    struct buf answer;
    char error[256]; /* of an answer; "": none was one */
    double memory_mib;
    double rate;        /* steps a second */
    double step_cpu_us; /* of all cores */
    unsigned steps;
    unsigned forks;
};

/* ---- asking ---- */

/* As a door does it: the answer is formatted. */
static void take_answer(struct env_sink *sink,
                        const struct env_request *request, struct cJSON *answer,
                        const struct err *err)
{
    struct bench *bench = (struct bench *)sink;

    (void)request;
    buf_clear(&bench->answer);
    json_format(answer, &bench->answer);
    if (err->code != ERR_NONE && !bench->error[0])
        snprintf(bench->error, sizeof(bench->error), "%s", err->text);
}

static bool submit(struct bench *bench, const char *text, struct err *err)
{
    struct env_request request;

    if (!env_request_parse(text, strlen(text), &request, err))
        return false;
    env_hub_submit(bench->hub, &request, &bench->sink);
    return true;
}

static bool finish(struct bench *bench, struct err *err)
{
    env_hub_drain(bench->hub);
    return !bench->error[0] || err_set(err, ERR_IO, "%s", bench->error);
}

static bool ask(struct bench *bench, const char *text, struct err *err)
{
    return submit(bench, text, err) && finish(bench, err);
}

static bool submit_reset(struct bench *bench, unsigned env, struct err *err)
{
    char text[160];

    snprintf(text, sizeof(text),
             "{\"id\":1,\"method\":\"reset\",\"env\":\"e%u\",\"steps\":10000,"
             "\"task\":\"shop.cheapest\",\"index\":%u}",
             env, env);
    return submit(bench, text, err);
}

/* What agents do in a shop; no action is repeated. */
static bool submit_step(struct bench *bench, unsigned env, const char *more,
                        struct err *err)
{
    static const char *const actions[] = {
        "\"click\",\"x\":540,\"y\":200",
        "\"type\",\"text\":\"phones\",\"submit\":true",
        "\"scroll\",\"direction\":\"down\"",
        "\"click\",\"x\":540,\"y\":1200",
        "\"scroll\",\"direction\":\"down\"",
        "\"back\"",
        "\"click\",\"x\":300,\"y\":700",
        "\"back\"",
        "\"home\"",
        "\"open_app\",\"text\":\"shop\"",
    };
    char text[256];

    snprintf(text, sizeof(text),
             "{\"id\":1,\"method\":\"step\",\"env\":\"e%u\",\"action\":"
             "{\"action\":%s}%s}",
             env, actions[bench->steps++ / BUSY % ARRAY_LEN(actions)], more);
    return submit(bench, text, err);
}

/* ---- rows ---- */

static bool reset_once(struct bench *bench, struct err *err)
{
    return submit_reset(bench, 0, err) && finish(bench, err);
}

static bool fork_once(struct bench *bench, struct err *err)
{
    char text[96];

    snprintf(text, sizeof(text),
             "{\"id\":1,\"method\":\"fork\",\"env\":\"e0\",\"to\":\"f%u\"}",
             bench->forks++);
    return ask(bench, text, err);
}

/* The forks of the round before. */
static bool close_forks(struct bench *bench, struct err *err)
{
    char text[96];

    while (bench->forks) {
        snprintf(text, sizeof(text),
                 "{\"id\":1,\"method\":\"close\",\"env\":\"f%u\"}",
                 --bench->forks);
        if (!submit(bench, text, err))
            return false;
    }
    return finish(bench, err);
}

static bool step_with(struct bench *bench, const char *more, struct err *err)
{
    bench->steps += BUSY - 1; /* the next action each time */
    return submit_step(bench, 0, more, err) && finish(bench, err);
}

static bool step_once(struct bench *bench, struct err *err)
{
    return step_with(bench, "", err);
}

static bool step_with_tree(struct bench *bench, struct err *err)
{
    return step_with(bench, ",\"tree\":\"elements\"", err);
}

static bool reset_busy(struct bench *bench, struct err *err)
{
    for (unsigned i = 0; i < BUSY; i++) {
        if (!submit_reset(bench, i, err))
            return false;
    }
    return finish(bench, err);
}

static bool step_all(struct bench *bench, struct err *err)
{
    int64_t began = clock_ns();
    double used = harness_own_cpu_us(bench);

    bench->steps = 0;
    for (unsigned i = 0; i < BATCH; i++) {
        if (!submit_step(bench, i % BUSY, "", err))
            return false;
    }
    if (!finish(bench, err))
        return false;
    bench->rate = BATCH * 1e9 / (double)(clock_ns() - began);
    bench->step_cpu_us = (harness_own_cpu_us(bench) - used) / BATCH;
    return true;
}

static double step_cpu_of(const struct bench *bench)
{
    return bench->step_cpu_us;
}

static double rate_of(const struct bench *bench)
{
    return bench->rate;
}

static bool measured_before(struct bench *bench, struct err *err)
{
    (void)bench, (void)err;
    return true;
}

static double memory_of(const struct bench *bench)
{
    return bench->memory_mib;
}

static const struct measure measures[ROW_COUNT] = {
    [RESET] = {"reset", "reset to the first observation", reset_once,
               .repeats = 3, .cpu_us = harness_own_cpu_us},
    [FORK] = {"fork", "fork of an open shop", fork_once, .repeats = 3,
              .prepare = close_forks, .cpu_us = harness_own_cpu_us},
    [STEP] = {"step", "step, with reward and answer", step_once, .repeats = 50,
              .prepare = reset_once, .cpu_us = harness_own_cpu_us},
    [STEP_TREE] = {"step_tree", "the same with the list of elements",
                   step_with_tree, .repeats = 50, .prepare = reset_once,
                   .cpu_us = harness_own_cpu_us},
    [THROUGHPUT] = {"throughput", "64 environments, all cores", step_all,
                    .repeats = 1, .prepare = reset_busy, .value = rate_of},
    [STEP_CPU] = {"step_cpu", "CPU time of such a step", measured_before,
                  .repeats = 1, .value = step_cpu_of},
    [MEMORY] = {"memory", "512 environments after two steps", measured_before,
                .repeats = 1, .value = memory_of},
};

/* ---- set up ---- */

static bool measure_memory(struct bench *bench, struct err *err)
{
    char text[64];

    for (unsigned i = 0; i < MANY; i++) {
        if (!submit_reset(bench, i, err) || !submit_step(bench, i, "", err) ||
            !submit_step(bench, i, "", err))
            return false;
    }
    if (!finish(bench, err) ||
        !child_process_resident(getpid(), &bench->memory_mib, err))
        return false;
    for (unsigned i = 0; i < MANY; i++) {
        snprintf(text, sizeof(text),
                 "{\"id\":1,\"method\":\"close\",\"env\":\"e%u\"}", i);
        if (!submit(bench, text, err))
            return false;
    }
    return finish(bench, err) && reset_once(bench, err);
}

static bool set_up(struct bench *bench, struct err *err)
{
    const struct env_hub_options options = {.world = &bench->world};

    bench->sink.answer = take_answer;
    bench->answer = (struct buf)BUF_INIT(ANSWER_MAX);
    if (!suite_load(SUITE, &bench->suite, err) ||
        !fonts_open(&bench->fonts, err))
        return false;
    env_builtin_maker_init(&bench->maker, bench->fonts);
    bench->world.suite = &bench->suite;
    bench->world.maker = &bench->maker.maker;
    bench->world.scratch = ".";
    policy_init(&bench->world.policy, POLICY_DEFAULT);
    return env_hub_open(&options, &bench->hub, err) &&
           measure_memory(bench, err);
}

static void tear_down(struct bench *bench)
{
    env_hub_close(bench->hub);
    fonts_close(bench->fonts);
    suite_release(&bench->suite);
    buf_release(&bench->answer);
}

static bool print(const struct bench_row *rows,
                  const struct bench_output *bench_output, struct err *err)
{
    const struct bench_group groups[] = {
        {"one environment", &rows[RESET], 4, NULL},
        {"steps a second, without pictures", &rows[THROUGHPUT], 1, "steps/s"},
        {"CPU time, without pictures", &rows[STEP_CPU], 1, "us"},
        {"memory of the process", &rows[MEMORY], 1, "MiB"},
    };
    const struct goal goals[] = {
        {"us of a reset", &rows[RESET], .kind = GOAL_AT_MOST, .wanted = 50000},
        {"us of a fork", &rows[FORK], .kind = GOAL_AT_MOST, .wanted = 10000},
        {"us of a step", &rows[STEP], .kind = GOAL_AT_MOST, .wanted = 5000},
        {"steps a second", &rows[THROUGHPUT], .kind = GOAL_AT_LEAST,
         .wanted = 5000},
        {"us of CPU of a step of many", &rows[STEP_CPU], .kind = GOAL_AT_MOST,
         .wanted = 400},
        {"MiB of 512 environments", &rows[MEMORY], .kind = GOAL_AT_MOST,
         .wanted = 10240},
    };

    return bench_output_print(bench_output, groups, ARRAY_LEN(groups), goals,
                              ARRAY_LEN(goals), err);
}

const struct harness benchmark = {
    .name = "env",
    .measures = measures,
    .count = ROW_COUNT,
    .rounds = ROUNDS,
    .bench_size = sizeof(struct bench),
    .set_up = set_up,
    .tear_down = tear_down,
    .print = print,
};
