/*
 * The phones of a run in this process, shown to people who may take them over:
 * on pages of this process, and at a Unix socket for other processes.
 *
 *     run ──▶ serve_run_source ──▶ the phones as they come and go ──▶ views
 *     run ──▶ serve_run_note   ──▶ what the agent does
 *     run ◀── serve_run_takeover ◀── what a person does
 *
 * Whatever people and other processes do, the run never waits for them, except
 * while a person drives its phone.
 */
#ifndef TOOLS_SERVE_SERVE_RUN_H
#define TOOLS_SERVE_SERVE_RUN_H

#include "runner/run/run.h"
#include "tools/serve/serve.h"

/* All of it is borrowed until serve_start returns. */
struct serve_run_options {
    const char *folder; /* of the run: its last part is the name for people */
    const char *agent;
    const struct run_phone *phones;
    size_t count;
};

/* How people take over one of the phones. */
struct takeover *serve_run_takeover(struct serve *serve, size_t phone);

/*
 * A source of the same phones, which shows those that are leased; inner is
 * borrowed. It is valid until serve_stop.
 */
struct device_source *serve_run_source(struct serve *serve,
                                       struct device_source *inner,
                                       bool builtin);

/* What a phone does has changed. From any thread. */
void serve_run_note(struct serve *serve, const struct run_phone_state *state);

#endif
