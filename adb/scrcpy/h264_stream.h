/*
 * H.264 as a stream of bytes with start codes (ITU-T H.264, Annex B): what is
 * in a packet, and where packets end in a stream without boundaries. Pure.
 */
#ifndef ADB_SCRCPY_H264_STREAM_H
#define ADB_SCRCPY_H264_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/scrcpy/video_packet.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/extent.h"

/* nal_unit_type, table 7-1. */
enum h264_nal_type {
    H264_NAL_SLICE = 1,
    H264_NAL_IDR = 5,
    H264_NAL_SPS = 7,
    H264_NAL_PPS = 8,
    H264_NAL_DELIMITER = 9,
};

/* One NAL unit, without its start code; data is borrowed. */
struct h264_nal {
    enum h264_nal_type type; /* or any other value below 32 */
    const uint8_t *data;
    size_t length; /* at least 1 */
};

/*
 * The first NAL unit of bytes at or after *at; *at is then its end. False:
 * there is none.
 */
MUST_USE bool h264_next_nal(const uint8_t *bytes, size_t length, size_t *at,
                            struct h264_nal *nal);

/* The configuration that a decoder needs before the first picture. */
struct h264_config {
    uint8_t profile;
    uint8_t constraints;
    uint8_t level;
    struct extent size; /* of the visible picture */
};

/*
 * Read the first SPS in a packet. Fails with ERR_NOT_FOUND when it has none and
 * ERR_PROTOCOL when it is damaged.
 */
MUST_USE bool h264_config_parse(const uint8_t *bytes, size_t length,
                                struct h264_config *config, struct err *err);

#define H264_CODEC_MAX sizeof("avc1.000000")

/* The codec string of browsers (RFC 6381), such as "avc1.42c01e". */
void h264_config_codec(const struct h264_config *config,
                       char codec[H264_CODEC_MAX]);

/* The content so far of the packet at the end of the stream. */
enum h264_open_packet {
    H264_OPEN_EMPTY,  /* no NAL unit */
    H264_OPEN_CONFIG, /* parameter sets */
    H264_OPEN_PREFIX, /* NAL units in front of a frame */
    H264_OPEN_FRAME,  /* a part of a frame */
};

/* Cuts a stream into packets. */
struct h264_splitter {
    struct buf bytes; /* what was not consumed yet */
    size_t returned;  /* of these, the packet that was returned last */
    size_t scanned;   /* NAL units that begin before it are accounted for */
    enum h264_open_packet open;
    bool is_key; /* of the open frame */
};

void h264_splitter_init(struct h264_splitter *splitter);
void h264_splitter_release(struct h264_splitter *splitter);

/* Forget everything; the next byte begins a new stream. */
void h264_splitter_clear(struct h264_splitter *splitter);

/*
 * Add bytes of the stream. Fails with ERR_LIMIT when a packet is larger than
 * VIDEO_PACKET_MAX.
 */
MUST_USE bool h264_splitter_add(struct h264_splitter *splitter,
                                const uint8_t *bytes, size_t length,
                                struct err *err);

/*
 * Take the next packet: its kind, data and length. The data stays valid until
 * the next call. flush: what has arrived of a frame is a whole frame. Bytes
 * before a start code are dropped. False: there is no complete packet.
 */
MUST_USE bool h264_splitter_next(struct h264_splitter *splitter, bool flush,
                                 struct video_packet *packet);

#endif
