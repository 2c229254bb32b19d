/*
 * The program of an agent that drives the phone itself: started with its own
 * environment, watched until it ends, and stopped with all its processes.
 */
#ifndef RUNNER_DOORS_AGENT_PROCESS_H
#define RUNNER_DOORS_AGENT_PROCESS_H

#include "base/cancel.h"
#include "base/child.h"
#include "base/deadline.h"
#include "runner/doors/output_log.h"
#include "runner/doors/private_network.h"

/* All of it is borrowed until agent_process_stop. */
struct agent_process_options {
    const char *supervisor;      /* path of the program proctor-supervisor */
    const char *command;         /* for /bin/sh -c */
    const char *const *settings; /* as in struct child_command */
    const char *out;             /* files for its stdout and stderr */
    const char *errors;
    struct secret_mask *mask; /* what must not reach these files */
    /* it runs in this network, and waits for private_network_start; NULL: in
       this computer's */
    const struct private_network *network;
    const char *hosts; /* file for its /etc/hosts, if it has a network */
    /* a folder to remove at the end if we were killed; NULL: none */
    const char *folder;
};

struct agent_process {
    struct child child;
    struct output_log out;
    struct output_log errors;
};

/* Start it. Fails as child_start and output_log_open; nothing is left then. */
MUST_USE bool agent_process_start(struct agent_process *process,
                                  const struct agent_process_options *options,
                                  struct err *err);

/*
 * Store its output until it ends. Fails with ERR_TIMEOUT when by passes first,
 * with ERR_CANCELLED when cancel fires and with ERR_CLOSED when enough fires;
 * the program then still runs.
 */
MUST_USE bool agent_process_wait(struct agent_process *process,
                                 struct deadline by,
                                 const struct cancel *cancel,
                                 const struct cancel *enough, struct err *err);

/*
 * End all its processes and the logs; *status is its exit status, as a shell
 * gives it. Blocks for at most some seconds. Fails when a log could not be
 * written. process->out.last is valid until agent_process_release.
 */
MUST_USE bool agent_process_stop(struct agent_process *process, int *status,
                                 struct err *err);
void agent_process_release(struct agent_process *process);

#endif
