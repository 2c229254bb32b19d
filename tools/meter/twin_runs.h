/*
 * The wrong twins of a recording, carried out on built-in phones: do the
 * proposed checks say of each what the truth says?
 */
#ifndef TOOLS_METER_TWIN_RUNS_H
#define TOOLS_METER_TWIN_RUNS_H

#include "judge/verdict/verdict.h"
#include "runner/recording/recording_task.h"
#include "tools/meter/meter_config.h"

struct twin_run {
    char *description; /* owned */
    bool right;        /* by the truth: done, though not as recorded */
    bool accepted;     /* by the checks */
};

struct twin_runs {
    struct twin_run *items; /* owned */
    size_t count;
    size_t agreed; /* both say the same */
};

/* Everything is borrowed. */
struct twin_runs_options {
    const char *truth;  /* its name on the built-in phone */
    const char *folder; /* exists; the run is created in it */
    struct meter_config config;
    size_t phones;
    const struct cancel *cancel;
    const struct log *log;
};

/* On a phone as that of the first recording: its seed, skin and language. */
struct meter_config twin_runs_config(const struct recording_task *made);

/*
 * Carry all twins out and judge them. The caller releases the result. Fails as
 * meter_config_run, truth_read and judge_episode.
 */
MUST_USE bool twin_runs_make(const struct recording_task *made,
                             const struct twin_runs_options *options,
                             struct twin_runs *runs, struct err *err);
void twin_runs_release(struct twin_runs *runs);

/*
 * For a page: {"agreed": …, "twins": [{"description", "right", "accepted"}]}.
 * The caller deletes it.
 */
struct cJSON *twin_runs_to_json(const struct twin_runs *runs);

#endif
