#include "tools/phone/services/cmd_screen.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/name_table.h"
#include "base/utf8.h"
#include "tools/phone/system/display_settings.h"

#define XML_MAX ((size_t)8 << 20)

#define COLOUR_SPACE_SRGB 1

/* How long uiautomator waits for an idle screen. */
#define IDLE_TIME (10 * PHONE_SECOND)

#define STATUS_KILLED 137 /* 128 and SIGKILL */

static struct screen_context *context_of(struct command_call *call)
{
    return call->context;
}

/* The destination of a result: the output, or a file. */
static bool is_output(const char *name)
{
    static const char *const names[] = {"-", "/dev/tty", "/dev/stdout",
                                        "/proc/self/fd/1"};

    return NAME_TABLE_HAS(names, name);
}

static struct sh_out *open_file(struct command_call *call, const char *name)
{
    char *path = call_path(call, name);
    struct sh_out *out = path ? sh_out_file(call->files, path, false) : NULL;

    free(path);
    return out;
}

int screen_command_fail(struct command_call *call, const char *fmt, ...)
{
    char text[512];
    va_list args;
    size_t length;

    va_start(args, fmt);
    vsnprintf(text, sizeof(text) - 1, fmt, args);
    va_end(args);
    length = strlen(text);
    text[length] = '\n';
    if (!sh_out_write(call->ports.errors, text, length + 1))
        call->ended = true;
    return SCREEN_COMMAND_FAILED;
}

/* ---- screencap ---- */

static bool write_header(const struct android_level *android,
                         const struct picture *picture, struct sh_out *out)
{
    struct buf header = BUF_INIT(16);
    bool done;

    buf_u32le(&header, picture->width);
    buf_u32le(&header, picture->height);
    buf_u32le(&header, android->rgb_565 ? PIXEL_RGB_565 : PIXEL_RGBA_8888);
    if (!android->no_color_space)
        buf_u32le(&header, COLOUR_SPACE_SRGB);
    done = sh_out_write(out, header.data, header.length);
    buf_release(&header);
    return done;
}

static bool write_pixels_565(const struct picture *picture, struct sh_out *out)
{
    struct buf pixels = BUF_INIT((size_t)picture->width * picture->height * 2);
    bool done;

    screen_pack_565(picture, &pixels);
    done = sh_out_write(out, pixels.data, pixels.length);
    buf_release(&pixels);
    return done;
}

static bool write_pixels(const struct picture *picture, struct sh_out *out)
{
    size_t row = (size_t)picture->width * PICTURE_PIXEL;
    bool done = true;

    if (picture->stride == row) /* in few large packets */
        return sh_out_write(out, picture->pixels, row * picture->height);
    for (uint32_t y = 0; done && y < picture->height; y++)
        done = sh_out_write(out, picture_row(picture, y), row);
    return done;
}

static bool write_raw(const struct android_level *android,
                      const struct picture *picture, struct sh_out *out)
{
    return write_header(android, picture, out) &&
           (android->rgb_565 ? write_pixels_565 : write_pixels)(picture, out);
}

/* How many bytes are sent: a fault may truncate it. */
static size_t length_of(struct phone_faults *faults, const struct buf *png)
{
    struct phone_fault fault;
    size_t left;

    if (!faults_strike(faults, FAULT_PNG, "screencap", &fault))
        return png->length;
    left = fault.after < 0 ? png->length / 2 : (size_t)fault.after;
    return left < png->length ? left : png->length;
}

static bool write_png(struct phone_faults *faults, struct phone_frame *frame,
                      struct sh_out *out)
{
    const struct buf *png;
    struct err err;

    return screen_frame_png(frame, &png, &err) &&
           sh_out_write(out, png->data, length_of(faults, png));
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text);

    return length >= strlen(end) && !strcmp(text + length - strlen(end), end);
}

static int capture(struct command_call *call, const char *name, bool png)
{
    struct screen_context *context = context_of(call);
    struct sh_out *out = name ? open_file(call, name) : call->ports.out;
    struct phone_frame *frame;
    struct err err = ERR_INIT;
    int number = 0;
    bool done;

    if (!out)
        return call_fail_path(call, name, ENAMETOOLONG);
    virtual_clock_look(context->clock);
    done = screen_look(context->screen, &frame, &err);
    if (done) {
        done = png ? write_png(context->faults, frame, out)
                   : write_raw(context->handset->android, &frame->picture, out);
        screen_frame_drop(frame);
    } else {
        call_fail(call, "%s", err.text);
    }
    if (name && !sh_out_close(out, &number))
        return call_fail_path(call, name, number);
    return done ? 0 : 1;
}

static int run_screencap(struct command_call *call)
{
    struct command_options options;
    const char *name;
    int status;

    if (!call_options(call, "hpd:", &options, &status))
        return status;
    name = options.count ? options.operands[0] : NULL;
    if (options.given['h'])
        call_print(call, "usage: screencap %s\n", call->command->usage);
    else
        status =
            capture(call, name && !is_output(name) ? name : NULL,
                    options.given['p'] || (name && ends_with(name, ".png")));
    call_options_release(&options);
    return options.given['h'] ? 1 : status;
}

/* ---- uiautomator ---- */

static const char uiautomator_usage[] =
    "Usage: uiautomator <subcommand> [options]\n"
    "\n"
    "Available subcommands:\n"
    "\n"
    "help: displays help message\n"
    "\n"
    "dump: creates an XML dump of current UI hierarchy\n"
    "    dump [--verbose][file]\n"
    "      [--compressed]: dumps compressed layout information.\n"
    "      [file]: the location where the dumped XML should be stored, "
    "default is\n"
    "      /sdcard/window_dump.xml\n";

/* uiautomator does not report that a file cannot be written. */
static void write_dump(struct command_call *call, const char *name,
                       const struct buf *xml)
{
    bool to_file = !is_output(name);
    struct sh_out *out = to_file ? open_file(call, name) : call->ports.out;
    int number;

    if (out && !sh_out_write(out, xml->data, xml->length) && !to_file)
        call->ended = true;
    if (out && to_file && !sh_out_close(out, &number))
        return;
}

/*
 * Failures of uiautomator on real phones. Its status is 0 unless it is killed.
 */
static int fail_dump(struct command_call *call, enum phone_fault_how how,
                     const char *name)
{
    switch (how) {
    case FAULT_NULL_ROOT:
        call_error(call, "ERROR: null root node returned by "
                         "UiTestAutomationBridge.\n");
        return 0;
    case FAULT_NO_IDLE:
        call_pass(call, context_of(call)->clock, IDLE_TIME);
        call_error(call, "ERROR: could not get idle state.\n");
        return 0;
    case FAULT_KILLED:
        call_error(call, "Killed\n");
        return STATUS_KILLED;
    case FAULT_STALE:
    case FAULT_HOWS:
        break;
    }
    call_print(call, "UI hierchary dumped to: %s\n", name);
    return 0;
}

static int run_dump(struct command_call *call)
{
    struct screen_context *context = context_of(call);
    const char *name = context->handset->android->dump_file;
    struct buf xml = BUF_INIT(XML_MAX);
    bool compressed = false;
    struct phone_fault fault;

    for (size_t i = 2; i < call->argc; i++) {
        if (!strcmp(call->argv[i], "--compressed"))
            compressed = true;
        else if (call->argv[i][0] != '-')
            name = call->argv[i];
    }
    virtual_clock_look(context->clock);
    if (faults_strike(context->faults, FAULT_DUMP, "uiautomator", &fault))
        return fail_dump(call, fault.how, name);
    screen_dump(context->screen, compressed, &xml);
    write_dump(call, name, &xml);
    buf_release(&xml);
    call_print(call, "UI hierchary dumped to: %s\n", name);
    return 0;
}

static int run_uiautomator(struct command_call *call)
{
    if (call->argc >= 2 && !strcmp(call->argv[1], "dump"))
        return run_dump(call);
    call_print(call, "%s", uiautomator_usage);
    return call->argc >= 2 && !strcmp(call->argv[1], "help") ? 0 : 1;
}

/* ---- wm ---- */

static int set_display(struct command_call *call,
                       const struct screen_display *display)
{
    struct err err = ERR_INIT;

    if (!screen_set_display(context_of(call)->screen, display, &err))
        return screen_command_fail(call, "Error: %s", err.text);
    return 0;
}

/* "1080x2400"; a side out of range becomes 0. */
static bool parse_size(const char *text, struct phone_size *size)
{
    long sides[2];
    char *end;

    for (size_t i = 0; i < ARRAY_LEN(sides); i++) {
        sides[i] = strtol(text, &end, 10);
        if (end == text || *end != (i ? '\0' : 'x'))
            return false;
        if (sides[i] < 0 || sides[i] > SCREEN_SIDE_MAX)
            sides[i] = 0;
        text = end + 1;
    }
    *size = (struct phone_size){(int)sides[0], (int)sides[1]};
    return true;
}

static int run_size(struct command_call *call, struct screen_display *display)
{
    struct phone_size *size = &display->size;

    if (call->argc < 3) {
        call_print(call, "Physical size: %dx%d\n", display->physical.width,
                   display->physical.height);
        if (size->width != display->physical.width ||
            size->height != display->physical.height)
            call_print(call, "Override size: %dx%d\n", size->width,
                       size->height);
        return 0;
    }
    if (!strcmp(call->argv[2], "reset"))
        *size = display->physical;
    else if (!parse_size(call->argv[2], size))
        return screen_command_fail(call, "Error: bad size %.100s",
                                   call->argv[2]);
    return set_display(call, display);
}

static int run_density(struct command_call *call,
                       struct screen_display *display)
{
    long long density;

    if (call->argc < 3) {
        call_print(call, "Physical density: %d\n", display->physical_density);
        if (display->density != display->physical_density)
            call_print(call, "Override density: %d\n", display->density);
        return 0;
    }
    if (!strcmp(call->argv[2], "reset")) {
        display->density = display->physical_density;
    } else {
        if (!call_number(call, call->argv[2], SCREEN_DENSITY_MIN,
                         SCREEN_DENSITY_MAX, &density))
            return SCREEN_COMMAND_FAILED;
        display->density = (int)density;
    }
    return set_display(call, display);
}

/*
 * "lock 1" rotates the screen by 90 degrees and locks that, "free" unlocks it.
 */
static int run_rotation(struct command_call *call,
                        struct screen_display *display)
{
    struct phone_settings *settings = &context_of(call)->handset->settings;
    struct buf automatic = BUF_INIT(STRING_MAP_VALUE_MAX);
    size_t at = call->argc > 3 && !strcmp(call->argv[2], "-d") ? 4 : 2;
    long long rotation = display->rotation;
    bool held;

    if (at >= call->argc) {
        held = settings_get(settings, SETTINGS_SYSTEM, "accelerometer_rotation",
                            &automatic) &&
               !strcmp(buf_cstr(&automatic), "0");
        if (held)
            call_print(call, "lock %d\n", display->rotation);
        else
            call_print(call, "free\n");
        buf_release(&automatic);
        return 0;
    }
    held = strcmp(call->argv[at], "free") != 0;
    if (held && strcmp(call->argv[at], "lock") != 0)
        return screen_command_fail(
            call, "Error: argument needs to be either -d, free or lock.");
    if (at + 1 < call->argc &&
        !call_number(call, call->argv[at + 1], 0, 3, &rotation))
        return SCREEN_COMMAND_FAILED;
    display_settings_turn(settings, held, (int)rotation);
    return 0;
}

/* There is no lock screen; other subcommands have no effect. */
static int run_nothing(struct command_call *call,
                       struct screen_display *display)
{
    (void)call, (void)display;
    return 0;
}

static int run_wm(struct command_call *call)
{
    static const struct {
        const char *name;
        int (*run)(struct command_call *call, struct screen_display *display);
    } parts[] = {
        {"size", run_size},
        {"density", run_density},
        {"user-rotation", run_rotation},
        {"set-user-rotation", run_rotation},
        {"dismiss-keyguard", run_nothing},
        {"fixed-to-user-rotation", run_nothing},
        {"set-fix-to-user-rotation", run_nothing},
        {"set-ignore-orientation-request", run_nothing},
        {"scaling", run_nothing},
    };
    struct screen_display display = screen_display(context_of(call)->screen);

    for (size_t i = 0; call->argc >= 2 && i < ARRAY_LEN(parts); i++) {
        if (!strcmp(parts[i].name, call->argv[1]))
            return parts[i].run(call, &display);
    }
    if (call->argc >= 2)
        return screen_command_fail(call, "Unknown command: %.100s",
                                   call->argv[1]);
    call_print(call, "usage: wm %s\n", call->command->usage);
    return SCREEN_COMMAND_FAILED;
}

static const struct phone_command commands[] = {
    {"screencap", run_screencap, "[-hp] [-d display-id] [FILENAME]"},
    {"uiautomator", run_uiautomator, "dump [--compressed] [FILE]"},
    {"wm", run_wm,
     "size [reset|WxH] | density [reset|DENSITY] | "
     "user-rotation [free|lock] [ROTATION]"},
};

const struct command_set screen_commands = {commands, ARRAY_LEN(commands)};

/* The length in bytes of the first count characters. */
static size_t bytes_of(const char *text, int64_t characters)
{
    size_t length = strlen(text);
    size_t at = 0;

    while (at < length && characters-- > 0) {
        size_t bytes = utf8_first(text + at, length - at);

        at += bytes ? bytes : 1;
    }
    return at;
}

void screen_command_type(struct screen_context *context, const char *text)
{
    struct phone_fault fault;
    char *arrived;

    if (!faults_strike(context->faults, FAULT_SWALLOW, "input", &fault)) {
        screen_type(context->screen, text);
        return;
    }
    arrived = mem_dup_n(text, bytes_of(text, fault.after));
    if (*arrived)
        screen_type(context->screen, arrived);
    free(arrived);
}

void screen_families(struct screen_context *context,
                     struct command_family families[SCREEN_FAMILIES])
{
    const struct command_set *const sets[SCREEN_FAMILIES] = {
        &screen_commands,  &input_commands,    &activity_commands,
        &package_commands, &keyboard_commands, &dumpsys_commands,
        &device_commands,  &service_commands,  &app_process_commands,
        &admin_commands,
    };

    for (size_t i = 0; i < SCREEN_FAMILIES; i++)
        families[i] = (struct command_family){sets[i], context};
}
