/* Acting on a built-in phone of this process, without ADB. */
#include <stdlib.h>

#include "base/mem.h"
#include "tools/live/adb_finger.h"
#include "tools/live/live_control.h"
#include "tools/phone/phone.h"

#define COMMAND_MAX ((size_t)1024)

/* An API level without `input motionevent`: gestures are whole commands. */
#define NO_MOTION_SDK 0

struct control_builtin {
    struct live_control control; /* first */
    struct phone *phone;         /* borrowed */
    struct adb_finger finger;    /* where time is virtual */
};

static struct phone *phone_of(struct live_control *control)
{
    return ((struct control_builtin *)control)->phone;
}

/*
 * Where time is virtual, none passes between the touches of a finger: the whole
 * gesture is a command, which lets as much time pass as it took.
 */
static void touch_by_command(struct control_builtin *self,
                             const struct view_command *touch)
{
    struct buf command = BUF_INIT(COMMAND_MAX);
    struct buf output = BUF_INIT(COMMAND_MAX);

    adb_finger_touch(&self->finger, touch, &command);
    if (command.length)
        (void)phone_run(self->phone, buf_cstr(&command), &output, &output);
    buf_release(&command);
    buf_release(&output);
}

/* The phone has one finger. */
static bool control_builtin_touch(struct live_control *control,
                                  const struct view_command *touch,
                                  struct deadline by, struct err *err)
{
    static const enum phone_touch touches[] = {
        [VIEW_DOWN] = SCREEN_DOWN,
        [VIEW_MOVE] = SCREEN_MOVE,
        [VIEW_UP] = SCREEN_UP,
        [VIEW_CANCEL] = SCREEN_CANCEL,
    };

    (void)by;
    (void)err;
    if (touch->pointer)
        return true;
    if (phone_is_realtime(phone_of(control)))
        phone_touch(phone_of(control), touches[touch->touch], touch->x,
                    touch->y);
    else
        touch_by_command((struct control_builtin *)control, touch);
    return true;
}

static bool control_builtin_key(struct live_control *control, int key,
                                struct deadline by, struct err *err)
{
    (void)by;
    (void)err;
    phone_key(phone_of(control), key);
    return true;
}

static bool control_builtin_text(struct live_control *control, const char *text,
                                 bool paste, struct deadline by,
                                 struct err *err)
{
    (void)paste;
    (void)by;
    (void)err;
    phone_type(phone_of(control), text);
    return true;
}

static bool control_builtin_rotate(struct live_control *control,
                                   struct deadline by, struct err *err)
{
    (void)by;
    (void)err;
    phone_rotate(phone_of(control));
    return true;
}

static bool control_builtin_shell(struct live_control *control,
                                  const char *command, struct deadline by,
                                  struct buf *output, int *status,
                                  struct err *err)
{
    struct buf errors = BUF_INIT(VIEW_SHELL_MAX);

    (void)by;
    (void)err;
    *status = phone_run(phone_of(control), command, output, &errors);
    buf_append(output, errors.data, errors.length);
    buf_release(&errors);
    return true;
}

static bool control_builtin_dump(struct live_control *control,
                                 struct deadline by, struct buf *xml,
                                 struct err *err)
{
    (void)by;
    phone_tree(phone_of(control), xml);
    return !xml->overflow ||
           err_set(err, ERR_LIMIT, "the UI tree is too large");
}

static bool control_builtin_screenshot(struct live_control *control,
                                       struct deadline by, struct buf *png,
                                       struct err *err)
{
    (void)by;
    return phone_screenshot(phone_of(control), png, err);
}

static void control_builtin_close(struct live_control *control)
{
    free(control);
}

struct live_control *control_builtin_open(struct phone *phone)
{
    static const struct live_control_ops ops = {
        .touch = control_builtin_touch,
        .key = control_builtin_key,
        .text = control_builtin_text,
        .rotate = control_builtin_rotate,
        .shell = control_builtin_shell,
        .dump = control_builtin_dump,
        .screenshot = control_builtin_screenshot,
        .close = control_builtin_close,
    };
    struct control_builtin *made = mem_new(1, sizeof(*made));

    made->control.ops = &ops;
    made->phone = phone;
    adb_finger_init(&made->finger, NO_MOTION_SDK);
    return &made->control;
}
