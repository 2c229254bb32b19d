#include "base/base64.h"

#include <string.h>

#include <stdbool.h>
#include <stdint.h>

static const char letters[] = BASE64_LETTERS;

static void encode_group(const uint8_t *bytes, char *text)
{
    uint32_t group =
        (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2];

    text[0] = letters[group >> 18];
    text[1] = letters[group >> 12 & 63];
    text[2] = letters[group >> 6 & 63];
    text[3] = letters[group & 63];
}

static void encode_tail(const uint8_t *bytes, size_t length, char *text)
{
    uint8_t last[3] = {bytes[0], length > 1 ? bytes[1] : 0, 0};

    encode_group(last, text);
    text[3] = '=';
    if (length == 1)
        text[2] = '=';
}

#if defined(__x86_64__)
#include <immintrin.h>

#define STEP 24      /* bytes encoded per iteration */
#define STEP_SEES 28 /* bytes read per iteration */

static bool is_quick(void)
{
    return __builtin_cpu_supports("avx2");
}

/*
 * W. Muła and D. Lemire, "Faster Base64 Encoding and Decoding Using AVX2
 * Instructions" (2018): spread 24 bytes over 32, split each group of three into
 * four times six bits by multiplication, and look up the offset of each.
 */
__attribute__((target("avx2"))) static size_t encode_quickly(
    const uint8_t *bytes, size_t length, char *text)
{
    const __m256i spread =
        _mm256_setr_epi8(1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10, 1,
                         0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10);
    const __m256i offsets = _mm256_setr_epi8(
        65, 71, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -19, -16, 0, 0, 65, 71,
        -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -19, -16, 0, 0);
    size_t at = 0;

    for (; length - at >= STEP_SEES; at += STEP, text += 32) {
        __m128i low = _mm_loadu_si128((const __m128i *)(bytes + at));
        __m128i high = _mm_loadu_si128((const __m128i *)(bytes + at + 12));
        __m256i in = _mm256_shuffle_epi8(
            _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1),
            spread);
        __m256i odd = _mm256_mulhi_epu16(
            _mm256_and_si256(in, _mm256_set1_epi32(0xfc0fc00)),
            _mm256_set1_epi32(0x4000040));
        __m256i even = _mm256_mullo_epi16(
            _mm256_and_si256(in, _mm256_set1_epi32(0x3f03f0)),
            _mm256_set1_epi32(0x1000010));
        __m256i six = _mm256_or_si256(odd, even);
        __m256i kind =
            _mm256_sub_epi8(_mm256_subs_epu8(six, _mm256_set1_epi8(51)),
                            _mm256_cmpgt_epi8(six, _mm256_set1_epi8(25)));

        _mm256_storeu_si256(
            (__m256i *)text,
            _mm256_add_epi8(six, _mm256_shuffle_epi8(offsets, kind)));
    }
    return at;
}
#else
static bool is_quick(void)
{
    return false;
}

static size_t encode_quickly(const uint8_t *bytes, size_t length, char *text)
{
    (void)bytes, (void)length, (void)text;
    return 0;
}
#endif

void base64_encode(const void *bytes, size_t length, char *text)
{
    const uint8_t *from = bytes;
    size_t at = is_quick() ? encode_quickly(from, length, text) : 0;

    text += at / 3 * 4;
    for (; length - at >= 3; at += 3, text += 4)
        encode_group(from + at, text);
    if (length > at)
        encode_tail(from + at, length - at, text);
}

void base64_append(const void *bytes, size_t length, struct buf *text)
{
    char *room = buf_reserve(text, base64_size(length));

    if (!room)
        return;
    base64_encode(bytes, length, room);
    buf_commit(text, base64_size(length));
}

bool base64_take(struct base64_decoder *decoder, char letter, struct buf *out)
{
    const char *found = letter ? strchr(letters, letter) : NULL;

    if (!found)
        return false;
    decoder->held =
        (decoder->held << 6 | (unsigned)(found - letters)) & 0xfffff;
    decoder->bits += 6;
    if (decoder->bits >= 8) {
        decoder->bits -= 8;
        buf_byte(out, (char)(decoder->held >> decoder->bits & 255));
    }
    return true;
}
