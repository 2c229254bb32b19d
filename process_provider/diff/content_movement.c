#include "process_provider/diff/content_movement.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/*
 * The changed box is cut into strips along the axis of the movement, and each
 * strip into lines of one pixel across it. Lines that show something have a
 * hash; equal lines that are found elsewhere vote for the way they went.
 *
 *     vertical             horizontal
 *     strip strip strip    line line line …
 *     ┌────┬────┬────┐     ┌─┬─┬─┐
 *     │line│line│line│     │ │ │ │ strip
 *     ├────┼────┼────┤     ├─┼─┼─┤
 *     │line│line│line│     │ │ │ │ strip
 *     …                    …
 *
 * Strips make it bear what covers a part: a scroll bar, a button.
 */
#define STRIPS 8

/*
 * How many lines must have moved: of all that changed, of those that a movement
 * of everything would explain, and where they are. When a button or an item
 * alone is elsewhere on another screen, the rest is not explained by it.
 */
#define LINES_MIN 40
#define SHARE_OF_ALL 0.1
#define SHARE_OF_COVERED 0.33
#define SHARE_INSIDE 0.5

/* Of the picture. Smaller changes are the clock and the icons beside it. */
#define SHARE_OF_PICTURE 0.02

/* Instead of a hash: a line of one colour, which would match many others. */
#define PLAIN 0U

enum axis {
    VERTICAL,
    HORIZONTAL,
};

struct strips {
    enum axis axis;
    struct box box;
    int lines;        /* of each strip */
    uint64_t *before; /* owned; strip by strip */
    uint64_t *after;  /* owned */
};

static uint64_t mix(uint64_t hash, uint64_t more)
{
    hash = (hash ^ more) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static struct box strip_box(const struct strips *strips, int strip)
{
    struct box box = strips->box;

    if (strips->axis == VERTICAL) {
        box.left += box_width(strips->box) * strip / STRIPS;
        box.right =
            strips->box.left + box_width(strips->box) * (strip + 1) / STRIPS;
    } else {
        box.top += box_height(strips->box) * strip / STRIPS;
        box.bottom =
            strips->box.top + box_height(strips->box) * (strip + 1) / STRIPS;
    }
    return box;
}

/* A vertical strip: each line is a part of a row. */
static uint64_t hash_row(const uint8_t *pixels, size_t size)
{
    uint64_t hash = 0;
    uint64_t word = 0;

    if (!memcmp(pixels, pixels + PICTURE_PIXEL, size - PICTURE_PIXEL))
        return PLAIN;
    for (; size >= sizeof(word); size -= sizeof(word)) {
        memcpy(&word, pixels, sizeof(word));
        hash = mix(hash, word);
        pixels += sizeof(word);
    }
    memcpy(&word, pixels, size);
    return mix(hash, word) | 1;
}

static void hash_rows(struct box box, const struct picture *picture,
                      uint64_t *hashes)
{
    size_t skip = (size_t)box.left * PICTURE_PIXEL;
    size_t size = (size_t)box_width(box) * PICTURE_PIXEL;

    for (int y = box.top; y < box.bottom; y++)
        *hashes++ = hash_row(picture_row(picture, (uint32_t)y) + skip, size);
}

/* A horizontal one: row after row, for that is how memory is quick. */
static void hash_columns(struct box box, const struct picture *picture,
                         uint64_t *hashes)
{
    size_t skip = (size_t)box.left * PICTURE_PIXEL;
    size_t width = (size_t)box_width(box);
    const uint8_t *first = picture_row(picture, (uint32_t)box.top) + skip;
    uint8_t *varied = mem_new(width, 1);

    for (int y = box.top; y < box.bottom; y++) {
        const uint8_t *row = picture_row(picture, (uint32_t)y) + skip;

        for (size_t x = 0; x < width; x++) {
            uint32_t pixel, above;

            memcpy(&pixel, row + x * PICTURE_PIXEL, sizeof(pixel));
            memcpy(&above, first + x * PICTURE_PIXEL, sizeof(above));
            hashes[x] = mix(hashes[x], pixel);
            varied[x] |= pixel != above;
        }
    }
    for (size_t x = 0; x < width; x++)
        hashes[x] = varied[x] ? hashes[x] | 1 : PLAIN;
    free(varied);
}

static uint64_t *hash_all(const struct strips *strips,
                          const struct picture *picture)
{
    size_t lines = (size_t)strips->lines;
    uint64_t *hashes = mem_new(STRIPS * lines, sizeof(*hashes));

    for (int strip = 0; strip < STRIPS; strip++) {
        struct box box = strip_box(strips, strip);

        if (strips->axis == VERTICAL)
            hash_rows(box, picture, hashes + (size_t)strip * lines);
        else
            hash_columns(box, picture, hashes + (size_t)strip * lines);
    }
    return hashes;
}

static void strips_init(struct strips *strips, enum axis axis, struct box box,
                        const struct picture *before,
                        const struct picture *after)
{
    *strips = (struct strips){
        .axis = axis,
        .box = box,
        .lines = axis == VERTICAL ? box_height(box) : box_width(box),
    };
    strips->before = hash_all(strips, before);
    strips->after = hash_all(strips, after);
}

static void strips_release(struct strips *strips)
{
    free(strips->before);
    free(strips->after);
}

/* A line of the picture before, to be found by its hash. */
struct line_place {
    uint64_t hash;
    int line;
};

static int by_hash(const void *left, const void *right)
{
    const struct line_place *a = left;
    const struct line_place *b = right;

    return (a->hash > b->hash) - (a->hash < b->hash);
}

/* Sort the lines of a strip, less those that are plain or there twice. */
static size_t index_lines(const uint64_t *hashes, int lines,
                          struct line_place *places)
{
    size_t count = 0;
    size_t kept = 0;

    for (int line = 0; line < lines; line++) {
        if (hashes[line] != PLAIN)
            places[count++] = (struct line_place){hashes[line], line};
    }
    qsort(places, count, sizeof(*places), by_hash);
    for (size_t i = 0; i < count; i++) {
        bool twice = (i > 0 && places[i - 1].hash == places[i].hash) ||
                     (i + 1 < count && places[i + 1].hash == places[i].hash);

        if (!twice)
            places[kept++] = places[i];
    }
    return kept;
}

/* Let each line that is found elsewhere vote for how far it went. */
static void vote(const struct strips *strips, int strip,
                 struct line_place *places, uint32_t *votes)
{
    int lines = strips->lines;
    const uint64_t *after = strips->after + (size_t)strip * (size_t)lines;
    const uint64_t *before = strips->before + (size_t)strip * (size_t)lines;
    size_t count = index_lines(before, lines, places);

    for (int line = 0; line < lines; line++) {
        const struct line_place wanted = {.hash = after[line]};
        const struct line_place *found;

        if (after[line] == PLAIN || after[line] == before[line])
            continue;
        found = bsearch(&wanted, places, count, sizeof(*places), by_hash);
        if (found)
            votes[line - found->line + lines]++;
    }
}

/* The way most lines went; 0 when none went anywhere. */
static int favourite(const struct strips *strips)
{
    size_t lines = (size_t)strips->lines;
    struct line_place *places = mem_new(lines, sizeof(*places));
    uint32_t *votes = mem_new(2 * lines + 1, sizeof(*votes));
    size_t best = lines;

    for (int strip = 0; strip < STRIPS; strip++)
        vote(strips, strip, places, votes);
    for (size_t i = 0; i < 2 * lines + 1; i++) {
        if (votes[i] > votes[best])
            best = i;
    }
    free(places);
    free(votes);
    return (int)best - (int)lines;
}

/* Counts of changed lines, assuming that the content moved by offset. */
struct line_tally {
    int changed;     /* and are not plain */
    int covered;     /* of those: offset lines before is within the box */
    int moved;       /* of those: equal to the line offset lines before */
    int places;      /* of those: unlike the lines beside them */
    int first, last; /* lines of places, and the strips with them */
    int first_strip, last_strip;
};

/* Such a line would look the same if it came from either side. */
static bool is_like_neighbours(const uint64_t *hashes, int line, int lines)
{
    return line > 0 && line + 1 < lines && hashes[line] == hashes[line - 1] &&
           hashes[line] == hashes[line + 1];
}

static void add_place(struct line_tally *tally, int strip, int line)
{
    if (!tally->places++) {
        tally->first = tally->last = line;
        tally->first_strip = strip;
    }
    tally->first = line < tally->first ? line : tally->first;
    tally->last = line > tally->last ? line : tally->last;
    tally->last_strip = strip;
}

/* Look at lines from first to last of strips from first to last. */
static struct line_tally tally_lines(const struct strips *strips, int offset,
                                     const struct line_tally *within)
{
    struct line_tally tally = {0};

    for (int strip = within->first_strip; strip <= within->last_strip;
         strip++) {
        size_t at = (size_t)strip * (size_t)strips->lines;
        const uint64_t *before = strips->before + at;
        const uint64_t *after = strips->after + at;

        for (int line = within->first; line <= within->last; line++) {
            int source = line - offset;

            if (after[line] == PLAIN || after[line] == before[line])
                continue;
            tally.changed++;
            if (source < 0 || source >= strips->lines)
                continue;
            tally.covered++;
            if (before[source] != after[line])
                continue;
            tally.moved++;
            if (!is_like_neighbours(after, line, strips->lines))
                add_place(&tally, strip, line);
        }
    }
    return tally;
}

/*
 * The number of lines that are not plain and stayed in place, although they
 * would not have if the content had moved by offset: in the area that the
 * content covers now, and in the area that it came from.
 */
static int count_stayed(const struct strips *strips, int offset,
                        const struct line_tally *within)
{
    int first = within->first - (offset > 0 ? offset : 0);
    int last = within->last - (offset < 0 ? offset : 0);
    int stayed = 0;

    first = first < 0 ? 0 : first;
    last = last >= strips->lines ? strips->lines - 1 : last;
    for (int strip = within->first_strip; strip <= within->last_strip;
         strip++) {
        size_t at = (size_t)strip * (size_t)strips->lines;
        const uint64_t *before = strips->before + at;
        const uint64_t *after = strips->after + at;

        for (int line = first; line <= last; line++) {
            int source = line - offset;
            bool fits = source >= 0 && source < strips->lines &&
                        before[source] == after[line];

            stayed +=
                after[line] != PLAIN && after[line] == before[line] && !fits;
        }
    }
    return stayed;
}

static struct box area_of(const struct strips *strips,
                          const struct line_tally *tally)
{
    struct box box = box_join(strip_box(strips, tally->first_strip),
                              strip_box(strips, tally->last_strip));

    if (strips->axis == VERTICAL) {
        box.bottom = box.top + tally->last + 1;
        box.top += tally->first;
    } else {
        box.right = box.left + tally->last + 1;
        box.left += tally->first;
    }
    return box;
}

/*
 * How many lines moved along an axis; 0: no movement. Much must have moved,
 * more than stayed where it was, and where it is now, little else may have
 * changed.
 */
static int find_along(enum axis axis, struct box changed,
                      const struct picture *before, const struct picture *after,
                      struct content_movement *movement)
{
    struct strips strips;
    struct line_tally all, inside;
    int offset, stayed;

    strips_init(&strips, axis, changed, before, after);
    offset = favourite(&strips);
    all =
        (struct line_tally){.last = strips.lines - 1, .last_strip = STRIPS - 1};
    all = tally_lines(&strips, offset, &all);
    inside = tally_lines(&strips, offset, &all);
    *movement = (struct content_movement){
        .dx = axis == HORIZONTAL ? offset : 0,
        .dy = axis == VERTICAL ? offset : 0,
        .area = area_of(&strips, &all),
    };
    stayed = count_stayed(&strips, offset, &all);
    strips_release(&strips);
    if (!offset || inside.moved < LINES_MIN || inside.moved <= stayed ||
        inside.moved < SHARE_OF_ALL * all.changed ||
        inside.moved < SHARE_OF_COVERED * all.covered ||
        inside.moved < SHARE_INSIDE * inside.changed)
        return 0;
    return inside.moved;
}

static bool is_large(struct box area, const struct picture *picture)
{
    return (double)box_width(area) * box_height(area) >=
           SHARE_OF_PICTURE * (double)picture->width * picture->height;
}

bool content_movement_find(const struct picture *before,
                           const struct picture *after, struct box changed,
                           struct content_movement *movement)
{
    struct content_movement down, across;
    int moved_down, moved_across;

    if (box_width(changed) < STRIPS || box_height(changed) < STRIPS)
        return false;
    moved_down = find_along(VERTICAL, changed, before, after, &down);
    moved_across = find_along(HORIZONTAL, changed, before, after, &across);
    if (!moved_down && !moved_across)
        return false;
    if (moved_across > moved_down)
        down = across;
    if (!is_large(down.area, after))
        return false;
    *movement = down;
    return true;
}
