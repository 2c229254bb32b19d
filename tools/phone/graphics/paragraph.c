#include "tools/phone/graphics/paragraph.h"

#include <string.h>

static const char ellipsis[] = "\xe2\x80\xa6";

/* One line of a paragraph. */
struct paragraph_line {
    const char *text;
    size_t length; /* length that is drawn */
    size_t bytes;  /* length up to the next line, including the blank at the
                      break */
};

/* A line may be broken between two of these characters, and next to one. */
static bool is_ideograph(uint32_t c)
{
    return (c >= 0x2e80 && c <= 0x9fff) || (c >= 0xac00 && c <= 0xd7af) ||
           (c >= 0xf900 && c <= 0xfaff) || (c >= 0x20000 && c <= 0x3ffff);
}

/* Characters that never begin a line. */
static bool is_closing(uint32_t c)
{
    return (c >= 0x3001 && c <= 0x3002) || c == 0x300d || c == 0x300b ||
           c == 0xff0c || c == 0xff01 || c == 0xff1f || c == 0xff09 ||
           c == 0xff1a || c == 0xff1b;
}

/* The line at the start of text, which has length bytes. */
static struct paragraph_line line_at(const struct paragraph *p,
                                     const char *text, size_t length)
{
    struct paragraph_line good = {text, 0,
                                  0}; /* length up to the last possible break */
    size_t at = 0;
    int pen = 0;
    bool beside = false; /* the character before was an ideograph */

    while (at < length) {
        struct font_step step =
            fonts_step(p->fonts, p->font, text + at, length - at);

        if (step.character == '\n')
            return (struct paragraph_line){text, at, at + 1};
        if (at && !is_closing(step.character) &&
            (beside || is_ideograph(step.character)))
            good = (struct paragraph_line){text, at, at};
        if (step.character == ' ')
            good = (struct paragraph_line){text, at, at + 1};
        pen += step.advance;
        if ((pen + 63) / 64 > p->width && step.character != ' ' && at)
            return good.bytes ? good : (struct paragraph_line){text, at, at};
        beside = is_ideograph(step.character);
        at += step.bytes;
    }
    return (struct paragraph_line){text, at, at};
}

/* As much of text as fits before an ellipsis. */
static size_t cut(const struct paragraph *p, const char *text, size_t length)
{
    int room = (p->width -
                fonts_measure(p->fonts, p->font, ellipsis, strlen(ellipsis))) *
               64;
    size_t at = 0;

    while (at < length && text[at] != '\n') {
        struct font_step step =
            fonts_step(p->fonts, p->font, text + at, length - at);

        room -= step.advance;
        if (room < 0)
            break;
        at += step.bytes;
    }
    while (at && text[at - 1] == ' ')
        at--;
    return at;
}

/* Called for each line; is_cut if an ellipsis follows it. */
typedef void line_fn(const struct paragraph *paragraph, int number,
                     const struct paragraph_line *line, bool is_cut,
                     void *context);

static int each_line(const struct paragraph *p, line_fn *use, void *context)
{
    const char *text = p->text;
    size_t left = strlen(text);
    bool ended = false; /* ends with a newline, so another line follows */
    int number = 0;

    while (left || ended) {
        struct paragraph_line line = line_at(p, text, left);
        bool is_cut = number + 1 == p->lines_max && line.bytes < left;

        if (is_cut)
            line.length = cut(p, text, left);
        use(p, number++, &line, is_cut, context);
        if (is_cut)
            break;
        ended = line.bytes && text[line.bytes - 1] == '\n';
        text += line.bytes;
        left -= line.bytes;
    }
    return number;
}

static int line_width(const struct paragraph *p,
                      const struct paragraph_line *line, bool is_cut)
{
    int width = fonts_measure(p->fonts, p->font, line->text, line->length);

    if (is_cut)
        width += fonts_measure(p->fonts, p->font, ellipsis, strlen(ellipsis));
    return width;
}

static void measure_line(const struct paragraph *p, int number,
                         const struct paragraph_line *line, bool is_cut,
                         void *context)
{
    struct paragraph_size *size = context;
    int width = line_width(p, line, is_cut);

    (void)number;
    if (width > size->width)
        size->width = width;
}

static uint64_t pack(int high, int low)
{
    return (uint64_t)(uint32_t)high << 32U | (uint32_t)low;
}

/* Its lines, and the width of the longest one. */
static void measure_lines(const struct paragraph *p,
                          struct paragraph_size *size)
{
    struct text_size_cache *sizes = fonts_text_sizes(p->fonts);
    uint64_t key = text_size_key(p->text, strlen(p->text),
                                 pack((int)p->font.weight, p->font.size),
                                 pack(p->width, p->lines_max));
    uint64_t known;

    if (text_size_cache_find(sizes, key, &known)) {
        size->lines = (int)(known >> 32U);
        size->width = (int)(uint32_t)known;
        return;
    }
    size->lines = each_line(p, measure_line, size);
    text_size_cache_put(sizes, key, pack(size->lines, size->width));
}

struct paragraph_size paragraph_measure(const struct paragraph *paragraph)
{
    struct paragraph_size size = {0};
    struct font_metrics metrics =
        fonts_metrics(paragraph->fonts, paragraph->font);

    measure_lines(paragraph, &size);
    size.height = (size.lines ? size.lines : 1) * metrics.line;
    return size;
}

struct drawing {
    struct canvas *canvas;
    struct box box;
    enum paragraph_align align;
    uint32_t color;
};

static void draw_line(const struct paragraph *p, int number,
                      const struct paragraph_line *line, bool is_cut,
                      void *context)
{
    const struct drawing *drawing = context;
    struct font_metrics metrics = fonts_metrics(p->fonts, p->font);
    int width = line_width(p, line, is_cut);
    int rest = box_width(drawing->box) - width;
    struct font_place place = {drawing->box.left, drawing->box.top +
                                                      number * metrics.line +
                                                      metrics.ascent};

    if (drawing->align == PARAGRAPH_CENTER)
        place.x += rest / 2;
    if (drawing->align == PARAGRAPH_RIGHT)
        place.x += rest;
    fonts_draw(p->fonts, p->font, drawing->canvas, place, line->text,
               line->length, drawing->color);
    if (!is_cut)
        return;
    place.x += fonts_measure(p->fonts, p->font, line->text, line->length);
    fonts_draw(p->fonts, p->font, drawing->canvas, place, ellipsis,
               strlen(ellipsis), drawing->color);
}

void paragraph_draw(const struct paragraph *paragraph, struct canvas *canvas,
                    struct box box, enum paragraph_align align, uint32_t color)
{
    struct drawing drawing = {canvas, box, align, color};

    each_line(paragraph, draw_line, &drawing);
}

/* ---- positions ---- */

struct spot_search {
    size_t offset; /* the requested offset */
    struct paragraph_spot spot;
};

static void find_spot(const struct paragraph *p, int number,
                      const struct paragraph_line *line, bool is_cut,
                      void *context)
{
    struct spot_search *search = context;
    size_t start = (size_t)(line->text - p->text);
    size_t within;

    (void)is_cut;
    if (search->offset < start)
        return;
    within = search->offset - start;
    within = within < line->length ? within : line->length;
    search->spot.x = fonts_measure(p->fonts, p->font, line->text, within);
    search->spot.y = number * fonts_metrics(p->fonts, p->font).line;
}

struct paragraph_spot paragraph_spot(const struct paragraph *paragraph,
                                     size_t offset)
{
    struct spot_search search = {.offset = offset};

    each_line(paragraph, find_spot, &search);
    return search.spot;
}

struct offset_search {
    int x, y;
    size_t offset;
};

static void find_offset(const struct paragraph *p, int number,
                        const struct paragraph_line *line, bool is_cut,
                        void *context)
{
    struct offset_search *search = context;
    int pen = 0;
    size_t at = 0;

    (void)is_cut;
    if (number && search->y < number * fonts_metrics(p->fonts, p->font).line)
        return;
    while (at < line->length) {
        struct font_step step =
            fonts_step(p->fonts, p->font, line->text + at, line->length - at);

        if ((pen + step.advance / 2) / 64 > search->x)
            break;
        pen += step.advance;
        at += step.bytes;
    }
    search->offset = (size_t)(line->text - p->text) + at;
}

size_t paragraph_offset(const struct paragraph *paragraph, int x, int y)
{
    struct offset_search search = {x, y, 0};

    each_line(paragraph, find_offset, &search);
    return search.offset;
}
