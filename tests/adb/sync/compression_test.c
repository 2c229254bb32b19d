#include "adb/sync/compression.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/mem.h"

static const enum compression_format formats[] = {
    COMPRESSION_BROTLI, COMPRESSION_LZ4, COMPRESSION_ZSTD};

/* Bytes that compress moderately, always the same. */
static uint8_t *sample(size_t size)
{
    uint8_t *bytes = mem_new(size + 1, 1);
    uint32_t dice = 1;

    for (size_t i = 0; i < size; i++) {
        dice = dice * 1664525U + 1013904223U;
        bytes[i] = (uint8_t)(dice >> 24);
        if (dice >> 30)
            bytes[i] = (uint8_t) "the quick fox"[i % 13];
    }
    return bytes;
}

/* Run bytes through the codec, in pieces of at most in and out bytes. */
static bool run_all(struct compression *codec, const uint8_t *bytes,
                    size_t size, size_t in, size_t out, bool encode,
                    struct buf *result, bool *done, struct err *err)
{
    uint8_t room[4096];
    size_t used = 0;
    size_t put;

    *done = false;
    do {
        size_t piece = size - used < in ? size - used : in;
        struct compression_step step = {bytes + used, piece, room, out};

        if (!compression_run(codec, &step, encode && used + piece == size, done,
                             err))
            return false;
        used += piece - step.in_left;
        put = out - step.out_left;
        buf_append(result, room, put);
    } while (!*done && (encode || used < size || put == out));
    return true;
}

static void encode(enum compression_format format, const uint8_t *bytes,
                   size_t size, size_t in, size_t out, struct buf *packed)
{
    struct err err = ERR_INIT;
    struct compression *codec;
    bool done;

    assert_true(compression_open_encoder(format, &codec, &err));
    assert_true(
        run_all(codec, bytes, size, in, out, true, packed, &done, &err));
    compression_close(codec);
}

static bool decode(enum compression_format format, const struct buf *packed,
                   size_t in, size_t out, struct buf *plain, bool *done,
                   struct err *err)
{
    struct compression *codec;
    bool good;

    assert_true(compression_open_decoder(format, &codec, err));
    good = run_all(codec, (const uint8_t *)packed->data, packed->length, in,
                   out, false, plain, done, err);
    compression_close(codec);
    return good;
}

static void compressed_bytes_decompress_in_pieces_of_any_size(void **state)
{
    static const size_t sizes[] = {0, 1, 4095, 65536, 150001};
    static const size_t pieces[][2] = {{1 << 20, 4096}, {61, 67}, {65536, 17}};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(formats) * ARRAY_LEN(sizes); i++) {
        enum compression_format format = formats[i / ARRAY_LEN(sizes)];
        size_t size = sizes[i % ARRAY_LEN(sizes)];
        uint8_t *bytes = sample(size);

        for (size_t p = 0; p < ARRAY_LEN(pieces); p++) {
            struct buf packed = BUF_INIT(1 << 20);
            struct buf plain = BUF_INIT(1 << 20);
            struct err err = ERR_INIT;
            bool done;

            encode(format, bytes, size, pieces[p][0], pieces[p][1], &packed);
            assert_true(decode(format, &packed, pieces[p][0], pieces[p][1],
                               &plain, &done, &err));
            assert_true(done);
            assert_int_equal(plain.length, size);
            assert_memory_equal(plain.length ? plain.data : "", bytes, size);
            buf_release(&packed);
            buf_release(&plain);
        }
        free(bytes);
    }
}

static void truncated_stream_never_ends(void **state)
{
    uint8_t *bytes = sample(300);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
        struct buf packed = BUF_INIT(1 << 20);
        size_t whole;

        encode(formats[i], bytes, 300, 300, 4096, &packed);
        whole = packed.length;
        for (packed.length = 0; packed.length < whole; packed.length++) {
            struct buf plain = BUF_INIT(1 << 20);
            struct err err = ERR_INIT;
            bool done;

            assert_true(
                decode(formats[i], &packed, 4096, 4096, &plain, &done, &err));
            assert_false(done);
            buf_release(&plain);
        }
        buf_release(&packed);
    }
    free(bytes);
}

static void corrupt_bytes_fail_or_stay_in_bounds(void **state)
{
    uint8_t *bytes = sample(300);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
        struct buf packed = BUF_INIT(1 << 20);
        size_t refused = 0;

        encode(formats[i], bytes, 300, 300, 4096, &packed);
        for (size_t at = 0; at < packed.length; at++) {
            struct buf plain = BUF_INIT(1 << 20);
            struct err err = ERR_INIT;
            bool done;

            packed.data[at] ^= (char)0xff;
            if (!decode(formats[i], &packed, 4096, 4096, &plain, &done, &err)) {
                assert_int_equal(err.code, ERR_PROTOCOL);
                refused++;
            }
            packed.data[at] ^= (char)0xff;
            buf_release(&plain);
        }
        assert_true(refused > 0);
        buf_release(&packed);
    }
    free(bytes);
}

static void decompression_bomb_comes_in_bounded_pieces(void **state)
{
    const size_t size = (size_t)8 << 20;
    uint8_t *zeros = mem_new(size, 1);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
        struct buf packed = BUF_INIT(1 << 20);
        struct err err = ERR_INIT;
        uint8_t room[4096];
        struct compression_step step;
        struct compression *codec;
        bool done;

        encode(formats[i], zeros, size, size, 4096, &packed);
        assert_true(compression_open_decoder(formats[i], &codec, &err));
        step = (struct compression_step){(uint8_t *)packed.data, packed.length,
                                         room, sizeof(room)};
        assert_true(compression_run(codec, &step, false, &done, &err));
        assert_int_equal(step.out_left, 0);
        assert_false(done);
        compression_close(codec);
        buf_release(&packed);
    }
    free(zeros);
}

static void bytes_after_the_end_are_not_consumed(void **state)
{
    uint8_t *bytes = sample(100);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
        struct buf packed = BUF_INIT(4096);
        struct err err = ERR_INIT;
        uint8_t room[4096];
        struct compression_step step;
        struct compression *codec;
        bool done;

        encode(formats[i], bytes, 100, 100, 4096, &packed);
        buf_text(&packed, "tail");
        assert_true(compression_open_decoder(formats[i], &codec, &err));
        step = (struct compression_step){(uint8_t *)packed.data, packed.length,
                                         room, sizeof(room)};
        assert_true(compression_run(codec, &step, false, &done, &err));
        assert_true(done);
        assert_int_equal(step.in_left, 4);
        compression_close(codec);
        buf_release(&packed);
    }
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compressed_bytes_decompress_in_pieces_of_any_size),
        cmocka_unit_test(truncated_stream_never_ends),
        cmocka_unit_test(corrupt_bytes_fail_or_stay_in_bounds),
        cmocka_unit_test(decompression_bomb_comes_in_bounded_pieces),
        cmocka_unit_test(bytes_after_the_end_are_not_consumed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
