#include "tools/phone/pictures/pixel_filter.h"

#include <math.h>
#include <string.h>

#include "base/macros.h"
#include "base/picture/luma.h"
#include "tools/phone/pictures/pixel_filter_private.h"

/* ---- kinds ---- */

static const struct {
    const char *name;
    struct pixel_filter_range values[PIXEL_FILTER_VALUES];
} kinds[PIXEL_FILTERS] = {
    [PIXEL_FILTER_LIGHT] = {"light",
                            {{"brightness", -100, 100, 0},
                             {"contrast", -100, 100, 0}}},
    [PIXEL_FILTER_LEVELS] = {"levels",
                             {{"black", 0, 255, 0},
                              {"white", 0, 255, 255},
                              {"middle", 10, 300, 100}}},
    [PIXEL_FILTER_HUE] = {"hue",
                          {{"hue", -180, 180, 0},
                           {"saturation", -100, 100, 0}}},
    [PIXEL_FILTER_GRAY] = {"gray", {{NULL, 0, 0, 0}}},
    [PIXEL_FILTER_SEPIA] = {"sepia", {{NULL, 0, 0, 0}}},
    [PIXEL_FILTER_INVERT] = {"invert", {{NULL, 0, 0, 0}}},
    [PIXEL_FILTER_BLUR] = {"blur", {{"radius", 1, 24, 4}}},
    [PIXEL_FILTER_SHARPEN] = {"sharpen", {{"amount", 1, 200, 60}}},
    [PIXEL_FILTER_MOSAIC] = {"mosaic", {{"cell", 2, 48, 10}}},
    [PIXEL_FILTER_NOISE] = {"noise", {{"amount", 1, 100, 20}}},
};

const char *pixel_filter_name(enum pixel_filter_kind kind)
{
    return kind < PIXEL_FILTERS ? kinds[kind].name : NULL;
}

bool pixel_filter_find(const char *name, enum pixel_filter_kind *kind)
{
    for (int i = 0; i < PIXEL_FILTERS; i++) {
        if (!strcmp(kinds[i].name, name)) {
            *kind = (enum pixel_filter_kind)i;
            return true;
        }
    }
    return false;
}

const struct pixel_filter_range *pixel_filter_range(enum pixel_filter_kind kind,
                                                    int value)
{
    return &kinds[kind].values[value];
}

/* ---- tables: the result for each brightness ---- */

static uint8_t clamped(float value)
{
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value + 0.5F);
}

static void light_table(const int values[], uint8_t table[256])
{
    float contrast = (float)values[1] / 100;
    float slope = contrast < 0 ? 1 + contrast : 1 + contrast * 2;

    for (int i = 0; i < 256; i++)
        table[i] =
            clamped(((float)i - 128) * slope + 128 + (float)values[0] * 1.28F);
}

static void levels_table(const int values[], uint8_t table[256])
{
    float black = (float)values[0];
    float white = (float)(values[1] > values[0] ? values[1] : values[0] + 1);
    float power = 100 / (float)values[2];

    for (int i = 0; i < 256; i++) {
        float part = ((float)i - black) / (white - black);

        part = part < 0 ? 0 : part > 1 ? 1 : part;
        table[i] = clamped(powf(part, power) * 255);
    }
}

static void apply_table(struct picture *picture, const uint8_t table[256])
{
    for (uint32_t y = 0; y < picture->height; y++) {
        uint8_t *pixel = picture_row(picture, y);

        for (uint32_t x = 0; x < picture->width; x++, pixel += PICTURE_PIXEL) {
            pixel[0] = table[pixel[0]];
            pixel[1] = table[pixel[1]];
            pixel[2] = table[pixel[2]];
        }
    }
}

/* ---- matrices: each colour is a sum of the three ---- */

static void apply_matrix(struct picture *picture, const float by[3][3])
{
    for (uint32_t y = 0; y < picture->height; y++) {
        uint8_t *pixel = picture_row(picture, y);

        for (uint32_t x = 0; x < picture->width; x++, pixel += PICTURE_PIXEL) {
            float red = pixel[0];
            float green = pixel[1];
            float blue = pixel[2];

            for (int i = 0; i < 3; i++)
                pixel[i] = clamped(by[i][0] * red + by[i][1] * green +
                                   by[i][2] * blue);
        }
    }
}

/*
 * Turns the colours around the axis of grays, which keeps their brightness
 * (W3C, Filter Effects Level 1, hue-rotate).
 */
static void apply_hue(const int values[], struct picture *picture)
{
    const float weights[3] = {0.213F, 0.715F, 0.072F};
    const float green[3] = {0.143F, 0.140F, -0.283F};
    float angle = (float)values[0] * 3.14159265F / 180;
    float saturation = (float)values[1] / 100;
    float keep = saturation < 0 ? 1 + saturation : 1 + saturation * 2;
    float cosine = cosf(angle) * keep;
    float sine = sinf(angle) * keep;
    float by[3][3];

    for (int i = 0; i < 3; i++) {
        by[0][i] = weights[i] + cosine * ((i == 0 ? 1 : 0) - weights[i]) +
                   sine * (i == 2 ? 1 - weights[2] : -weights[i]);
        by[1][i] = weights[i] + cosine * ((i == 1 ? 1 : 0) - weights[i]) +
                   sine * green[i];
        by[2][i] = weights[i] + cosine * ((i == 2 ? 1 : 0) - weights[i]) +
                   sine * (i == 0 ? -(1 - weights[0]) : weights[i]);
    }
    apply_matrix(picture, (const float(*)[3])by);
}

static void apply_gray(struct picture *picture)
{
    for (uint32_t y = 0; y < picture->height; y++) {
        uint8_t *pixel = picture_row(picture, y);

        for (uint32_t x = 0; x < picture->width; x++, pixel += PICTURE_PIXEL) {
            uint8_t gray = luma(pixel);

            memset(pixel, gray, 3);
        }
    }
}

/* ---- patterns ---- */

static void fill_cell(struct picture *picture, uint32_t left, uint32_t top,
                      uint32_t size)
{
    uint32_t right =
        left + size < picture->width ? left + size : picture->width;
    uint32_t bottom =
        top + size < picture->height ? top + size : picture->height;
    uint32_t count = (right - left) * (bottom - top);
    uint32_t sum[3] = {count / 2, count / 2, count / 2};

    for (uint32_t y = top; y < bottom; y++) {
        for (uint32_t x = left; x < right; x++) {
            for (uint32_t i = 0; i < 3; i++)
                sum[i] += picture_row(picture, y)[x * PICTURE_PIXEL + i];
        }
    }
    for (uint32_t y = top; y < bottom; y++) {
        for (uint32_t x = left; x < right; x++) {
            for (uint32_t i = 0; i < 3; i++)
                picture_row(picture, y)[x * PICTURE_PIXEL + i] =
                    (uint8_t)(sum[i] / count);
        }
    }
}

static void apply_mosaic(int cell, struct picture *picture)
{
    for (uint32_t y = 0; y < picture->height; y += (uint32_t)cell) {
        for (uint32_t x = 0; x < picture->width; x += (uint32_t)cell)
            fill_cell(picture, x, y, (uint32_t)cell);
    }
}

/* The same for each picture of a size: noise is not chance. */
static void apply_noise(int amount, struct picture *picture)
{
    uint32_t state = 0x2545f491U;

    for (uint32_t y = 0; y < picture->height; y++) {
        uint8_t *pixel = picture_row(picture, y);

        for (uint32_t x = 0; x < picture->width; x++, pixel += PICTURE_PIXEL) {
            int change;

            state = state * 1664525U + 1013904223U;
            change = ((int)(state >> 24U) - 128) * amount / 100;
            for (int i = 0; i < 3; i++)
                pixel[i] = clamped((float)(pixel[i] + change));
        }
    }
}

/* ---- all of them ---- */

bool pixel_filter_apply(const struct pixel_filter *filter,
                        struct picture *picture, struct err *err)
{
    static const float sepia[3][3] = {{0.393F, 0.769F, 0.189F},
                                      {0.349F, 0.686F, 0.168F},
                                      {0.272F, 0.534F, 0.131F}};
    int values[PIXEL_FILTER_VALUES];
    uint8_t table[256];

    for (int i = 0; i < PIXEL_FILTER_VALUES; i++) {
        const struct pixel_filter_range *range =
            pixel_filter_range(filter->kind, i);
        int value = filter->values[i];

        values[i] = value < range->least  ? range->least
                    : value > range->most ? range->most
                                          : value;
    }
    switch (filter->kind) {
    case PIXEL_FILTER_LIGHT:
        light_table(values, table);
        apply_table(picture, table);
        return true;
    case PIXEL_FILTER_LEVELS:
        levels_table(values, table);
        apply_table(picture, table);
        return true;
    case PIXEL_FILTER_HUE:
        apply_hue(values, picture);
        return true;
    case PIXEL_FILTER_GRAY:
        apply_gray(picture);
        return true;
    case PIXEL_FILTER_SEPIA:
        apply_matrix(picture, sepia);
        return true;
    case PIXEL_FILTER_INVERT:
        for (int i = 0; i < 256; i++)
            table[i] = (uint8_t)(255 - i);
        apply_table(picture, table);
        return true;
    case PIXEL_FILTER_BLUR:
        return pixel_filter_blur(picture, values[0], err);
    case PIXEL_FILTER_SHARPEN:
        return pixel_filter_sharpen(picture, values[0], err);
    case PIXEL_FILTER_MOSAIC:
        apply_mosaic(values[0], picture);
        return true;
    case PIXEL_FILTER_NOISE:
        apply_noise(values[0], picture);
        return true;
    case PIXEL_FILTERS:
        break;
    }
    return true;
}
