/*
 * Acting on a phone over ADB: by scrcpy's server where it runs, otherwise by
 * the commands of the phone's shell.
 */
#include <stdlib.h>

#include "adb/scrcpy/scrcpy_client.h"
#include "adb/services/screenshot.h"
#include "adb/services/shell.h"
#include "base/cancel.h"
#include "base/mem.h"
#include "base/picture/png.h"
#include "runner/device/actor.h"
#include "runner/device/device_info.h"
#include "runner/device/input_command.h"
#include "runner/device/phone_clock.h"
#include "runner/observe/ui_dump.h"
#include "tools/live/adb_finger.h"
#include "tools/live/live_control.h"

#define COMMAND_MAX ((size_t)1024)
#define ANSWER_MAX ((size_t)64 << 10)
#define LIFT_MS 1000

struct control_adb {
    struct live_control control;  /* first */
    struct device *device;        /* borrowed */
    const struct cancel *cancel;  /* borrowed */
    struct scrcpy_client *scrcpy; /* borrowed; NULL: not in use */
    struct actor *actor;          /* owned; types texts */
    struct device_info info;
    struct adb_finger finger;
    struct phone_clock clock;
};

static struct control_adb *adb_of(struct live_control *control)
{
    return (struct control_adb *)control;
}

/* ---- acting ---- */

static bool touch_by_scrcpy(struct scrcpy_client *client,
                            const struct view_command *touch,
                            struct deadline by, struct err *err)
{
    static const enum scrcpy_action actions[] = {
        [VIEW_DOWN] = SCRCPY_DOWN,
        [VIEW_MOVE] = SCRCPY_MOVE,
        [VIEW_UP] = SCRCPY_UP,
        [VIEW_CANCEL] = SCRCPY_CANCEL,
    };
    const bool presses = touch->touch == VIEW_DOWN || touch->touch == VIEW_MOVE;
    const struct scrcpy_position position = {
        touch->x, touch->y, (uint16_t)touch->width, (uint16_t)touch->height};

    return scrcpy_client_touch(client, actions[touch->touch],
                               (uint64_t)touch->pointer, position,
                               presses ? 1 : 0, by, err);
}

static bool control_adb_touch(struct live_control *control,
                              const struct view_command *touch,
                              struct deadline by, struct err *err)
{
    struct control_adb *adb = adb_of(control);
    struct buf command = BUF_INIT(COMMAND_MAX);
    bool done;

    if (adb->scrcpy)
        return touch_by_scrcpy(adb->scrcpy, touch, by, err);
    if (touch->pointer)
        return err_set(err, ERR_UNSUPPORTED,
                       "this way to the phone has one finger");
    adb_finger_touch(&adb->finger, touch, &command);
    done = !command.length ||
           input_command_run(adb->device, buf_cstr(&command), by, err);
    buf_release(&command);
    return done;
}

static bool control_adb_key(struct live_control *control, int key,
                            struct deadline by, struct err *err)
{
    struct scrcpy_client *scrcpy = adb_of(control)->scrcpy;
    struct buf command = BUF_INIT(COMMAND_MAX);
    bool done;

    if (scrcpy)
        return scrcpy_client_press(scrcpy, key, by, err);
    buf_printf(&command, "input keyevent %d", key);
    done =
        input_command_run(adb_of(control)->device, buf_cstr(&command), by, err);
    buf_release(&command);
    return done;
}

static bool control_adb_text(struct live_control *control, const char *text,
                             bool paste, struct deadline by, struct err *err)
{
    struct control_adb *adb = adb_of(control);
    struct action action = {.kind = ACTION_TYPE};
    bool done;

    if (adb->scrcpy)
        return paste ? scrcpy_client_set_clipboard(adb->scrcpy, text, true, by,
                                                   err)
                     : scrcpy_client_text(adb->scrcpy, text, by, err);
    action.text = mem_dup(text);
    done = actor_perform(adb->actor, &action, adb->info.screen, by, err);
    free(action.text);
    return done;
}

static bool control_adb_rotate(struct live_control *control, struct deadline by,
                               struct err *err)
{
    static const char *const command =
        "case $(settings get system user_rotation) in "
        "0) next=1;; 1) next=2;; 2) next=3;; 3) next=0;; *) next=1;; esac; "
        "settings put system accelerometer_rotation 0 && "
        "settings put system user_rotation $next";
    struct scrcpy_client *scrcpy = adb_of(control)->scrcpy;
    struct shell_result result;
    char words[120];
    int status;

    if (scrcpy)
        return scrcpy_client_send(scrcpy, SCRCPY_ROTATE, by, err);
    if (!shell_run(adb_of(control)->device, command, ANSWER_MAX, by, &result,
                   err))
        return false;
    status = result.status;
    shell_result_words(&result, words, sizeof(words));
    shell_result_release(&result);
    return status <= 0 ||
           err_set(err, ERR_REMOTE, "the phone did not turn: %s", words);
}

/* ---- reading ---- */

static bool control_adb_shell(struct live_control *control, const char *command,
                              struct deadline by, struct buf *output,
                              int *status, struct err *err)
{
    struct shell_result result;

    if (!shell_run(adb_of(control)->device, command, VIEW_SHELL_MAX, by,
                   &result, err))
        return false;
    buf_append(output, result.out.data, result.out.length);
    buf_append(output, result.errors.data, result.errors.length);
    *status = result.status;
    shell_result_release(&result);
    return true;
}

static bool control_adb_dump(struct live_control *control, struct deadline by,
                             struct buf *xml, struct err *err)
{
    struct control_adb *adb = adb_of(control);
    enum ui_dump_outcome outcome;

    if (!ui_dump_take(adb->device, &adb->clock, adb->cancel, by, xml, &outcome,
                      err))
        return false;
    return outcome == UI_DUMP_WHOLE || outcome == UI_DUMP_TRUNCATED ||
           err_set(err, ERR_REMOTE, "%s", ui_dump_outcome_text(outcome));
}

static bool encode(const struct screenshot *shot, struct buf *png,
                   struct err *err)
{
    if (shot->way != SCREENSHOT_PNG)
        return png_encode(&shot->picture, PNG_FAST, png, err);
    buf_append(png, shot->bytes.data, shot->bytes.length);
    return !png->overflow ||
           err_set(err, ERR_LIMIT, "the screenshot is too large");
}

static bool control_adb_screenshot(struct live_control *control,
                                   struct deadline by, struct buf *png,
                                   struct err *err)
{
    struct screenshot shot = SCREENSHOT_INIT;
    bool done = screenshot_take(adb_of(control)->device, SCREENSHOT_ANY, by,
                                &shot, err) &&
                encode(&shot, png, err);

    screenshot_release(&shot);
    return done;
}

/* ---- opening and closing ---- */

static void control_adb_close(struct live_control *control)
{
    struct control_adb *adb = adb_of(control);

    actor_close(adb->actor);
    free(adb);
}

bool control_adb_open(struct device *device, const struct cancel *cancel,
                      struct deadline by, struct live_control **control,
                      struct err *err)
{
    static const struct live_control_ops ops = {
        .touch = control_adb_touch,
        .key = control_adb_key,
        .text = control_adb_text,
        .rotate = control_adb_rotate,
        .shell = control_adb_shell,
        .dump = control_adb_dump,
        .screenshot = control_adb_screenshot,
        .close = control_adb_close,
    };
    struct control_adb *made = mem_new(1, sizeof(*made));

    *made = (struct control_adb){
        .control.ops = &ops, .device = device, .cancel = cancel};
    if (!device_info_read(device, by, &made->info, err) ||
        !actor_open(device, &(struct actor_options){.cancel = cancel}, by,
                    &made->actor, err)) {
        free(made);
        return false;
    }
    adb_finger_init(&made->finger, made->info.sdk);
    phone_clock_init(&made->clock, &made->info);
    *control = &made->control;
    return true;
}

void control_adb_use_scrcpy(struct live_control *control,
                            struct scrcpy_client *client)
{
    live_control_lift(control, deadline_in_ms(LIFT_MS));
    adb_of(control)->scrcpy = client;
}
