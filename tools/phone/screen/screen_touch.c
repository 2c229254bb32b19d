/* Gestures: tap, long press, scroll, slide, swipe. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/keycode.h"
#include "tools/phone/screen/screen_private.h"
#include "tools/phone/screen/system_bars.h"

#define LONG_PRESS (PHONE_SECOND * 4 / 10)

#define SLOP 8.0F  /* dp that a finger may move and still tap */
#define EDGE 20.0F /* dp from the edge where a swipe belongs to the system */
#define SWIPE_LEAST 48.0F   /* minimum length of such a swipe in dp */
#define DISMISS_LEAST 96.0F /* dp to pull a sheet down by to close it */

/* ---- events ---- */

static void tell_use(struct phone_screen *screen,
                     enum phone_app_event_kind kind,
                     const struct widget *widget)
{
    screen_tell(screen,
                &(struct phone_app_event){.kind = kind,
                                          .action = widget->action,
                                          .argument = widget->argument});
}

struct widget *screen_pressed(const struct phone_screen *screen)
{
    const struct finger *finger = &screen->finger;

    if (finger->state != FINGER_PRESSING || finger->caught)
        return NULL;
    return widget_tree_hit(&screen->tree, finger->x, finger->y);
}

/*
 * Show whether the finger is on something. Only its look changes, so nothing is
 * built again, unless the screen is frozen: then it shows later.
 */
static void show_press(struct phone_screen *screen, bool pressed)
{
    struct widget *widget = screen_pressed(screen);

    if (!widget)
        return;
    if (pressed)
        widget->flags |= WIDGET_PRESSED;
    else
        widget->flags &= ~(unsigned)WIDGET_PRESSED;
    screen->tiled = false;
    if (phone_now(&screen->clock) < screen->frozen)
        screen->stale = true;
    else
        screen->drawn = false;
}

static void slide_to(struct phone_screen *screen, const struct widget *widget,
                     int x)
{
    float value = widget_range_at(widget, x);

    if (value != widget->range.value)
        screen_tell(screen,
                    &(struct phone_app_event){.kind = APP_CHANGE,
                                              .action = widget->action,
                                              .argument = widget->argument,
                                              .value = value});
}

static struct widget *window_of(struct widget *widget)
{
    while (widget->parent)
        widget = widget->parent;
    return widget;
}

static bool is_soft_key(struct widget *widget)
{
    return window_of(widget)->flags & WIDGET_PASSIVE;
}

static void tap(struct phone_screen *screen, int x, int y)
{
    struct widget *widget = screen_pressed(screen);
    const struct widget *active = widget_tree_active(&screen->tree);

    if (!widget) {
        if (active && (active->flags & WIDGET_DIALOG) &&
            !box_holds(active->bounds, x, y))
            screen_tell(screen, &(struct phone_app_event){.kind = APP_OUTSIDE});
        return;
    }
    if (is_soft_key(widget)) {
        screen_press_soft_key(screen, widget);
        return;
    }
    if (widget->flags & WIDGET_SLIDES) {
        slide_to(screen, widget, x);
        return;
    }
    if (widget->flags & WIDGET_EDITABLE)
        screen_focus(screen, widget, x, y, false);
    tell_use(screen, APP_CLICK, widget);
}

/* A long press happens while the finger is down. */
static void notice_long_press(struct phone_screen *screen, int64_t now)
{
    struct finger *finger = &screen->finger;
    struct widget *widget = screen_pressed(screen);

    if (!widget || !(widget->flags & WIDGET_LONG_CLICKABLE) ||
        now - finger->since < LONG_PRESS)
        return;
    finger->state = FINGER_HOLDING;
    screen->stale = true;
    if (widget->flags & WIDGET_EDITABLE)
        screen_focus(screen, widget, finger->x, finger->y, true);
    tell_use(screen, APP_LONG_CLICK, widget);
}

/* ---- scrolling ---- */

static void tell_scroll(struct phone_screen *screen,
                        const struct widget *widget)
{
    float scale = screen->tree.scale;

    if (!widget->action)
        return;
    screen_tell(
        screen,
        &(struct phone_app_event){
            .kind = APP_SCROLL,
            .action = widget->action,
            .argument = widget->argument,
            .value = (float)widget->kept.scroll / scale,
            .left = (float)(widget->scroll_most - widget->kept.scroll) / scale,
        });
}

/* False if it is at its end. */
static bool scroll_to(struct phone_screen *screen, struct widget *widget,
                      int to)
{
    int limited = to < 0                     ? 0
                  : to > widget->scroll_most ? widget->scroll_most
                                             : to;

    if (limited != widget->kept.scroll) {
        widget->kept.scroll = limited;
        widget_memory_of(&screen->widget_memory, widget)->scroll = limited;
        widget_tree_arrange(&screen->tree);
        screen->drawn = false;
        screen->tiled = false;
        tell_scroll(screen, widget);
    }
    return limited == to;
}

static int along(const struct widget *widget, int x, int y)
{
    return widget->flags & WIDGET_SIDEWAYS ? x : y;
}

/* ---- flinging ---- */

/*
 * Android's fling: distance and time depend on the finger's final speed; the
 * list slows down along a curve that starts with that speed.
 */
#define FLING_LEAST 50.0F  /* dp per second */
#define FLING_MOST 8000.0F /* dp per second */
#define FLING_FRICTION 0.015F
#define FLING_GRAVITY                                                          \
    (9.80665F * 39.37F * 160 * 0.84F) /* dp/s^2, scaled by friction */
#define FLING_BEND 0.35F
#define FLING_RATE 2.3582F

/* Time window for the finger's speed. */
#define TRACK_TIME (PHONE_SECOND / 10)

/* Pixels per second; 0 if it rested before it was lifted. */
static float speed_of(const struct finger *finger, const struct widget *widget,
                      int64_t now)
{
    const struct finger_point *last = &finger->track[finger->track_count - 1];
    const struct finger_point *first = last;

    while (first > finger->track && now - (first - 1)->time <= TRACK_TIME)
        first--;
    if (first->time >= last->time || now - last->time > TRACK_TIME)
        return 0;
    return (float)(along(widget, first->x, first->y) -
                   along(widget, last->x, last->y)) *
           (float)PHONE_SECOND / (float)(last->time - first->time);
}

static void start_fling(struct phone_screen *screen,
                        const struct widget *widget, float speed, int64_t now)
{
    float scale = screen->tree.scale;
    float dp = fminf(fabsf(speed) / scale, FLING_MOST);
    float strength = FLING_FRICTION * FLING_GRAVITY;
    float bend = logf(FLING_BEND * dp / strength);
    float distance = strength * expf(FLING_RATE / (FLING_RATE - 1) * bend);

    if (dp < FLING_LEAST)
        return;
    screen->fling = (struct fling){
        .target = widget->identity,
        .from = widget->kept.scroll,
        .distance = (int)copysignf(distance * scale, speed),
        .since = now,
        .duration =
            (int64_t)(expf(bend / (FLING_RATE - 1)) * (float)PHONE_SECOND),
    };
}

static void move_fling(struct phone_screen *screen, int64_t now)
{
    struct fling *fling = &screen->fling;
    struct widget *widget =
        fling->target ? widget_tree_find(&screen->tree, fling->target) : NULL;
    float part = fling->duration > 0
                     ? (float)(now - fling->since) / (float)fling->duration
                     : 1;
    float gone;

    if (!widget) {
        fling->target = 0;
        return;
    }
    part = fminf(fmaxf(part, 0), 1);
    gone = (float)fling->distance * (1 - powf(1 - part, 1 / FLING_BEND));
    if (!scroll_to(screen, widget, fling->from + (int)lroundf(gone)) ||
        part >= 1)
        fling->target = 0;
}

void screen_move_on(struct phone_screen *screen, int64_t now)
{
    move_fling(screen, now);
    notice_long_press(screen, now);
}

/* ---- swiping ---- */

static bool is_at_edge(const struct phone_screen *screen, int x, int y)
{
    struct widget_size size = screen->tree.size;
    int edge = widget_px(&screen->tree, EDGE);

    return x < edge || x >= size.width - edge || y >= size.height - edge ||
           y < widget_px(&screen->tree, STATUS_BAR_HEIGHT);
}

/* A window at the top is pulled down further, or pushed up. */
static void move_shade(struct phone_screen *screen, int down)
{
    int least = widget_px(&screen->tree, SWIPE_LEAST);

    if (down >= least)
        screen_press_key(screen, KEY_NOTIFICATION);
    else if (-down >= least)
        screen_tell(screen, &(struct phone_app_event){.kind = APP_OUTSIDE});
}

/*
 * Swipes from an edge: up from the bottom is home, inwards from a side is back,
 * down from the top opens notifications.
 */
static void end_swipe(struct phone_screen *screen, int x, int y)
{
    const struct finger *finger = &screen->finger;
    const struct widget *active = widget_tree_active(&screen->tree);
    struct widget_size size = screen->tree.size;
    int edge = widget_px(&screen->tree, EDGE);
    int least = widget_px(&screen->tree, SWIPE_LEAST);
    int inwards = finger->x < edge                 ? x - finger->x
                  : finger->x >= size.width - edge ? finger->x - x
                                                   : 0;

    if (finger->y >= size.height - edge && finger->y - y >= least)
        screen_press_key(screen, KEY_HOME);
    else if (inwards >= least)
        screen_press_key(screen, KEY_BACK);
    else if (active && (active->flags & WIDGET_SHADE))
        move_shade(screen, y - finger->y);
    else if (finger->y < widget_px(&screen->tree, STATUS_BAR_HEIGHT) &&
             y - finger->y >= least)
        screen_press_key(screen, KEY_NOTIFICATION);
    else if (active && (active->flags & WIDGET_SHEET) &&
             box_holds(active->bounds, finger->x, finger->y) &&
             y - finger->y >= widget_px(&screen->tree, DISMISS_LEAST))
        screen_tell(screen, &(struct phone_app_event){.kind = APP_OUTSIDE});
}

/* ---- the finger ---- */

static void remember_point(struct finger *finger, int x, int y, int64_t now)
{
    if (finger->track_count == FINGER_TRACK) {
        finger->track_count--;
        memmove(finger->track, finger->track + 1,
                finger->track_count * sizeof(finger->track[0]));
    }
    finger->track[finger->track_count++] = (struct finger_point){x, y, now};
}

static void finger_down(struct phone_screen *screen, int x, int y, int64_t now)
{
    screen->finger = (struct finger){
        .state = FINGER_PRESSING,
        .x = x,
        .y = y,
        .since = now,
        .caught = screen->fling.target != 0,
    };
    screen->fling.target = 0;
    remember_point(&screen->finger, x, y, now);
    show_press(screen, true);
}

/* It has left its start: decide what the gesture is. */
static void start_drag(struct phone_screen *screen, int x, int y)
{
    struct finger *finger = &screen->finger;
    bool sideways = abs(x - finger->x) > abs(y - finger->y);
    const struct widget *pressed = screen_pressed(screen);
    struct widget *scroller =
        widget_tree_scroller(&screen->tree, finger->x, finger->y, sideways);

    show_press(screen, false);
    finger->state = FINGER_SWIPING;
    if (is_at_edge(screen, finger->x, finger->y))
        return;
    if (pressed && (pressed->flags & WIDGET_SLIDES) && sideways) {
        finger->state = FINGER_SLIDING;
        finger->target = pressed->identity;
    } else if (scroller) {
        finger->state = FINGER_SCROLLING;
        finger->target = scroller->identity;
        finger->grip =
            scroller->kept.scroll + along(scroller, finger->x, finger->y);
    }
}

static void finger_move(struct phone_screen *screen, int x, int y, int64_t now)
{
    struct finger *finger = &screen->finger;
    int slop = widget_px(&screen->tree, SLOP);
    struct widget *target;

    if (finger->state == FINGER_UP)
        return;
    remember_point(finger, x, y, now);
    if (finger->state == FINGER_PRESSING &&
        (abs(x - finger->x) > slop || abs(y - finger->y) > slop))
        start_drag(screen, x, y);
    target = widget_tree_find(&screen->tree, finger->target);
    if (target && finger->state == FINGER_SCROLLING)
        (void)scroll_to(screen, target, finger->grip - along(target, x, y));
    if (target && finger->state == FINGER_SLIDING)
        slide_to(screen, target, x);
}

static void release(struct phone_screen *screen, int x, int y, int64_t now)
{
    struct finger *finger = &screen->finger;
    const struct widget *target;

    switch (finger->state) {
    case FINGER_PRESSING:
        show_press(screen, false);
        if (!finger->caught)
            tap(screen, finger->x, finger->y);
        break;
    case FINGER_SCROLLING:
        target = widget_tree_find(&screen->tree, finger->target);
        if (target)
            start_fling(screen, target, speed_of(finger, target, now), now);
        break;
    case FINGER_SWIPING:
        end_swipe(screen, x, y);
        break;
    case FINGER_UP:
    case FINGER_HOLDING:
    case FINGER_SLIDING:
        break;
    }
}

static void finger_up(struct phone_screen *screen, int x, int y, int64_t now)
{
    finger_move(screen, x, y, now);
    release(screen, x, y, now);
    screen->finger.state = FINGER_UP;
}

void screen_touch(struct phone_screen *screen, enum phone_touch touch, int x,
                  int y)
{
    int64_t now = phone_now(&screen->clock);

    pthread_mutex_lock(&screen->lock);
    screen_refresh(screen);
    switch (touch) {
    case SCREEN_DOWN:
        finger_down(screen, x, y, now);
        break;
    case SCREEN_MOVE:
        finger_move(screen, x, y, now);
        break;
    case SCREEN_UP:
        finger_up(screen, x, y, now);
        break;
    case SCREEN_CANCEL:
        show_press(screen, false);
        screen->finger.state = FINGER_UP;
        break;
    }
    screen_note_change(screen);
    pthread_mutex_unlock(&screen->lock);
}

/* ---- snapshots ---- */

void finger_save(const struct finger *finger, struct buf *out)
{
    saved_state_put_i64(out, finger->state);
    saved_state_put_i64(out, finger->x);
    saved_state_put_i64(out, finger->y);
    saved_state_put_i64(out, finger->since);
    saved_state_put_bool(out, finger->caught);
    saved_state_put_u64(out, finger->target);
    saved_state_put_i64(out, finger->grip);
    saved_state_put_i64(out, (int64_t)finger->track_count);
    for (size_t i = 0; i < finger->track_count; i++) {
        saved_state_put_i64(out, finger->track[i].x);
        saved_state_put_i64(out, finger->track[i].y);
        saved_state_put_i64(out, finger->track[i].time);
    }
}

/* Valid positions of a finger, so that distances do not overflow. */
static int load_place(struct saved_state *in)
{
    return (int)saved_state_i64(in, -1000000, 1000000);
}

void finger_load(struct finger *finger, struct saved_state *in)
{
    finger->state =
        (enum finger_state)saved_state_i64(in, FINGER_UP, FINGER_SWIPING);
    finger->x = load_place(in);
    finger->y = load_place(in);
    finger->since = saved_state_i64(in, 0, INT64_MAX);
    finger->caught = saved_state_bool(in);
    finger->target = saved_state_u64(in);
    finger->grip = (int)saved_state_i64(in, -WIDGET_ENDLESS, WIDGET_ENDLESS);
    finger->track_count = (size_t)saved_state_i64(in, 0, FINGER_TRACK);
    for (size_t i = 0; i < finger->track_count; i++) {
        finger->track[i].x = load_place(in);
        finger->track[i].y = load_place(in);
        finger->track[i].time = saved_state_i64(in, 0, INT64_MAX);
    }
    if (finger->state != FINGER_UP && !finger->track_count)
        saved_state_break(in);
}

void fling_save(const struct fling *fling, struct buf *out)
{
    saved_state_put_u64(out, fling->target);
    saved_state_put_i64(out, fling->from);
    saved_state_put_i64(out, fling->distance);
    saved_state_put_i64(out, fling->since);
    saved_state_put_i64(out, fling->duration);
}

void fling_load(struct fling *fling, struct saved_state *in)
{
    fling->target = saved_state_u64(in);
    fling->from = (int)saved_state_i64(in, 0, WIDGET_ENDLESS);
    fling->distance = (int)saved_state_i64(in, -WIDGET_ENDLESS, WIDGET_ENDLESS);
    fling->since = saved_state_i64(in, 0, INT64_MAX);
    fling->duration = saved_state_i64(in, 0, 60 * PHONE_SECOND);
}
