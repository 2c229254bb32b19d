#include "tools/live/record_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/deadline.h"
#include "base/mem.h"

#define SETTLE_MS 10000

/* Of a screen, in pixels, on each side. */
#define SIDE_MAX 16384

struct record_view {
    struct record_phone phone; /* first */
    struct phone_view *view;   /* borrowed */
};

static struct record_view *view_of(struct record_phone *phone)
{
    return (struct record_view *)phone;
}

static int64_t record_view_now_ms(struct record_phone *phone)
{
    (void)phone;
    return clock_ns() / 1000000;
}

static bool read_phone(struct record_phone *phone, enum view_command_kind kind,
                       struct buf *bytes, struct err *err)
{
    const struct view_command command = {.kind = kind};
    struct view_answer answer;

    phone_view_read(view_of(phone)->view, &command, &answer);
    if (!answer.done) {
        buf_release(&answer.bytes);
        *err = answer.err;
        return false;
    }
    buf_release(bytes);
    *bytes = answer.bytes;
    return true;
}

static bool is_equal(const struct buf *a, const struct buf *b)
{
    return a->length == b->length && !memcmp(a->data, b->data, a->length);
}

/* Width and height in the header of a PNG; one that no screen has is left out.
 */
static void note_size(struct record_phone *phone, const struct buf *png)
{
    const uint8_t *bytes = (const uint8_t *)png->data;
    uint32_t width, height;

    if (png->length < 24)
        return;
    width = get_u32be(bytes + 16);
    height = get_u32be(bytes + 20);
    if (!width || width > SIDE_MAX || !height || height > SIDE_MAX)
        return;
    phone->width = (int)width;
    phone->height = (int)height;
}

/* One attempt; *same: the screen was the same before and after. */
static bool look(struct record_phone *phone, struct record_screen *screen,
                 bool *same, struct err *err)
{
    struct buf before = BUF_INIT(0);
    struct err why;
    bool done = read_phone(phone, VIEW_SCREENSHOT, &before, err);

    screen->doubt[0] = '\0';
    if (done && !read_phone(phone, VIEW_DUMP, &screen->xml, &why)) {
        buf_clear(&screen->xml);
        snprintf(screen->doubt, sizeof(screen->doubt), "%s", why.text);
    }
    done = done && read_phone(phone, VIEW_SCREENSHOT, &screen->png, err);
    *same = done && is_equal(&before, &screen->png);
    buf_release(&before);
    return done;
}

static bool record_view_observe(struct record_phone *phone,
                                struct record_screen *screen, struct err *err)
{
    const int64_t began = record_view_now_ms(phone);
    const struct deadline by = deadline_in_ms(SETTLE_MS);
    bool same = false;

    while (!same) {
        if (!look(phone, screen, &same, err))
            return false;
        if (!same && deadline_passed(by)) {
            snprintf(screen->doubt, sizeof(screen->doubt),
                     "the screen did not come to rest");
            break;
        }
    }
    note_size(phone, &screen->png);
    screen->at_ms = record_view_now_ms(phone);
    screen->settle_ms = screen->at_ms - began;
    return true;
}

static void record_view_close(struct record_phone *phone)
{
    free(phone);
}

struct record_phone *record_view_open(struct phone_view *view,
                                      const char *serial)
{
    static const struct record_phone_ops ops = {
        .now_ms = record_view_now_ms,
        .capture = record_view_observe,
        .observe = record_view_observe,
        .close = record_view_close,
    };
    struct record_view *made = mem_new(1, sizeof(*made));
    struct phone_view_status status;

    phone_view_status(view, &status);
    made->phone.ops = &ops;
    made->phone.width = status.width;
    made->phone.height = status.height;
    snprintf(made->phone.serial, sizeof(made->phone.serial), "%s", serial);
    made->view = view;
    return &made->phone;
}
