/*
 * A run: every task, repeated as planned, on all phones.
 *
 * One worker per phone takes the next item (work_queue.h) and makes an attempt
 * (episode.h). Void attempts are repeated on any free phone. A lost phone is
 * removed from the run, searched for periodically, and used again when it is
 * back.
 */
#ifndef RUNNER_RUN_RUN_H
#define RUNNER_RUN_RUN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/cancel.h"
#include "runner/agents/agent_factory.h"
#include "runner/device/device_source.h"
#include "runner/episode/episode.h"
#include "runner/run/run_file.h"
#include "runner/run/work_queue.h"
#include "tasks/task/suite.h"
#include "tasks/trajectory/run_results.h"

/* One of the phones. */
struct run_phone {
    struct device_source *source; /* borrowed */
    const char *serial;           /* borrowed */
    bool ours; /* a built-in phone of this program, which needs no lock */
    /* started for this program: it reports the same identity as other copies of
       its snapshot, and what is changed on it need not be restored */
    bool disposable;
    /* how a person takes it over, borrowed; NULL: not possible */
    struct takeover *takeover;
};

/* The current work of a phone. */
struct run_phone_state {
    size_t phone;                /* its index in run_options.phones */
    const char *task;            /* NULL: none */
    struct work_queue_item item; /* which repeat and attempt */
    struct episode_state step;   /* progress of the episode */
    const char *trouble; /* why the phone cannot be used; NULL: it can */
};

/* Callbacks for progress; called by any thread, one at a time. */
struct run_watcher {
    void (*on_progress)(void *context, const struct run_phone_state *state);
    void (*on_result)(void *context, const struct run_result *result,
                      const struct work_queue_state *state);
    /* A warning for the user about a phone; may be NULL. */
    void (*on_warning)(void *context, size_t phone, const char *text);
    void *context;
};

/* All of it is borrowed. */
struct run_options {
    const char *folder;    /* folder of the run, which exists */
    struct run_file *file; /* its devices are added */
    /* Where the items come from and their results go to. NULL: from the plan,
       and to results.jsonl in the folder. */
    struct work_queue *queue;
    const struct suite *suite;
    const struct task *const *tasks; /* the tasks of the plan, in its order */
    const struct run_phone *phones;
    size_t phone_count;
    struct agent_factory *agents;
    struct spending *spending; /* ends the run at its limits; NULL: none */
    /* folder of the cache of screenshot methods; NULL: none */
    const char *cache;
    const char *keyboard_apk;  /* ADBKeyboard; NULL: it is not installed */
    const struct guard *guard; /* for users' own phones; NULL: none */
    struct device_settings_options prepare; /* for users' own phones */
    struct run_watcher watcher;
    const struct cancel *cancel;
    const struct log *log;
    /* how long the run continues without any phone; 0: 50 seconds */
    int64_t without_phone_ms;
    bool retry_void; /* void attempts of before are repeated, as by `proctor
                        retry` */
};

/* Of all attempts, also those of earlier starts. */
struct run_summary {
    /* zeros: the earlier attempts cannot be read */
    struct work_queue_state work;
    bool interrupted;
};

/*
 * Do all items that are not done yet. Fails with ERR_LOST when no phone is
 * left, and with errors that would affect every episode. An interruption is not
 * a failure: see the summary.
 */
MUST_USE bool run_execute(const struct run_options *options,
                          struct run_summary *summary, struct err *err);

#endif
