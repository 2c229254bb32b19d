#include "adb/codec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/mem.h"

static const enum codec_format formats[] = {CODEC_BROTLI, CODEC_LZ4,
                                            CODEC_ZSTD};

/* Bytes that compress somewhat, the same each time. */
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
static bool run_all(struct codec *codec, const uint8_t *bytes, size_t size,
                    size_t in, size_t out, bool encode, struct buf *result,
                    bool *done, struct err *err)
{
    uint8_t room[4096];
    size_t used = 0;
    size_t put;

    *done = false;
    do {
        size_t piece = size - used < in ? size - used : in;
        struct codec_step step = {bytes + used, piece, room, out};

        if (!codec_run(codec, &step, encode && used + piece == size, done, err))
            return false;
        used += piece - step.in_left;
        put = out - step.out_left;
        buf_append(result, room, put);
    } while (!*done && (encode || used < size || put == out));
    return true;
}

static void encode(enum codec_format format, const uint8_t *bytes, size_t size,
                   size_t in, size_t out, struct buf *packed)
{
    struct err err = ERR_INIT;
    struct codec *codec;
    bool done;

    assert_true(codec_open_encoder(format, &codec, &err));
    assert_true(
        run_all(codec, bytes, size, in, out, true, packed, &done, &err));
    codec_close(codec);
}

static bool decode(enum codec_format format, const struct buf *packed,
                   size_t in, size_t out, struct buf *plain, bool *done,
                   struct err *err)
{
    struct codec *codec;
    bool good;

    assert_true(codec_open_decoder(format, &codec, err));
    good = run_all(codec, (const uint8_t *)packed->data, packed->length, in,
                   out, false, plain, done, err);
    codec_close(codec);
    return good;
}

static void what_was_packed_unpacks_in_pieces_of_any_size(void **state)
{
    static const size_t sizes[] = {0, 1, 4095, 65536, 150001};
    static const size_t pieces[][2] = {{1 << 20, 4096}, {61, 67}, {65536, 17}};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(formats) * ARRAY_LEN(sizes); i++) {
        enum codec_format format = formats[i / ARRAY_LEN(sizes)];
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

static void cut_anywhere_it_never_says_done(void **state)
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

static void corrupt_bytes_end_in_an_error_or_in_bounds(void **state)
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

static void a_bomb_comes_out_one_bounded_piece_at_a_time(void **state)
{
    const size_t size = (size_t)8 << 20;
    uint8_t *zeros = mem_new(size, 1);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
        struct buf packed = BUF_INIT(1 << 20);
        struct err err = ERR_INIT;
        uint8_t room[4096];
        struct codec_step step;
        struct codec *codec;
        bool done;

        encode(formats[i], zeros, size, size, 4096, &packed);
        assert_true(codec_open_decoder(formats[i], &codec, &err));
        step = (struct codec_step){(uint8_t *)packed.data, packed.length, room,
                                   sizeof(room)};
        assert_true(codec_run(codec, &step, false, &done, &err));
        assert_int_equal(step.out_left, 0);
        assert_false(done);
        codec_close(codec);
        buf_release(&packed);
    }
    free(zeros);
}

static void what_follows_the_end_is_left_alone(void **state)
{
    uint8_t *bytes = sample(100);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
        struct buf packed = BUF_INIT(4096);
        struct err err = ERR_INIT;
        uint8_t room[4096];
        struct codec_step step;
        struct codec *codec;
        bool done;

        encode(formats[i], bytes, 100, 100, 4096, &packed);
        buf_text(&packed, "tail");
        assert_true(codec_open_decoder(formats[i], &codec, &err));
        step = (struct codec_step){(uint8_t *)packed.data, packed.length, room,
                                   sizeof(room)};
        assert_true(codec_run(codec, &step, false, &done, &err));
        assert_true(done);
        assert_int_equal(step.in_left, 4);
        codec_close(codec);
        buf_release(&packed);
    }
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_packed_unpacks_in_pieces_of_any_size),
        cmocka_unit_test(cut_anywhere_it_never_says_done),
        cmocka_unit_test(corrupt_bytes_end_in_an_error_or_in_bounds),
        cmocka_unit_test(a_bomb_comes_out_one_bounded_piece_at_a_time),
        cmocka_unit_test(what_follows_the_end_is_left_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
