/*
 * One run on built-in phones with one configuration: seed, skin and language.
 * The result is an ordinary run, which all commands for runs can read.
 */
#ifndef TOOLS_METER_METER_RUN_H
#define TOOLS_METER_METER_RUN_H

#include <stdint.h>

#include "base/cancel.h"
#include "base/log.h"
#include "runner/run/run.h"
#include "tasks/task/suite.h"

struct meter_config {
    int64_t seed;
    int skin;
    const char *locale; /* "en" or "zh"; static */
};

/* Everything is borrowed. */
struct meter_run {
    const struct meter_config *config;
    const char *folder; /* exists; the run is created in it */
    const char *name;   /* of the run's folder */
    const char *agent;  /* as for proctor run */
    const struct suite *suite;
    const struct task *const *tasks; /* of the suite */
    size_t task_count;
    size_t phones;
    struct run_watcher watcher;
    const struct cancel *cancel;
    const struct log *log;
};

/*
 * Do each task once, or those that were not finished. Fails as run_execute
 * does, with ERR_BUSY while another process writes this run, and with
 * ERR_CANCELLED when interrupted.
 */
MUST_USE bool meter_run_execute(const struct meter_run *run, struct err *err);

#endif
