#include "tests/tools/phone/graphics/contact_sheet.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <ft2build.h>
#include FT_FREETYPE_H

#include "base/file.h"
#include "base/picture/canvas.h"
#include "base/picture/png.h"

/* The FreeType that the golden pictures were drawn with. */
#define GOLDEN_MAJOR 2
#define GOLDEN_MINOR 12

#define MARGIN 6 /* pixels between screens */
#define GOLDEN_MAX ((size_t)4 << 20)

/* Of another FreeType: the most that a byte, and all on average, may differ. */
#define FAR_OFF 60
#define OFF_ON_AVERAGE 2

void contact_sheet_init(struct contact_sheet *sheet, int columns, int screens)
{
    int rows = (screens + columns - 1) / columns;
    struct err err = ERR_INIT;
    struct canvas canvas;

    *sheet = (struct contact_sheet){.columns = columns};
    assert_true(picture_resize(
        &sheet->picture,
        (uint32_t)(columns * (CONTACT_WIDTH + MARGIN) + MARGIN),
        (uint32_t)(rows * (CONTACT_HEIGHT + MARGIN) + MARGIN), &err));
    canvas_init(&canvas, &sheet->picture);
    canvas_fill(&canvas, canvas.clip, 0xffffffff);
}

void contact_sheet_release(struct contact_sheet *sheet)
{
    picture_release(&sheet->picture);
}

/* The mean of the part of screen that is one pixel of a small one. */
static void shrink_pixel(const struct picture *screen, struct box part,
                         uint8_t *pixel)
{
    uint64_t sums[3] = {0};
    uint64_t count = (uint64_t)box_width(part) * (uint64_t)box_height(part);

    for (int y = part.top; y < part.bottom; y++) {
        const uint8_t *row = picture_row(screen, (uint32_t)y);

        for (int x = part.left; x < part.right; x++) {
            for (int i = 0; i < 3; i++)
                sums[i] += row[x * PICTURE_PIXEL + i];
        }
    }
    for (int i = 0; i < 3; i++)
        pixel[i] = (uint8_t)((sums[i] + count / 2) / count);
    pixel[3] = 255;
}

void contact_sheet_add(struct contact_sheet *sheet,
                       const struct picture *screen)
{
    int left =
        MARGIN + sheet->count % sheet->columns * (CONTACT_WIDTH + MARGIN);
    int top =
        MARGIN + sheet->count / sheet->columns * (CONTACT_HEIGHT + MARGIN);
    bool wide = screen->width > screen->height;
    int width = CONTACT_WIDTH;
    int height = wide ? width * width / CONTACT_HEIGHT : CONTACT_HEIGHT;

    for (int y = 0; y < height; y++) {
        uint8_t *row = picture_row(&sheet->picture, (uint32_t)(top + y)) +
                       left * PICTURE_PIXEL;

        for (int x = 0; x < width; x++) {
            struct box part = {
                (int)screen->width * x / width,
                (int)screen->height * y / height,
                (int)screen->width * (x + 1) / width,
                (int)screen->height * (y + 1) / height,
            };

            shrink_pixel(screen, part, row + x * PICTURE_PIXEL);
        }
    }
    sheet->count++;
}

/* ---- comparing ---- */

static void write_golden(const struct picture *picture, const char *path)
{
    struct buf png = BUF_INIT(GOLDEN_MAX);
    struct err err = ERR_INIT;

    assert_true(png_encode(picture, PNG_COMPACT, &png, &err));
    assert_true(file_save(path, 0666, png.data, png.length, &err));
    buf_release(&png);
}

static bool is_golden_freetype(void)
{
    FT_Library library;
    FT_Int major, minor, patch;

    assert_int_equal(FT_Init_FreeType(&library), 0);
    FT_Library_Version(library, &major, &minor, &patch);
    FT_Done_FreeType(library);
    return major == GOLDEN_MAJOR && minor == GOLDEN_MINOR;
}

static void compare(const struct picture *picture, const struct picture *golden)
{
    uint64_t off = 0;
    int most = 0;

    assert_int_equal(picture->width, golden->width);
    assert_int_equal(picture->height, golden->height);
    for (uint32_t y = 0; y < picture->height; y++) {
        const uint8_t *row = picture_row(picture, y);
        const uint8_t *wanted = picture_row(golden, y);

        for (uint32_t i = 0; i < picture->width * PICTURE_PIXEL; i++) {
            int differs = abs(row[i] - wanted[i]);

            most = differs > most ? differs : most;
            off += (uint64_t)differs;
        }
    }
    if (is_golden_freetype()) {
        assert_int_equal(most, 0);
        return;
    }
    assert_in_range(most, 0, FAR_OFF);
    assert_in_range(off, 0,
                    OFF_ON_AVERAGE * (uint64_t)picture->width *
                        picture->height * PICTURE_PIXEL);
}

void contact_sheet_check(const struct contact_sheet *sheet, const char *name)
{
    struct picture golden = PICTURE_INIT;
    struct buf png = BUF_INIT(GOLDEN_MAX);
    struct err err = ERR_INIT;
    char path[4096];

    snprintf(path, sizeof(path), GOLDENS "/%s.png", name);
    if (getenv("PROCTOR_WRITE_GOLDENS")) {
        write_golden(&sheet->picture, path);
        return;
    }
    assert_true(file_load(path, &png, &err));
    assert_true(png_decode(png.data, png.length, &golden, &err));
    compare(&sheet->picture, &golden);
    picture_release(&golden);
    buf_release(&png);
}
