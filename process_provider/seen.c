#include "process_provider/seen.h"

#include "base/utf8.h"
#include "process_provider/icons.h"
#include "process_provider/reading.h"

/* An icon that is as alike as this need not be compared with words. */
#define CLEARLY 0.95F
/* In the midst of words, letters must not be taken for icons. */
#define SURELY 0.93F

/* Parts of the screen's width. */
#define PLAIN_PART 40 /* around the finger, for nothing to be there */
#define STRIP_PART 12 /* above and below it, for lines to be read whole */

#define PLAIN_GAP 24 /* of 255: what differs less is not to be seen */

static struct box whole(const struct picture *picture)
{
    return (struct box){0, 0, (int)picture->width, (int)picture->height};
}

static bool is_on(const struct picture *picture, int x, int y)
{
    return box_holds(whole(picture), x, y);
}

/* ---- nothing ---- */

static bool is_plain(const struct picture *picture, int x, int y)
{
    int reach = (int)picture->width / PLAIN_PART;
    struct box box =
        box_meet(whole(picture),
                 (struct box){x - reach, y - reach, x + reach, y + reach});
    uint8_t low[3] = {255, 255, 255};
    uint8_t high[3] = {0, 0, 0};

    for (y = box.top; y < box.bottom; y++) {
        const uint8_t *pixel = picture_row(picture, (uint32_t)y) +
                               (size_t)box.left * PICTURE_PIXEL;

        for (x = box.left; x < box.right; x++, pixel += PICTURE_PIXEL) {
            for (int i = 0; i < 3; i++) {
                low[i] = pixel[i] < low[i] ? pixel[i] : low[i];
                high[i] = pixel[i] > high[i] ? pixel[i] : high[i];
                if (high[i] - low[i] > PLAIN_GAP)
                    return false;
            }
        }
    }
    return true;
}

/* ---- words ---- */

static bool take_words(struct reading *reading, int x, int y,
                       struct phrase *words)
{
    struct box box;
    bool found = reading_at(reading, x, y, words, &box);

    reading_release(reading);
    return found;
}

static bool read_line(const struct picture *picture, int x, int y,
                      struct phrase *words)
{
    int reach = (int)picture->width / STRIP_PART;
    const struct box strip = {0, y - reach, (int)picture->width, y + reach};
    struct reading reading = READING_INIT;
    struct err err;

    return reading_make(picture, strip, &reading, &err) &&
           take_words(&reading, x, y, words);
}

static bool read_key(const struct picture *picture, int x, int y,
                     struct phrase *words)
{
    struct reading reading = READING_INIT;
    struct err err;

    return reading_make_key(picture, x, y, &reading, &err) &&
           take_words(&reading, x, y, words);
}

/* One or two characters may be an icon that was taken for them. */
static bool is_text(const struct phrase *words)
{
    return utf8_count(words->text) > 2;
}

/* ---- the whole ---- */

static void see_icon(const struct icon *icon, struct seen *seen)
{
    seen->kind = SEEN_ICON;
    (void)phrase_clean(icon->name, &seen->name);
}

static void see_words(const struct phrase *words, struct seen *seen)
{
    seen->kind = SEEN_WORDS;
    seen->name = *words;
}

void seen_look(const struct picture *picture, int x, int y, struct seen *seen)
{
    struct icon icon;
    struct phrase words;

    *seen = (struct seen){.kind = SEEN_UNKNOWN};
    if (!is_on(picture, x, y))
        return;
    if (is_plain(picture, x, y)) {
        seen->kind = SEEN_NOTHING;
        return;
    }
    icon = icons_find(picture, x, y);
    if ((!icon.name || icon.likeness < CLEARLY) &&
        read_line(picture, x, y, &words) && (!icon.name || is_text(&words)))
        see_words(&words, seen);
    else if (icon.name)
        see_icon(&icon, seen);
}

void seen_look_at_key(const struct picture *picture, int x, int y,
                      struct seen *seen)
{
    struct phrase words;

    seen_look(picture, x, y, seen);
    if (seen->kind == SEEN_UNKNOWN && is_on(picture, x, y) &&
        read_key(picture, x, y, &words))
        see_words(&words, seen);
}

void seen_look_for_icon(const struct picture *picture, int x, int y,
                        struct seen *seen)
{
    struct icon icon;

    *seen = (struct seen){.kind = SEEN_UNKNOWN};
    if (!is_on(picture, x, y))
        return;
    icon = icons_find(picture, x, y);
    if (icon.name && icon.likeness >= SURELY)
        see_icon(&icon, seen);
}
