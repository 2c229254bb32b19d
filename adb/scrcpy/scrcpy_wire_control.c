/* scrcpy's control messages, and the phone's replies to them. */
#include <string.h>

#include "adb/scrcpy/scrcpy_wire.h"
#include "base/bytes.h"

/* ---- layout ---- */

/*
 * The front of a message is everything before its text. The length of the text
 * is in the last bytes of the front.
 */
struct message_layout {
    uint8_t type;
    uint8_t front;        /* bytes */
    uint8_t length_bytes; /* 0: there is no text */
    uint32_t text_max;
};

static const struct message_layout controls[] = {
    {SCRCPY_KEY, 14, 0, 0},
    {SCRCPY_TEXT, 5, 4, SCRCPY_CONTROL_MAX - 5},
    {SCRCPY_TOUCH, 32, 0, 0},
    {SCRCPY_SCROLL, 21, 0, 0},
    {SCRCPY_BACK_OR_SCREEN_ON, 2, 0, 0},
    {SCRCPY_EXPAND_NOTIFICATIONS, 1, 0, 0},
    {SCRCPY_EXPAND_SETTINGS, 1, 0, 0},
    {SCRCPY_COLLAPSE_PANELS, 1, 0, 0},
    {SCRCPY_GET_CLIPBOARD, 2, 0, 0},
    {SCRCPY_SET_CLIPBOARD, 14, 4, SCRCPY_CLIPBOARD_MAX},
    {SCRCPY_DISPLAY_POWER, 2, 0, 0},
    {SCRCPY_ROTATE, 1, 0, 0},
    {SCRCPY_HARD_KEYBOARD_SETTINGS, 1, 0, 0},
    {SCRCPY_START_APP, 2, 1, SCRCPY_APP_NAME_MAX},
    {SCRCPY_RESET_VIDEO, 1, 0, 0},
    {SCRCPY_CAMERA_TORCH, 2, 0, 0},
    {SCRCPY_CAMERA_ZOOM_IN, 1, 0, 0},
    {SCRCPY_CAMERA_ZOOM_OUT, 1, 0, 0},
    {SCRCPY_RESIZE_DISPLAY, 5, 0, 0},
    {SCRCPY_SCAN_FILE, 5, 4, SCRCPY_CONTROL_MAX - 5},
};

static const struct message_layout replies[] = {
    {SCRCPY_REPLY_CLIPBOARD, 5, 4, SCRCPY_CONTROL_MAX - 5},
    {SCRCPY_REPLY_CLIPBOARD_SET, 9, 0, 0},
    {SCRCPY_REPLY_HID_OUTPUT, 5, 2, UINT16_MAX},
};

#define FRONT_MAX 32

static const struct message_layout *layout_of(
    const struct message_layout *layouts, size_t count, unsigned type)
{
    for (size_t i = 0; i < count; i++) {
        if (layouts[i].type == type)
            return &layouts[i];
    }
    return NULL;
}

static uint32_t text_length_of(const struct message_layout *layout,
                               const uint8_t *front)
{
    const uint8_t *end = front + layout->front;
    uint32_t length = 0;

    for (uint8_t i = layout->length_bytes; i; i--)
        length = length << 8 | end[-i];
    return length;
}

static void put_text_length(const struct message_layout *layout, uint8_t *front,
                            size_t length)
{
    for (uint8_t i = 1; i <= layout->length_bytes; i++)
        front[layout->front - i] = (uint8_t)(length >> (8 * (i - 1)));
}

/*
 * Find the first message of bytes: its layout and its size, which is 0 while it
 * is not complete.
 */
static bool find_message(const struct message_layout *layouts, size_t count,
                         const uint8_t *bytes, size_t length,
                         const struct message_layout **layout, size_t *size,
                         struct err *err)
{
    uint32_t text;

    *size = 0;
    if (!length)
        return true;
    *layout = layout_of(layouts, count, bytes[0]);
    if (!*layout)
        return err_set(err, ERR_PROTOCOL,
                       "%u is no known type of a scrcpy message", bytes[0]);
    if (length < (*layout)->front)
        return true;
    text = text_length_of(*layout, bytes);
    if (text > (*layout)->text_max)
        return err_set(err, ERR_LIMIT,
                       "a scrcpy message has a text of %u bytes", text);
    if (length - (*layout)->front >= text)
        *size = (*layout)->front + text;
    return true;
}

static bool append_message(const struct message_layout *layout, uint8_t *front,
                           const char *text, size_t text_length,
                           struct buf *out, struct err *err)
{
    if (text_length > layout->text_max)
        return err_set(err, ERR_LIMIT,
                       "a text of %zu bytes is too long for scrcpy",
                       text_length);
    front[0] = layout->type;
    put_text_length(layout, front, text_length);
    buf_append(out, front, layout->front);
    if (layout->length_bytes)
        buf_append(out, text, text_length);
    return true;
}

/* ---- fields ---- */

static void put_position(uint8_t *bytes, const struct scrcpy_position *position)
{
    put_u32be(bytes, (uint32_t)position->x);
    put_u32be(bytes + 4, (uint32_t)position->y);
    put_u16be(bytes + 8, position->width);
    put_u16be(bytes + 10, position->height);
}

static struct scrcpy_position get_position(const uint8_t *bytes)
{
    return (struct scrcpy_position){
        .x = (int32_t)get_u32be(bytes),
        .y = (int32_t)get_u32be(bytes + 4),
        .width = get_u16be(bytes + 8),
        .height = get_u16be(bytes + 10),
    };
}

static void put_fields(const struct scrcpy_control *control, uint8_t *front)
{
    switch (control->type) {
    case SCRCPY_KEY:
        front[1] = control->action;
        put_u32be(front + 2, control->code);
        put_u32be(front + 6, control->repeat);
        put_u32be(front + 10, control->meta);
        break;
    case SCRCPY_TOUCH:
        front[1] = control->action;
        put_u64be(front + 2, control->pointer);
        put_position(front + 10, &control->position);
        put_u16be(front + 22, control->pressure);
        put_u32be(front + 24, control->action_button);
        put_u32be(front + 28, control->buttons);
        break;
    case SCRCPY_SCROLL:
        put_position(front + 1, &control->position);
        put_u16be(front + 13, (uint16_t)control->scroll_x);
        put_u16be(front + 15, (uint16_t)control->scroll_y);
        put_u32be(front + 17, control->buttons);
        break;
    case SCRCPY_BACK_OR_SCREEN_ON:
        front[1] = control->action;
        break;
    case SCRCPY_GET_CLIPBOARD:
        front[1] = control->copy_key;
        break;
    case SCRCPY_SET_CLIPBOARD:
        put_u64be(front + 1, control->sequence);
        front[9] = control->flag;
        break;
    case SCRCPY_DISPLAY_POWER:
    case SCRCPY_CAMERA_TORCH:
        front[1] = control->flag;
        break;
    case SCRCPY_RESIZE_DISPLAY:
        put_u16be(front + 1, control->position.width);
        put_u16be(front + 3, control->position.height);
        break;
    case SCRCPY_TEXT:
    case SCRCPY_EXPAND_NOTIFICATIONS:
    case SCRCPY_EXPAND_SETTINGS:
    case SCRCPY_COLLAPSE_PANELS:
    case SCRCPY_ROTATE:
    case SCRCPY_HARD_KEYBOARD_SETTINGS:
    case SCRCPY_START_APP:
    case SCRCPY_RESET_VIDEO:
    case SCRCPY_CAMERA_ZOOM_IN:
    case SCRCPY_CAMERA_ZOOM_OUT:
    case SCRCPY_SCAN_FILE:
        break;
    }
}

static void get_fields(const uint8_t *front, struct scrcpy_control *control)
{
    switch (control->type) {
    case SCRCPY_KEY:
        control->action = front[1];
        control->code = get_u32be(front + 2);
        control->repeat = get_u32be(front + 6);
        control->meta = get_u32be(front + 10);
        break;
    case SCRCPY_TOUCH:
        control->action = front[1];
        control->pointer = get_u64be(front + 2);
        control->position = get_position(front + 10);
        control->pressure = get_u16be(front + 22);
        control->action_button = get_u32be(front + 24);
        control->buttons = get_u32be(front + 28);
        break;
    case SCRCPY_SCROLL:
        control->position = get_position(front + 1);
        control->scroll_x = (int16_t)get_u16be(front + 13);
        control->scroll_y = (int16_t)get_u16be(front + 15);
        control->buttons = get_u32be(front + 17);
        break;
    case SCRCPY_BACK_OR_SCREEN_ON:
        control->action = front[1];
        break;
    case SCRCPY_GET_CLIPBOARD:
        control->copy_key = front[1];
        break;
    case SCRCPY_SET_CLIPBOARD:
        control->sequence = get_u64be(front + 1);
        control->flag = front[9] != 0;
        break;
    case SCRCPY_DISPLAY_POWER:
    case SCRCPY_CAMERA_TORCH:
        control->flag = front[1] != 0;
        break;
    case SCRCPY_RESIZE_DISPLAY:
        control->position.width = get_u16be(front + 1);
        control->position.height = get_u16be(front + 3);
        break;
    case SCRCPY_TEXT:
    case SCRCPY_EXPAND_NOTIFICATIONS:
    case SCRCPY_EXPAND_SETTINGS:
    case SCRCPY_COLLAPSE_PANELS:
    case SCRCPY_ROTATE:
    case SCRCPY_HARD_KEYBOARD_SETTINGS:
    case SCRCPY_START_APP:
    case SCRCPY_RESET_VIDEO:
    case SCRCPY_CAMERA_ZOOM_IN:
    case SCRCPY_CAMERA_ZOOM_OUT:
    case SCRCPY_SCAN_FILE:
        break;
    }
}

/* ---- control messages ---- */

bool scrcpy_control_write(const struct scrcpy_control *control, struct buf *out,
                          struct err *err)
{
    const struct message_layout *layout =
        layout_of(controls, ARRAY_LEN(controls), control->type);
    uint8_t front[FRONT_MAX] = {0};

    put_fields(control, front);
    return append_message(layout, front, control->text, control->text_length,
                          out, err);
}

bool scrcpy_control_parse(const uint8_t *bytes, size_t length, size_t *used,
                          struct scrcpy_control *control, struct err *err)
{
    const struct message_layout *layout = NULL;
    size_t size;

    if (!find_message(controls, ARRAY_LEN(controls), bytes, length, &layout,
                      &size, err))
        return false;
    *used = size;
    if (!size)
        return true;
    *control = (struct scrcpy_control){
        .type = (enum scrcpy_control_type)layout->type,
    };
    get_fields(bytes, control);
    if (layout->length_bytes) {
        control->text = (const char *)bytes + layout->front;
        control->text_length = size - layout->front;
    }
    return true;
}

#define SCROLL_ONE 0x8000

int16_t scrcpy_scroll_encode(float distance, float max)
{
    float part = distance / max;

    if (part >= 1.0F)
        return SCROLL_ONE - 1;
    if (part <= -1.0F)
        return -SCROLL_ONE;
    return (int16_t)(part * SCROLL_ONE);
}

float scrcpy_scroll_decode(int16_t value, float max)
{
    if (value == SCROLL_ONE - 1)
        return max;
    return (float)value / SCROLL_ONE * max;
}

/* ---- replies ---- */

bool scrcpy_reply_write(const struct scrcpy_reply *reply, struct buf *out,
                        struct err *err)
{
    const struct message_layout *layout =
        layout_of(replies, ARRAY_LEN(replies), reply->type);
    uint8_t front[FRONT_MAX] = {0};

    if (reply->type == SCRCPY_REPLY_CLIPBOARD_SET)
        put_u64be(front + 1, reply->sequence);
    return append_message(layout, front, reply->text, reply->text_length, out,
                          err);
}

bool scrcpy_reply_parse(const uint8_t *bytes, size_t length, size_t *used,
                        struct scrcpy_reply *reply, struct err *err)
{
    const struct message_layout *layout = NULL;
    size_t size;

    if (!find_message(replies, ARRAY_LEN(replies), bytes, length, &layout,
                      &size, err))
        return false;
    *used = size;
    if (!size)
        return true;
    *reply = (struct scrcpy_reply){
        .type = (enum scrcpy_reply_type)layout->type,
    };
    if (reply->type == SCRCPY_REPLY_CLIPBOARD_SET) {
        reply->sequence = get_u64be(bytes + 1);
    } else {
        reply->text = (const char *)bytes + layout->front;
        reply->text_length = size - layout->front;
    }
    return true;
}
