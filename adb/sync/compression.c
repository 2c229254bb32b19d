#include "adb/sync/compression.h"

#include <brotli/decode.h>
#include <brotli/encode.h>
#include <lz4frame.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/macros.h"
#include "base/mem.h"

/* Prefer speed: the time saved in transfer must exceed the CPU time. */
#define BROTLI_QUALITY 1
#define ZSTD_LEVEL 1

/* Real peers use windows of up to 2 MiB; the window of a peer is limited. */
#define ZSTD_WINDOW_LOG_MAX 24

struct compression_ops {
    bool (*run)(struct compression *codec, struct compression_step *step,
                bool last, bool *done, struct err *err);
    void (*close)(struct compression *codec);
};

/* Implementations embed this as their first member. */
struct compression {
    const struct compression_ops *ops;
};

static bool fail_corrupt(struct err *err, const char *format)
{
    return err_set(err, ERR_PROTOCOL, "corrupt %s data", format);
}

static bool fail_memory(struct err *err, const char *format)
{
    return err_set(err, ERR_IO, "no memory for %s", format);
}

/* brotli */

struct brotli_encoder {
    struct compression codec;
    BrotliEncoderState *state; /* owned */
};

static bool brotli_encode(struct compression *codec,
                          struct compression_step *step, bool last, bool *done,
                          struct err *err)
{
    BrotliEncoderState *state = ((struct brotli_encoder *)codec)->state;
    BrotliEncoderOperation operation =
        last ? BROTLI_OPERATION_FINISH : BROTLI_OPERATION_PROCESS;

    do {
        if (!BrotliEncoderCompressStream(state, operation, &step->in_left,
                                         &step->in, &step->out_left, &step->out,
                                         NULL))
            return err_set(err, ERR_IO, "brotli cannot compress");
    } while (step->out_left &&
             (step->in_left || BrotliEncoderHasMoreOutput(state)));
    *done = last && BrotliEncoderIsFinished(state);
    return true;
}

static void brotli_encoder_close(struct compression *codec)
{
    BrotliEncoderDestroyInstance(((struct brotli_encoder *)codec)->state);
    free(codec);
}

static bool brotli_open_encoder(struct compression **codec, struct err *err)
{
    static const struct compression_ops ops = {brotli_encode,
                                               brotli_encoder_close};
    BrotliEncoderState *state = BrotliEncoderCreateInstance(NULL, NULL, NULL);
    struct brotli_encoder *encoder;

    if (!state)
        return fail_memory(err, "brotli");
    BrotliEncoderSetParameter(state, BROTLI_PARAM_QUALITY, BROTLI_QUALITY);
    encoder = mem_new(1, sizeof(*encoder));
    *encoder = (struct brotli_encoder){{&ops}, state};
    *codec = &encoder->codec;
    return true;
}

struct brotli_decoder {
    struct compression codec;
    BrotliDecoderState *state; /* owned */
};

static bool brotli_decode(struct compression *codec,
                          struct compression_step *step, bool last, bool *done,
                          struct err *err)
{
    BrotliDecoderState *state = ((struct brotli_decoder *)codec)->state;
    BrotliDecoderResult result = BrotliDecoderDecompressStream(
        state, &step->in_left, &step->in, &step->out_left, &step->out, NULL);

    (void)last;
    if (result == BROTLI_DECODER_RESULT_ERROR)
        return fail_corrupt(err, "brotli");
    *done = result == BROTLI_DECODER_RESULT_SUCCESS;
    return true;
}

static void brotli_decoder_close(struct compression *codec)
{
    BrotliDecoderDestroyInstance(((struct brotli_decoder *)codec)->state);
    free(codec);
}

static bool brotli_open_decoder(struct compression **codec, struct err *err)
{
    static const struct compression_ops ops = {brotli_decode,
                                               brotli_decoder_close};
    BrotliDecoderState *state = BrotliDecoderCreateInstance(NULL, NULL, NULL);
    struct brotli_decoder *decoder;

    if (!state)
        return fail_memory(err, "brotli");
    decoder = mem_new(1, sizeof(*decoder));
    *decoder = (struct brotli_decoder){{&ops}, state};
    *codec = &decoder->codec;
    return true;
}

/* lz4: its compressor needs room for the worst case, so it gets a buffer. */

#define LZ4_PIECE ((size_t)64 * 1024)

static const LZ4F_preferences_t lz4_preferences = {
    .frameInfo = {.blockSizeID = LZ4F_max64KB},
};

struct lz4_encoder {
    struct compression codec;
    LZ4F_cctx *context; /* owned */
    bool begun;
    bool ended;
    size_t start; /* pending output: [start, end) of room */
    size_t end;
    size_t size;
    uint8_t *room; /* owned */
};

static void lz4_drain(struct lz4_encoder *lz4, struct compression_step *step)
{
    size_t size = lz4->end - lz4->start;

    if (size > step->out_left)
        size = step->out_left;
    memcpy(step->out, lz4->room + lz4->start, size);
    step->out += size;
    step->out_left -= size;
    lz4->start += size;
}

/* Fill the empty room with the next compressed piece. */
static bool lz4_refill(struct lz4_encoder *lz4, struct compression_step *step,
                       struct err *err)
{
    size_t taken = step->in_left < LZ4_PIECE ? step->in_left : LZ4_PIECE;
    size_t size;

    if (!lz4->begun) {
        size = LZ4F_compressBegin(lz4->context, lz4->room, lz4->size,
                                  &lz4_preferences);
        lz4->begun = true;
    } else if (taken) {
        size = LZ4F_compressUpdate(lz4->context, lz4->room, lz4->size, step->in,
                                   taken, NULL);
        step->in += taken;
        step->in_left -= taken;
    } else {
        size = LZ4F_compressEnd(lz4->context, lz4->room, lz4->size, NULL);
        lz4->ended = true;
    }
    if (LZ4F_isError(size))
        return err_set(err, ERR_IO, "lz4 cannot compress: %s",
                       LZ4F_getErrorName(size));
    lz4->start = 0;
    lz4->end = size;
    return true;
}

static bool lz4_encode(struct compression *codec, struct compression_step *step,
                       bool last, bool *done, struct err *err)
{
    struct lz4_encoder *lz4 = (struct lz4_encoder *)codec;

    lz4_drain(lz4, step);
    while (step->out_left && !lz4->ended && (step->in_left || last)) {
        if (!lz4_refill(lz4, step, err))
            return false;
        lz4_drain(lz4, step);
    }
    *done = lz4->ended && lz4->start == lz4->end;
    return true;
}

static void lz4_encoder_close(struct compression *codec)
{
    struct lz4_encoder *lz4 = (struct lz4_encoder *)codec;

    LZ4F_freeCompressionContext(lz4->context);
    free(lz4->room);
    free(lz4);
}

static bool lz4_open_encoder(struct compression **codec, struct err *err)
{
    static const struct compression_ops ops = {lz4_encode, lz4_encoder_close};
    struct lz4_encoder *lz4;
    LZ4F_cctx *context;

    if (LZ4F_isError(LZ4F_createCompressionContext(&context, LZ4F_VERSION)))
        return fail_memory(err, "lz4");
    lz4 = mem_new(1, sizeof(*lz4));
    lz4->codec.ops = &ops;
    lz4->context = context;
    lz4->size = LZ4F_compressBound(LZ4_PIECE, &lz4_preferences);
    lz4->room = mem_new(lz4->size, 1);
    *codec = &lz4->codec;
    return true;
}

struct lz4_decoder {
    struct compression codec;
    LZ4F_dctx *context; /* owned */
};

static bool lz4_decode(struct compression *codec, struct compression_step *step,
                       bool last, bool *done, struct err *err)
{
    LZ4F_dctx *context = ((struct lz4_decoder *)codec)->context;
    size_t used;
    size_t put;
    size_t hint;

    (void)last;
    do {
        used = step->in_left;
        put = step->out_left;
        hint = LZ4F_decompress(context, step->out, &put, step->in, &used, NULL);
        if (LZ4F_isError(hint))
            return fail_corrupt(err, "lz4");
        step->in += used;
        step->in_left -= used;
        step->out += put;
        step->out_left -= put;
    } while (hint && step->out_left && (used || put));
    *done = hint == 0;
    return true;
}

static void lz4_decoder_close(struct compression *codec)
{
    LZ4F_freeDecompressionContext(((struct lz4_decoder *)codec)->context);
    free(codec);
}

static bool lz4_open_decoder(struct compression **codec, struct err *err)
{
    static const struct compression_ops ops = {lz4_decode, lz4_decoder_close};
    struct lz4_decoder *decoder;
    LZ4F_dctx *context;

    if (LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION)))
        return fail_memory(err, "lz4");
    decoder = mem_new(1, sizeof(*decoder));
    *decoder = (struct lz4_decoder){{&ops}, context};
    *codec = &decoder->codec;
    return true;
}

/* zstd */

struct zstd_encoder {
    struct compression codec;
    ZSTD_CCtx *context; /* owned */
};

/* Advance the step by what zstd consumed and produced. */
static void zstd_advance(struct compression_step *step, const ZSTD_inBuffer *in,
                         const ZSTD_outBuffer *out)
{
    step->in += in->pos;
    step->in_left -= in->pos;
    step->out += out->pos;
    step->out_left -= out->pos;
}

static bool zstd_encode(struct compression *codec,
                        struct compression_step *step, bool last, bool *done,
                        struct err *err)
{
    ZSTD_CCtx *context = ((struct zstd_encoder *)codec)->context;
    ZSTD_inBuffer in = {step->in, step->in_left, 0};
    ZSTD_outBuffer out = {step->out, step->out_left, 0};
    size_t left;

    do {
        left = ZSTD_compressStream2(context, &out, &in,
                                    last ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left))
            return err_set(err, ERR_IO, "zstd cannot compress: %s",
                           ZSTD_getErrorName(left));
    } while (out.pos < out.size && (in.pos < in.size || (last && left)));
    zstd_advance(step, &in, &out);
    *done = last && left == 0;
    return true;
}

static void zstd_encoder_close(struct compression *codec)
{
    ZSTD_freeCCtx(((struct zstd_encoder *)codec)->context);
    free(codec);
}

static bool zstd_open_encoder(struct compression **codec, struct err *err)
{
    static const struct compression_ops ops = {zstd_encode, zstd_encoder_close};
    ZSTD_CCtx *context = ZSTD_createCCtx();
    struct zstd_encoder *encoder;

    if (!context)
        return fail_memory(err, "zstd");
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, ZSTD_LEVEL);
    encoder = mem_new(1, sizeof(*encoder));
    *encoder = (struct zstd_encoder){{&ops}, context};
    *codec = &encoder->codec;
    return true;
}

struct zstd_decoder {
    struct compression codec;
    ZSTD_DCtx *context; /* owned */
};

static bool zstd_decode(struct compression *codec,
                        struct compression_step *step, bool last, bool *done,
                        struct err *err)
{
    ZSTD_DCtx *context = ((struct zstd_decoder *)codec)->context;
    ZSTD_inBuffer in = {step->in, step->in_left, 0};
    ZSTD_outBuffer out = {step->out, step->out_left, 0};
    size_t left;

    (void)last;
    do {
        left = ZSTD_decompressStream(context, &out, &in);
        if (ZSTD_isError(left))
            return fail_corrupt(err, "zstd");
    } while (left && out.pos < out.size && in.pos < in.size);
    zstd_advance(step, &in, &out);
    *done = left == 0;
    return true;
}

static void zstd_decoder_close(struct compression *codec)
{
    ZSTD_freeDCtx(((struct zstd_decoder *)codec)->context);
    free(codec);
}

static bool zstd_open_decoder(struct compression **codec, struct err *err)
{
    static const struct compression_ops ops = {zstd_decode, zstd_decoder_close};
    ZSTD_DCtx *context = ZSTD_createDCtx();
    struct zstd_decoder *decoder;

    if (!context)
        return fail_memory(err, "zstd");
    ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG_MAX);
    decoder = mem_new(1, sizeof(*decoder));
    *decoder = (struct zstd_decoder){{&ops}, context};
    *codec = &decoder->codec;
    return true;
}

bool compression_open_encoder(enum compression_format format,
                              struct compression **codec, struct err *err)
{
    static bool (*const openers[])(struct compression **, struct err *) = {
        [COMPRESSION_BROTLI] = brotli_open_encoder,
        [COMPRESSION_LZ4] = lz4_open_encoder,
        [COMPRESSION_ZSTD] = zstd_open_encoder,
    };

    return openers[format](codec, err);
}

bool compression_open_decoder(enum compression_format format,
                              struct compression **codec, struct err *err)
{
    static bool (*const openers[])(struct compression **, struct err *) = {
        [COMPRESSION_BROTLI] = brotli_open_decoder,
        [COMPRESSION_LZ4] = lz4_open_decoder,
        [COMPRESSION_ZSTD] = zstd_open_decoder,
    };

    return openers[format](codec, err);
}

void compression_close(struct compression *codec)
{
    if (codec)
        codec->ops->close(codec);
}

bool compression_run(struct compression *codec, struct compression_step *step,
                     bool last, bool *done, struct err *err)
{
    return codec->ops->run(codec, step, last, done, err);
}
