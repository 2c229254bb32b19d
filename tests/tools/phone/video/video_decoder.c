#include "tests/tools/phone/video/video_decoder.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>
#include <wels/codec_api.h>

#include "base/mem.h"

struct video_decoder {
    ISVCDecoder *library;
};

struct video_decoder *video_decoder_new(void)
{
    struct video_decoder *decoder = mem_new(1, sizeof(*decoder));
    SDecodingParam options = {.sVideoProperty.eVideoBsType =
                                  VIDEO_BITSTREAM_AVC};

    assert_int_equal(WelsCreateDecoder(&decoder->library), 0);
    assert_int_equal(
        (*decoder->library)->Initialize(decoder->library, &options), 0);
    return decoder;
}

void video_decoder_free(struct video_decoder *decoder)
{
    (*decoder->library)->Uninitialize(decoder->library);
    WelsDestroyDecoder(decoder->library);
    free(decoder);
}

static uint8_t clamp(double value)
{
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value + 0.5);
}

/* BT.709 in the limited range. */
static void put_pixel(uint8_t *pixel, double y, double u, double v)
{
    y = (y - 16) * 255 / 219;
    u = (u - 128) * 255 / 224;
    v = (v - 128) * 255 / 224;
    pixel[0] = clamp(y + 1.5748 * v);
    pixel[1] = clamp(y - 0.1873 * u - 0.4681 * v);
    pixel[2] = clamp(y + 1.8556 * u);
    pixel[3] = 255;
}

static void put_picture(unsigned char *const planes[3], const SSysMEMBuffer *at,
                        struct picture *picture)
{
    struct err err = ERR_INIT;

    if (!picture_resize(picture, (uint32_t)at->iWidth, (uint32_t)at->iHeight,
                        &err))
        fail_msg("%s", err.text);
    for (int y = 0; y < at->iHeight; y++) {
        uint8_t *pixel = picture_row(picture, (uint32_t)y);

        for (int x = 0; x < at->iWidth; x++, pixel += PICTURE_PIXEL) {
            int half = y / 2 * at->iStride[1] + x / 2;

            put_pixel(pixel, planes[0][y * at->iStride[0] + x], planes[1][half],
                      planes[2][half]);
        }
    }
}

void video_decoder_decode(struct video_decoder *decoder,
                          const struct video_packet *packet,
                          struct picture *picture)
{
    unsigned char *planes[3] = {0};
    SBufferInfo info = {0};
    DECODING_STATE failed =
        (*decoder->library)
            ->DecodeFrameNoDelay(decoder->library, packet->data,
                                 (int)packet->length, planes, &info);

    if (packet->kind == VIDEO_CONFIG)
        return;
    assert_true(failed == dsErrorFree);
    assert_int_equal(info.iBufferStatus, 1);
    put_picture(planes, &info.UsrData.sSystemBuffer, picture);
}

double picture_psnr(const struct picture *a, const struct picture *b)
{
    double sum = 0;

    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    for (uint32_t y = 0; y < a->height; y++) {
        const uint8_t *first = picture_row(a, y);
        const uint8_t *second = picture_row(b, y);

        for (uint32_t i = 0; i < a->width * PICTURE_PIXEL; i++) {
            int difference = first[i] - second[i];

            if (i % PICTURE_PIXEL < 3)
                sum += difference * difference;
        }
    }
    sum /= 3.0 * a->width * a->height;
    return sum > 0 ? fmin(100, 10 * log10(255 * 255 / sum)) : 100;
}
