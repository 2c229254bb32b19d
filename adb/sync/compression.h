/*
 * Compression of one byte stream, piece by piece.
 *
 * Each step moves what it can from the caller's input to the caller's output,
 * so memory stays bounded whatever the bytes unpack to.
 */
#ifndef ADB_SYNC_COMPRESSION_H
#define ADB_SYNC_COMPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum compression_format {
    COMPRESSION_BROTLI,
    COMPRESSION_LZ4, /* the frame format */
    COMPRESSION_ZSTD,
};

struct compression;

/* One step's bytes: both sides move on as they are used up and filled. */
struct compression_step {
    const uint8_t *in;
    size_t in_left;
    uint8_t *out;
    size_t out_left;
};

/* A compressor in the format's fast setting. */
MUST_USE bool compression_open_encoder(enum compression_format format,
                                       struct compression **codec,
                                       struct err *err);

/* A decompressor. A peer can make it hold at most about 20 MiB. */
MUST_USE bool compression_open_decoder(enum compression_format format,
                                       struct compression **codec,
                                       struct err *err);

/* NULL is fine. */
void compression_close(struct compression *codec);

/*
 * Go on until the input is used up or the output is full.
 *
 * To a compressor, last says that no input follows; *done is then set once
 * everything has been put out. A decompressor sets *done where the
 * compressed bytes end, leaves what follows in the input, and must not be run
 * again; it fails with ERR_PROTOCOL on corrupt bytes. Bytes that were cut
 * short show as input used up, output not full, and *done not set.
 */
MUST_USE bool compression_run(struct compression *codec,
                              struct compression_step *step, bool last,
                              bool *done, struct err *err);

#endif
