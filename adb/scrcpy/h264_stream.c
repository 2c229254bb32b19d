#include "adb/scrcpy/h264_stream.h"

#include <stdio.h>

/* 00 00 01, which may have one more zero in front. */
#define START_CODE_SIZE 3

/* Enough to know where a packet ends: start code, type, first byte of data. */
#define NAL_HEAD_SIZE (START_CODE_SIZE + 2)

static bool is_start_code(const uint8_t *bytes)
{
    return bytes[0] == 0 && bytes[1] == 0 && bytes[2] == 1;
}

/* The first start code at or after at; length: there is none. */
static size_t find_start_code(const uint8_t *bytes, size_t length, size_t at)
{
    for (; at + START_CODE_SIZE <= length; at++) {
        if (is_start_code(bytes + at))
            return at;
    }
    return length;
}

bool h264_next_nal(const uint8_t *bytes, size_t length, size_t *at,
                   struct h264_nal *nal)
{
    size_t begin = find_start_code(bytes, length, *at);

    while (begin + START_CODE_SIZE < length) {
        size_t data = begin + START_CODE_SIZE;
        size_t next = find_start_code(bytes, length, data);
        size_t end = next;

        while (end > data && bytes[end - 1] == 0)
            end--;
        if (end > data) {
            *nal = (struct h264_nal){
                .type = (enum h264_nal_type)(bytes[data] & 0x1f),
                .data = bytes + data,
                .length = end - data,
            };
            *at = next;
            return true;
        }
        begin = next;
    }
    return false;
}

/* ---- the sequence parameter set, 7.3.2.1.1 ---- */

struct bit_reader {
    const uint8_t *bytes;
    size_t length;
    size_t at;    /* byte */
    int bit;      /* in this byte; 7 is the first */
    int zeros;    /* bytes of 0 in front of the byte at */
    bool overrun; /* sticky */
};

/* Skip the 03 that keeps 00 00 01 out of the data. */
static void skip_emulation_prevention(struct bit_reader *reader)
{
    if (reader->bit == 7 && reader->zeros == 2 && reader->at < reader->length &&
        reader->bytes[reader->at] == 3) {
        reader->at++;
        reader->zeros = 0;
    }
}

static unsigned read_bit(struct bit_reader *reader)
{
    unsigned bit;

    skip_emulation_prevention(reader);
    if (reader->at >= reader->length) {
        reader->overrun = true;
        return 0;
    }
    bit = reader->bytes[reader->at] >> reader->bit & 1U;
    if (reader->bit-- == 0) {
        reader->zeros = reader->bytes[reader->at] ? 0 : reader->zeros + 1;
        reader->zeros = reader->zeros > 2 ? 2 : reader->zeros;
        reader->bit = 7;
        reader->at++;
    }
    return bit;
}

static uint32_t read_bits(struct bit_reader *reader, int count)
{
    uint32_t value = 0;

    while (count--)
        value = value << 1 | read_bit(reader);
    return value;
}

/* ue(v), 9.1: at most 32 bits. */
static uint32_t read_unsigned(struct bit_reader *reader)
{
    int zeros = 0;

    while (!reader->overrun && zeros < 32 && !read_bit(reader))
        zeros++;
    if (zeros == 32)
        reader->overrun = true;
    if (reader->overrun)
        return 0;
    return (1U << zeros) - 1 + read_bits(reader, zeros);
}

/* se(v) */
static int64_t read_signed(struct bit_reader *reader)
{
    uint32_t value = read_unsigned(reader);

    return value & 1 ? ((int64_t)value + 1) / 2 : -(int64_t)(value / 2);
}

static void skip_scaling_list(struct bit_reader *reader, int size)
{
    int64_t last = 8;
    int64_t next = 8;

    for (int i = 0; i < size && !reader->overrun; i++) {
        if (next)
            next = (last + read_signed(reader) + 256) % 256;
        last = next ? next : last;
    }
}

/* The profiles that describe their chroma. */
static bool has_chroma_fields(uint8_t profile)
{
    static const uint8_t profiles[] = {100, 110, 122, 244, 44,  83, 86,
                                       118, 128, 138, 139, 134, 135};

    for (size_t i = 0; i < sizeof(profiles); i++) {
        if (profiles[i] == profile)
            return true;
    }
    return false;
}

/* Returns chroma_format_idc. */
static uint32_t read_chroma_fields(struct bit_reader *reader)
{
    uint32_t chroma = read_unsigned(reader);

    if (chroma == 3)
        read_bit(reader);  /* separate_colour_plane_flag */
    read_unsigned(reader); /* bit_depth_luma_minus8 */
    read_unsigned(reader); /* bit_depth_chroma_minus8 */
    read_bit(reader);      /* qpprime_y_zero_transform_bypass_flag */
    if (read_bit(reader)) {
        for (int i = 0; i < (chroma == 3 ? 12 : 8); i++) {
            if (read_bit(reader))
                skip_scaling_list(reader, i < 6 ? 16 : 64);
        }
    }
    return chroma;
}

static void skip_order_fields(struct bit_reader *reader)
{
    uint32_t kind = read_unsigned(reader); /* pic_order_cnt_type */

    if (kind == 0) {
        read_unsigned(reader);
    } else if (kind == 1) {
        uint32_t count;

        read_bit(reader);
        read_signed(reader);
        read_signed(reader);
        count = read_unsigned(reader);
        for (uint32_t i = 0; i < count && i < 255 && !reader->overrun; i++)
            read_signed(reader);
    }
}

#define SIDE_MAX 16384
#define MACROBLOCK 16

/* Read the size in macroblocks and what is cropped from it. */
static bool read_size(struct bit_reader *reader, uint32_t chroma,
                      struct extent *size)
{
    int64_t width = (int64_t)(read_unsigned(reader) + 1) * MACROBLOCK;
    int64_t units = (int64_t)read_unsigned(reader) + 1;
    int64_t fields = read_bit(reader) ? 1 : 2; /* frame_mbs_only_flag */
    int64_t height = units * fields * MACROBLOCK;
    int64_t crop_x = chroma == 1 || chroma == 2 ? 2 : 1;
    int64_t crop_y = (chroma == 1 ? 2 : 1) * fields;

    if (fields == 2)
        read_bit(reader); /* mb_adaptive_frame_field_flag */
    read_bit(reader);     /* direct_8x8_inference_flag */
    if (read_bit(reader)) {
        width -= crop_x * read_unsigned(reader);
        width -= crop_x * read_unsigned(reader);
        height -= crop_y * read_unsigned(reader);
        height -= crop_y * read_unsigned(reader);
    }
    if (reader->overrun || width < 1 || height < 1 || width > SIDE_MAX ||
        height > SIDE_MAX)
        return false;
    *size = (struct extent){(int)width, (int)height};
    return true;
}

static bool parse_sps(const struct h264_nal *nal, struct h264_config *config)
{
    struct bit_reader reader = {
        .bytes = nal->data, .length = nal->length, .at = 1, .bit = 7};
    struct h264_config parsed = {
        .profile = (uint8_t)read_bits(&reader, 8),
        .constraints = (uint8_t)read_bits(&reader, 8),
        .level = (uint8_t)read_bits(&reader, 8),
    };
    uint32_t chroma = 1;

    read_unsigned(&reader); /* seq_parameter_set_id */
    if (has_chroma_fields(parsed.profile))
        chroma = read_chroma_fields(&reader);
    read_unsigned(&reader); /* log2_max_frame_num_minus4 */
    skip_order_fields(&reader);
    read_unsigned(&reader); /* max_num_ref_frames */
    read_bit(&reader);      /* gaps_in_frame_num_value_allowed_flag */
    if (!read_size(&reader, chroma, &parsed.size))
        return false;
    *config = parsed;
    return true;
}

bool h264_config_parse(const uint8_t *bytes, size_t length,
                       struct h264_config *config, struct err *err)
{
    struct h264_nal nal;
    size_t at = 0;

    while (h264_next_nal(bytes, length, &at, &nal)) {
        if (nal.type != H264_NAL_SPS)
            continue;
        if (!parse_sps(&nal, config))
            return err_set(err, ERR_PROTOCOL,
                           "the video's parameters (SPS) are damaged");
        return true;
    }
    return err_set(err, ERR_NOT_FOUND, "the video has no parameters (SPS)");
}

void h264_config_codec(const struct h264_config *config,
                       char codec[H264_CODEC_MAX])
{
    snprintf(codec, H264_CODEC_MAX, "avc1.%02x%02x%02x", config->profile,
             config->constraints, config->level);
}

/* ---- packets of a stream ---- */

void h264_splitter_init(struct h264_splitter *splitter)
{
    *splitter = (struct h264_splitter){.bytes = BUF_INIT(VIDEO_PACKET_MAX)};
}

void h264_splitter_release(struct h264_splitter *splitter)
{
    buf_release(&splitter->bytes);
}

static void begin_packet(struct h264_splitter *splitter)
{
    splitter->open = H264_OPEN_EMPTY;
    splitter->is_key = false;
}

void h264_splitter_clear(struct h264_splitter *splitter)
{
    buf_clear(&splitter->bytes);
    splitter->returned = 0;
    splitter->scanned = 0;
    begin_packet(splitter);
}

/* Remove bytes from the front. */
static void drop(struct h264_splitter *splitter, size_t count)
{
    buf_consume(&splitter->bytes, count);
    splitter->scanned -= count < splitter->scanned ? count : splitter->scanned;
}

static void drop_returned(struct h264_splitter *splitter)
{
    drop(splitter, splitter->returned);
    splitter->returned = 0;
}

bool h264_splitter_add(struct h264_splitter *splitter, const uint8_t *bytes,
                       size_t length, struct err *err)
{
    drop_returned(splitter);
    buf_append(&splitter->bytes, bytes, length);
    if (splitter->bytes.overflow)
        return err_set(err, ERR_LIMIT,
                       "a frame of the video is larger than %zu bytes",
                       VIDEO_PACKET_MAX);
    return true;
}

static bool is_slice(unsigned type)
{
    return type >= H264_NAL_SLICE && type <= H264_NAL_IDR;
}

/* Does a NAL unit begin a packet after what is open? 7.4.1.2.3 */
static bool begins_packet(const struct h264_splitter *splitter,
                          const uint8_t *nal)
{
    unsigned type = nal[0] & 0x1fU;

    switch (splitter->open) {
    case H264_OPEN_FRAME:
        /* first_mb_in_slice is 0 when its first bit is 1. */
        return !is_slice(type) || nal[1] & 0x80;
    case H264_OPEN_CONFIG:
        return type != H264_NAL_SPS && type != H264_NAL_PPS;
    case H264_OPEN_EMPTY:
    case H264_OPEN_PREFIX:
        break;
    }
    return false;
}

static void open_nal(struct h264_splitter *splitter, unsigned type)
{
    if (is_slice(type)) {
        splitter->open = H264_OPEN_FRAME;
        splitter->is_key = splitter->is_key || type == H264_NAL_IDR;
    } else if (type == H264_NAL_SPS || type == H264_NAL_PPS) {
        splitter->open = H264_OPEN_CONFIG;
    } else if (splitter->open == H264_OPEN_EMPTY) {
        splitter->open = H264_OPEN_PREFIX;
    }
}

static void fill_packet(struct h264_splitter *splitter, size_t length,
                        struct video_packet *packet)
{
    enum video_packet_kind kind = VIDEO_CONFIG;

    if (splitter->open != H264_OPEN_CONFIG)
        kind = splitter->is_key ? VIDEO_KEY : VIDEO_DELTA;
    packet->kind = kind;
    packet->data = (const uint8_t *)splitter->bytes.data;
    packet->length = length;
    splitter->returned = length;
    begin_packet(splitter);
}

/* Bytes before the first start code belong to nothing. */
static void drop_stray_bytes(struct h264_splitter *splitter)
{
    const uint8_t *bytes = (const uint8_t *)splitter->bytes.data;
    size_t length = splitter->bytes.length;
    size_t at = find_start_code(bytes, length, 0);

    if (at == length)
        at = length > START_CODE_SIZE ? length - START_CODE_SIZE : 0;
    else if (at && bytes[at - 1] == 0)
        at--;
    drop(splitter, at);
}

static bool scan(struct h264_splitter *splitter, struct video_packet *packet)
{
    const uint8_t *bytes = (const uint8_t *)splitter->bytes.data;
    size_t length = splitter->bytes.length;
    size_t at = splitter->scanned;

    for (; at + NAL_HEAD_SIZE <= length; at++) {
        if (!is_start_code(bytes + at))
            continue;
        if (begins_packet(splitter, bytes + at + START_CODE_SIZE)) {
            splitter->scanned = at;
            fill_packet(splitter, at - (bytes[at - 1] == 0), packet);
            return true;
        }
        open_nal(splitter, bytes[at + START_CODE_SIZE] & 0x1fU);
    }
    splitter->scanned = at;
    return false;
}

bool h264_splitter_next(struct h264_splitter *splitter, bool flush,
                        struct video_packet *packet)
{
    drop_returned(splitter);
    if (splitter->open == H264_OPEN_EMPTY)
        drop_stray_bytes(splitter);
    if (scan(splitter, packet))
        return true;
    if (!flush || splitter->open == H264_OPEN_EMPTY ||
        splitter->open == H264_OPEN_PREFIX)
        return false;
    splitter->scanned = splitter->bytes.length;
    fill_packet(splitter, splitter->bytes.length, packet);
    return true;
}
