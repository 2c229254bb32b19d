#include "runner/hand/hand_steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/keycode.h"
#include "base/mem.h"
#include "process_provider/describe/tap_target.h"
#include "runner/record/keyboard_top.h"
#include "runner/recording/recording.h"
#include "tasks/task/action_key.h"

static const char missed_text[] =
    "the field was gone before its text was read: the end may be missing";
static const char no_text[] =
    "a touch of the keyboard, it seems, that changed no text";

/* ---- screens and steps ---- */

static void copy_screen(const struct record_screen *from,
                        struct record_screen *to)
{
    struct err ignored;

    record_screen_release(to);
    buf_append(&to->png, buf_cstr(&from->png), from->png.length);
    buf_append(&to->xml, buf_cstr(&from->xml), from->xml.length);
    if (from->picture.pixels &&
        picture_resize(&to->picture, from->picture.width, from->picture.height,
                       &ignored)) {
        for (uint32_t y = 0; y < from->picture.height; y++)
            memcpy(picture_row(&to->picture, y), picture_row(&from->picture, y),
                   (size_t)from->picture.width * PICTURE_PIXEL);
    }
    memcpy(to->package, from->package, sizeof(to->package));
    memcpy(to->activity, from->activity, sizeof(to->activity));
    memcpy(to->doubt, from->doubt, sizeof(to->doubt));
    to->keyboard_top = from->keyboard_top;
    to->at_ms = from->at_ms;
    to->settle_ms = from->settle_ms;
}

void hand_step_release(struct hand_step *step)
{
    record_screen_release(&step->screen);
    action_release(&step->action);
}

/* The action's text becomes the step's. */
static void add_step(struct hand_steps *steps,
                     const struct record_screen *screen, struct action action,
                     int64_t at_ms, const char *flag)
{
    struct hand_step *step;

    if (steps->queued == HAND_STEPS_MAX) {
        action_release(&action);
        return;
    }
    step = &steps->queue[steps->queued++];
    record_screen_init(&step->screen);
    copy_screen(screen, &step->screen);
    step->action = action;
    step->at_ms = at_ms;
    snprintf(step->flag, sizeof(step->flag), "%s", flag ? flag : "");
}

static struct action copy_action(const struct action *action)
{
    struct action copy = *action;

    copy.text = action->text ? mem_dup(action->text) : NULL;
    return copy;
}

/* ---- the end of typing ---- */

static void set_tree(struct tree *tree, const struct record_screen *screen)
{
    struct err ignored;

    if (!screen->xml.length ||
        !tree_read(tree, screen->xml.data, screen->xml.length, &ignored))
        tree_release(tree);
}

static void forget_typing(struct hand_typing *typing)
{
    record_screen_release(&typing->screen);
    tree_release(&typing->tree);
    tree_release(&typing->last);
    action_release(&typing->first);
    typing->active = false;
}

static void add_changes(struct hand_steps *steps, struct field_changes *changes,
                        bool submitted, const char *flag)
{
    const struct hand_typing *typing = &steps->typing;

    for (size_t i = 0; i < changes->count; i++) {
        struct field_change *change = &changes->items[i];
        struct action action = change->action;

        change->action = (struct action){.kind = ACTION_WAIT};
        if (change->is_secret && action.kind == ACTION_TYPE) {
            free(action.text);
            action.text = mem_dup(RECORDING_MASK);
            action.secret = true;
        }
        action.submit =
            action.kind == ACTION_TYPE && submitted && i + 1 == changes->count;
        add_step(steps, &typing->screen, action, typing->began_ms, flag);
    }
}

/* Did Enter add a line to the field, instead of submitting it? */
static bool is_new_line(const struct field_changes *changes)
{
    const char *text =
        changes->count ? changes->items[changes->count - 1].action.text : NULL;

    return text && *text && text[strlen(text) - 1] == '\n';
}

/* The field shows its final text in typing->last. */
static void end_typing(struct hand_steps *steps, bool submitted)
{
    struct hand_typing *typing = &steps->typing;
    const char *flag = typing->flag;
    struct field_changes changes;

    if (!typing->active)
        return;
    field_text_compare(&steps->fields, &typing->tree, &typing->last, &changes);
    /* The key that submitted it typed nothing. */
    if (changes.is_incomplete ||
        (submitted ? typing->is_stale : typing->key_ms > typing->read_ms))
        flag = missed_text;
    if (changes.count)
        add_changes(steps, &changes,
                    submitted || (typing->enter && !is_new_line(&changes)),
                    flag);
    else if (submitted || typing->enter)
        add_step(steps, &typing->screen, (struct action){.kind = ACTION_ENTER},
                 typing->began_ms, flag);
    else if (typing->first.kind != ACTION_KEY)
        add_step(steps, &typing->screen, copy_action(&typing->first),
                 typing->began_ms, no_text);
    field_changes_release(&changes);
    forget_typing(typing);
}

/* ---- typing ---- */

static int keyboard_top_of(const struct ring_frame *frame)
{
    return keyboard_top(frame->has_tree ? &frame->tree : NULL,
                        frame->screen.keyboard_top);
}

static bool is_on_keyboard(const struct ring_frame *frame,
                           struct action_point at)
{
    int top = keyboard_top_of(frame);

    return top > 0 && at.y >= top;
}

static bool has_field(const struct ring_frame *frame)
{
    return frame->has_tree && tap_target_field(&frame->tree) != TREE_NONE;
}

static void begin_typing(struct hand_steps *steps,
                         const struct ring_frame *frame,
                         const struct action *first, int64_t at_ms,
                         const char *flag)
{
    struct hand_typing *typing = &steps->typing;

    copy_screen(&frame->screen, &typing->screen);
    set_tree(&typing->tree, &frame->screen);
    set_tree(&typing->last, &frame->screen);
    typing->first = copy_action(first);
    snprintf(typing->flag, sizeof(typing->flag), "%s", flag ? flag : "");
    typing->began_ms = at_ms;
    typing->read_ms = frame->end_ms;
    typing->key_ms = 0;
    typing->enter = typing->is_stale = false;
    typing->active = true;
}

static void note_key(struct hand_typing *typing, int64_t at_ms, bool enter)
{
    /* A key before this one may not be in the last tree. */
    typing->is_stale = typing->key_ms > typing->read_ms;
    typing->key_ms = at_ms;
    typing->enter = enter;
}

/* A screen after the last key: goes the typing on? */
static void follow_typing(struct hand_steps *steps,
                          const struct ring_frame *frame)
{
    struct hand_typing *typing = &steps->typing;

    if (!typing->active || !frame->has_tree || frame->begin_ms < typing->key_ms)
        return;
    if (field_text_submitted(&steps->fields, &typing->last, &frame->tree)) {
        end_typing(steps, true);
        return;
    }
    set_tree(&typing->last, &frame->screen);
    typing->read_ms = frame->begin_ms;
    typing->is_stale = false;
    if (typing->enter)
        end_typing(steps, false);
    else if (typing->first.kind != ACTION_KEY && !keyboard_top_of(frame))
        end_typing(steps, true); /* its action key hides the keyboard */
}

/* Another touch ends the typing; it saw this frame. */
static void interrupt_typing(struct hand_steps *steps,
                             const struct ring_frame *frame)
{
    follow_typing(steps, frame);
    end_typing(steps, false);
}

/* ---- input ---- */

void hand_steps_see(struct hand_steps *steps, struct record_screen *screen,
                    int64_t begin_ms, int64_t end_ms)
{
    frame_ring_add(&steps->ring, screen, begin_ms, end_ms);
    if (frame_ring_newest(&steps->ring)->has_tree)
        field_memory_see(&steps->fields,
                         &frame_ring_newest(&steps->ring)->tree);
    follow_typing(steps, frame_ring_newest(&steps->ring));
}

static bool is_system(enum gesture_kind kind)
{
    return kind == GESTURE_BACK || kind == GESTURE_HOME ||
           kind == GESTURE_RECENTS;
}

void hand_steps_gesture(struct hand_steps *steps,
                        const struct recognized_gesture *gesture,
                        struct event_moment down, struct event_moment up)
{
    const char *flag;
    const struct ring_frame *frame =
        frame_ring_find(&steps->ring, down, steps->touched_ms, &flag);

    steps->touched_ms = up.latest;
    if (!frame || gesture->kind == GESTURE_CANCELLED)
        return;
    if (!is_system(gesture->kind) && gesture->action.has_from &&
        is_on_keyboard(frame, gesture->action.from)) {
        if (!steps->typing.active)
            begin_typing(steps, frame, &gesture->action, down.latest, flag);
        note_key(&steps->typing, up.latest, false);
        return;
    }
    interrupt_typing(steps, frame);
    add_step(steps, &frame->screen, copy_action(&gesture->action), down.latest,
             flag);
}

/* Does it change the text of the focused field? */
static bool is_typing_key(int key)
{
    return key == 0 || key == KEY_SPACE || key == KEY_DELETE ||
           key == KEY_FORWARD_DELETE || key == KEY_ENTER;
}

void hand_steps_key(struct hand_steps *steps, int key, struct event_moment down)
{
    const struct action typed = {.kind = ACTION_KEY};
    const char *flag;
    const struct ring_frame *frame =
        frame_ring_find(&steps->ring, down, steps->touched_ms, &flag);

    if (!frame)
        return;
    if (is_typing_key(key) && (steps->typing.active || has_field(frame))) {
        if (!steps->typing.active)
            begin_typing(steps, frame, &typed, down.latest, flag);
        note_key(&steps->typing, down.latest, key == KEY_ENTER);
        steps->touched_ms = down.latest;
        return;
    }
    if (!key)
        return;
    interrupt_typing(steps, frame);
    add_step(steps, &frame->screen, action_of_key(key), down.latest, flag);
    steps->touched_ms = down.latest;
}

void hand_steps_end(struct hand_steps *steps)
{
    end_typing(steps, false);
}

/* ---- output ---- */

void hand_steps_init(struct hand_steps *steps)
{
    memset(steps, 0, sizeof(*steps));
    frame_ring_init(&steps->ring);
    record_screen_init(&steps->typing.screen);
    steps->touched_ms = INT64_MIN;
}

void hand_steps_release(struct hand_steps *steps)
{
    for (size_t i = 0; i < steps->queued; i++)
        hand_step_release(&steps->queue[i]);
    steps->queued = 0;
    forget_typing(&steps->typing);
    field_memory_release(&steps->fields);
    frame_ring_release(&steps->ring);
}

bool hand_steps_next(struct hand_steps *steps, struct hand_step *step)
{
    if (!steps->queued)
        return false;
    *step = steps->queue[0];
    steps->queued--;
    memmove(steps->queue, steps->queue + 1,
            steps->queued * sizeof(*steps->queue));
    return true;
}

bool hand_steps_ready(const struct hand_steps *steps)
{
    const struct ring_frame *newest = frame_ring_newest(&steps->ring);

    return newest && newest->begin_ms >= steps->touched_ms;
}
