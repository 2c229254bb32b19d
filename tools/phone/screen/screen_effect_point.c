/* Finds the point to touch for a given effect. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/phone/screen/screen_private.h"

#define CALLS_MAX ((size_t)4096)

/* Points that are tried in each direction if the center is covered. */
#define GRID 9

/* A parsed event pattern: "shop.open *", and the number of the match. */
struct wanted_event {
    char text[SCREEN_CALL_MAX];
    long nth; /* 0: any that is visible */
};

static bool read_wanted(const char *call, struct wanted_event *wanted)
{
    const char *sign = strrchr(call, '#');
    size_t length = strlen(call);
    char *end;

    wanted->nth = 0;
    if (sign && sign > call && sign[-1] == ' ') {
        wanted->nth = strtol(sign + 1, &end, 10);
        if (wanted->nth > 0 && !*end)
            length = (size_t)(sign - 1 - call);
        else
            wanted->nth = 0;
    }
    if (length >= sizeof(wanted->text))
        return false;
    memcpy(wanted->text, call, length);
    wanted->text[length] = '\0';
    return true;
}

/* '*' matches any text. */
static bool fits(const char *pattern, const char *text, size_t length)
{
    const char *star = NULL;
    const char *end = text + length;
    const char *retry = text;

    while (text < end) {
        if (*pattern == '*') {
            star = pattern++;
            retry = text;
        } else if (*pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star + 1;
            text = ++retry;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

/* ---- points ---- */

static bool hits(const struct phone_screen *screen, const struct widget *widget,
                 int x, int y)
{
    return widget_tree_hit(&screen->tree, x, y) == widget;
}

/* The center, or else another point that is not covered. */
static bool find_point(const struct phone_screen *screen,
                       const struct widget *widget, struct phone_place *place)
{
    struct box seen = widget_visible(widget);
    int x = (seen.left + seen.right) / 2;
    int y = (seen.top + seen.bottom) / 2;

    if (box_is_empty(seen))
        return false;
    for (int i = 0; !hits(screen, widget, x, y); i++) {
        if (i == GRID * GRID)
            return false;
        x = seen.left + box_width(seen) * (2 * (i % GRID) + 1) / (2 * GRID);
        y = seen.top + box_height(seen) * (2 * (i / GRID) + 1) / (2 * GRID);
    }
    *place = (struct phone_place){.shown = true, .x = x, .y = y};
    return true;
}

/* The point that sets a slider to that value. */
static bool find_value(const struct phone_screen *screen,
                       const struct widget *widget, double value,
                       struct phone_place *place)
{
    struct box seen = widget_visible(widget);
    int y = (seen.top + seen.bottom) / 2;
    int first = 0;
    int last = 0;

    for (int x = seen.left; x < seen.right; x++) {
        if (fabs((double)widget_range_at(widget, x) - value) > 1e-4 ||
            !hits(screen, widget, x, y))
            continue;
        first = first ? first : x;
        last = x;
    }
    if (!last)
        return false;
    *place =
        (struct phone_place){.shown = true, .x = (first + last) / 2, .y = y};
    return true;
}

/* ---- scrolling ---- */

static struct phone_place scroll_place(const struct widget *scroller,
                                       enum screen_way way)
{
    struct box seen = widget_visible(scroller);

    return (struct phone_place){.x = (seen.left + seen.right) / 2,
                                .y = (seen.top + seen.bottom) / 2,
                                .way = way};
}

/* The direction that scrolls a widget into view. */
static enum screen_way way_to(const struct widget *scroller,
                              const struct widget *widget)
{
    struct box view = widget_visible(scroller);
    bool sideways = scroller->flags & WIDGET_SIDEWAYS;
    int before = sideways ? view.left - widget->bounds.left
                          : view.top - widget->bounds.top;
    int behind = sideways ? widget->bounds.right - view.right
                          : widget->bounds.bottom - view.bottom;

    if (behind > 0 && behind >= before &&
        scroller->kept.scroll < scroller->scroll_most)
        return sideways ? SCREEN_RIGHTWARDS : SCREEN_DOWNWARDS;
    if (before > 0 && scroller->kept.scroll > 0)
        return sideways ? SCREEN_LEFTWARDS : SCREEN_UPWARDS;
    return SCREEN_STAY;
}

/* The outermost list is scrolled first: it may bring inner ones into view. */
static bool find_scroll(const struct widget *widget, struct phone_place *place)
{
    bool found = false;

    for (const struct widget *outer = widget->parent; outer;
         outer = outer->parent) {
        enum screen_way way = outer->flags & WIDGET_SCROLLABLE
                                  ? way_to(outer, widget)
                                  : SCREEN_STAY;

        if (way != SCREEN_STAY && !box_is_empty(widget_visible(outer))) {
            *place = scroll_place(outer, way);
            found = true;
        }
    }
    return found;
}

/*
 * Is it clipped so much that its text cannot be read? Large widgets are
 * accepted when partly visible.
 */
static bool is_cut(const struct widget *widget)
{
    struct box seen = widget_visible(widget);
    struct box all = widget->bounds;

    return box_height(all) < widget->tree->size.height / 2 &&
           (box_width(seen) * 4 < box_width(all) * 3 ||
            box_height(seen) * 4 < box_height(all) * 3);
}

/* ---- searching ---- */

struct locate_search {
    struct phone_screen *screen;
    struct wanted_event wanted;
    long seen; /* number of matches */
    bool found;
    struct phone_place place;
};

/* Is "settings.volume music 7" a point of this slider? */
static bool fits_value(const struct locate_search *search, const char *line,
                       size_t length, double *value)
{
    const char *text = search->wanted.text;
    char *end;

    if (strncmp(text, line, length) != 0 || text[length] != ' ')
        return false;
    *value = strtod(text + length + 1, &end);
    return end != text + length + 1 && !*end;
}

/* Does one of its events match? */
static bool try_calls(struct locate_search *search, const struct widget *widget,
                      const char *line, bool *touches,
                      struct phone_place *place)
{
    for (; *line; line += *line == '\n') {
        size_t length = strcspn(line, "\n");
        double value;

        if ((widget->flags & WIDGET_SLIDES) &&
            fits_value(search, line, length, &value)) {
            *touches = find_value(search->screen, widget, value, place);
            return true;
        }
        if (fits(search->wanted.text, line, length)) {
            *touches = find_point(search->screen, widget, place) &&
                       !(is_cut(widget) && find_scroll(widget, place));
            return true;
        }
        line += length;
    }
    return false;
}

/* True when the search can end. */
static bool try_widget(struct locate_search *search,
                       const struct widget *widget)
{
    struct phone_app *app = search->screen->app;
    struct buf calls = BUF_INIT(CALLS_MAX);
    struct phone_place place = {.way = SCREEN_STAY};
    bool touches = false;
    bool done = false;

    app->ops->calls(app, widget->action, widget->argument, &calls);
    if (try_calls(search, widget, buf_cstr(&calls), &touches, &place)) {
        search->seen++;
        done =
            search->wanted.nth ? search->seen == search->wanted.nth : touches;
        if ((done && touches) ||
            ((done || !search->wanted.nth) && !search->found &&
             find_scroll(widget, &place))) {
            search->place = place;
            search->found = true;
        }
    }
    buf_release(&calls);
    return done;
}

/* A list that is not scrolled to its end may contain it. */
static bool find_endless(const struct widget *window, struct phone_place *place)
{
    for (const struct widget *widget = window; widget;
         widget = widget_after(widget, window)) {
        if ((widget->flags & WIDGET_SCROLLABLE) && widget->action &&
            widget->kept.scroll < widget->scroll_most) {
            *place = scroll_place(widget, SCREEN_DOWNWARDS);
            return true;
        }
    }
    return false;
}

static bool search_window(struct locate_search *search,
                          const struct widget *window)
{
    for (const struct widget *widget = window; widget;
         widget = widget_after(widget, window)) {
        if (widget->action && !(widget->flags & WIDGET_SCROLLABLE) &&
            try_widget(search, widget))
            return true;
    }
    return false;
}

/* Windows from the top; a dialog blocks touches of those below it. */
static void search_windows(struct locate_search *search)
{
    const struct widget *window = search->screen->tree.last;
    bool over = false;

    for (; window && !over; window = window->previous) {
        if (window->flags & WIDGET_PASSIVE)
            continue;
        over = search_window(search, window);
        if (!over && !search->found && find_endless(window, &search->place))
            search->found = true;
        over = over || (window->flags & WIDGET_DIALOG);
    }
}

struct phone_place screen_effect_point(struct phone_screen *screen,
                                       const char *call)
{
    struct locate_search search = {.screen = screen};

    pthread_mutex_lock(&screen->lock);
    screen_refresh(screen);
    if (read_wanted(call, &search.wanted) && screen->app->ops->calls)
        search_windows(&search);
    pthread_mutex_unlock(&screen->lock);
    return search.place;
}
