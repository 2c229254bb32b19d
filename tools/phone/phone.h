/*
 * The built-in phone: a handset behind the device side of ADB, so that
 * proctor, adb and any program that uses ADB can use it.
 *
 * All of its state is in memory. Hosts cannot reach this computer's files,
 * programs or clock through it.
 */
#ifndef TOOLS_PHONE_PHONE_H
#define TOOLS_PHONE_PHONE_H

#include <stdbool.h>
#include <stdint.h>

#include "adb/trust/key.h"
#include "base/log.h"
#include "tools/phone/screen/screen.h"
#include "tools/phone/screen/screen_tiles.h"
#include "tools/phone/system/component.h"
#include "tools/phone/system/phone_options.h"

struct phone;

/*
 * Start a phone. When this returns, hosts can connect, unless it is
 * unreachable.
 */
MUST_USE bool phone_start(const struct phone_options *options,
                          struct phone **phone, struct err *err);

/* End everything that runs, and free the phone. NULL is fine. */
void phone_stop(struct phone *phone);

/*
 * Save the whole state to a file, or replace it by a saved one. The phone must
 * be idle. Fails as snapshot_save and snapshot_load do.
 */
MUST_USE bool phone_save(struct phone *phone, const char *path,
                         struct err *err);
MUST_USE bool phone_load(struct phone *phone, const char *path,
                         struct err *err);

/*
 * Start a phone in the same state as another one, which must be idle: all that
 * a snapshot has, and the truth. options are those of that phone. Fails as
 * phone_start and snapshot_copy do.
 */
MUST_USE bool phone_fork(struct phone *phone,
                         const struct phone_options *options,
                         struct phone **fork, struct err *err);

/* The most that the state of a phone takes. */
#define PHONE_STATE_MAX ((size_t)768 << 20)

/*
 * The same in memory. state is appended to, and unchanged on failure.
 */
MUST_USE bool phone_keep_state(struct phone *phone, struct buf *state,
                               struct err *err);
MUST_USE bool phone_return_to_state(struct phone *phone,
                                    const struct buf *state, struct err *err);

/* ---- for this program only: not available to hosts ---- */

/*
 * Run a command line in the phone's shell, on this thread, as the service
 * "exec:" does. Returns its status; see sh_collect for what is stopped.
 */
int phone_run(struct phone *phone, const char *command, struct buf *out,
              struct buf *errors);

/*
 * Look at the screen as hosts do by a screenshot: time passes first. tiles get
 * what is seen.
 */
void phone_look(struct phone *phone, struct phone_tiles *tiles);

/* The screen as it is, without any time passing. See screen_look. */
MUST_USE bool phone_screenshot(struct phone *phone, struct buf *png,
                               struct err *err);
/*
 * The current frame, without any time passing; its number is that of the last
 * redraw. The caller releases it with screen_frame_drop. See screen_look.
 */
MUST_USE bool phone_frame(struct phone *phone, struct phone_frame **frame,
                          struct err *err);

/* Wait for a change of the screen: see screen_await_change, screen_wake. */
bool phone_await_change(struct phone *phone, struct deadline by,
                        uint64_t *seen);
void phone_wake(struct phone *phone);

/* Does its time pass as the computer's? */
bool phone_is_realtime(const struct phone *phone);

/*
 * Use it as a person does: a finger on the screen, a key that is pressed and
 * released, a text that is typed into the focused field, a quarter turn
 * clockwise. No time passes.
 */
void phone_touch(struct phone *phone, enum phone_touch touch, int x, int y);
void phone_key(struct phone *phone, int key);
void phone_type(struct phone *phone, const char *text);
void phone_rotate(struct phone *phone);

void phone_tree(struct phone *phone, struct buf *xml);
struct phone_size phone_screen_size(struct phone *phone);

/* With what it was started. */
struct phone_content {
    uint64_t seed;
    unsigned skin;
    enum phone_locale locale;
};
struct phone_content phone_content(const struct phone *phone);

/* Where the keyboard on the screen begins, in pixels; 0: there is none. */
int phone_keyboard_top(struct phone *phone);

/* Free what is kept of the last screenshot. */
void phone_forget_frame(struct phone *phone);

/* The package and the activity in front. */
void phone_front(struct phone *phone, struct phone_component *front);

/*
 * Append the facts of the truth with this name (docs/phone-apps.md): an object
 * of texts. Fails with ERR_NOT_FOUND if there is no such truth.
 */
MUST_USE bool phone_facts(struct phone *phone, const char *truth,
                          struct buf *json, struct err *err);

/*
 * Append the result: {"met": true, "clauses": [{"name", "met"}], "events":
 * [...]}, of everything since the phone was switched on. answer is the agent's
 * answer; NULL: none. Fails as phone_facts does.
 */
MUST_USE bool phone_judge(struct phone *phone, const char *truth,
                          const char *answer, struct buf *json,
                          struct err *err);

/*
 * The same for one truth that is asked often: its session (truth_session.h) is
 * of this phone alone.
 */
struct truth_session;
MUST_USE bool phone_session_facts(struct phone *phone,
                                  struct truth_session *session,
                                  struct buf *json, struct err *err);
MUST_USE bool phone_session_judge(struct phone *phone,
                                  struct truth_session *session,
                                  const char *answer, struct buf *json,
                                  struct err *err);

/* See screen_effect_point. */
struct phone_place phone_locate(struct phone *phone, const char *call);

/* The port it listens on; it must not be unreachable. */
uint16_t phone_port(const struct phone *phone);

/* The port of its console; 0 without one. */
uint16_t phone_console_port(const struct phone *phone);

/* The port and code for pairing; 0 and "" without pairing. */
uint16_t phone_pairing_port(const struct phone *phone);
const char *phone_pairing_code(const struct phone *phone);

#endif
