#include "tools/live/adb_finger.h"

#include <stdlib.h>

#define SDK_ANDROID_11 30

/* A finger that moved less has not moved. */
#define SLOP 24 /* pixels */

/* Shorter touches at one place are taps. */
#define TAP_MS 350

/* A finger that drags for longer is shown while it moves. */
#define DRAG_MS 600

#define GESTURE_MS_MAX 60000

void adb_finger_init(struct adb_finger *finger, int sdk)
{
    *finger = (struct adb_finger){.has_motion = sdk >= SDK_ANDROID_11};
}

static int duration_of(const struct adb_finger *finger,
                       const struct view_command *touch)
{
    const int64_t ms = (int64_t)touch->ms - finger->first.ms;

    return ms < 0 ? 0 : ms > GESTURE_MS_MAX ? GESTURE_MS_MAX : (int)ms;
}

static bool has_moved(const struct adb_finger *finger,
                      const struct view_command *touch)
{
    return abs(touch->x - finger->first.x) > SLOP ||
           abs(touch->y - finger->first.y) > SLOP;
}

static void write_motion(const char *action, const struct view_command *touch,
                         struct buf *command)
{
    buf_printf(command, "%sinput motionevent %s %d %d",
               command->length ? "; " : "", action, touch->x, touch->y);
}

static void move(struct adb_finger *finger, const struct view_command *touch,
                 struct buf *command)
{
    if (finger->state == ADB_FINGER_COLLECTING && finger->has_motion &&
        has_moved(finger, touch) && duration_of(finger, touch) > DRAG_MS) {
        write_motion("DOWN", &finger->first, command);
        finger->state = ADB_FINGER_LIVE;
    }
    if (finger->state == ADB_FINGER_LIVE)
        write_motion("MOVE", touch, command);
}

static void lift(const struct adb_finger *finger,
                 const struct view_command *touch, struct buf *command)
{
    const struct view_command *first = &finger->first;
    const int ms = duration_of(finger, touch);

    if (finger->state == ADB_FINGER_LIVE)
        write_motion("UP", touch, command);
    else if (has_moved(finger, touch))
        buf_printf(command, "input swipe %d %d %d %d %d", first->x, first->y,
                   touch->x, touch->y, ms > 0 ? ms : 1);
    else if (ms < TAP_MS)
        buf_printf(command, "input tap %d %d", first->x, first->y);
    else
        buf_printf(command, "input swipe %d %d %d %d %d", first->x, first->y,
                   first->x, first->y, ms);
}

void adb_finger_touch(struct adb_finger *finger,
                      const struct view_command *touch, struct buf *command)
{
    if (touch->touch != VIEW_DOWN && finger->state == ADB_FINGER_UP)
        return;
    switch (touch->touch) {
    case VIEW_DOWN:
        finger->first = *touch;
        finger->state = ADB_FINGER_COLLECTING;
        break;
    case VIEW_MOVE:
        move(finger, touch, command);
        break;
    case VIEW_UP:
        lift(finger, touch, command);
        finger->state = ADB_FINGER_UP;
        break;
    case VIEW_CANCEL:
        if (finger->state == ADB_FINGER_LIVE)
            write_motion("CANCEL", touch, command);
        finger->state = ADB_FINGER_UP;
        break;
    }
}
