#include "adb/scrcpy/scrcpy_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void scrcpy_options_init(struct scrcpy_options *options)
{
    *options = (struct scrcpy_options){
        .id = SCRCPY_NO_ID,
        .video = true,
        .audio = true,
        .control = true,
        .bit_rate = SCRCPY_BIT_RATE,
        .power_on = true,
        .cleanup = true,
        .clipboard_autosync = true,
        .send_device_meta = true,
        .send_frame_meta = true,
        .send_dummy_byte = true,
        .send_codec_meta = true,
    };
}

void scrcpy_options_socket(const struct scrcpy_options *options,
                           char name[SCRCPY_SOCKET_MAX])
{
    if (options->id == SCRCPY_NO_ID)
        snprintf(name, SCRCPY_SOCKET_MAX, "scrcpy");
    else
        snprintf(name, SCRCPY_SOCKET_MAX, "scrcpy_%08x", (unsigned)options->id);
}

/* ---- flags ---- */

struct flag_option {
    const char *key;
    size_t offset; /* of a bool in struct scrcpy_options */
};

#define FLAG(key_, member_)                                                    \
    {                                                                          \
        (key_), offsetof(struct scrcpy_options, member_)                       \
    }

static const struct flag_option flags[] = {
    FLAG("video", video),
    FLAG("audio", audio),
    FLAG("control", control),
    FLAG("tunnel_forward", tunnel_forward),
    FLAG("power_on", power_on),
    FLAG("cleanup", cleanup),
    FLAG("clipboard_autosync", clipboard_autosync),
    FLAG("send_device_meta", send_device_meta),
    FLAG("send_frame_meta", send_frame_meta),
    FLAG("send_dummy_byte", send_dummy_byte),
    FLAG("send_codec_meta", send_codec_meta),
};

static bool *flag_of(struct scrcpy_options *options, size_t index)
{
    return (bool *)((char *)options + flags[index].offset);
}

/* ---- writing ---- */

static void write_version(const struct scrcpy_version *version, struct buf *out)
{
    buf_printf(out, "%u.%u", version->major, version->minor);
    if (version->patch)
        buf_printf(out, ".%u", version->patch);
}

static const char *key_of(const struct scrcpy_options *options, size_t index)
{
    if (flags[index].offset ==
            offsetof(struct scrcpy_options, send_codec_meta) &&
        scrcpy_version_layout(&options->version) == SCRCPY_LAYOUT_4)
        return "send_stream_meta";
    return flags[index].key;
}

void scrcpy_options_write(const struct scrcpy_options *options,
                          struct buf *arguments)
{
    struct scrcpy_options given = *options;
    struct scrcpy_options defaults;

    scrcpy_options_init(&defaults);
    write_version(&options->version, arguments);
    if (options->id != SCRCPY_NO_ID)
        buf_printf(arguments, " scid=%08x", (unsigned)options->id);
    for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
        bool value = *flag_of(&given, i);

        if (value != *flag_of(&defaults, i))
            buf_printf(arguments, " %s=%s", key_of(options, i),
                       value ? "true" : "false");
    }
    if (options->max_size)
        buf_printf(arguments, " max_size=%d", options->max_size);
    if (options->max_fps > 0)
        buf_printf(arguments, " max_fps=%g", (double)options->max_fps);
    if (options->bit_rate != defaults.bit_rate)
        buf_printf(arguments, " video_bit_rate=%d", options->bit_rate);
}

/* ---- parsing ---- */

#define FPS_MIN 0.1F
#define FPS_MAX 1000

static bool parse_number(const char *key, const char *value, int base,
                         long least, long most, long *number, struct err *err)
{
    char *end;
    long parsed = strtol(value, &end, base);

    if (end == value || *end || parsed < least || parsed > most)
        return err_set(err, ERR_INVALID, "Invalid value for %.32s: \"%.32s\"",
                       key, value);
    *number = parsed;
    return true;
}

/* 0: without a limit. */
static bool parse_fps(const char *value, float *fps, struct err *err)
{
    char *end;
    float parsed = strtof(value, &end);

    if (end == value || *end || !(parsed == 0 || parsed >= FPS_MIN) ||
        parsed > FPS_MAX)
        return err_set(err, ERR_INVALID, "Invalid value for max_fps: \"%.32s\"",
                       value);
    *fps = parsed;
    return true;
}

static bool parse_codec(const char *value, struct err *err)
{
    if (strcmp(value, "h264"))
        return err_set(err, ERR_INVALID, "Video codec %.32s not supported",
                       value);
    return true;
}

/* Boolean.parseBoolean of Java. */
static bool parse_flag(const char *key, const char *value,
                       struct scrcpy_options *options)
{
    if (!strcmp(key, "send_stream_meta"))
        key = "send_codec_meta";
    for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
        if (!strcmp(key, flags[i].key)) {
            *flag_of(options, i) = !strcmp(value, "true");
            return true;
        }
    }
    return false;
}

/* raw_stream turns everything off that is not video. */
static void set_raw_stream(struct scrcpy_options *options)
{
    options->send_device_meta = false;
    options->send_frame_meta = false;
    options->send_dummy_byte = false;
    options->send_codec_meta = false;
}

static bool parse_pair(const char *key, const char *value,
                       struct scrcpy_options *options, struct err *err)
{
    long number = 0;

    if (parse_flag(key, value, options))
        return true;
    if (!strcmp(key, "scid")) {
        if (!parse_number(key, value, 16, -1, INT32_MAX, &number, err))
            return false;
        options->id = (int32_t)number;
    } else if (!strcmp(key, "max_size")) {
        if (!parse_number(key, value, 10, 0, SCRCPY_SIDE_MAX, &number, err))
            return false;
        options->max_size = (int)number;
    } else if (!strcmp(key, "video_bit_rate")) {
        if (!parse_number(key, value, 10, 1, INT32_MAX, &number, err))
            return false;
        options->bit_rate = (int)number;
    } else if (!strcmp(key, "max_fps")) {
        return parse_fps(value, &options->max_fps, err);
    } else if (!strcmp(key, "video_codec")) {
        return parse_codec(value, err);
    } else if (!strcmp(key, "raw_stream") && !strcmp(value, "true")) {
        set_raw_stream(options);
    }
    return true;
}

static bool parse_argument(const char *argument, struct scrcpy_options *options,
                           struct err *err)
{
    const char *equal = strchr(argument, '=');
    char key[64];

    if (!equal)
        return err_set(err, ERR_INVALID, "Invalid key=value pair: \"%.64s\"",
                       argument);
    snprintf(key, sizeof(key), "%.*s", (int)(equal - argument), argument);
    return parse_pair(key, equal + 1, options, err);
}

bool scrcpy_options_parse(const char *const *arguments, size_t count,
                          struct scrcpy_options *options, struct err *err)
{
    struct scrcpy_options parsed;

    if (!count)
        return err_set(err, ERR_INVALID, "Missing client version");
    scrcpy_options_init(&parsed);
    if (!scrcpy_version_parse(arguments[0], &parsed.version, err))
        return false;
    for (size_t i = 1; i < count; i++) {
        if (!parse_argument(arguments[i], &parsed, err))
            return false;
    }
    *options = parsed;
    return true;
}
