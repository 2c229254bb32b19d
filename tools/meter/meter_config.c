#include "tools/meter/meter_config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

void meter_config_name(const struct meter_config *meter_config, bool random,
                       char name[METER_CONFIG_NAME_MAX])
{
    snprintf(name, METER_CONFIG_NAME_MAX, "seed-%lld.skin-%d.%s.%s",
             (long long)meter_config->seed, meter_config->skin,
             meter_config->locale, random ? "random" : "ways");
}

static struct meter_run new_run(const struct meter_config *meter_config,
                                const struct meter_config_options *options)
{
    return (struct meter_run){
        .config = meter_config,
        .folder = options->folder,
        .phones = options->phones,
        .watcher = options->watcher,
        .cancel = options->cancel,
        .log = options->log,
    };
}

static bool run_ways(const struct meter_config *meter_config,
                     const struct meter_config_options *options,
                     struct err *err)
{
    const struct suite *suite = &options->meter_cases->suite;
    const struct task **tasks = mem_new(suite->count, sizeof(*tasks));
    struct meter_run run = new_run(meter_config, options);
    char name[METER_CONFIG_NAME_MAX];
    bool done;

    for (size_t i = 0; i < suite->count; i++)
        tasks[i] = &suite->tasks[i];
    meter_config_name(meter_config, false, name);
    run.name = name;
    run.agent = "gold";
    run.suite = suite;
    run.tasks = tasks;
    run.task_count = suite->count;
    done = meter_run_execute(&run, err);
    free(tasks);
    return done;
}

static bool run_random(const struct meter_config *meter_config,
                       const struct meter_config_options *options,
                       struct err *err)
{
    struct meter_run run = new_run(meter_config, options);
    char name[METER_CONFIG_NAME_MAX];
    char agent[40];

    meter_config_name(meter_config, true, name);
    snprintf(agent, sizeof(agent), "random:%lld",
             (long long)meter_config->seed);
    run.name = name;
    run.agent = agent;
    run.suite = options->suite;
    run.tasks = options->meter_cases->tasks;
    run.task_count = options->meter_cases->task_count;
    return meter_run_execute(&run, err);
}

bool meter_config_run(const struct meter_config *meter_config,
                      const struct meter_config_options *options,
                      struct err *err)
{
    return run_ways(meter_config, options, err) &&
           (!options->random || run_random(meter_config, options, err));
}
