/*
 * All cases on built-in phones with one configuration: seed, skin and language.
 * The result are two ordinary runs, one with the ways and one with a random
 * walk for each task, which all commands for runs can read.
 */
#ifndef TOOLS_METER_METER_CONFIG_H
#define TOOLS_METER_METER_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

#include "tasks/task/suite.h"
#include "tools/meter/meter_cases.h"
#include "tools/meter/meter_run.h"

/* Everything is borrowed. */
struct meter_config_options {
    const struct meter_cases *meter_cases;
    const struct suite *suite; /* the tasks of the random walks */
    const char *folder;        /* exists; the runs are created in it */
    bool random;               /* include random walks */
    size_t phones;
    struct run_watcher watcher;
    const struct cancel *cancel;
    const struct log *log;
};

/* The folders of both runs, within the meter's. */
#define METER_CONFIG_NAME_MAX 64
void meter_config_name(const struct meter_config *meter_config, bool random,
                       char name[METER_CONFIG_NAME_MAX]);

/*
 * Run them, or the remaining ones. Fails as meter_run_execute.
 */
MUST_USE bool meter_config_run(const struct meter_config *meter_config,
                               const struct meter_config_options *options,
                               struct err *err);

#endif
