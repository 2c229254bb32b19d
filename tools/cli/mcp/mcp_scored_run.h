/*
 * `proctor mcp --task`: a run of one episode whose agent is the client. It has
 * an own thread, and is judged by the rules when it is over.
 */
#ifndef TOOLS_CLI_MCP_MCP_SCORED_RUN_H
#define TOOLS_CLI_MCP_MCP_SCORED_RUN_H

#include <pthread.h>

#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/run/run_setup.h"
#include "tools/mcp/mcp_phone.h"

/* Must stay where it is while it is used. */
struct mcp_scored_run {
    struct cli_context cli; /* a copy whose results go to standard error */
    struct run_file file;
    struct buf folder;
    struct agent_channel *channel;
    struct picture_reader *reader;
    struct mcp_phone *phone;
    pthread_t thread;
    bool started;
    bool done;      /* run_setup_do succeeded, */
    int status;     /* with this exit code, */
    struct err err; /* or failed for this reason */
};

/*
 * Start the run of plan, which is taken over: one task and one phone of the
 * suite whose bytes are text. out: its folder, or NULL. Fails as
 * run_folder_make; the caller releases it in any case.
 */
MUST_USE bool mcp_scored_run_start(struct mcp_scored_run *run,
                                   struct cli_context *cli,
                                   struct run_plan *plan,
                                   const struct buf *text, const char *out,
                                   struct err *err);

/*
 * The client is gone: an episode that is not over fails. Block until the run
 * has ended, and report its result. Fails as the run did.
 */
MUST_USE bool mcp_scored_run_join(struct mcp_scored_run *run, int *status,
                                  struct err *err);
void mcp_scored_run_release(struct mcp_scored_run *run);

#endif
