#include "adb/scrcpy/scrcpy_wire.h"

#include <stdio.h>
#include <string.h>

#include "adb/scrcpy/video_packet.h"
#include "base/bytes.h"

/* ---- versions ---- */

#define NUMBER_MAX 999

/* Read a number of at most three digits; NULL: there is none. */
static const char *read_number(const char *text, unsigned *number)
{
    unsigned value = 0;
    const char *at = text;

    while (*at >= '0' && *at <= '9' && value <= NUMBER_MAX)
        value = value * 10 + (unsigned)(*at++ - '0');
    if (at == text || value > NUMBER_MAX)
        return NULL;
    *number = value;
    return at;
}

bool scrcpy_version_parse(const char *text, struct scrcpy_version *version,
                          struct err *err)
{
    unsigned numbers[3] = {0};
    const char *at = text;
    size_t count = 0;

    while (at && count < 3) {
        at = read_number(at, &numbers[count]);
        count++;
        if (!at || *at != '.')
            break;
        at++;
    }
    if (!at || *at || count < 2)
        return err_set(
            err, ERR_INVALID,
            "\"%.32s\" is not a version of scrcpy: expected one such as 3.1",
            text);
    *version = (struct scrcpy_version){numbers[0], numbers[1], numbers[2]};
    if (!scrcpy_version_is_at_least(version, 2, 1, 0))
        return err_set(err, ERR_UNSUPPORTED,
                       "scrcpy %.32s is too old; 2.1 or later is needed", text);
    return true;
}

bool scrcpy_version_is_at_least(const struct scrcpy_version *version,
                                unsigned major, unsigned minor, unsigned patch)
{
    if (version->major != major)
        return version->major > major;
    if (version->minor != minor)
        return version->minor > minor;
    return version->patch >= patch;
}

enum scrcpy_layout scrcpy_version_layout(const struct scrcpy_version *version)
{
    return version->major >= 4 ? SCRCPY_LAYOUT_4 : SCRCPY_LAYOUT_2;
}

float scrcpy_version_scroll_max(const struct scrcpy_version *version)
{
    return scrcpy_version_is_at_least(version, 3, 3, 1) ? 16.0F : 1.0F;
}

/* ---- video ---- */

static bool check_size(struct extent size, struct err *err)
{
    if (size.width < 1 || size.height < 1 || size.width > SCRCPY_SIDE_MAX ||
        size.height > SCRCPY_SIDE_MAX)
        return err_set(err, ERR_PROTOCOL,
                       "scrcpy's server reports a video of %d x %d pixels",
                       size.width, size.height);
    return true;
}

/* Values that no int can hold become -1, which check_size rejects. */
static struct extent get_size(const uint8_t *bytes)
{
    uint32_t width = get_u32be(bytes);
    uint32_t height = get_u32be(bytes + 4);

    return (struct extent){
        .width = width > SCRCPY_SIDE_MAX ? -1 : (int)width,
        .height = height > SCRCPY_SIDE_MAX ? -1 : (int)height,
    };
}

static void put_size(uint8_t *bytes, struct extent size)
{
    put_u32be(bytes, (uint32_t)size.width);
    put_u32be(bytes + 4, (uint32_t)size.height);
}

size_t scrcpy_video_header_size(enum scrcpy_layout layout)
{
    return layout == SCRCPY_LAYOUT_4 ? 4 : 12;
}

void scrcpy_video_header_write(enum scrcpy_layout layout,
                               const struct scrcpy_video_header *header,
                               struct buf *out)
{
    uint8_t bytes[SCRCPY_VIDEO_HEADER_MAX];

    put_u32be(bytes, header->codec);
    put_size(bytes + 4, header->size);
    buf_append(out, bytes, scrcpy_video_header_size(layout));
}

bool scrcpy_video_header_parse(enum scrcpy_layout layout, const uint8_t *bytes,
                               struct scrcpy_video_header *header,
                               struct err *err)
{
    struct scrcpy_video_header parsed = {.codec = get_u32be(bytes)};

    if (parsed.codec == SCRCPY_CODEC_DISABLED ||
        parsed.codec == SCRCPY_CODEC_FAILED)
        return err_set(err, ERR_REMOTE,
                       "scrcpy's server cannot encode the screen");
    if (parsed.codec != SCRCPY_CODEC_H264)
        return err_set(err, ERR_UNSUPPORTED,
                       "scrcpy's server sends codec 0x%08x instead of H.264",
                       parsed.codec);
    if (layout == SCRCPY_LAYOUT_2) {
        parsed.size = get_size(bytes + 4);
        if (!check_size(parsed.size, err))
            return false;
    }
    *header = parsed;
    return true;
}

#define BIT(number) (UINT64_C(1) << (number))

static uint64_t config_flag(enum scrcpy_layout layout)
{
    return layout == SCRCPY_LAYOUT_4 ? BIT(62) : BIT(63);
}

static uint64_t key_flag(enum scrcpy_layout layout)
{
    return layout == SCRCPY_LAYOUT_4 ? BIT(61) : BIT(62);
}

static void write_session(struct extent size, struct buf *out)
{
    uint8_t bytes[SCRCPY_PACKET_HEADER_SIZE];

    put_u32be(bytes, 1U << 31);
    put_size(bytes + 4, size);
    buf_append(out, bytes, sizeof(bytes));
}

static uint64_t flags_and_pts(enum scrcpy_layout layout,
                              const struct scrcpy_packet_header *header)
{
    uint64_t pts = header->pts_us & (BIT(61) - 1);

    switch (header->kind) {
    case SCRCPY_PACKET_CONFIG:
        return config_flag(layout);
    case SCRCPY_PACKET_KEY:
        return key_flag(layout) | pts;
    case SCRCPY_PACKET_SESSION:
    case SCRCPY_PACKET_DELTA:
        break;
    }
    return pts;
}

void scrcpy_packet_header_write(enum scrcpy_layout layout,
                                const struct scrcpy_packet_header *header,
                                struct buf *out)
{
    uint8_t bytes[SCRCPY_PACKET_HEADER_SIZE];

    if (header->kind == SCRCPY_PACKET_SESSION) {
        if (layout == SCRCPY_LAYOUT_4)
            write_session(header->size, out);
        return;
    }
    put_u64be(bytes, flags_and_pts(layout, header));
    put_u32be(bytes + 8, header->length);
    buf_append(out, bytes, sizeof(bytes));
}

static bool parse_session(const uint8_t *bytes,
                          struct scrcpy_packet_header *header, struct err *err)
{
    struct extent size = get_size(bytes + 4);

    if (!check_size(size, err))
        return false;
    *header = (struct scrcpy_packet_header){.kind = SCRCPY_PACKET_SESSION,
                                            .size = size};
    return true;
}

bool scrcpy_packet_header_parse(enum scrcpy_layout layout, const uint8_t *bytes,
                                struct scrcpy_packet_header *header,
                                struct err *err)
{
    uint64_t flags = get_u64be(bytes);
    struct scrcpy_packet_header parsed = {.length = get_u32be(bytes + 8)};

    if (layout == SCRCPY_LAYOUT_4 && (flags & BIT(63)))
        return parse_session(bytes, header, err);
    if (parsed.length > VIDEO_PACKET_MAX)
        return err_set(err, ERR_LIMIT,
                       "scrcpy's server sends a packet of %u bytes",
                       parsed.length);
    if (flags & config_flag(layout)) {
        parsed.kind = SCRCPY_PACKET_CONFIG;
    } else {
        parsed.kind =
            flags & key_flag(layout) ? SCRCPY_PACKET_KEY : SCRCPY_PACKET_DELTA;
        parsed.pts_us = flags & (BIT(61) - 1);
    }
    *header = parsed;
    return true;
}
