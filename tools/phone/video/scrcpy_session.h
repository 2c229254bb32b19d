/*
 * scrcpy's server on the phone, for one client: its sockets in the order video,
 * audio, control, each served by a separate thread.
 *
 *            all sockets are open             a socket or the command ends
 *   WAITING ──────────────────────▶ RUNNING ──────────────────────────▶ ENDED
 *      └───────────────────── the command ends ─────────────────────────▲
 */
#ifndef TOOLS_PHONE_VIDEO_SCRCPY_SESSION_H
#define TOOLS_PHONE_VIDEO_SCRCPY_SESSION_H

#include <stdbool.h>

#include "adb/scrcpy/scrcpy_options.h"
#include "tools/phone/video/phone_video.h"

struct scrcpy_session;

/*
 * Begin to listen, or connect to the host's listener (without tunnel_forward).
 * Fails with ERR_REFUSED when the name is in use, or nothing listens there.
 */
MUST_USE bool scrcpy_session_open(struct phone_video *phone,
                                  const struct scrcpy_options *options,
                                  struct scrcpy_session **session,
                                  struct err *err);

/* Has it ended? *err says why, if that was a failure. Does not block. */
bool scrcpy_session_has_ended(struct scrcpy_session *session, struct err *err);

/* End it. Connections that are open are closed, by their own threads. */
void scrcpy_session_close(struct scrcpy_session *session);

#endif
