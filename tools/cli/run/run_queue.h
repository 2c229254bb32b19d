/* A run whose episodes are done by workers (tools/farm_queue), not by this
 * process.
 */
#ifndef TOOLS_CLI_RUN_RUN_QUEUE_H
#define TOOLS_CLI_RUN_RUN_QUEUE_H

#include "runner/run/run_file.h"
#include "tasks/task/suite.h"
#include "tools/cli/command_line/cli_context.h"

/* As they were given; borrowed. */
struct run_queue_options {
    const char *url;        /* NULL: the run is not queued */
    const char *recordings; /* the folder that workers share, s3://…, or
                               worker:; NULL: runs/ */
    double lease_s;         /* 0: the default */
    bool detach;            /* do not follow the run */
};

/* The options of a command whose arguments have a struct run_queue_options. */
#define RUN_QUEUE_OPTIONS(args_, queue_)                                       \
    OPTION_TEXT(args_, queue_.url, "queue", 0, "URL", COMPLETE_NOTHING,        \
                "Let workers (proctor work) do it that have their work from "  \
                "this database, postgresql://…"),                              \
        OPTION_TEXT(args_, queue_.recordings, "recordings", 0, "PLACE",        \
                    COMPLETE_FILE,                                             \
                    "Where the run is recorded: a folder that all workers "    \
                    "share (runs); s3://BUCKET/FOLDER of an S3-compatible "    \
                    "store that they upload to; or worker: to keep each "      \
                    "recording on its worker (proctor work --serve)"),         \
        OPTION_SECONDS(args_, queue_.lease_s, "lease", 0,                      \
                       "How long a worker may be silent before its episode "   \
                       "goes to another one (60)"),                            \
        OPTION_FLAG(args_, queue_.detach, "detach", 0,                         \
                    "Put it into the queue, and end")

/* The folder in which the run's folder is made; NULL: runs/. */
const char *run_queue_parent(const struct run_queue_options *options);

/* Fails with ERR_INVALID for options of a queue without one. */
MUST_USE bool run_queue_check(const struct run_queue_options *options,
                              const struct run_plan *plan, struct err *err);

/*
 * Put the run in folder into the queue, and follow it. *begun: it is there.
 * *status is the exit code, as of run_setup_do.
 */
MUST_USE bool run_queue_start(struct cli_context *cli,
                              const struct run_queue_options *options,
                              const char *folder, struct run_file *file,
                              const struct suite *suite,
                              const struct buf *suite_text, bool *begun,
                              int *status, struct err *err);

/*
 * Follow a queued run again; retry: first let what is void wait again. url:
 * NULL: that of PROCTOR_QUEUE, or of the run, which has no password.
 */
MUST_USE bool run_queue_resume(struct cli_context *cli, const char *url,
                               const char *folder, struct run_file *file,
                               bool retry, int *status, struct err *err);

#endif
