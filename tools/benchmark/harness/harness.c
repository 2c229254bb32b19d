#include "tools/benchmark/harness/harness.h"

#include <getopt.h>
#include <stdlib.h>
#include <time.h>

#include "base/deadline.h"
#include "base/mem.h"

#define ROUNDS_MIN 9

static bool measure_row(struct bench *bench, const struct measure *measure,
                        struct bench_row *row, struct err *err)
{
    double repeats = measure->repeats;
    double cpu_before = 0;
    int64_t began;

    if (measure->prepare && !measure->prepare(bench, err))
        return err_wrap(err, "before %s", measure->id);
    if (measure->cpu_us)
        cpu_before = measure->cpu_us(bench);
    began = clock_ns();
    for (int i = 0; i < measure->repeats; i++) {
        if (!measure->once(bench, err))
            return err_wrap(err, "%s", measure->id);
    }
    samples_add(&row->wall_us,
                measure->value ? measure->value(bench)
                               : (double)(clock_ns() - began) / 1e3 / repeats);
    if (measure->cpu_us)
        samples_add(&row->cpu_us,
                    (measure->cpu_us(bench) - cpu_before) / repeats);
    return true;
}

static void clear(const struct harness *harness, struct bench_row *rows)
{
    for (size_t i = 0; i < harness->count; i++)
        rows[i] = (struct bench_row){.id = harness->measures[i].id,
                                     .name = harness->measures[i].name};
}

/* The first round only warms up. */
static bool measure_all(const struct harness *harness, struct bench *bench,
                        int rounds, struct bench_row *rows, struct err *err)
{
    for (int round = 0; round <= rounds; round++) {
        if (round <= 1)
            clear(harness, rows);
        for (size_t i = 0; i < harness->count; i++) {
            const struct measure *measure = &harness->measures[i];

            if (measure->there && !measure->there(bench))
                continue;
            if (!measure_row(bench, measure, &rows[i], err))
                return false;
        }
    }
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
           options->rounds <= BENCH_ROUNDS_MAX;
}

struct bench_output {
    const char *name;
    double load;
    bool json;
};

bool bench_output_print(const struct bench_output *bench_output,
                        const struct bench_group *groups, size_t group_count,
                        const struct goal *goals, size_t goal_count,
                        struct err *err)
{
    const struct bench_report report = {
        .name = bench_output->name,
        .load = bench_output->load,
        .groups = groups,
        .group_count = group_count,
        .goals = goals,
        .goal_count = goal_count,
    };

    return bench_report_print(&report, bench_output->json, stdout, err);
}

static bool run(const struct harness *harness, const struct options *options,
                struct err *err)
{
    struct bench *bench = mem_new(1, harness->bench_size);
    struct bench_row *rows = mem_new(harness->count, sizeof(*rows));
    struct bench_output bench_output = {.name = harness->name,
                                        .json = options->json};
    bool fine;

    getloadavg(&bench_output.load, 1);
    fine = harness->set_up(bench, err) &&
           measure_all(harness, bench, options->rounds, rows, err) &&
           harness->print(rows, &bench_output, err);
    harness->tear_down(bench);
    free(rows);
    free(bench);
    return fine;
}

double harness_own_cpu_us(const struct bench *bench)
{
    struct timespec time = {0};

    (void)bench;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

int main(int argc, char **argv)
{
    struct options options = {.rounds = benchmark.rounds};
    struct err err;

    if (!parse_options(argc, argv, &options)) {
        fprintf(stderr, "usage: tools/bench %s [--json] [--rounds %d..%d]\n",
                benchmark.name, ROUNDS_MIN, BENCH_ROUNDS_MAX);
        return 2;
    }
    if (run(&benchmark, &options, &err))
        return EXIT_SUCCESS;
    fprintf(stderr, "bench: %s\n", err.text);
    return EXIT_FAILURE;
}
