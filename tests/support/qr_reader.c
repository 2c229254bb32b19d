#include "tests/support/qr_reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define TIMING 6 /* the row and the column of it */
#define FINDER 9 /* with its border and the format next to it */
#define ALIGNMENT 5
#define CODEWORDS_MAX 100

struct qr_code {
    const char *const *rows;
    int width;
    size_t codewords;
    size_t blocks;
    size_t block_data; /* codewords of a block that are not for correction */
};

static struct qr_code code_of(const char *const *rows, int width)
{
    if (width == 29)
        return (struct qr_code){rows, width, 70, 1, 44};
    assert_int_equal(width, 33);
    return (struct qr_code){rows, width, 100, 2, 32};
}

/* ---- modules ---- */

static bool is_dark(const struct qr_code *code, int x, int y)
{
    return code->rows[y][x] == '1';
}

/* Modules that are the same in all codes, or say the format. */
static bool is_fixed(const struct qr_code *code, int x, int y)
{
    const int end = code->width - FINDER; /* also where alignment begins */
    const bool left = x < FINDER, top = y < FINDER;

    return x == TIMING || y == TIMING || (left && (top || y > end)) ||
           (top && x > end) ||
           (x >= end && x < end + ALIGNMENT && y >= end && y < end + ALIGNMENT);
}

/* Which pattern is laid over the data: three bits of the format, of which two
 * are inverted. */
static int mask_of(const struct qr_code *code)
{
    return !is_dark(code, 2, 8) << 2 | is_dark(code, 3, 8) << 1 |
           !is_dark(code, 4, 8);
}

static bool is_inverted(int mask, int x, int y)
{
    switch (mask) {
    case 0:
        return (x + y) % 2 == 0;
    case 1:
        return y % 2 == 0;
    case 2:
        return x % 3 == 0;
    case 3:
        return (x + y) % 3 == 0;
    case 4:
        return (x / 3 + y / 2) % 2 == 0;
    case 5:
        return x * y % 2 + x * y % 3 == 0;
    case 6:
        return (x * y % 2 + x * y % 3) % 2 == 0;
    default:
        return ((x + y) % 2 + x * y % 3) % 2 == 0;
    }
}

/* In columns of two modules, from the right, up and down by turns. */
static void read_codewords(const struct qr_code *code, uint8_t *words)
{
    const int mask = mask_of(code);
    size_t bit = 0;

    for (int right = code->width - 1; right > 0; right -= 2) {
        right -= right == TIMING;
        for (int i = 0; i < 2 * code->width; i++) {
            const bool up = ((right + 1) & 2) == 0;
            const int x = right - i % 2;
            const int y = up ? code->width - 1 - i / 2 : i / 2;

            if (is_fixed(code, x, y) || bit == code->codewords * 8)
                continue;
            if (is_dark(code, x, y) != is_inverted(mask, x, y))
                words[bit / 8] |= (uint8_t)(0x80 >> bit % 8);
            bit++;
        }
    }
    assert_int_equal(bit, code->codewords * 8);
}

/* ---- text ---- */

struct qr_bits {
    uint8_t bytes[CODEWORDS_MAX];
    size_t length; /* in bytes */
    size_t at;     /* in bits */
};

static unsigned take(struct qr_bits *bits, int count)
{
    unsigned value = 0;

    for (; count; count--, bits->at++) {
        assert_true(bits->at < bits->length * 8);
        value = value << 1 |
                ((unsigned)bits->bytes[bits->at / 8] >> (7 - bits->at % 8) & 1);
    }
    return value;
}

static void take_digits(struct qr_bits *bits, char *text)
{
    unsigned left = take(bits, 10);

    for (; left >= 3; left -= 3, text += 3)
        snprintf(text, 4, "%03u", take(bits, 10));
    if (left)
        snprintf(text, left + 1, "%0*u", (int)left,
                 take(bits, left == 2 ? 7 : 4));
}

static void take_capitals(struct qr_bits *bits, char *text)
{
    static const char set[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";
    unsigned left = take(bits, 9);

    for (; left >= 2; left -= 2) {
        const unsigned pair = take(bits, 11);

        *text++ = set[pair / 45];
        *text++ = set[pair % 45];
    }
    if (left)
        *text++ = set[take(bits, 6)];
    *text = '\0';
}

static void take_bytes(struct qr_bits *bits, char *text)
{
    for (unsigned left = take(bits, 8); left; left--)
        *text++ = (char)take(bits, 8);
    *text = '\0';
}

/* One part of the text, in the shortest of three ways; false: the end. */
static bool take_part(struct qr_bits *bits, char *text)
{
    switch (take(bits, 4)) {
    case 0:
        return false;
    case 1:
        take_digits(bits, text);
        return true;
    case 2:
        take_capitals(bits, text);
        return true;
    case 4:
        take_bytes(bits, text);
        return true;
    default:
        fail_msg("an unknown way to write text");
        return false;
    }
}

void qr_reader_text(const char *const *rows, int width,
                    char text[QR_READER_TEXT_MAX])
{
    const struct qr_code code = code_of(rows, width);
    uint8_t words[CODEWORDS_MAX] = {0};
    struct qr_bits bits = {.length = code.blocks * code.block_data};

    read_codewords(&code, words);
    /* The blocks have one codeword each, by turns. */
    for (size_t i = 0; i < bits.length; i++)
        bits.bytes[i % code.blocks * code.block_data + i / code.blocks] =
            words[i];
    *text = '\0';
    /* 64 bytes cannot have more than 160 characters. */
    while (take_part(&bits, text + strlen(text)))
        ;
}
