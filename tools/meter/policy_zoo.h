/*
 * A zoo of scripted policies: each follows the gold of the tasks and spoils it
 * in its own way, so that what they reach shows how hard the tasks are and
 * which of them tell good from bad.
 */
#ifndef TOOLS_METER_POLICY_ZOO_H
#define TOOLS_METER_POLICY_ZOO_H

#include <stdbool.h>
#include <stddef.h>

#include "base/json.h"
#include "tasks/task/task_way.h"
#include "tools/meter/meter_run.h"

struct zoo_policy {
    const char *name;
    const char *about; /* what it does, for tables */
    const char *agent; /* as for proctor run; the seed follows a final ':' */
    /* Change the gold of a task; NULL: it stays. Both are JSON. */
    void (*spoil)(const struct task *task, const struct task_ways *ways,
                  struct cJSON *steps);
};

/* Those that follow gold closely come first. */
extern const struct zoo_policy zoo_policies[];
extern const size_t zoo_policy_count;

/* What one policy reached in one task. */
struct zoo_result {
    bool right;         /* the task is done, and the policy says so */
    double clauses_met; /* the part of the truth's clauses, 0 to 1 */
    int steps;
};

/* results[(policy * config_count + config) * task_count + task] */
struct policy_zoo {
    const struct task *const *tasks; /* borrowed */
    size_t task_count;
    size_t config_count;
    struct zoo_result *results; /* owned */
};

/* Everything is borrowed. */
struct policy_zoo_options {
    const struct meter_config *configs;
    size_t config_count;
    const char *suite_path;
    const struct task *const *tasks; /* each has gold and a truth */
    size_t task_count;
    const struct task_ways *ways;
    const char *folder; /* exists; the runs are created in it */
    size_t phones;
    struct run_watcher watcher;
    const struct cancel *cancel;
    const struct log *log;
};

/*
 * Let every policy do every task on phones of every configuration. Runs that
 * are finished are not repeated. The caller releases zoo. Fails as
 * meter_run_execute and truth_read.
 */
MUST_USE bool policy_zoo_run(const struct policy_zoo_options *options,
                             struct policy_zoo *zoo, struct err *err);
void policy_zoo_release(struct policy_zoo *zoo);

static inline const struct zoo_result *policy_zoo_result(
    const struct policy_zoo *zoo, size_t policy, size_t config, size_t task)
{
    return &zoo->results[(policy * zoo->config_count + config) *
                             zoo->task_count +
                         task];
}

#endif
