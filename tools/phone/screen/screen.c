#include "tools/phone/screen/screen.h"

#include <stdlib.h>

#include "base/large_memory.h"
#include "base/mem.h"
#include "base/picture/png.h"
#include "tools/phone/screen/screen_private.h"
#include "tools/phone/screen/system_bars.h"
#include "tools/phone/widgets/ui_dump.h"

#define DEFAULT_WIDTH 1080
#define DEFAULT_HEIGHT 2400
#define DEFAULT_DENSITY 440

#define MINUTE (60 * PHONE_SECOND)

#define PNG_MAX ((size_t)96 << 20)

/* ---- opening ---- */

static bool check_side(int side)
{
    return side >= SCREEN_SIDE_MIN && side <= SCREEN_SIDE_MAX;
}

static bool check_display(const struct screen_display *display, struct err *err)
{
    if (!check_side(display->size.width) || !check_side(display->size.height))
        return err_set(
            err, ERR_INVALID,
            "a screen of %dx%d pixels is not supported: each side must "
            "have %d to %d",
            display->size.width, display->size.height, SCREEN_SIDE_MIN,
            SCREEN_SIDE_MAX);
    if (display->density < SCREEN_DENSITY_MIN ||
        display->density > SCREEN_DENSITY_MAX)
        return err_set(err, ERR_INVALID,
                       "a density of %d dpi is not supported: give %d to %d",
                       display->density, SCREEN_DENSITY_MIN,
                       SCREEN_DENSITY_MAX);
    if (display->text_size < SCREEN_TEXT_MIN ||
        display->text_size > SCREEN_TEXT_MAX)
        return err_set(err, ERR_INVALID,
                       "a font scale of %d %% is not supported: give %d to %d",
                       display->text_size, SCREEN_TEXT_MIN, SCREEN_TEXT_MAX);
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
        .battery = SCREEN_BATTERY,
        .text_size = 100,
    };

    if (!display.physical.width && !display.physical.height)
        display.physical = (struct phone_size){DEFAULT_WIDTH, DEFAULT_HEIGHT};
    display.size = display.physical;
    display.density = display.physical_density;
    return display;
}

bool screen_open(const struct screen_options *options,
                 struct phone_screen **screen, struct err *err)
{
    struct screen_display display = first_display(options);
    pthread_mutexattr_t
        recursive; /* apps change settings, and thereby the display */
    struct phone_screen *made;

    if (!check_display(&display, err)) {
        options->app->ops->close(options->app);
        return false;
    }
    made = mem_new(1, sizeof(*made));
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&made->lock, &recursive);
    pthread_mutexattr_destroy(&recursive);
    made->fonts = options->fonts;
    made->clock = options->clock;
    made->app = options->app;
    made->seed = options->seed;
    made->rgb_565 = options->rgb_565;
    made->display = display;
    theme_init(&made->theme, THEME_HUE, display.dark);
    made->stale = true;
    made->changes = 1;
    deadline_cond_init(&made->changed);
    *screen = made;
    return true;
}

void screen_close(struct phone_screen *screen)
{
    if (!screen)
        return;
    screen_frame_drop(screen->frame);
    widget_tree_release(&screen->tree);
    screen->app->ops->close(screen->app);
    pthread_cond_destroy(&screen->changed);
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

static struct phone_surroundings surroundings_of(
    const struct phone_screen *screen, int64_t now)
{
    const struct screen_display *display = &screen->display;
    struct widget_size size = turned_size(display);
    float scale = (float)display->density / 160;

    return (struct phone_surroundings){
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

/* The bars have the ink of the window behind them. */
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

/* The app is laid out above the keyboard, which also covers the bottom bar. */
static void build_app(struct phone_screen *screen,
                      const struct phone_surroundings *around)
{
    struct phone_surroundings above = *around;

    if (screen->keyboard.shown)
        above.navigation = 0;
    screen->tree.insets.top = above.status_bar;
    screen->tree.insets.bottom = above.navigation;
    screen->app->ops->build(screen->app, &above, &screen->tree);
    widget_tree_complete(&screen->tree);
    if (widget_memory_restore(&screen->widget_memory, &screen->tree))
        keyboard_show(&screen->keyboard);
    if (!screen->widget_memory.focus || screen->no_keyboard)
        keyboard_hide(&screen->keyboard);
}

static void build_keyboard(struct phone_screen *screen,
                           const struct phone_surroundings *around)
{
    const struct widget *field =
        widget_tree_find(&screen->tree, screen->widget_memory.focus);

    if (!screen->keyboard.shown)
        return;
    screen->tree.keyboard =
        widget_px(&screen->tree, keyboard_height(&screen->keyboard, around));
    keyboard_build(&screen->keyboard, around, field, &screen->tree);
}

static void begin_tree(struct phone_screen *screen)
{
    widget_tree_release(&screen->tree);
    widget_tree_init(&screen->tree, screen->fonts, &screen->theme,
                     turned_size(&screen->display), screen->display.density);
    screen->tree.text_scale = (float)screen->display.text_size / 100;
}

static void rebuild(struct phone_screen *screen, int64_t now)
{
    struct phone_surroundings around = surroundings_of(screen, now);
    bool shown = screen->keyboard.shown;
    struct widget *pressed;

    begin_tree(screen);
    build_app(screen, &around);
    if (screen->keyboard.shown != shown) {
        begin_tree(screen);
        build_app(screen, &around);
    }
    build_keyboard(screen, &around);
    system_bars_build(&around, bars_ink(&screen->tree), &screen->tree);
    widget_tree_arrange(&screen->tree);
    pressed = screen_pressed(screen);
    if (pressed)
        pressed->flags |= WIDGET_PRESSED;
    screen->built = now / MINUTE;
    screen->stale = false;
    screen->drawn = false;
    screen->tiled = false;
}

void screen_tell(struct phone_screen *screen,
                 const struct phone_app_event *event)
{
    if (screen->app->ops->handle(screen->app, event))
        screen->stale = true;
}

static void notice_change(struct phone_screen *screen)
{
    const struct phone_app_ops *ops = screen->app->ops;

    if (ops->changed && ops->changed(screen->app))
        screen->stale = true;
}

void screen_refresh(struct phone_screen *screen)
{
    int64_t now = phone_now(&screen->clock);
    bool frozen = now < screen->frozen;

    notice_change(screen);
    if (!frozen && (screen->stale || screen->built != now / MINUTE))
        rebuild(screen, now);
    screen_move_on(screen, now);
    if (!frozen && screen->stale)
        rebuild(screen, now);
}

/* ---- reading the screen ---- */

/* A frame without other references: the current one, or a new one. */
static struct phone_frame *free_frame(struct phone_screen *screen)
{
    struct phone_frame *frame = screen->frame;

    if (frame && atomic_load(&frame->holders) == 1)
        return frame;
    screen_frame_drop(frame);
    frame = mem_new(1, sizeof(*frame));
    frame->png = (struct buf)BUF_INIT(PNG_MAX);
    pthread_mutex_init(&frame->encoding, NULL);
    atomic_init(&frame->holders, 1);
    screen->frame = frame;
    return frame;
}

/* Converts to 16 bits per pixel and back: the top bits fill the bottom. */
static void reduce_colors(struct picture *picture)
{
    for (uint32_t y = 0; y < picture->height; y++) {
        uint8_t *pixel = picture_row(picture, y);

        for (uint32_t x = 0; x < picture->width; x++, pixel += PICTURE_PIXEL) {
            pixel[0] = (uint8_t)((pixel[0] & 0xf8) | pixel[0] >> 5);
            pixel[1] = (uint8_t)((pixel[1] & 0xfc) | pixel[1] >> 6);
            pixel[2] = (uint8_t)((pixel[2] & 0xf8) | pixel[2] >> 5);
        }
    }
}

void screen_pack_565(const struct picture *picture, struct buf *pixels)
{
    for (uint32_t y = 0; y < picture->height; y++) {
        const uint8_t *pixel = picture_row(picture, y);

        for (uint32_t x = 0; x < picture->width; x++, pixel += PICTURE_PIXEL) {
            unsigned packed = (pixel[0] >> 3U) << 11U | (pixel[1] >> 2U) << 5U |
                              pixel[2] >> 3U;
            const uint8_t bytes[] = {(uint8_t)packed, (uint8_t)(packed >> 8U)};

            buf_append(pixels, bytes, sizeof(bytes));
        }
    }
}

static bool redraw(struct phone_screen *screen, struct err *err)
{
    struct phone_frame *frame = free_frame(screen);
    struct widget_size size = screen->tree.size;
    struct canvas canvas;

    if (!picture_resize(&frame->picture, (uint32_t)size.width,
                        (uint32_t)size.height, err))
        return err_wrap(err, "drawing the screen");
    canvas_init(&canvas, &frame->picture);
    widget_tree_draw(&screen->tree, &canvas);
    if (screen->rgb_565)
        reduce_colors(&frame->picture);
    buf_clear(&frame->png);
    frame->number = ++screen->frames;
    screen->drawn = true;
    return true;
}

bool screen_look(struct phone_screen *screen, struct phone_frame **frame,
                 struct err *err)
{
    bool done;

    pthread_mutex_lock(&screen->lock);
    screen_refresh(screen);
    done = screen->drawn || redraw(screen, err);
    if (done) {
        atomic_fetch_add(&screen->frame->holders, 1);
        *frame = screen->frame;
    }
    pthread_mutex_unlock(&screen->lock);
    return done;
}

void screen_frame_drop(struct phone_frame *frame)
{
    if (!frame || atomic_fetch_sub(&frame->holders, 1) > 1)
        return;
    picture_release(&frame->picture);
    buf_release(&frame->png);
    pthread_mutex_destroy(&frame->encoding);
    free(frame);
}

void screen_rest(struct phone_screen *screen)
{
    pthread_mutex_lock(&screen->lock);
    screen_frame_drop(screen->frame);
    screen->frame = NULL;
    screen->drawn = false;
    pthread_mutex_unlock(&screen->lock);
}

/* Copied to memory of the exact size: an idle phone should use little. */
static bool encode(struct phone_frame *frame, struct err *err)
{
    size_t size = png_rows_size(&frame->picture);
    char *pages = large_memory_new(size + 1); /* a buffer ends in a NUL */
    struct buf rows = {.data = pages, .capacity = size + 1, .limit = size};
    bool done = pages ? png_encode_by(&frame->picture, PNG_FAST, &rows,
                                      &frame->png, err)
                      : err_set(err, ERR_LIMIT, "no memory for a PNG");

    large_memory_free(pages, size + 1);
    return done;
}

bool screen_frame_png(struct phone_frame *frame, const struct buf **png,
                      struct err *err)
{
    bool done;

    pthread_mutex_lock(&frame->encoding);
    done = frame->png.length || encode(frame, err);
    pthread_mutex_unlock(&frame->encoding);
    *png = &frame->png;
    return done;
}

void screen_dump(struct phone_screen *screen, bool compressed, struct buf *xml)
{
    pthread_mutex_lock(&screen->lock);
    screen_refresh(screen);
    ui_dump_write(
        &screen->tree,
        &(struct ui_dump_options){screen->display.rotation, compressed}, xml);
    pthread_mutex_unlock(&screen->lock);
}

/* ---- waiting for changes ---- */

void screen_note_change(struct phone_screen *screen)
{
    screen->changes++;
    pthread_cond_broadcast(&screen->changed);
}

void screen_wake(struct phone_screen *screen)
{
    pthread_mutex_lock(&screen->lock);
    screen_note_change(screen);
    pthread_mutex_unlock(&screen->lock);
}

bool screen_await_change(struct phone_screen *screen, struct deadline by,
                         uint64_t *seen)
{
    const struct timespec end = deadline_timespec(by);
    bool moves;
    int number = 0;

    pthread_mutex_lock(&screen->lock);
    while (!number && screen->changes == *seen)
        number = pthread_cond_timedwait(&screen->changed, &screen->lock, &end);
    *seen = screen->changes;
    moves = screen->finger.state != FINGER_UP || screen->fling.target;
    pthread_mutex_unlock(&screen->lock);
    return moves;
}

/* ---- time ---- */

void screen_freeze(struct phone_screen *screen, int64_t until)
{
    struct err err;

    pthread_mutex_lock(&screen->lock);
    screen_refresh(screen);
    if (screen->drawn || redraw(screen, &err))
        screen->frozen = until;
    pthread_mutex_unlock(&screen->lock);
}

void screen_fire(void *context, const struct phone_timer *timer)
{
    struct phone_screen *screen = context;

    pthread_mutex_lock(&screen->lock);
    screen_tell(screen, &(struct phone_app_event){.kind = APP_TIMER,
                                                  .argument = timer->what,
                                                  .text = timer->about});
    screen_note_change(screen);
    pthread_mutex_unlock(&screen->lock);
}

/* ---- the display ---- */

struct screen_display screen_display(struct phone_screen *screen)
{
    struct screen_display display;

    pthread_mutex_lock(&screen->lock);
    display = screen->display;
    pthread_mutex_unlock(&screen->lock);
    return display;
}

static void have_display(struct phone_screen *screen,
                         const struct screen_display *display)
{
    screen->display = *display;
    theme_init(&screen->theme, THEME_HUE, display->dark);
    screen->stale = true;
}

bool screen_set_display(struct phone_screen *screen,
                        const struct screen_display *display, struct err *err)
{
    struct screen_display next = *display;

    if (!check_display(&next, err))
        return false;
    pthread_mutex_lock(&screen->lock);
    next.physical = screen->display.physical;
    next.physical_density = screen->display.physical_density;
    next.rotation = (int)((unsigned)next.rotation % 4);
    have_display(screen, &next);
    screen->finger.state = FINGER_UP;
    screen->fling.target = 0;
    screen->frozen = 0;
    screen->stale = true;
    screen_note_change(screen);
    pthread_mutex_unlock(&screen->lock);
    return true;
}

/* ---- snapshots ---- */

static void save_display(const struct screen_display *display, struct buf *out)
{
    saved_state_put_i64(out, display->physical.width);
    saved_state_put_i64(out, display->physical.height);
    saved_state_put_i64(out, display->physical_density);
    saved_state_put_i64(out, display->size.width);
    saved_state_put_i64(out, display->size.height);
    saved_state_put_i64(out, display->density);
    saved_state_put_i64(out, display->rotation);
    saved_state_put_bool(out, display->dark);
    saved_state_put_i64(out, display->locale);
    saved_state_put_i64(out, display->battery);
    saved_state_put_i64(out, display->text_size);
}

static int load_side(struct saved_state *in)
{
    return (int)saved_state_i64(in, SCREEN_SIDE_MIN, SCREEN_SIDE_MAX);
}

static int load_density(struct saved_state *in)
{
    return (int)saved_state_i64(in, SCREEN_DENSITY_MIN, SCREEN_DENSITY_MAX);
}

static void load_display(struct screen_display *display, struct saved_state *in)
{
    display->physical.width = load_side(in);
    display->physical.height = load_side(in);
    display->physical_density = load_density(in);
    display->size.width = load_side(in);
    display->size.height = load_side(in);
    display->density = load_density(in);
    display->rotation = (int)saved_state_i64(in, 0, 3);
    display->dark = saved_state_bool(in);
    display->locale =
        (enum phone_locale)saved_state_i64(in, LOCALE_EN, LOCALE_ZH);
    display->battery = (int)saved_state_i64(in, 0, 100);
    display->text_size =
        (int)saved_state_i64(in, SCREEN_TEXT_MIN, SCREEN_TEXT_MAX);
}

void screen_save(struct phone_screen *screen, struct buf *out)
{
    pthread_mutex_lock(&screen->lock);
    screen->frozen = 0; /* the state before cannot be saved */
    save_display(&screen->display, out);
    finger_save(&screen->finger, out);
    fling_save(&screen->fling, out);
    widget_memory_save(&screen->widget_memory, out);
    keyboard_save(&screen->keyboard, out);
    saved_state_put_u64(out, screen->seed);
    screen->app->ops->save(screen->app, out);
    pthread_mutex_unlock(&screen->lock);
}

void screen_load(struct phone_screen *screen, struct saved_state *in)
{
    struct screen_display display;
    struct finger finger = {0};
    struct fling fling;
    struct widget_memory widget_memory = {0};
    struct phone_keyboard keyboard;
    uint64_t seed;

    load_display(&display, in);
    finger_load(&finger, in);
    fling_load(&fling, in);
    widget_memory_load(&widget_memory, in);
    keyboard_load(&keyboard, in);
    seed = saved_state_u64(in);
    pthread_mutex_lock(&screen->lock);
    screen->app->ops->load(screen->app, in);
    if (!in->trial && !in->broken) {
        have_display(screen, &display);
        screen->finger = finger;
        screen->fling = fling;
        screen->widget_memory = widget_memory;
        screen->keyboard = keyboard;
        screen->seed = seed;
        screen->frozen = 0;
        screen_note_change(screen);
    }
    pthread_mutex_unlock(&screen->lock);
}
