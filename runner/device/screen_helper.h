/*
 * scrcpy's server as a helper of the runner: touches and keys without a process
 * per action, and a signal whenever the screen changes, from the frames of its
 * video. The video is not decoded: what is recorded and judged are lossless
 * screenshots.
 *
 *     actor ──▶ screen_helper_press, ... ──▶ control socket ──▶ phone
 *     observer ◀── screen_helper_wait ◀── video socket ◀── phone
 *
 * A helper that has failed stays failed; its users go on without it.
 */
#ifndef RUNNER_DEVICE_SCREEN_HELPER_H
#define RUNNER_DEVICE_SCREEN_HELPER_H

#include <stdbool.h>
#include <stdint.h>

#include "adb/device/device.h"
#include "base/cancel.h"
#include "base/extent.h"
#include "runner/device/gesture.h"

struct screen_helper;

/*
 * Start it on a phone; server is the path of scrcpy's server file, NULL: where
 * scrcpy installs it. Blocks for about a second, until the first frame. device
 * and cancel (may be NULL) are borrowed; cancel ends gestures. Fails as
 * scrcpy_client_open.
 */
MUST_USE bool screen_helper_open(struct device *device, const char *server,
                                 const struct cancel *cancel,
                                 struct deadline by,
                                 struct screen_helper **helper,
                                 struct err *err);
void screen_helper_close(struct screen_helper *helper); /* NULL is fine */

/* Does it still work? NULL does not. */
bool screen_helper_works(struct screen_helper *helper);

/* ---- acting; only while it works ---- */

/*
 * Move a finger along a path on a screen of that size; from and to may be the
 * same point. It rests hold_ms at the start. Blocks until the finger is lifted;
 * after a failure it is lifted, too. Fails as scrcpy_client_touch, with
 * ERR_CANCELLED, and with ERR_TIMEOUT when by passes.
 */
MUST_USE bool screen_helper_touch(struct screen_helper *helper,
                                  const struct gesture *path, int hold_ms,
                                  struct extent screen, struct deadline by,
                                  struct err *err);

/* Press and release a key. Fails as scrcpy_client_press. */
MUST_USE bool screen_helper_press(struct screen_helper *helper, int key,
                                  struct deadline by, struct err *err);

/* ---- changes of the screen ---- */

/* A number that grows with each change of the screen. */
uint64_t screen_helper_changes(struct screen_helper *helper);

/*
 * Wait until the number is another one than `known`, or the helper fails, or
 * for ms. True: it is another one.
 */
bool screen_helper_wait(struct screen_helper *helper, uint64_t known,
                        int64_t ms);

#endif
