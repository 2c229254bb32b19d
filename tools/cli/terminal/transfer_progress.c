#include "tools/cli/terminal/transfer_progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clean_text.h"
#include "base/deadline.h"
#include "tools/cli/terminal/human_units.h"
#include "tools/cli/terminal/terminal_mode.h"
#include "tools/cli/terminal/text_page.h"

#define DRAW_EVERY_NS 100000000 /* ten times a second */

/* A guess beyond two days is none. */
#define LEFT_MAX_S 172800

/* What the numbers take, and what the name and the bar get of the rest. */
#define NUMBERS_WIDTH 46
#define NAME_WIDTH_MIN 8
#define NAME_WIDTH_MAX 28
#define BAR_WIDTH_MIN 8
#define BAR_WIDTH_MAX 30

void transfer_progress_init(struct transfer_progress *progress, bool wanted,
                            const struct cancel *cancel)
{
    *progress = (struct transfer_progress){
        .cancel = cancel,
        .shown = wanted && isatty(STDERR_FILENO),
        .start_ns = clock_ns(),
    };
}

double transfer_progress_seconds(const struct transfer_progress *progress)
{
    return (double)(clock_ns() - progress->start_ns) / 1e9;
}

/* The last part of a path is the most useful one. */
static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

/* The name in exactly width columns; its middle is left out if need be. */
static void put_name(struct buf *line, const char *path, size_t width)
{
    char name[TRANSFER_PROGRESS_PATH_MAX];
    size_t columns;
    size_t head = (width - 2) / 2;
    size_t tail = width - 2 - head;
    size_t at = 0;

    clean_text_copy(name, sizeof(name), path, strlen(path));
    columns = text_page_columns(name);
    for (const char *byte = name; *byte; byte++) {
        bool continues = ((unsigned char)*byte & 0xc0) == 0x80;

        at += !continues;
        if (columns > width && at > head && at <= columns - tail) {
            if (at == head + 1 && !continues)
                buf_text(line, "..");
            continue;
        }
        buf_byte(line, *byte);
    }
    for (; columns < width; columns++)
        buf_byte(line, ' ');
}

static void put_bar(struct buf *line, double part, size_t width)
{
    size_t full = (size_t)(part * (double)width);

    buf_text(line, " [");
    for (size_t i = 0; i < width; i++)
        buf_byte(line, i < full ? '=' : i == full ? '>' : ' ');
    buf_byte(line, ']');
}

/* How long the rest of this file takes at the speed so far. */
static void put_time_left(struct buf *line, uint64_t left, double speed)
{
    double seconds = speed > 0 ? ceil((double)left / speed) : INFINITY;
    char text[HUMAN_UNITS_MAX];

    if (seconds < 60) {
        buf_printf(line, "  %.0f s left", seconds);
    } else if (seconds < LEFT_MAX_S) {
        human_units_time(seconds, text);
        buf_printf(line, "  %s left", text);
    }
}

static size_t clamp(size_t value, size_t min, size_t max)
{
    if (value < min)
        return min;
    return value < max ? value : max;
}

static void put_numbers(struct buf *line, uint64_t bytes, double speed)
{
    char size[HUMAN_UNITS_MAX];
    char rate[HUMAN_UNITS_MAX];

    human_units_size((double)bytes, size);
    human_units_size(speed, rate);
    buf_printf(line, "  %s  %s/s", size, rate);
}

void transfer_progress_format(const struct transfer_progress *progress,
                              double seconds, size_t width, struct buf *line)
{
    uint64_t all = progress->before + progress->moved;
    double speed = seconds > 0 ? (double)all / seconds : 0;
    bool known = progress->total > 0 && progress->moved <= progress->total;
    size_t room = width > NUMBERS_WIDTH ? width - NUMBERS_WIDTH : 0;
    size_t name = clamp(room / 2, NAME_WIDTH_MIN, NAME_WIDTH_MAX);
    size_t bar = clamp(room > name ? room - name : 0, 0, BAR_WIDTH_MAX);

    put_name(line, base_name(progress->path), name);
    if (known) {
        double part = (double)progress->moved / (double)progress->total;

        buf_printf(line, " %3d%%", (int)(part * 100));
        if (bar >= BAR_WIDTH_MIN)
            put_bar(line, part, bar);
    }
    put_numbers(line, all, speed);
    if (known)
        put_time_left(line, progress->total - progress->moved, speed);
    /* A line that is too long would begin another: only numbers are cut. */
    while (line->length && text_page_columns(line->data) >= width)
        line->data[--line->length] = '\0';
}

static void draw(struct transfer_progress *progress)
{
    struct buf line = BUF_INIT(4096);
    unsigned rows;
    unsigned columns;

    if (!terminal_mode_size(STDERR_FILENO, &rows, &columns))
        columns = 80;
    transfer_progress_format(progress, transfer_progress_seconds(progress),
                             columns, &line);
    fprintf(stderr, "\r%s\033[K", buf_cstr(&line));
    buf_release(&line);
    progress->drawn = true;
    progress->drawn_ns = clock_ns();
}

bool transfer_progress_update(void *context, const char *path, uint64_t moved,
                              uint64_t total)
{
    struct transfer_progress *progress = context;

    if (strcmp(path, progress->path) || moved < progress->moved) {
        snprintf(progress->path, sizeof(progress->path), "%s", path);
        progress->before += progress->moved;
    }
    progress->moved = moved;
    progress->total = total;
    if (progress->shown && clock_ns() - progress->drawn_ns > DRAW_EVERY_NS)
        draw(progress);
    return !cancel_fired(progress->cancel);
}

void transfer_progress_clear(struct transfer_progress *progress)
{
    if (progress->drawn)
        fprintf(stderr, "\r\033[K");
    progress->drawn = false;
}
