#include "base/picture/png_filter_choice.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

#include "base/picture/png_filter.h"

/*
 * In each strip of PART rows, SAMPLE rows are compressed with and without
 * filters. Fewer rows would not be representative, more would take too long,
 * and higher strips would mix user interface and photo. Only Sub and Up are
 * tried: the other filters cost more time than they save.
 */
#define PART 128U
#define SAMPLE 8U
#define LEVEL 1 /* libdeflate's fastest */

struct png_choice {
    const struct png_rows *rows;
    struct libdeflate_compressor *deflater; /* owned */
    uint8_t *sample;                        /* owned; SAMPLE rows */
    uint8_t *compressed;                    /* owned; its compressed form */
    size_t room;                            /* its size */
};

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* The samples of a row, not filtered yet. */
static uint8_t *row_at(const struct png_rows *rows, uint32_t y)
{
    return rows->bytes + rows->stored * y + 1;
}

/* Bytes are processed as vectors, as in png_filter.c. */
typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef int8_t signed16 __attribute__((vector_size(16)));
typedef uint8_t bytes8 __attribute__((vector_size(8)));
typedef uint16_t shorts8 __attribute__((vector_size(16)));

#define BLOCK sizeof(bytes16)
#define BLOCKS_AT_ONCE 128U /* so that no lane of a sum overflows */

static uint64_t weigh_blocks(const uint8_t *differences, size_t blocks)
{
    shorts8 low = {0}, high = {0};
    uint64_t sum = 0;

    for (; blocks; blocks--, differences += BLOCK) {
        signed16 block, below;
        bytes16 far;
        bytes8 half;

        memcpy(&block, differences, BLOCK);
        below = block < 0; /* all bits, where it is */
        far = (bytes16)(block ^ below) - (bytes16)below;
        memcpy(&half, &far, sizeof(half));
        low += __builtin_convertvector(half, shorts8);
        memcpy(&half, (const char *)&far + sizeof(half), sizeof(half));
        high += __builtin_convertvector(half, shorts8);
    }
    for (int i = 0; i < 8; i++)
        sum += (uint64_t)low[i] + high[i];
    return sum;
}

/*
 * The sum of the absolute differences: the lower, the better they compress. The
 * rest of a row after its last full block is not counted.
 */
static uint64_t weigh(const uint8_t *differences, size_t count)
{
    uint64_t sum = 0;

    for (size_t blocks = count / BLOCK; blocks;) {
        size_t some = blocks < BLOCKS_AT_ONCE ? blocks : BLOCKS_AT_ONCE;

        sum += weigh_blocks(differences, some);
        differences += some * BLOCK;
        blocks -= some;
    }
    return sum;
}

/* to = row - less, byte by byte. */
static void subtract(const uint8_t *row, const uint8_t *less, size_t count,
                     uint8_t *to)
{
    size_t i = 0;

    for (; i + BLOCK <= count; i += BLOCK) {
        bytes16 a, b;

        memcpy(&a, row + i, BLOCK);
        memcpy(&b, less + i, BLOCK);
        a -= b;
        memcpy(to + i, &a, BLOCK);
    }
    for (; i < count; i++)
        to[i] = (uint8_t)(row[i] - less[i]);
}

static void filter_sub(const uint8_t *row, size_t samples, size_t count,
                       uint8_t *to)
{
    memcpy(to, row, samples);
    subtract(row + samples, row, count - samples, to + samples);
}

/*
 * Filter row y by the better filter, and store its number and the result in to.
 */
static void filter_row(const struct png_rows *rows, uint32_t y, uint8_t *to)
{
    size_t count = rows->stored - 1;
    const uint8_t *row = row_at(rows, y);
    uint64_t sub;

    filter_sub(row, rows->samples, count, to + 1);
    to[0] = PNG_FILTER_SUB;
    if (!y)
        return;
    sub = weigh(to + 1, count);
    subtract(row, row_at(rows, y - 1), count, to + 1);
    to[0] = PNG_FILTER_UP;
    if (weigh(to + 1, count) <= sub)
        return;
    filter_sub(row, rows->samples, count, to + 1);
    to[0] = PNG_FILTER_SUB;
}

static size_t compress(const struct png_choice *choice, const uint8_t *bytes,
                       uint32_t count)
{
    return libdeflate_zlib_compress(choice->deflater, bytes,
                                    choice->rows->stored * count,
                                    choice->compressed, choice->room);
}

/* Are count rows from y on smaller when they are filtered? */
static bool is_worth_it(const struct png_choice *choice, uint32_t y,
                        uint32_t count)
{
    const struct png_rows *rows = choice->rows;

    for (uint32_t i = 0; i < count; i++)
        filter_row(rows, y + i, choice->sample + rows->stored * i);
    return compress(choice, choice->sample, count) <
           compress(choice, rows->bytes + rows->stored * y, count);
}

/* From bottom to top, because a row is filtered with the row above it. */
static void filter_rows(const struct png_choice *choice, uint32_t first,
                        uint32_t end)
{
    const struct png_rows *rows = choice->rows;

    for (uint32_t y = end; y-- > first;) {
        filter_row(rows, y, choice->sample);
        memcpy(row_at(rows, y) - 1, choice->sample, rows->stored);
    }
}

/* Strips from bottom to top, for the same reason. */
static void choose(const struct png_choice *choice)
{
    uint32_t count = choice->rows->count;
    uint32_t parts = (count + PART - 1) / PART;

    for (uint32_t part = parts; part-- > 0;) {
        uint32_t first = part * PART;
        uint32_t end = least(first + PART, count);
        uint32_t middle = first + (end - first) / 2;

        if (is_worth_it(choice, middle, least(SAMPLE, end - middle)))
            filter_rows(choice, first, end);
    }
}

void png_filter_choice(const struct png_rows *rows)
{
    struct png_choice choice = {
        .rows = rows,
        .deflater = libdeflate_alloc_compressor(LEVEL),
        .sample = malloc(rows->stored * SAMPLE),
    };

    if (choice.deflater && choice.sample) {
        choice.room = libdeflate_zlib_compress_bound(choice.deflater,
                                                     rows->stored * SAMPLE);
        choice.compressed = malloc(choice.room);
    }
    if (choice.compressed)
        choose(&choice);
    free(choice.compressed);
    free(choice.sample);
    libdeflate_free_compressor(choice.deflater);
}
