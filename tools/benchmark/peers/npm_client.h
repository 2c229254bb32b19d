/*
 * A script with packages from npm, in a separate Node process, which executes
 * commands and replies with a number to each: clients of ADB
 * (tools/benchmark/npm), a browser (tools/benchmark/serve).
 */
#ifndef TOOLS_BENCHMARK_PEERS_NPM_CLIENT_H
#define TOOLS_BENCHMARK_PEERS_NPM_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/err.h"

struct npm_client {
    pid_t pid;      /* 0: it is not there */
    FILE *commands; /* owned; what it is to do */
    FILE *replies;  /* owned; what it says to that */
    double us;      /* what each of its last operations took */
};

/*
 * Start a script of NPM_FOLDER on the cores that the caller runs on, and wait
 * until it is connected. b may be NULL. On failure it is not there.
 */
MUST_USE bool npm_client_start(struct npm_client *client, const char *script,
                               const char *a, const char *b, struct err *err);

/* Give it one line; *value is the number that it replies with. */
MUST_USE bool npm_client_ask(struct npm_client *client, const char *command,
                             double *value, struct err *err);

/* Let it do this so often, each time for this many bytes. */
MUST_USE bool npm_client_run(struct npm_client *client, const char *operation,
                             int times, size_t bytes, struct err *err);

/* One that is not there is fine. */
void npm_client_stop(struct npm_client *client);

#endif
