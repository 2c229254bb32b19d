#include "tools/phone/video/mp4_writer.h"

#include <stdlib.h>
#include <string.h>

#include "adb/scrcpy/h264_stream.h"
#include "base/bytes.h"
#include "base/mem.h"

#define CONFIG_MAX ((size_t)4096)
#define SAMPLES_MAX ((size_t)1 << 20)

struct mp4_sample {
    uint32_t length;
    bool is_key;
    uint64_t pts_us;
};

void mp4_writer_init(struct mp4_writer *writer)
{
    *writer = (struct mp4_writer){.config = BUF_INIT(CONFIG_MAX),
                                  .data = BUF_INIT(MP4_WRITER_MAX)};
}

void mp4_writer_release(struct mp4_writer *writer)
{
    buf_release(&writer->config);
    buf_release(&writer->data);
    free(writer->samples);
    writer->samples = NULL;
}

/* ---- samples ---- */

static void put_u8(struct buf *out, unsigned value)
{
    buf_byte(out, (char)value);
}

static void put_u16(struct buf *out, unsigned value)
{
    uint8_t bytes[2];

    put_u16be(bytes, (uint16_t)value);
    buf_append(out, bytes, sizeof(bytes));
}

static void put_u32(struct buf *out, uint64_t value)
{
    uint8_t bytes[4];

    put_u32be(bytes, (uint32_t)value);
    buf_append(out, bytes, sizeof(bytes));
}

/* Lengths instead of start codes. */
static void put_nals(const struct video_packet *packet, struct buf *out)
{
    struct h264_nal nal;
    size_t at = 0;

    while (h264_next_nal(packet->data, packet->length, &at, &nal)) {
        put_u32(out, nal.length);
        buf_append(out, nal.data, nal.length);
    }
}

static bool set_config(struct mp4_writer *writer,
                       const struct video_packet *packet)
{
    if (writer->config.length)
        return packet->size.width == writer->size.width &&
               packet->size.height == writer->size.height;
    buf_append(&writer->config, packet->data, packet->length);
    writer->size = packet->size;
    return !writer->config.overflow;
}

bool mp4_writer_add(struct mp4_writer *writer,
                    const struct video_packet *packet)
{
    size_t before = writer->data.length;

    if (packet->kind == VIDEO_CONFIG)
        return set_config(writer, packet);
    put_nals(packet, &writer->data);
    if (writer->data.overflow || writer->count == SAMPLES_MAX) {
        buf_truncate(&writer->data, before);
        return false;
    }
    if (writer->count == writer->capacity) {
        writer->capacity = writer->capacity ? 2 * writer->capacity : 64;
        writer->samples = mem_resize(writer->samples, writer->capacity,
                                     sizeof(*writer->samples));
    }
    writer->samples[writer->count++] = (struct mp4_sample){
        .length = (uint32_t)(writer->data.length - before),
        .is_key = packet->kind == VIDEO_KEY,
        .pts_us = packet->pts_us,
    };
    return true;
}

/* ---- boxes ---- */

/* Returns where the box begins, for end_box. */
static size_t begin_box(struct buf *out, const char *type)
{
    put_u32(out, 0);
    buf_append(out, type, 4);
    return out->length - 8;
}

static size_t begin_full_box(struct buf *out, const char *type, uint32_t flags)
{
    size_t begin = begin_box(out, type);

    put_u32(out, flags);
    return begin;
}

static void end_box(struct buf *out, size_t begin)
{
    if (!out->overflow)
        put_u32be((uint8_t *)out->data + begin,
                  (uint32_t)(out->length - begin));
}

static void put_zeros(struct buf *out, size_t count)
{
    while (count--)
        buf_byte(out, 0);
}

/* The identity, which most boxes with a transformation have. */
static void put_matrix(struct buf *out)
{
    static const uint32_t matrix[9] = {0x10000, 0, 0, 0,         0x10000,
                                       0,       0, 0, 0x40000000};

    for (size_t i = 0; i < ARRAY_LEN(matrix); i++)
        put_u32(out, matrix[i]);
}

/* In microseconds. */
static uint64_t length_of(const struct mp4_writer *writer, size_t sample,
                          int64_t end_us)
{
    uint64_t begin = writer->samples[sample].pts_us;
    uint64_t end = sample + 1 < writer->count
                       ? writer->samples[sample + 1].pts_us
                       : (uint64_t)end_us;

    return end > begin ? end - begin : 1;
}

/* In milliseconds, of the whole video. */
static uint64_t duration_of(const struct mp4_writer *writer, int64_t end_us)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < writer->count; i++)
        sum += length_of(writer, i, end_us);
    return sum / 1000;
}

static void put_mvhd(struct buf *out, uint64_t duration)
{
    size_t box = begin_full_box(out, "mvhd", 0);

    put_zeros(out, 8);
    put_u32(out, 1000);
    put_u32(out, duration);
    put_u32(out, 0x10000);
    put_u16(out, 0x100);
    put_zeros(out, 10);
    put_matrix(out);
    put_zeros(out, 24);
    put_u32(out, 2); /* next_track_ID */
    end_box(out, box);
}

static void put_tkhd(struct buf *out, struct extent size, uint64_t duration)
{
    size_t box = begin_full_box(out, "tkhd", 3);

    put_zeros(out, 8);
    put_u32(out, 1); /* track_ID */
    put_zeros(out, 4);
    put_u32(out, duration);
    put_zeros(out, 16);
    put_matrix(out);
    put_u32(out, (uint64_t)size.width << 16);
    put_u32(out, (uint64_t)size.height << 16);
    end_box(out, box);
}

static void put_mdhd(struct buf *out, uint64_t duration)
{
    size_t box = begin_full_box(out, "mdhd", 0);

    put_zeros(out, 8);
    put_u32(out, 1000000);
    put_u32(out, duration * 1000);
    put_u16(out, 0x55c4); /* undetermined language */
    put_u16(out, 0);
    end_box(out, box);
}

static void put_hdlr(struct buf *out)
{
    size_t box = begin_full_box(out, "hdlr", 0);

    put_zeros(out, 4);
    buf_text(out, "vide");
    put_zeros(out, 12);
    buf_append(out, "VideoHandle", sizeof("VideoHandle"));
    end_box(out, box);
}

static void put_dinf(struct buf *out)
{
    size_t dinf = begin_box(out, "dinf");
    size_t dref = begin_full_box(out, "dref", 0);
    size_t url;

    put_u32(out, 1);
    url = begin_full_box(out, "url ", 1); /* in this file */
    end_box(out, url);
    end_box(out, dref);
    end_box(out, dinf);
}

/* The parameter sets of one type, with a count in front. */
static void put_parameters(const struct buf *config, enum h264_nal_type type,
                           unsigned flags, struct buf *out)
{
    const uint8_t *bytes = (const uint8_t *)config->data;
    struct h264_nal nal;
    size_t at = 0;
    unsigned count = 0;

    while (h264_next_nal(bytes, config->length, &at, &nal))
        count += nal.type == type;
    put_u8(out, flags | count);
    at = 0;
    while (h264_next_nal(bytes, config->length, &at, &nal)) {
        if (nal.type != type)
            continue;
        put_u16(out, (unsigned)nal.length);
        buf_append(out, nal.data, nal.length);
    }
}

static void put_avcc(const struct mp4_writer *writer, struct buf *out)
{
    size_t box = begin_box(out, "avcC");
    struct h264_config config = {.profile = 66};
    struct err ignored = ERR_INIT; /* our encoder's are valid */

    (void)!h264_config_parse((const uint8_t *)writer->config.data,
                             writer->config.length, &config, &ignored);
    put_u8(out, 1);
    put_u8(out, config.profile);
    put_u8(out, config.constraints);
    put_u8(out, config.level);
    put_u8(out, 0xff); /* lengths have four bytes */
    put_parameters(&writer->config, H264_NAL_SPS, 0xe0, out);
    put_parameters(&writer->config, H264_NAL_PPS, 0, out);
    end_box(out, box);
}

static void put_stsd(const struct mp4_writer *writer, struct buf *out)
{
    size_t stsd = begin_full_box(out, "stsd", 0);
    size_t avc1;

    put_u32(out, 1);
    avc1 = begin_box(out, "avc1");
    put_zeros(out, 6);
    put_u16(out, 1); /* data_reference_index */
    put_zeros(out, 16);
    put_u16(out, (unsigned)writer->size.width);
    put_u16(out, (unsigned)writer->size.height);
    put_u32(out, 0x480000); /* 72 dpi */
    put_u32(out, 0x480000);
    put_zeros(out, 4);
    put_u16(out, 1); /* frame_count */
    put_zeros(out, 32);
    put_u16(out, 24); /* depth */
    put_u16(out, 0xffff);
    put_avcc(writer, out);
    end_box(out, avc1);
    end_box(out, stsd);
}

static void put_times(const struct mp4_writer *writer, int64_t end_us,
                      struct buf *out)
{
    size_t box = begin_full_box(out, "stts", 0);

    put_u32(out, writer->count);
    for (size_t i = 0; i < writer->count; i++) {
        put_u32(out, 1);
        put_u32(out, length_of(writer, i, end_us));
    }
    end_box(out, box);
}

static void put_keys(const struct mp4_writer *writer, struct buf *out)
{
    size_t box = begin_full_box(out, "stss", 0);
    uint32_t count = 0;

    for (size_t i = 0; i < writer->count; i++)
        count += writer->samples[i].is_key;
    put_u32(out, count);
    for (size_t i = 0; i < writer->count; i++) {
        if (writer->samples[i].is_key)
            put_u32(out, i + 1);
    }
    end_box(out, box);
}

/* All samples are one chunk. */
static void put_sizes(const struct mp4_writer *writer, size_t offset,
                      struct buf *out)
{
    size_t box = begin_full_box(out, "stsc", 0);

    put_u32(out, 1);
    put_u32(out, 1);
    put_u32(out, writer->count);
    put_u32(out, 1);
    end_box(out, box);
    box = begin_full_box(out, "stsz", 0);
    put_u32(out, 0);
    put_u32(out, writer->count);
    for (size_t i = 0; i < writer->count; i++)
        put_u32(out, writer->samples[i].length);
    end_box(out, box);
    box = begin_full_box(out, "stco", 0);
    put_u32(out, 1);
    put_u32(out, offset);
    end_box(out, box);
}

static void put_media(const struct mp4_writer *writer, int64_t end_us,
                      size_t offset, struct buf *out)
{
    size_t minf = begin_box(out, "minf");
    size_t vmhd = begin_full_box(out, "vmhd", 1);
    size_t stbl;

    put_zeros(out, 8);
    end_box(out, vmhd);
    put_dinf(out);
    stbl = begin_box(out, "stbl");
    put_stsd(writer, out);
    put_times(writer, end_us, out);
    put_keys(writer, out);
    put_sizes(writer, offset, out);
    end_box(out, stbl);
    end_box(out, minf);
}

static void put_moov(const struct mp4_writer *writer, int64_t end_us,
                     size_t offset, struct buf *out)
{
    uint64_t duration = duration_of(writer, end_us);
    size_t moov = begin_box(out, "moov");
    size_t trak;
    size_t mdia;

    put_mvhd(out, duration);
    trak = begin_box(out, "trak");
    put_tkhd(out, writer->size, duration);
    mdia = begin_box(out, "mdia");
    put_mdhd(out, duration);
    put_hdlr(out);
    put_media(writer, end_us, offset, out);
    end_box(out, mdia);
    end_box(out, trak);
    end_box(out, moov);
}

void mp4_writer_finish(const struct mp4_writer *writer, int64_t end_us,
                       struct buf *out)
{
    size_t box = begin_box(out, "ftyp");
    size_t offset;

    buf_text(out, "isom");
    put_u32(out, 0x200);
    buf_text(out, "isomiso2avc1mp41");
    end_box(out, box);
    box = begin_box(out, "mdat");
    offset = out->length;
    buf_append(out, buf_cstr(&writer->data), writer->data.length);
    end_box(out, box);
    put_moov(writer, end_us, offset, out);
}
