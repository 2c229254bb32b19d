#include "tools/phone/video/cmd_screenrecord.h"

#include <stdlib.h>
#include <string.h>

#include "tools/phone/video/mp4_writer.h"
#include "tools/phone/video/screen_video.h"

#define BIT_RATE 20000000
#define BIT_RATE_MIN 100000
#define BIT_RATE_MAX 200000000
#define TIME_LIMIT 180 /* seconds */
#define FPS 60.0F

/* The first version without a limit of time. */
#define SDK_ENDLESS 34

#define STATUS_USAGE 2

struct screenrecord {
    struct command_call *call;
    struct screen_video_settings settings;
    long long seconds; /* 0: no limit */
    bool raw;          /* H.264 instead of MP4 */
    const char *name;  /* of the file; "-": the output */
    struct sh_out *out;
    struct mp4_writer mp4;
};

/* ---- options ---- */

static bool is_endless(const struct command_call *call)
{
    const struct phone_video *phone = call->context;

    return phone->screen->handset->android->sdk >= SDK_ENDLESS;
}

static void print_help(struct command_call *call)
{
    call_error(
        call,
        "Usage: screenrecord [options] <filename>\n"
        "\n"
        "Records the device's display to a .mp4 file.\n"
        "\n"
        "Options:\n"
        "--size WIDTHxHEIGHT\n"
        "    Set the video size, e.g. \"1280x720\".  Default is the device's "
        "main\n"
        "    display resolution (if supported), 1280x720 if not.\n"
        "--bit-rate RATE\n"
        "    Set the video bit rate, in bits per second.  Value may be "
        "specified as\n"
        "    bits or megabits, e.g. '4000000' is equivalent to '4M'.  Default "
        "20Mbps.\n"
        "--time-limit TIME\n"
        "    Set the maximum recording time, in seconds.  Default is 180.%s\n"
        "--output-format FORMAT\n"
        "    mp4 or h264; a filename of \"-\" needs h264.\n"
        "--help\n"
        "    Show this message.\n"
        "\n"
        "Recording continues until Ctrl-C is hit or the time limit is "
        "reached.\n",
        is_endless(call) ? " Set to 0\n    to remove the time limit." : "");
}

static int fail_usage(struct command_call *call, const char *what,
                      const char *value)
{
    call_error(call, "Invalid %s '%.100s'\n", what, value);
    return STATUS_USAGE;
}

/* "4000000" or "4M". */
static bool parse_bit_rate(const char *text, int *rate)
{
    char *end;
    long long value = strtoll(text, &end, 10);

    if (end == text || value < 0 || value > BIT_RATE_MAX)
        return false;
    if (*end == 'M' || *end == 'm') {
        value *= 1000000;
        end++;
    }
    if (*end || value < BIT_RATE_MIN || value > BIT_RATE_MAX)
        return false;
    *rate = (int)value;
    return true;
}

static bool parse_size(const char *text, struct extent *size)
{
    char *end;
    long width = strtol(text, &end, 10);
    long height;

    if (end == text || *end != 'x' || width < 16 || width > 4096)
        return false;
    text = end + 1;
    height = strtol(text, &end, 10);
    if (end == text || *end || height < 16 || height > 4096 || width % 2 ||
        height % 2)
        return false;
    *size = (struct extent){(int)width, (int)height};
    return true;
}

static bool parse_time(const struct screenrecord *recording, const char *text,
                       long long *seconds)
{
    char *end;
    long long value = strtoll(text, &end, 10);
    bool endless = is_endless(recording->call);

    if (end == text || *end || value < (endless ? 0 : 1) ||
        (!endless && value > TIME_LIMIT) || value > 1000000)
        return false;
    *seconds = value;
    return true;
}

static int set_option(struct screenrecord *recording, const char *name,
                      const char *value)
{
    if (!strcmp(name, "--size"))
        return parse_size(value, &recording->settings.size)
                   ? 0
                   : fail_usage(recording->call, "size", value);
    if (!strcmp(name, "--bit-rate"))
        return parse_bit_rate(value, &recording->settings.bit_rate)
                   ? 0
                   : fail_usage(recording->call, "bit rate", value);
    if (!strcmp(name, "--time-limit"))
        return parse_time(recording, value, &recording->seconds)
                   ? 0
                   : fail_usage(recording->call, "time limit", value);
    if (!strcmp(name, "--output-format")) {
        recording->raw = !strcmp(value, "h264");
        return recording->raw || !strcmp(value, "mp4")
                   ? 0
                   : fail_usage(recording->call, "output format", value);
    }
    return 0; /* --display-id, --codec-name */
}

static bool takes_value(const char *name)
{
    static const char *const names[] = {
        "--size",       "--bit-rate",   "--time-limit", "--output-format",
        "--display-id", "--codec-name", "--bframes"};

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        if (!strcmp(names[i], name))
            return true;
    }
    return false;
}

/* "--name value", "--name=value" or "--name". Moves *at to the last of them. */
static int read_option(struct screenrecord *recording, size_t *at)
{
    struct command_call *call = recording->call;
    char name[32];
    const char *word = call->argv[*at];
    size_t length = strcspn(word, "=");

    if (length >= sizeof(name))
        return fail_usage(call, "option", word);
    memcpy(name, word, length);
    name[length] = '\0';
    if (!takes_value(name))
        return 0; /* --verbose, --bugreport, --rotate and similar ones */
    if (word[length])
        return set_option(recording, name, word + length + 1);
    if (*at + 1 >= call->argc)
        return fail_usage(call, "option", word);
    return set_option(recording, name, call->argv[++*at]);
}

static int read_arguments(struct screenrecord *recording)
{
    struct command_call *call = recording->call;

    for (size_t i = 1; i < call->argc; i++) {
        const char *word = call->argv[i];
        int status = 0;

        if (!strncmp(word, "--", 2))
            status = read_option(recording, &i);
        else
            recording->name = word;
        if (status)
            return status;
    }
    if (!recording->name) {
        call_error(call, "Must specify output file (see --help).\n");
        return STATUS_USAGE;
    }
    if (!strcmp(recording->name, "-") && !recording->raw) {
        call_error(call,
                   "ERROR: only the output format h264 can be written to -\n");
        return STATUS_USAGE;
    }
    return 0;
}

/* ---- recording ---- */

static bool write_packet(struct screenrecord *recording,
                         const struct video_packet *packet)
{
    if (!recording->raw)
        return mp4_writer_add(&recording->mp4, packet);
    return sh_out_write(recording->out, packet->data, packet->length);
}

/*
 * Write what is there of one look at the screen: a frame, and what comes before
 * it. *more: go on.
 */
static bool record_look(struct screenrecord *recording,
                        struct screen_video *video, bool *more, struct err *err)
{
    struct video_packet packet;
    bool got;

    do {
        if (!screen_video_poll(video, &got, &packet, err))
            return false;
        *more = !got || write_packet(recording, &packet);
    } while (got && *more && packet.kind == VIDEO_CONFIG);
    return true;
}

static bool record(struct screenrecord *recording, struct err *err)
{
    struct deadline end = recording->seconds
                              ? deadline_in_ms(recording->seconds * 1000)
                              : DEADLINE_NEVER;
    struct screen_video *video = NULL;
    bool more = true;
    bool done = screen_video_open(recording->call->context,
                                  &recording->settings, &video, err);

    while (done && more && !deadline_passed(end)) {
        struct deadline next = {clock_ns() +
                                (int64_t)(1e9F / recording->settings.fps)};

        done = record_look(recording, video, &more, err);
        more = more && done &&
               call_wait(recording->call, deadline_sooner(next, end));
    }
    screen_video_close(video);
    return done;
}

static int finish(struct screenrecord *recording)
{
    struct buf file = BUF_INIT(MP4_WRITER_MAX + (1U << 20));
    bool done = true;

    if (!recording->raw) {
        mp4_writer_finish(&recording->mp4, clock_ns() / 1000, &file);
        done = sh_out_write(recording->out, buf_cstr(&file), file.length);
    }
    buf_release(&file);
    return done ? 0 : 1;
}

static int record_to(struct screenrecord *recording)
{
    struct command_call *call = recording->call;
    bool to_file = strcmp(recording->name, "-") != 0;
    struct err err = ERR_INIT;
    int status;

    recording->out = call->ports.out;
    if (to_file && !call_create(call, recording->name, false, &recording->out))
        return 1;
    mp4_writer_init(&recording->mp4);
    if (record(recording, &err)) {
        status = finish(recording);
    } else {
        call_error(call, "ERROR: %s\n", err.text);
        status = 1;
    }
    mp4_writer_release(&recording->mp4);
    if (to_file && !call_finish(call, recording->out))
        status = 1;
    return status;
}

int run_screenrecord(struct command_call *call)
{
    struct screenrecord recording = {
        .call = call,
        .settings = {.bit_rate = BIT_RATE, .fps = FPS},
        .seconds = TIME_LIMIT,
    };
    int status;

    if (call->argc > 1 && !strcmp(call->argv[1], "--help")) {
        print_help(call);
        return 0;
    }
    status = read_arguments(&recording);
    return status ? status : record_to(&recording);
}
