/* proctor record --on-phone: the person uses the phone, and the terminal. */
#ifndef TOOLS_CLI_RUN_RECORD_ON_PHONE_H
#define TOOLS_CLI_RUN_RECORD_ON_PHONE_H

#include "runner/session/device_session.h"
#include "tools/cli/run/record_terminal.h"

/*
 * Record what the person does on the phone, and the commands that are typed
 * meanwhile, until the person finishes or stops, or the input ends; *finished
 * says which. session is that of the terminal's phone. Fails as
 * hand_session_open, hand_session_turn and record_terminal_command.
 */
MUST_USE bool record_on_phone_run(struct record_terminal *terminal,
                                  struct device_session *session,
                                  bool *finished, struct err *err);

#endif
