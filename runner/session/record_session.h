/*
 * Any phone over ADB, as the recorder sees it (runner/record/record_phone.h).
 * It cannot keep its state: undo only strikes a step out.
 */
#ifndef RUNNER_SESSION_RECORD_SESSION_H
#define RUNNER_SESSION_RECORD_SESSION_H

#include "runner/record/record_phone.h"
#include "runner/session/device_session.h"

/*
 * session is borrowed, and used by no one else meanwhile. Close it with
 * record_phone_close. Observes once. Fails as device_session_observe.
 */
MUST_USE bool record_session_open(struct device_session *session,
                                  struct record_phone **phone, struct err *err);

#endif
