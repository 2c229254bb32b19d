#include "tools/phone/video/scrcpy_input.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/keycode.h"
#include "base/mem.h"
#include "tools/phone/system/display_settings.h"

#define SHELL_UID 2000U

/* How far one notch of a wheel scrolls, and how long that takes. */
#define NOTCH_DP 64
#define WHEEL_STEPS 4
#define WHEEL_STEP_MS 10

static struct screen_context *screen_of(const struct scrcpy_input *input)
{
    return input->phone->screen;
}

/* ---- touches ---- */

static struct extent screen_extent(const struct scrcpy_input *input)
{
    struct screen_display display = screen_display(screen_of(input)->screen);

    if (display.rotation % 2)
        return (struct extent){display.size.height, display.size.width};
    return (struct extent){display.size.width, display.size.height};
}

/* False: the position is for another size of the video. */
static bool find_place(const struct scrcpy_input *input,
                       const struct scrcpy_position *position,
                       struct extent video, struct scrcpy_place *place)
{
    struct extent screen = screen_extent(input);

    if (!video.width) {
        *place = (struct scrcpy_place){position->x, position->y};
        return true;
    }
    if (position->width != video.width || position->height != video.height)
        return false;
    *place = (struct scrcpy_place){
        (int)((int64_t)position->x * screen.width / video.width),
        (int)((int64_t)position->y * screen.height / video.height),
    };
    return true;
}

static void touch(struct scrcpy_input *input, enum phone_touch touch,
                  struct scrcpy_place place)
{
    input_devices_touch(screen_of(input)->devices, touch, place.x, place.y);
}

#define PRIMARY_BUTTON 1U

/* A mouse that hovers, or with another button than the first. */
static bool is_no_finger(const struct scrcpy_control *control)
{
    return control->action > SCRCPY_CANCEL ||
           ((control->action_button | control->buttons) & ~PRIMARY_BUTTON);
}

/*
 * The phone knows one finger: others are ignored until it is lifted. One for
 * another size of the video is lifted where it was.
 */
static void apply_touch(struct scrcpy_input *input,
                        const struct scrcpy_control *control,
                        struct extent video)
{
    static const enum phone_touch touches[] = {
        [SCRCPY_DOWN] = SCREEN_DOWN,
        [SCRCPY_UP] = SCREEN_UP,
        [SCRCPY_MOVE] = SCREEN_MOVE,
        [SCRCPY_CANCEL] = SCREEN_CANCEL,
    };
    bool begins = control->action == SCRCPY_DOWN;
    bool presses = begins || control->action == SCRCPY_MOVE;
    struct scrcpy_place place = input->last;

    if (is_no_finger(control) || begins == input->is_down ||
        (input->is_down && control->pointer != input->pointer) ||
        (!find_place(input, &control->position, video, &place) && presses))
        return;
    input->pointer = control->pointer;
    input->is_down = presses;
    input->last = place;
    touch(input, touches[control->action], place);
}

static void sleep_ms(long ms)
{
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
}

/* A wheel is a short drag without a fling at its end. */
static void apply_scroll(struct scrcpy_input *input,
                         const struct scrcpy_control *control,
                         struct extent video)
{
    float max = scrcpy_version_scroll_max(&input->options->version);
    struct screen_display display = screen_display(screen_of(input)->screen);
    float notch = NOTCH_DP * (float)display.density / 160;
    float right = scrcpy_scroll_decode(control->scroll_x, max) * notch;
    float up = scrcpy_scroll_decode(control->scroll_y, max) * notch;
    struct scrcpy_place place;

    if (input->is_down || !find_place(input, &control->position, video, &place))
        return;
    touch(input, SCREEN_DOWN, place);
    for (int i = 1; i <= WHEEL_STEPS * 2; i++) {
        float part = i < WHEEL_STEPS ? (float)i / WHEEL_STEPS : 1;

        sleep_ms(WHEEL_STEP_MS);
        clock_follower_move(&input->phone->follower);
        touch(input, SCREEN_MOVE,
              (struct scrcpy_place){place.x - (int)(right * part),
                                    place.y + (int)(up * part)});
    }
    touch(input, SCREEN_UP,
          (struct scrcpy_place){place.x - (int)right, place.y + (int)up});
}

/* ---- keys and texts ---- */

static void type(struct scrcpy_input *input, const char *text)
{
    if (*text)
        screen_command_type(screen_of(input), text);
}

static void paste(struct scrcpy_input *input)
{
    char *text;

    pthread_mutex_lock(&input->phone->lock);
    text = mem_dup(buf_cstr(&input->phone->clipboard));
    pthread_mutex_unlock(&input->phone->lock);
    type(input, text);
    free(text);
}

static bool apply_shortcut(struct scrcpy_input *input,
                           const struct scrcpy_control *control)
{
    char letter = keycode_character((int)control->code);

    if (control->meta & SCRCPY_META_CTRL) {
        if (letter == 'a')
            screen_select_all(screen_of(input)->screen);
        else if (letter == 'v')
            paste(input);
        return letter == 'a' || letter == 'v';
    }
    if (control->meta & SCRCPY_META_SHIFT && isalpha((unsigned char)letter)) {
        const char text[2] = {(char)toupper((unsigned char)letter)};

        type(input, text);
        return true;
    }
    return false;
}

/* A key acts when it is pressed. */
static void apply_key(struct scrcpy_input *input,
                      const struct scrcpy_control *control)
{
    if (control->action != SCRCPY_DOWN || control->code > KEY_LAST)
        return;
    if (control->code == KEY_PASTE)
        paste(input);
    else if (!apply_shortcut(input, control))
        input_devices_key(screen_of(input)->devices, (int)control->code);
}

/* Only what keys can type; the rest is left out, as by scrcpy. */
static void apply_text(struct scrcpy_input *input,
                       const struct scrcpy_control *control)
{
    struct buf line = BUF_INIT(SCRCPY_CONTROL_MAX);

    for (size_t i = 0; i < control->text_length; i++) {
        char character = control->text[i];

        if (character == '\n') {
            type(input, buf_cstr(&line));
            buf_clear(&line);
            input_devices_key(screen_of(input)->devices, KEY_ENTER);
        } else if (character >= ' ' && character <= '~') {
            buf_byte(&line, character);
        }
    }
    type(input, buf_cstr(&line));
    buf_release(&line);
}

static void apply_back(struct scrcpy_input *input,
                       const struct scrcpy_control *control)
{
    bool asleep = task_stack_is_asleep(screen_of(input)->task_stack);

    if (control->action == SCRCPY_DOWN)
        input_devices_key(screen_of(input)->devices,
                          asleep ? KEY_POWER : KEY_BACK);
}

/* ---- the clipboard ---- */

static void set_clipboard(struct scrcpy_input *input,
                          const struct scrcpy_control *control,
                          struct buf *replies)
{
    const struct scrcpy_reply reply = {.type = SCRCPY_REPLY_CLIPBOARD_SET,
                                       .sequence = control->sequence};
    struct buf *clipboard = &input->phone->clipboard;
    struct err ignored = ERR_INIT; /* it has no text that could be too long */

    pthread_mutex_lock(&input->phone->lock);
    buf_clear(clipboard);
    buf_append(clipboard, control->text, control->text_length);
    pthread_mutex_unlock(&input->phone->lock);
    if (control->flag)
        paste(input);
    if (control->sequence)
        (void)!scrcpy_reply_write(&reply, replies, &ignored);
}

/* Without a text there is no answer, nor when changes are sent anyway. */
static void get_clipboard(struct scrcpy_input *input, struct buf *replies)
{
    const struct buf *clipboard = &input->phone->clipboard;
    struct scrcpy_reply reply = {.type = SCRCPY_REPLY_CLIPBOARD};
    struct err ignored = ERR_INIT; /* one that fits was set */

    pthread_mutex_lock(&input->phone->lock);
    reply.text = buf_cstr(clipboard);
    reply.text_length = clipboard->length;
    if (clipboard->length && !input->options->clipboard_autosync)
        (void)!scrcpy_reply_write(&reply, replies, &ignored);
    pthread_mutex_unlock(&input->phone->lock);
}

/* ---- everything else ---- */

static void set_shade(struct scrcpy_input *input,
                      enum notification_shade_state state)
{
    if (screen_of(input)->shade)
        notification_shade_set(screen_of(input)->shade, state);
}

/* Between no rotation and one quarter turn. */
static void rotate(struct scrcpy_input *input)
{
    struct screen_display display = screen_display(screen_of(input)->screen);

    display_settings_turn(&screen_of(input)->handset->settings, true,
                          display.rotation % 2 ? 0 : 1);
}

static void start_app(struct scrcpy_input *input,
                      const struct scrcpy_control *control)
{
    char *name = mem_dup_n(control->text, control->text_length);
    const char *package = name + strspn(name, "?+");

    if (*name == '+')
        task_stack_stop(screen_of(input)->task_stack, package, "scrcpy");
    task_stack_launch(screen_of(input)->task_stack, package, SHELL_UID);
    free(name);
}

void scrcpy_input_apply(struct scrcpy_input *input,
                        const struct scrcpy_control *control,
                        struct extent video, struct buf *replies)
{
    clock_follower_move(&input->phone->follower);
    switch (control->type) {
    case SCRCPY_KEY:
        apply_key(input, control);
        break;
    case SCRCPY_TEXT:
        apply_text(input, control);
        break;
    case SCRCPY_TOUCH:
        apply_touch(input, control, video);
        break;
    case SCRCPY_SCROLL:
        apply_scroll(input, control, video);
        break;
    case SCRCPY_BACK_OR_SCREEN_ON:
        apply_back(input, control);
        break;
    case SCRCPY_EXPAND_NOTIFICATIONS:
        set_shade(input, SHADE_NOTIFICATIONS);
        break;
    case SCRCPY_EXPAND_SETTINGS:
        set_shade(input, SHADE_SETTINGS);
        break;
    case SCRCPY_COLLAPSE_PANELS:
        set_shade(input, SHADE_CLOSED);
        break;
    case SCRCPY_GET_CLIPBOARD:
        get_clipboard(input, replies);
        break;
    case SCRCPY_SET_CLIPBOARD:
        set_clipboard(input, control, replies);
        break;
    case SCRCPY_ROTATE:
        rotate(input);
        break;
    case SCRCPY_START_APP:
        start_app(input, control);
        break;
    case SCRCPY_DISPLAY_POWER:
    case SCRCPY_HARD_KEYBOARD_SETTINGS:
    case SCRCPY_RESET_VIDEO: /* of the session */
    case SCRCPY_CAMERA_TORCH:
    case SCRCPY_CAMERA_ZOOM_IN:
    case SCRCPY_CAMERA_ZOOM_OUT:
    case SCRCPY_RESIZE_DISPLAY:
    case SCRCPY_SCAN_FILE:
        break;
    }
}

void scrcpy_input_end(struct scrcpy_input *input)
{
    if (input->is_down)
        touch(input, SCREEN_CANCEL, (struct scrcpy_place){0, 0});
    input->is_down = false;
}
