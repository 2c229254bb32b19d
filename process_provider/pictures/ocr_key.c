#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "process_provider/pictures/ocr_binarize.h"
#include "process_provider/pictures/ocr_private.h"

/* Lengths, as parts of the shorter side of the picture. */
#define KEY_REACH 14 /* from the point to the edge of a sign */
#define GAP_DOWN 60  /* between a letter and its dot */
#define SIGN_MAX 12  /* larger shapes are no signs on a key */
#define ALONE 36     /* between a sign and its neighbours */
#define MARGIN 54    /* white around it */

#define DARK 160

/* The ink around a finger, and which of it belongs to the sign. */
struct sign {
    const struct picture *ink;
    int gap_down;
    bool *taken;     /* owned; of each pixel */
    uint32_t *queue; /* owned; the pixels that were taken */
    size_t count;
    struct box box;
};

static bool is_dark(const struct picture *ink, int x, int y)
{
    return x >= 0 && y >= 0 && x < (int)ink->width && y < (int)ink->height &&
           picture_row(ink, (uint32_t)y)[(size_t)x * PICTURE_PIXEL] < DARK;
}

static void take(struct sign *sign, int x, int y)
{
    const struct box box = {x, y, x + 1, y + 1};
    size_t at = (size_t)y * sign->ink->width + (size_t)x;

    if (!is_dark(sign->ink, x, y) || sign->taken[at])
        return;
    sign->taken[at] = true;
    sign->box = sign->count ? box_join(sign->box, box) : box;
    sign->queue[sign->count++] = (uint32_t)at;
}

/* Start with the ink nearest to the point. */
static void take_nearest(struct sign *sign, int x, int y)
{
    int width = (int)sign->ink->width;
    int height = (int)sign->ink->height;
    int64_t nearest = INT64_MAX;
    int best_x = -1;
    int best_y = -1;

    for (int v = 0; v < height; v++) {
        for (int u = 0; u < width; u++) {
            int64_t far = (int64_t)(u - x) * (u - x) + (v - y) * (v - y);

            if (far < nearest && is_dark(sign->ink, u, v)) {
                nearest = far;
                best_x = u;
                best_y = v;
            }
        }
    }
    if (best_x >= 0)
        take(sign, best_x, best_y);
}

/* All that hangs together, and dots above and below. */
static void take_rest(struct sign *sign)
{
    for (size_t next = 0; next < sign->count; next++) {
        int x = (int)(sign->queue[next] % sign->ink->width);
        int y = (int)(sign->queue[next] / sign->ink->width);

        for (int v = y - 1; v <= y + 1; v++) {
            for (int u = x - 1; u <= x + 1; u++)
                take(sign, u, v);
        }
        for (int v = y - sign->gap_down; v <= y + sign->gap_down; v++)
            take(sign, x, v);
    }
}

/* Letters of a word have others at their sides. */
static bool is_alone(const struct sign *sign, int distance)
{
    int quarter = box_height(sign->box) / 4;

    for (int y = sign->box.top + quarter; y < sign->box.bottom - quarter; y++) {
        for (int i = 1; i <= distance; i++) {
            if (is_dark(sign->ink, sign->box.left - i, y) ||
                is_dark(sign->ink, sign->box.right - 1 + i, y))
                return false;
        }
    }
    return true;
}

/* A copy of the sign and of the white around it. */
static bool cut_out(const struct sign *sign, int margin, struct picture *to,
                    struct err *err)
{
    struct box box = box_inset(sign->box, -margin);

    if (!picture_resize(to, (uint32_t)box_width(box), (uint32_t)box_height(box),
                        err))
        return false;
    memset(to->pixels, 255, to->stride * to->height);
    for (int y = sign->box.top; y < sign->box.bottom; y++) {
        for (int x = sign->box.left; x < sign->box.right; x++) {
            const uint8_t *from = picture_row(sign->ink, (uint32_t)y);
            uint8_t *row = picture_row(to, (uint32_t)(y - box.top));

            if (sign->taken[(size_t)y * sign->ink->width + (size_t)x] ||
                !is_dark(sign->ink, x, y))
                memcpy(row + (size_t)(x - box.left) * PICTURE_PIXEL,
                       from + (size_t)x * PICTURE_PIXEL, PICTURE_PIXEL);
        }
    }
    return true;
}

/* Keep a single letter or digit; icons are read as several. */
static void keep_sign(struct ocr_text *text)
{
    char *word = text->count == 1 ? text->words[0].text.text : NULL;

    if (word && !strcmp(word, "|"))
        *word = 'l';
    if (!word || !isalnum((unsigned char)word[0]) || word[1])
        ocr_text_release(text);
}

static bool read_sign(const struct sign *sign, const struct picture *picture,
                      struct box part, const struct ocr_cache *cache,
                      struct deadline by, const struct cancel *cancel,
                      struct ocr_text *text, struct err *err)
{
    int side = (int)(picture->width < picture->height ? picture->width
                                                      : picture->height);
    struct box box = box_inset(sign->box, -(side / MARGIN));
    struct ocr_text found = OCR_TEXT_INIT;
    struct picture alone = PICTURE_INIT;
    bool done = true;

    if (sign->count && box_width(sign->box) <= side / SIGN_MAX &&
        box_height(sign->box) <= side / SIGN_MAX &&
        is_alone(sign, side / ALONE)) {
        const struct box place = {part.left + box.left, part.top + box.top,
                                  part.left + box.right, part.top + box.bottom};

        done =
            cut_out(sign, side / MARGIN, &alone, err) &&
            ocr_read_binarized(&alone, place, ocr_scale(picture),
                               OCR_LAYOUT_WORD, cache, by, cancel, &found, err);
        picture_release(&alone);
    }
    if (done) {
        keep_sign(&found);
        *text = found;
    }
    return done;
}

bool ocr_read_key(const struct picture *picture, int x, int y,
                  const struct ocr_cache *cache, struct deadline by,
                  const struct cancel *cancel, struct ocr_text *text,
                  struct err *err)
{
    int side = (int)(picture->width < picture->height ? picture->width
                                                      : picture->height);
    int reach = side / KEY_REACH;
    const struct box whole = {0, 0, (int)picture->width, (int)picture->height};
    struct box part = box_meet(
        (struct box){x - reach, y - reach, x + reach, y + reach}, whole);
    struct picture ink = PICTURE_INIT;
    struct sign sign = {.ink = &ink, .gap_down = side / GAP_DOWN};
    bool done;

    if (box_is_empty(part))
        return err_set(err, ERR_INVALID,
                       "that part has no pixels of the picture");
    if (!ocr_binarize(picture, part, &ink, err))
        return false;
    sign.taken = mem_new((size_t)ink.width * ink.height, sizeof(*sign.taken));
    sign.queue = mem_new((size_t)ink.width * ink.height, sizeof(*sign.queue));
    take_nearest(&sign, x - part.left, y - part.top);
    take_rest(&sign);
    done = read_sign(&sign, picture, part, cache, by, cancel, text, err);
    free(sign.taken);
    free(sign.queue);
    picture_release(&ink);
    return done;
}
