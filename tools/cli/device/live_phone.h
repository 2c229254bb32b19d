/* A phone that one command looks at and acts on: tree, tap, type, key, swipe.
 */
#ifndef TOOLS_CLI_DEVICE_LIVE_PHONE_H
#define TOOLS_CLI_DEVICE_LIVE_PHONE_H

#include "runner/observe/observer.h"
#include "tasks/task/action.h"
#include "tools/cli/command_line/cli_context.h"

/* All zeros until it is opened. */
struct live_phone {
    struct cli_context *cli; /* borrowed */
    struct device *device;
    struct observer *observer;
    struct observation seen; /* the screen, before the action */
};

/*
 * Open the phone that -s names, or the only one there is, and observe its
 * screen. Fails as cli_open_device and observer_observe do, and with
 * ERR_UNSUPPORTED when the phone gives no UI tree; the caller releases phone in
 * any case.
 */
MUST_USE bool live_phone_open(struct live_phone *phone, struct cli_context *cli,
                              struct err *err);
void live_phone_release(struct live_phone *phone);

/*
 * Carry the action out and print a description of what it did: a line, or with
 * --json an object. Fails as actor_perform and observer_observe do.
 */
MUST_USE bool live_phone_act(struct live_phone *phone,
                             const struct action *action, struct err *err);

#endif
