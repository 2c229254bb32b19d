#include "tools/phone/screen.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/mem.h"
#include "tools/phone/dump.h"
#include "tools/phone/keycode.h"
#include "tools/phone/system_bars.h"

#define DEFAULT_WIDTH 1080
#define DEFAULT_HEIGHT 2400
#define DEFAULT_DENSITY 440
#define DEFAULT_BATTERY 82

#define MINUTE (60 * PHONE_SECOND)
#define LONG_PRESS (PHONE_SECOND * 4 / 10)

#define SLOP 8.0F         /* dp that a finger may move and still press */
#define EDGE 20.0F        /* dp from where a swipe belongs to the system */
#define SWIPE_LEAST 48.0F /* dp of such a swipe */

/* The one finger. */
struct finger {
    bool down;
    bool moved; /* it presses nothing any more */
    bool held;  /* its long press was told */
    int x, y;   /* where it came down */
    int64_t since;
};

struct screen {
    pthread_mutex_t lock; /* for all of the below */
    struct fonts *fonts;  /* borrowed */
    struct phone_clock clock;
    struct app *app; /* owned */
    uint64_t seed;
    struct screen_display display;
    struct theme theme; /* of the display */
    struct widget_tree tree;
    int64_t built; /* the minute that the tree is of */
    bool stale;    /* the tree is no longer what the app shows */
    bool drawn;    /* the frame shows the tree */
    uint64_t frames;
    struct screen_frame *frame; /* held; NULL until somebody looks */
    struct finger finger;
};

/* ---- opening ---- */

static bool check_side(int side)
{
    return side >= SCREEN_SIDE_MIN && side <= SCREEN_SIDE_MAX;
}

static bool check_display(const struct screen_display *display, struct err *err)
{
    if (!check_side(display->size.width) || !check_side(display->size.height))
        return err_set(err, ERR_INVALID, "no screen is %dx%d pixels",
                       display->size.width, display->size.height);
    if (display->density < SCREEN_DENSITY_MIN ||
        display->density > SCREEN_DENSITY_MAX)
        return err_set(err, ERR_INVALID, "no screen has %d dpi",
                       display->density);
    return true;
}

static struct screen_display first_display(const struct screen_options *options)
{
    struct screen_display display = {
        .physical = options->size,
        .physical_density =
            options->density ? options->density : DEFAULT_DENSITY,
        .dark = options->dark,
        .locale = options->locale,
        .battery = DEFAULT_BATTERY,
    };

    if (!display.physical.width && !display.physical.height)
        display.physical = (struct screen_size){DEFAULT_WIDTH, DEFAULT_HEIGHT};
    display.size = display.physical;
    display.density = display.physical_density;
    return display;
}

bool screen_open(const struct screen_options *options, struct screen **screen,
                 struct err *err)
{
    struct screen_display display = first_display(options);
    struct screen *made;

    if (!check_display(&display, err)) {
        options->app->ops->close(options->app);
        return false;
    }
    made = mem_new(1, sizeof(*made));
    pthread_mutex_init(&made->lock, NULL);
    made->fonts = options->fonts;
    made->clock = options->clock;
    made->app = options->app;
    made->seed = options->seed;
    made->display = display;
    theme_init(&made->theme, THEME_HUE, display.dark);
    made->stale = true;
    *screen = made;
    return true;
}

void screen_close(struct screen *screen)
{
    if (!screen)
        return;
    screen_frame_drop(screen->frame);
    widget_tree_release(&screen->tree);
    screen->app->ops->close(screen->app);
    pthread_mutex_destroy(&screen->lock);
    free(screen);
}

/* ---- building ---- */

static struct widget_size turned_size(const struct screen_display *display)
{
    struct widget_size size = {display->size.width, display->size.height};

    if (display->rotation % 2)
        size = (struct widget_size){size.height, size.width};
    return size;
}

static struct surroundings surroundings_of(const struct screen *screen,
                                           int64_t now)
{
    const struct screen_display *display = &screen->display;
    struct widget_size size = turned_size(display);
    float scale = (float)display->density / 160;

    return (struct surroundings){
        .locale = display->locale,
        .theme = &screen->theme,
        .now = now,
        .battery = display->battery,
        .status_bar = STATUS_BAR_HEIGHT,
        .navigation = NAVIGATION_HEIGHT,
        .width = (float)size.width / scale,
        .height = (float)size.height / scale,
        .seed = screen->seed,
    };
}

/* What the finger is on, if it is still there to press something. */
static struct widget *pressed_widget(const struct screen *screen)
{
    const struct finger *finger = &screen->finger;

    if (!finger->down || finger->moved)
        return NULL;
    return widget_tree_hit(&screen->tree, finger->x, finger->y);
}

/* The bars are in the ink of the window they are seen on. */
static uint32_t bars_ink(const struct widget_tree *tree)
{
    uint32_t ink = tree->theme->on_surface;

    for (const struct widget *window = tree->first; window;
         window = window->next) {
        if (!(window->flags & WIDGET_DIALOG) && window->look.ink)
            ink = window->look.ink;
    }
    return ink;
}

static void rebuild(struct screen *screen, int64_t now)
{
    struct surroundings around = surroundings_of(screen, now);
    struct widget *pressed;

    widget_tree_release(&screen->tree);
    widget_tree_init(&screen->tree, screen->fonts, &screen->theme,
                     turned_size(&screen->display), screen->display.density);
    screen->app->ops->build(screen->app, &around, &screen->tree);
    system_bars_build(&around, bars_ink(&screen->tree), &screen->tree);
    widget_tree_arrange(&screen->tree);
    pressed = pressed_widget(screen);
    if (pressed)
        pressed->flags |= WIDGET_PRESSED;
    screen->built = now / MINUTE;
    screen->stale = false;
    screen->drawn = false;
}

static void tell(struct screen *screen, const struct app_event *event)
{
    if (screen->app->ops->handle(screen->app, event))
        screen->stale = true;
}

/* A finger that stays long enough presses long, before it is lifted. */
static void notice_long_press(struct screen *screen, int64_t now)
{
    struct finger *finger = &screen->finger;
    const struct widget *widget = pressed_widget(screen);

    if (!widget || !(widget->flags & WIDGET_LONG_CLICKABLE) || finger->held ||
        now - finger->since < LONG_PRESS)
        return;
    finger->held = true;
    tell(screen, &(struct app_event){.kind = APP_LONG_CLICK,
                                     .action = widget->action,
                                     .argument = widget->argument});
}

static void notice_change(struct screen *screen)
{
    const struct app_ops *ops = screen->app->ops;

    if (ops->changed && ops->changed(screen->app))
        screen->stale = true;
}

/* Let the tree be what the app shows now. */
static void refresh(struct screen *screen)
{
    int64_t now = phone_now(&screen->clock);

    notice_change(screen);
    if (screen->stale || screen->built != now / MINUTE)
        rebuild(screen, now);
    notice_long_press(screen, now);
    if (screen->stale)
        rebuild(screen, now);
}

/* ---- looking ---- */

/* A frame nobody else holds: this one again, or a new one. */
static struct screen_frame *free_frame(struct screen *screen)
{
    struct screen_frame *frame = screen->frame;

    if (frame && atomic_load(&frame->holders) == 1)
        return frame;
    screen_frame_drop(frame);
    screen->frame = mem_new(1, sizeof(*frame));
    atomic_init(&screen->frame->holders, 1);
    return screen->frame;
}

static bool redraw(struct screen *screen, struct err *err)
{
    struct screen_frame *frame = free_frame(screen);
    struct widget_size size = screen->tree.size;
    struct canvas canvas;

    if (!picture_resize(&frame->picture, (uint32_t)size.width,
                        (uint32_t)size.height, err))
        return err_wrap(err, "drawing the screen");
    canvas_init(&canvas, &frame->picture);
    widget_tree_draw(&screen->tree, &canvas);
    frame->number = ++screen->frames;
    screen->drawn = true;
    return true;
}

bool screen_look(struct screen *screen, struct screen_frame **frame,
                 struct err *err)
{
    bool done;

    pthread_mutex_lock(&screen->lock);
    refresh(screen);
    done = screen->drawn || redraw(screen, err);
    if (done) {
        atomic_fetch_add(&screen->frame->holders, 1);
        *frame = screen->frame;
    }
    pthread_mutex_unlock(&screen->lock);
    return done;
}

void screen_frame_drop(struct screen_frame *frame)
{
    if (!frame || atomic_fetch_sub(&frame->holders, 1) > 1)
        return;
    picture_release(&frame->picture);
    free(frame);
}

void screen_dump(struct screen *screen, bool compressed, struct buf *xml)
{
    pthread_mutex_lock(&screen->lock);
    refresh(screen);
    dump_write(&screen->tree,
               &(struct dump_options){screen->display.rotation, compressed},
               xml);
    pthread_mutex_unlock(&screen->lock);
}

/* ---- fingers ---- */

static void press_key(struct screen *screen, int key)
{
    tell(screen, &(struct app_event){.kind = APP_KEY, .key = key});
}

/* A swipe from an edge of the screen: up is home, inwards is back. */
static void swipe(struct screen *screen, int x, int y)
{
    const struct finger *finger = &screen->finger;
    struct widget_size size = screen->tree.size;
    int edge = widget_px(&screen->tree, EDGE);
    int least = widget_px(&screen->tree, SWIPE_LEAST);
    int inwards = finger->x < edge                 ? x - finger->x
                  : finger->x >= size.width - edge ? finger->x - x
                                                   : 0;

    if (finger->y >= size.height - edge && finger->y - y >= least)
        press_key(screen, KEY_HOME);
    else if (inwards >= least)
        press_key(screen, KEY_BACK);
}

static void tap(struct screen *screen)
{
    const struct finger *finger = &screen->finger;
    const struct widget *widget = pressed_widget(screen);
    const struct widget *active = widget_tree_active(&screen->tree);

    if (widget)
        tell(screen, &(struct app_event){.kind = APP_CLICK,
                                         .action = widget->action,
                                         .argument = widget->argument});
    else if (active && (active->flags & WIDGET_DIALOG) &&
             !box_holds(active->bounds, finger->x, finger->y))
        tell(screen, &(struct app_event){.kind = APP_OUTSIDE});
}

static void finger_down(struct screen *screen, int x, int y)
{
    screen->finger = (struct finger){
        .down = true, .x = x, .y = y, .since = phone_now(&screen->clock)};
    screen->stale = screen->stale || pressed_widget(screen);
}

static void finger_move(struct screen *screen, int x, int y)
{
    struct finger *finger = &screen->finger;
    int slop = widget_px(&screen->tree, SLOP);

    if (!finger->down || finger->moved ||
        (abs(x - finger->x) <= slop && abs(y - finger->y) <= slop))
        return;
    screen->stale = screen->stale || pressed_widget(screen);
    finger->moved = true;
}

static void finger_up(struct screen *screen, int x, int y)
{
    struct finger *finger = &screen->finger;

    if (!finger->down)
        return;
    finger_move(screen, x, y);
    screen->stale = screen->stale || pressed_widget(screen);
    if (finger->moved)
        swipe(screen, x, y);
    else if (!finger->held)
        tap(screen);
    finger->down = false;
}

void screen_touch(struct screen *screen, enum screen_touch touch, int x, int y)
{
    pthread_mutex_lock(&screen->lock);
    refresh(screen);
    switch (touch) {
    case SCREEN_DOWN:
        finger_down(screen, x, y);
        break;
    case SCREEN_MOVE:
        finger_move(screen, x, y);
        break;
    case SCREEN_UP:
        finger_up(screen, x, y);
        break;
    case SCREEN_CANCEL:
        screen->stale = screen->stale || pressed_widget(screen);
        screen->finger.down = false;
        break;
    }
    pthread_mutex_unlock(&screen->lock);
}

/* ---- keys ---- */

static void type(struct screen *screen, const char *text)
{
    tell(screen, &(struct app_event){.kind = APP_TEXT, .text = text});
}

void screen_key(struct screen *screen, int key)
{
    const char text[] = {keycode_character(key), '\0'};

    pthread_mutex_lock(&screen->lock);
    if (text[0])
        type(screen, text);
    else
        press_key(screen, key);
    pthread_mutex_unlock(&screen->lock);
}

void screen_type(struct screen *screen, const char *text)
{
    pthread_mutex_lock(&screen->lock);
    type(screen, text);
    pthread_mutex_unlock(&screen->lock);
}

/* ---- timers ---- */

void screen_fire(void *context, const struct timer *timer)
{
    struct screen *screen = context;

    pthread_mutex_lock(&screen->lock);
    tell(screen, &(struct app_event){.kind = APP_TIMER,
                                     .argument = timer->what,
                                     .text = timer->about});
    pthread_mutex_unlock(&screen->lock);
}

/* ---- the display ---- */

struct screen_display screen_display(struct screen *screen)
{
    struct screen_display display;

    pthread_mutex_lock(&screen->lock);
    display = screen->display;
    pthread_mutex_unlock(&screen->lock);
    return display;
}

bool screen_set_display(struct screen *screen,
                        const struct screen_display *display, struct err *err)
{
    struct screen_display next = *display;

    if (!check_display(&next, err))
        return false;
    pthread_mutex_lock(&screen->lock);
    next.physical = screen->display.physical;
    next.physical_density = screen->display.physical_density;
    next.rotation = (int)((unsigned)next.rotation % 4);
    screen->display = next;
    theme_init(&screen->theme, THEME_HUE, next.dark);
    screen->finger.down = false;
    screen->stale = true;
    pthread_mutex_unlock(&screen->lock);
    return true;
}

/* ---- snapshots ---- */

static void save_display(const struct screen_display *display, struct buf *out)
{
    parcel_put_i64(out, display->physical.width);
    parcel_put_i64(out, display->physical.height);
    parcel_put_i64(out, display->physical_density);
    parcel_put_i64(out, display->size.width);
    parcel_put_i64(out, display->size.height);
    parcel_put_i64(out, display->density);
    parcel_put_i64(out, display->rotation);
    parcel_put_bool(out, display->dark);
    parcel_put_i64(out, display->locale);
    parcel_put_i64(out, display->battery);
}

static int load_side(struct parcel *in)
{
    return (int)parcel_i64(in, SCREEN_SIDE_MIN, SCREEN_SIDE_MAX);
}

static int load_density(struct parcel *in)
{
    return (int)parcel_i64(in, SCREEN_DENSITY_MIN, SCREEN_DENSITY_MAX);
}

static void load_display(struct screen_display *display, struct parcel *in)
{
    display->physical.width = load_side(in);
    display->physical.height = load_side(in);
    display->physical_density = load_density(in);
    display->size.width = load_side(in);
    display->size.height = load_side(in);
    display->density = load_density(in);
    display->rotation = (int)parcel_i64(in, 0, 3);
    display->dark = parcel_bool(in);
    display->locale = (enum locale)parcel_i64(in, LOCALE_EN, LOCALE_ZH);
    display->battery = (int)parcel_i64(in, 0, 100);
}

static void save_finger(const struct finger *finger, struct buf *out)
{
    parcel_put_bool(out, finger->down);
    parcel_put_bool(out, finger->moved);
    parcel_put_bool(out, finger->held);
    parcel_put_i64(out, finger->x);
    parcel_put_i64(out, finger->y);
    parcel_put_i64(out, finger->since);
}

static void load_finger(struct finger *finger, struct parcel *in)
{
    finger->down = parcel_bool(in);
    finger->moved = parcel_bool(in);
    finger->held = parcel_bool(in);
    finger->x = (int)parcel_i64(in, INT32_MIN, INT32_MAX);
    finger->y = (int)parcel_i64(in, INT32_MIN, INT32_MAX);
    finger->since = parcel_i64(in, 0, INT64_MAX);
}

void screen_save(struct screen *screen, struct buf *out)
{
    pthread_mutex_lock(&screen->lock);
    save_display(&screen->display, out);
    save_finger(&screen->finger, out);
    parcel_put_u64(out, screen->seed);
    screen->app->ops->save(screen->app, out);
    pthread_mutex_unlock(&screen->lock);
}

void screen_load(struct screen *screen, struct parcel *in)
{
    struct screen_display display;
    struct finger finger;
    uint64_t seed;

    load_display(&display, in);
    load_finger(&finger, in);
    seed = parcel_u64(in);
    pthread_mutex_lock(&screen->lock);
    screen->app->ops->load(screen->app, in);
    if (!in->trial && !in->broken) {
        screen->display = display;
        screen->finger = finger;
        screen->seed = seed;
        screen->stale = true;
    }
    pthread_mutex_unlock(&screen->lock);
}
