/* The phone of `proctor mcp` without a task: found, locked and opened. */
#ifndef TOOLS_CLI_MCP_MCP_LIVE_PHONE_H
#define TOOLS_CLI_MCP_MCP_LIVE_PHONE_H

#include "runner/device/phone_lock.h"
#include "runner/session/device_session.h"
#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/run/run_phones.h"
#include "tools/mcp/mcp_phone.h"

/* Must stay where it is while it is used. */
struct mcp_live_phone {
    /*
     * cancels calls to the phone; an interrupt does not, so that the phone can
     * be restored
     */
    struct cancel cancel;
    struct cli_context cli; /* a copy with that cancel */
    struct run_phones phones;
    struct phone_lock lock;
    struct device_lease *lease; /* of the phones' source */
    struct device_session session;
    struct guard *guard;
    struct picture_reader *reader;
    struct mcp_phone *phone;
    struct buf cache;
    struct buf journals;
};

/*
 * Open the phone of the plan, which names one. A phone of the user's own gets a
 * guard, unless the plan is unguarded. Fails as run_phones_open,
 * phone_lock_take and device_session_open; the caller releases it in any case.
 */
MUST_USE bool mcp_live_phone_open(struct mcp_live_phone *live,
                                  struct cli_context *cli,
                                  const struct run_plan *plan, struct err *err);

/* Restores the phone. Warns about what could not be restored. */
void mcp_live_phone_release(struct mcp_live_phone *live,
                            const struct cli_context *cli);

#endif
