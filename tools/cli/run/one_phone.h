/* One phone for a command that replays on it: lock, lease and session. */
#ifndef TOOLS_CLI_RUN_ONE_PHONE_H
#define TOOLS_CLI_RUN_ONE_PHONE_H

#include "runner/device/phone_lock.h"
#include "tools/cli/run/run_phones.h"

/* Must stay where it is while it is used. */
struct one_phone {
    struct cli_context *cli;
    struct run_phones phones;
    struct phone_lock lock;
    struct device_lease *lease;
    struct device_session session;
    struct buf journals;
};

#define ONE_PHONE_INIT                                                         \
    {                                                                          \
        .lock = PHONE_LOCK_INIT, .journals = BUF_INIT(PATH_MAX)                \
    }

/*
 * Open the only phone that a plan names. Fails as run_phones_open,
 * phone_lock_take, device_source_ops.acquire and device_session_open; close it
 * in any case.
 */
MUST_USE bool one_phone_open(struct one_phone *phone, struct cli_context *cli,
                             const struct run_plan *plan, struct err *err);

/* Restore the phone and close it; what fails is printed. */
void one_phone_close(struct one_phone *phone);

/* Is it a built-in phone of this program? */
bool one_phone_is_ours(const struct one_phone *phone);

#endif
