#include "process_provider/pictures/visual_label.h"

#include "base/utf8.h"

/* An icon with this similarity needs no comparison with text. */
#define CLEARLY 0.95F
/* Within text, letters must not be taken for icons. */
#define SURELY 0.93F

/* Parts of the screen's width. */
#define PLAIN_PART 40 /* around the finger, for nothing to be there */
#define STRIP_PART 12 /* above and below it, for lines to be read whole */

#define PLAIN_GAP 24 /* of 255: smaller differences are invisible */

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

/* Reading that succeeded may still have found nothing at the point. */
static void take_words(struct ocr_text *text, int x, int y,
                       struct phrase *words)
{
    struct box box;

    (void)ocr_text_at(text, x, y, words, &box);
    ocr_text_release(text);
}

static bool has_ocr(const struct picture_access *access)
{
    struct err why;

    return picture_reader_has_ocr(access->reader, &why);
}

/* words are "" where there are none. */
static bool read_line(const struct picture_access *access,
                      const struct picture *picture, int x, int y,
                      struct phrase *words, struct err *err)
{
    int reach = (int)picture->width / STRIP_PART;
    const struct box strip = {0, y - reach, (int)picture->width, y + reach};
    struct ocr_text text = OCR_TEXT_INIT;

    if (!has_ocr(access))
        return true;
    if (!ocr_read(picture, strip, picture_reader_ocr_cache(access->reader),
                  access->by, access->cancel, &text, err))
        return false;
    take_words(&text, x, y, words);
    return true;
}

static bool read_key(const struct picture_access *access,
                     const struct picture *picture, int x, int y,
                     struct phrase *words, struct err *err)
{
    struct ocr_text text = OCR_TEXT_INIT;

    if (!has_ocr(access))
        return true;
    if (!ocr_read_key(picture, x, y, picture_reader_ocr_cache(access->reader),
                      access->by, access->cancel, &text, err))
        return false;
    take_words(&text, x, y, words);
    return true;
}

/* One or two characters may be an icon that was taken for them. */
static bool is_text(const struct phrase *words)
{
    return utf8_count(words->text) > 2;
}

/* ---- the whole ---- */

static void set_icon(const struct icon_match *icon, struct visual_label *label)
{
    label->kind = VISUAL_LABEL_ICON;
    (void)phrase_clean(icon->name, &label->name);
}

static void set_words(const struct phrase *words, struct visual_label *label)
{
    label->kind = VISUAL_LABEL_WORDS;
    label->name = *words;
}

bool visual_label_find(const struct picture_access *access,
                       const struct picture *picture, int x, int y,
                       struct visual_label *label, struct err *err)
{
    struct icon_match icon;
    struct phrase words = {.text = ""};

    *label = (struct visual_label){.kind = VISUAL_LABEL_UNKNOWN};
    if (!access->reader || !is_on(picture, x, y))
        return true;
    if (is_plain(picture, x, y)) {
        label->kind = VISUAL_LABEL_NOTHING;
        return true;
    }
    icon =
        icon_library_find(picture_reader_icons(access->reader), picture, x, y);
    if ((!icon.name || icon.likeness < CLEARLY) &&
        !read_line(access, picture, x, y, &words, err))
        return false;
    if (words.text[0] && (!icon.name || is_text(&words)))
        set_words(&words, label);
    else if (icon.name)
        set_icon(&icon, label);
    return true;
}

bool visual_label_find_key(const struct picture_access *access,
                           const struct picture *picture, int x, int y,
                           struct visual_label *label, struct err *err)
{
    struct phrase words = {.text = ""};

    if (!visual_label_find(access, picture, x, y, label, err))
        return false;
    if (label->kind != VISUAL_LABEL_UNKNOWN || !access->reader ||
        !is_on(picture, x, y))
        return true;
    if (!read_key(access, picture, x, y, &words, err))
        return false;
    if (words.text[0])
        set_words(&words, label);
    return true;
}

void visual_label_find_icon(const struct picture_access *access,
                            const struct picture *picture, int x, int y,
                            struct visual_label *label)
{
    struct icon_match icon;

    *label = (struct visual_label){.kind = VISUAL_LABEL_UNKNOWN};
    if (!access->reader || !is_on(picture, x, y))
        return;
    icon =
        icon_library_find(picture_reader_icons(access->reader), picture, x, y);
    if (icon.name && icon.likeness >= SURELY)
        set_icon(&icon, label);
}
