#include "runner/classify/door_scrcpy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/scrcpy/scrcpy_wire.h"
#include "base/keycode.h"
#include "base/mem.h"
#include "runner/classify/door_helpers.h"

void door_scrcpy_init(struct door_scrcpy *scrcpy)
{
    *scrcpy = (struct door_scrcpy){.message = BUF_INIT(SCRCPY_CONTROL_MAX)};
}

void door_scrcpy_release(struct door_scrcpy *scrcpy)
{
    buf_release(&scrcpy->message);
}

/* ---- messages ---- */

static void take_key(const struct scrcpy_control *control,
                     struct door_context *context)
{
    int codes[2] = {control->meta & SCRCPY_META_CTRL ? KEY_CTRL_LEFT
                                                     : KEY_SHIFT_LEFT,
                    (int)control->code};

    if (control->action != SCRCPY_DOWN || control->code > KEY_LAST)
        return;
    if ((control->meta & (SCRCPY_META_CTRL | SCRCPY_META_SHIFT)) &&
        codes[1] != codes[0])
        door_record_keys(context, codes, 2);
    else
        door_record_key(context, codes[1], 0);
}

#define PIXEL_MAX 100000

static int within(int64_t pixel)
{
    if (pixel > PIXEL_MAX)
        return PIXEL_MAX;
    return pixel < -PIXEL_MAX ? -PIXEL_MAX : (int)pixel;
}

/* From the size of the video to that of the screen. */
static struct action_point place_of(const struct scrcpy_position *position,
                                    const struct door_context *context)
{
    struct extent screen = context->classifier->options.display.size;
    int64_t x = position->x;
    int64_t y = position->y;

    if (position->width && screen.width > 0)
        x = x * screen.width / position->width;
    if (position->height && screen.height > 0)
        y = y * screen.height / position->height;
    return (struct action_point){within(x), within(y)};
}

/* The slot of a finger; a new one comes down in a free slot. */
static size_t slot_of(struct door_scrcpy *scrcpy, uint64_t pointer)
{
    size_t free_slot = TOUCH_SLOTS;

    for (size_t i = 0; i < TOUCH_SLOTS; i++) {
        if (scrcpy->contacts.slots[i].active && scrcpy->pointers[i] == pointer)
            return i;
        if (!scrcpy->contacts.slots[i].active && free_slot == TOUCH_SLOTS)
            free_slot = i;
    }
    if (free_slot < TOUCH_SLOTS)
        scrcpy->pointers[free_slot] = pointer;
    return free_slot;
}

static void take_touch(struct door_scrcpy *scrcpy,
                       const struct scrcpy_control *control,
                       struct door_context *context)
{
    size_t slot = slot_of(scrcpy, control->pointer);
    struct door_contact *contact;

    if (slot == TOUCH_SLOTS || control->action > SCRCPY_MOVE)
        return; /* a mouse that hovers */
    contact = &scrcpy->contacts.slots[slot];
    if (!contact->active && control->action != SCRCPY_DOWN)
        return;
    contact->at = place_of(&control->position, context);
    contact->active = true;
    if (control->action == SCRCPY_UP) {
        door_contacts_report(&scrcpy->contacts, context);
        contact->active = false;
    }
    door_contacts_report(&scrcpy->contacts, context);
}

static void take_scroll(const struct scrcpy_control *control,
                        struct door_context *context)
{
    struct action_point at = place_of(&control->position, context);
    struct action action = door_action_at(ACTION_SCROLL, at.x, at.y);

    if (control->scroll_y)
        action.direction =
            control->scroll_y < 0 ? DIRECTION_DOWN : DIRECTION_UP;
    else
        action.direction =
            control->scroll_x < 0 ? DIRECTION_LEFT : DIRECTION_RIGHT;
    door_record_action(context, action);
}

/* A pasted text is typed at once. */
static void take_clipboard(const struct scrcpy_control *control,
                           const char *text, struct door_context *context)
{
    if (control->flag)
        door_record_text(context, text);
    else
        door_set_clipboard(context, text);
}

/* "?name" and "+package" have a sign in front. */
static void take_start(const char *text, struct door_context *context)
{
    while (*text == '?' || *text == '+')
        text++;
    door_record_action(context, door_action_with(ACTION_OPEN_APP, text));
}

static void take_back(const struct scrcpy_control *control,
                      struct door_context *context)
{
    if (control->action == SCRCPY_DOWN)
        door_record_key(context, KEY_BACK, 0);
}

static void take_control(struct door_scrcpy *scrcpy,
                         const struct scrcpy_control *control, const char *text,
                         struct door_context *context)
{
    switch (control->type) {
    case SCRCPY_KEY:
        take_key(control, context);
        break;
    case SCRCPY_TEXT:
        door_record_text(context, text);
        break;
    case SCRCPY_TOUCH:
        take_touch(scrcpy, control, context);
        break;
    case SCRCPY_SCROLL:
        take_scroll(control, context);
        break;
    case SCRCPY_SET_CLIPBOARD:
        take_clipboard(control, text, context);
        break;
    case SCRCPY_START_APP:
        take_start(text, context);
        break;
    case SCRCPY_BACK_OR_SCREEN_ON:
        take_back(control, context);
        break;
    case SCRCPY_EXPAND_NOTIFICATIONS:
        door_record_key(context, KEY_NOTIFICATION, 0);
        break;
    case SCRCPY_EXPAND_SETTINGS:
    case SCRCPY_COLLAPSE_PANELS:
    case SCRCPY_DISPLAY_POWER:
    case SCRCPY_ROTATE:
    case SCRCPY_HARD_KEYBOARD_SETTINGS:
    case SCRCPY_CAMERA_TORCH:
    case SCRCPY_CAMERA_ZOOM_IN:
    case SCRCPY_CAMERA_ZOOM_OUT:
    case SCRCPY_RESIZE_DISPLAY:
    case SCRCPY_SCAN_FILE:
        door_record_raw(context, EFFECT_SETTING);
        break;
    case SCRCPY_GET_CLIPBOARD:
    case SCRCPY_RESET_VIDEO:
        door_record_read(context);
        break;
    }
}

/* ---- bytes ---- */

/* Take the message that begins the buffer; *used is 0 if it is incomplete. */
static bool take_first(struct door_scrcpy *scrcpy, const char *bytes,
                       size_t length, size_t *used,
                       struct door_context *context)
{
    struct scrcpy_control control;
    struct err err = ERR_INIT;
    char command[32];
    char *text;

    if (!scrcpy_control_parse((const uint8_t *)bytes, length, used, &control,
                              &err))
        return false;
    if (!*used)
        return true;
    snprintf(command, sizeof(command), "scrcpy control %d", (int)control.type);
    context->command = command;
    context->length = strlen(command);
    text = mem_dup_n(control.text ? control.text : "", control.text_length);
    take_control(scrcpy, &control, text, context);
    free(text);
    context->command = "";
    context->length = 0;
    return true;
}

bool door_scrcpy_input(struct door_scrcpy *scrcpy, const char *data,
                       size_t length, struct door_context *context)
{
    struct buf *message = &scrcpy->message;

    while (length) {
        size_t room = SCRCPY_CONTROL_MAX - message->length;
        size_t part = length < room ? length : room;
        size_t taken = 0;
        size_t used = 1;

        buf_append(message, data, part);
        data += part;
        length -= part;
        while (used) {
            if (!take_first(scrcpy, message->data + taken,
                            message->length - taken, &used, context))
                return false;
            taken += used;
        }
        buf_consume(message, taken);
    }
    return true;
}
