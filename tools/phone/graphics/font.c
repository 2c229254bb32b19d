#include "tools/phone/graphics/font.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "tools/phone/graphics/glyph_cache.h"
#include "tools/phone/graphics/vector_path.h"

#define ROBOTO_DIRECTORY "/usr/share/fonts/truetype/roboto/unhinted/RobotoTTF"
#define PATH_SIZE 4096

#define AS_TEXT 0xfe0eU  /* variation selectors: they choose the form */
#define AS_EMOJI 0xfe0fU /* of the character before them */
#define JOINER 0x200dU

/* Files of the fonts; the first four are the weights of Roboto, in order. */
enum { FACE_CHINESE = FONT_BOLD + 1, FACE_EMOJI, FACES };

static const struct face_file {
    const char *directory;
    const char *name;
    const char *package;
} files[FACES] = {
    [FONT_REGULAR] = {ROBOTO_DIRECTORY, "Roboto-Regular.ttf",
                      "fonts-roboto-unhinted"},
    [FONT_LIGHT] = {ROBOTO_DIRECTORY, "Roboto-Light.ttf",
                    "fonts-roboto-unhinted"},
    [FONT_MEDIUM] = {ROBOTO_DIRECTORY, "Roboto-Medium.ttf",
                     "fonts-roboto-unhinted"},
    [FONT_BOLD] = {ROBOTO_DIRECTORY, "Roboto-Bold.ttf",
                   "fonts-roboto-unhinted"},
    [FACE_CHINESE] = {"/usr/share/fonts-droid-fallback/truetype",
                      "DroidSansFallback.ttf", "fonts-droid-fallback"},
    [FACE_EMOJI] = {"/usr/share/fonts/truetype/noto", "NotoColorEmoji.ttf",
                    "fonts-noto-color-emoji"},
};

/*
 * How far letters advance the pen, by their hash. Layout asks for little else,
 * from all threads: an entry is one number, which needs no lock.
 */
#define ADVANCES 8192U
#define ADVANCE_BITS 26U
#define ADVANCE_SIZE_BITS 14U
#define ADVANCE_WEIGHT_BITS 2U

struct phone_fonts {
    _Atomic uint64_t advances[ADVANCES]; /* key and advance; 0: none */
    struct text_size_cache sizes;
    pthread_mutex_t lock; /* guards everything below */
    FT_Library library;
    FT_Face faces[FACES]; /* NULL: not opened yet, or not usable */
    FT_StreamRec streams[FACES];
    bool tried[FACES];
    struct glyph_cache cache;
};

/* ---- opening ---- */

static void path_of(const struct face_file *file, char path[PATH_SIZE])
{
    const char *directory = getenv(FONTS_VARIABLE);

    snprintf(path, PATH_SIZE, "%s/%s", directory ? directory : file->directory,
             file->name);
}

static bool find_file(const struct face_file *file, struct err *err)
{
    char path[PATH_SIZE];

    path_of(file, path);
    return !access(path, R_OK) ||
           err_set(err, ERR_NOT_FOUND,
                   "there is no font %s: install %s, or name the "
                   "directory of its files in " FONTS_VARIABLE,
                   path, file->package);
}

/*
 * FreeType's read function. With count 0 it only asks whether the offset
 * exists: 0 means yes.
 */
static unsigned long read_font(FT_Stream stream, unsigned long offset,
                               unsigned char *bytes, unsigned long count)
{
    ssize_t got;

    if (!count)
        return offset > stream->size;
    got = pread((int)stream->descriptor.value, bytes, count, (off_t)offset);
    return got > 0 ? (unsigned long)got : 0;
}

static void close_font(FT_Stream stream)
{
    close((int)stream->descriptor.value);
}

static bool open_stream(const char *path, FT_Stream stream)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat facts;

    if (fd < 0)
        return false;
    if (fstat(fd, &facts)) {
        close(fd);
        return false;
    }
    *stream = (FT_StreamRec){.size = (unsigned long)facts.st_size,
                             .descriptor = {.value = fd},
                             .read = read_font,
                             .close = close_font};
    return true;
}

/* Read on demand: FreeType would map the whole file. */
static bool open_face(struct phone_fonts *fonts, size_t at, struct err *err)
{
    FT_Stream stream = &fonts->streams[at];
    const FT_Open_Args from = {.flags = FT_OPEN_STREAM, .stream = stream};
    char path[PATH_SIZE];

    fonts->tried[at] = true;
    path_of(&files[at], path);
    return (open_stream(path, stream) &&
            !FT_Open_Face(fonts->library, &from, 0, &fonts->faces[at])) ||
           err_set(err, ERR_INVALID, "%s is not a usable font", path);
}

/* All files must exist, but rarely used ones are opened on first use. */
static bool open_faces(struct phone_fonts *fonts, struct err *err)
{
    for (size_t i = 0; i < FACES; i++) {
        if (!find_file(&files[i], err) ||
            (i <= FONT_BOLD && !open_face(fonts, i, err)))
            return false;
    }
    return true;
}

bool fonts_open(struct phone_fonts **fonts, struct err *err)
{
    struct phone_fonts *made = mem_new(1, sizeof(*made));

    if (FT_Init_FreeType(&made->library))
        mem_out();
    pthread_mutex_init(&made->lock, NULL);
    if (!open_faces(made, err)) {
        fonts_close(made);
        return false;
    }
    *fonts = made;
    return true;
}

void fonts_close(struct phone_fonts *fonts)
{
    if (!fonts)
        return;
    glyph_cache_clear(&fonts->cache);
    FT_Done_FreeType(fonts->library);
    pthread_mutex_destroy(&fonts->lock);
    free(fonts);
}

struct text_size_cache *fonts_text_sizes(struct phone_fonts *fonts)
{
    return &fonts->sizes;
}

/* ---- characters ---- */

/* A combining character: it has no width. */
static bool is_attached(uint32_t character)
{
    return character == AS_TEXT || character == AS_EMOJI ||
           character == JOINER ||
           (character >= 0x1f3fb && character <= 0x1f3ff); /* skin tones */
}

/* A character with its combining characters. */
struct letter {
    uint32_t character;
    size_t bytes;
    bool emoji; /* the requested form */
};

static struct letter letter_at(const char *text, size_t length)
{
    struct letter letter = {0};

    letter.character = utf8_decode(text, length, &letter.bytes);
    while (letter.bytes < length) {
        size_t more;
        uint32_t next =
            utf8_decode(text + letter.bytes, length - letter.bytes, &more);

        if (!is_attached(next))
            break;
        letter.bytes += more;
        letter.emoji = letter.emoji || next == AS_EMOJI;
    }
    return letter;
}

/* The glyph index of a character in a font; 0 if it has none. */
static uint32_t index_in(struct phone_fonts *fonts, size_t face,
                         uint32_t character)
{
    struct err err;

    if (!fonts->tried[face] && !open_face(fonts, face, &err))
        return 0;
    return fonts->faces[face] ? FT_Get_Char_Index(fonts->faces[face], character)
                              : 0;
}

/* The font that has the character, and its glyph index; 0 if none has it. */
static uint32_t find_glyph(struct phone_fonts *fonts, enum font_weight weight,
                           const struct letter *letter, size_t *face)
{
    const size_t order[] = {letter->emoji ? FACE_EMOJI : (size_t)weight, weight,
                            FACE_CHINESE, FACE_EMOJI};

    for (size_t i = 0; i < ARRAY_LEN(order); i++) {
        uint32_t index = index_in(fonts, order[i], letter->character);

        if (index) {
            *face = order[i];
            return index;
        }
    }
    *face = weight;
    return 0;
}

/* ---- glyphs ---- */

static struct glyph *blank_glyph(void)
{
    return glyph_new(0, 0, false);
}

/* The Chinese font has one weight: bolder text is drawn with a wider pen. */
static void embolden(FT_GlyphSlot slot, enum font_weight weight, int size)
{
    if (weight == FONT_MEDIUM)
        FT_Outline_Embolden(&slot->outline, size / 40);
    if (weight == FONT_BOLD)
        FT_Outline_Embolden(&slot->outline, size / 24);
}

static struct glyph *draw_outline(FT_Face face, uint32_t index,
                                  struct phone_font font, bool fallback)
{
    FT_GlyphSlot slot = face->glyph;
    struct glyph *glyph;

    if (FT_Set_Char_Size(face, font.size, font.size, 72, 72) ||
        FT_Load_Glyph(face, index, FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP))
        return blank_glyph();
    if (fallback)
        embolden(slot, font.weight, font.size);
    if (FT_Render_Glyph(slot, FT_RENDER_MODE_NORMAL))
        return blank_glyph();
    glyph = glyph_new((int)slot->bitmap.width, (int)slot->bitmap.rows, false);
    glyph->left = slot->bitmap_left;
    glyph->top = slot->bitmap_top;
    glyph->advance = (int)(slot->linearHoriAdvance >> 10);
    for (int y = 0; y < glyph->height; y++) {
        for (int x = 0; x < glyph->width; x++)
            glyph->pixels[y * glyph->width + x] =
                slot->bitmap.buffer[y * slot->bitmap.pitch + x];
    }
    return glyph;
}

/* The mean of the pixels of bitmap that one pixel of glyph covers. */
static void shrink_pixel(const FT_Bitmap *bitmap, const struct glyph *glyph,
                         int x, int y, uint8_t pixel[4])
{
    static const int order[4] = {2, 1, 0, 3}; /* FreeType's is BGRA */
    int width = (int)bitmap->width;
    int height = (int)bitmap->rows;
    int left = x * width / glyph->width;
    int right = (x + 1) * width / glyph->width;
    int top = y * height / glyph->height;
    int bottom = (y + 1) * height / glyph->height;
    int sums[4] = {0};
    int count;

    right = right > left ? right : left + 1;
    bottom = bottom > top ? bottom : top + 1;
    count = (right - left) * (bottom - top);
    for (int v = top; v < bottom; v++) {
        const uint8_t *from = bitmap->buffer + v * bitmap->pitch + left * 4;

        for (int i = 0; i < (right - left) * 4; i++)
            sums[i % 4] += from[i];
    }
    for (int i = 0; i < 4; i++)
        pixel[i] = (uint8_t)((sums[order[i]] + count / 2) / count);
}

/* Emoji are bitmaps of one size; size is the requested one, in pixels. */
static struct glyph *draw_emoji(FT_Face face, uint32_t index, int size)
{
    FT_GlyphSlot slot = face->glyph;
    struct glyph *glyph;
    int em;

    if (!face->num_fixed_sizes || FT_Select_Size(face, 0) ||
        FT_Load_Glyph(face, index, FT_LOAD_COLOR) ||
        slot->bitmap.pixel_mode != FT_PIXEL_MODE_BGRA)
        return blank_glyph();
    em = (int)(face->available_sizes[0].y_ppem / 64);
    glyph = glyph_new((int)((long)slot->bitmap.width * size / em),
                      (int)((long)slot->bitmap.rows * size / em), true);
    glyph->left = (int)((long)slot->bitmap_left * size / em);
    glyph->top = (int)((long)slot->bitmap_top * size / em);
    glyph->advance = (int)(slot->advance.x * size / em);
    for (int y = 0; y < glyph->height; y++) {
        for (int x = 0; x < glyph->width; x++)
            shrink_pixel(&slot->bitmap, glyph, x, y,
                         &glyph->pixels[(y * glyph->width + x) * 4]);
    }
    return glyph_crop(glyph);
}

static const struct glyph *glyph_of(struct phone_fonts *fonts,
                                    struct phone_font font,
                                    const struct letter *letter)
{
    size_t at;
    uint32_t index = find_glyph(fonts, font.weight, letter, &at);
    FT_Face face = fonts->faces[at];
    const struct glyph_key key = {face, index, (uint32_t)font.size,
                                  at == FACE_CHINESE ? (uint32_t)font.weight
                                                     : 0};
    const struct glyph *found = glyph_cache_find(&fonts->cache, &key);
    struct glyph *glyph;

    if (found)
        return found;
    if (at == FACE_EMOJI)
        glyph = draw_emoji(face, index, (font.size + 32) / 64);
    else
        glyph = draw_outline(face, index, font, at == FACE_CHINESE);
    return glyph_cache_add(&fonts->cache, &key, glyph);
}

/* ---- text ---- */

static int round_up(FT_Pos value, int size, int units)
{
    return (int)((value * size / units + 63) / 64);
}

struct font_metrics fonts_metrics(struct phone_fonts *fonts,
                                  struct phone_font font)
{
    FT_Face face = fonts->faces[font.weight];
    int units = face->units_per_EM;

    return (struct font_metrics){
        .ascent = round_up(face->ascender, font.size, units),
        .descent = round_up(-face->descender, font.size, units),
        .line = round_up(face->height, font.size, units),
    };
}

/* The letter in this font as a number; 0 when the size is out of bounds. */
static uint64_t advance_key(struct phone_font font, const struct letter *letter)
{
    uint64_t key = (uint64_t)letter->character << 1U | letter->emoji;

    if (font.size <= 0 || font.size >= 1 << ADVANCE_SIZE_BITS)
        return 0;
    key = key << ADVANCE_WEIGHT_BITS | (uint64_t)font.weight;
    return key << ADVANCE_SIZE_BITS | (uint64_t)font.size;
}

static int advance_of(struct phone_fonts *fonts, struct phone_font font,
                      const struct letter *letter)
{
    uint64_t key = advance_key(font, letter);
    uint64_t slot = (key * UINT64_C(0x9e3779b97f4a7c15) >> 32U) % ADVANCES;
    uint64_t known =
        atomic_load_explicit(&fonts->advances[slot], memory_order_relaxed);
    int advance;

    if (key && known >> ADVANCE_BITS == key)
        return (int)(known & ((1U << ADVANCE_BITS) - 1));
    pthread_mutex_lock(&fonts->lock);
    advance = glyph_of(fonts, font, letter)->advance;
    pthread_mutex_unlock(&fonts->lock);
    if (key && advance >= 0 && advance < 1 << ADVANCE_BITS)
        atomic_store_explicit(&fonts->advances[slot],
                              key << ADVANCE_BITS | (uint64_t)advance,
                              memory_order_relaxed);
    return advance;
}

struct font_step fonts_step(struct phone_fonts *fonts, struct phone_font font,
                            const char *text, size_t length)
{
    struct letter letter = letter_at(text, length);

    return (struct font_step){letter.bytes, letter.character,
                              advance_of(fonts, font, &letter)};
}

int fonts_measure(struct phone_fonts *fonts, struct phone_font font,
                  const char *text, size_t length)
{
    int width = 0;

    while (length) {
        struct letter letter = letter_at(text, length);

        width += advance_of(fonts, font, &letter);
        text += letter.bytes;
        length -= letter.bytes;
    }
    return (width + 63) / 64;
}

static void draw_glyph(const struct glyph *glyph, struct canvas *canvas, int x,
                       int y, uint32_t color)
{
    int left = x + glyph->left;
    int top = y - glyph->top;
    struct box box = {left, top, left + glyph->width, top + glyph->height};

    if (glyph->coloured)
        canvas_stamp(canvas, box, glyph->pixels);
    else
        canvas_mask(canvas, box, glyph->pixels, color);
}

void fonts_draw(struct phone_fonts *fonts, struct phone_font font,
                struct canvas *canvas, struct font_place place,
                const char *text, size_t length, uint32_t color)
{
    int pen = place.x * 64 + 32;

    pthread_mutex_lock(&fonts->lock);
    while (length) {
        struct letter letter = letter_at(text, length);
        const struct glyph *glyph = glyph_of(fonts, font, &letter);

        draw_glyph(glyph, canvas, pen >> 6, place.y, color);
        pen += glyph->advance;
        text += letter.bytes;
        length -= letter.bytes;
    }
    pthread_mutex_unlock(&fonts->lock);
}

void fonts_draw_shape(struct phone_fonts *fonts, struct font_shape shape,
                      struct canvas *canvas, struct font_place corner, int size,
                      uint32_t color)
{
    const struct glyph_key key = {shape.outline, (uint32_t)size,
                                  (uint32_t)(shape.pen * 64), 0};
    const struct glyph *glyph;

    pthread_mutex_lock(&fonts->lock);
    glyph = glyph_cache_find(&fonts->cache, &key);
    if (!glyph)
        glyph = glyph_cache_add(
            &fonts->cache, &key,
            vector_path_draw(fonts->library, shape.outline, shape.pen, size));
    draw_glyph(glyph, canvas, corner.x, corner.y + size, color);
    pthread_mutex_unlock(&fonts->lock);
}
