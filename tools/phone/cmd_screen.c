#include "tools/phone/cmd_screen.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "tools/phone/display_settings.h"

#define XML_MAX ((size_t)8 << 20)

#define COLOUR_SPACE_SRGB 1

/* How long uiautomator waits for a screen that does not rest. */
#define IDLE_TIME (10 * PHONE_SECOND)

#define STATUS_KILLED 137 /* 128 and SIGKILL */

static struct screen_context *context_of(struct call *call)
{
    return call->context;
}

/* Where a command's result goes: its output, or a file. */
static bool is_output(const char *name)
{
    static const char *const names[] = {"-", "/dev/tty", "/dev/stdout",
                                        "/proc/self/fd/1"};

    return NAMES_HAVE(names, name);
}

static struct sh_out *open_file(struct call *call, const char *name)
{
    char *path = call_path(call, name);
    struct sh_out *out = path ? sh_out_file(call->files, path, false) : NULL;

    free(path);
    return out;
}

int screen_command_fail(struct call *call, const char *fmt, ...)
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

static bool write_raw(const struct picture *picture, struct sh_out *out)
{
    struct buf header = BUF_INIT(16);
    size_t row = (size_t)picture->width * PICTURE_PIXEL;
    bool done;

    buf_u32le(&header, picture->width);
    buf_u32le(&header, picture->height);
    buf_u32le(&header, PIXEL_RGBA_8888);
    buf_u32le(&header, COLOUR_SPACE_SRGB);
    done = sh_out_write(out, header.data, header.length);
    buf_release(&header);
    if (picture->stride == row) /* in few large packets */
        return done &&
               sh_out_write(out, picture->pixels, row * picture->height);
    for (uint32_t y = 0; done && y < picture->height; y++)
        done = sh_out_write(out, picture_row(picture, y), row);
    return done;
}

/* How much of it is sent: a fault may take its end away. */
static size_t length_of(struct faults *faults, const struct buf *png)
{
    struct fault fault;
    size_t left;

    if (!faults_strike(faults, FAULT_PNG, "screencap", &fault))
        return png->length;
    left = fault.after < 0 ? png->length / 2 : (size_t)fault.after;
    return left < png->length ? left : png->length;
}

static bool write_png(struct faults *faults, struct screen_frame *frame,
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

static int capture(struct call *call, const char *name, bool png)
{
    struct screen_context *context = context_of(call);
    struct sh_out *out = name ? open_file(call, name) : call->ports.out;
    struct screen_frame *frame;
    struct err err = ERR_INIT;
    int number = 0;
    bool done;

    if (!out)
        return call_fail_path(call, name, ENAMETOOLONG);
    virtual_clock_look(context->clock);
    done = screen_look(context->screen, &frame, &err);
    if (done) {
        done = png ? write_png(context->faults, frame, out)
                   : write_raw(&frame->picture, out);
        screen_frame_drop(frame);
    } else {
        call_fail(call, "%s", err.text);
    }
    if (name && !sh_out_close(out, &number))
        return call_fail_path(call, name, number);
    return done ? 0 : 1;
}

static int run_screencap(struct call *call)
{
    struct call_options options;
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
    return options.given['h'] ? 0 : status;
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

/* That a file cannot be written is nothing that uiautomator speaks of. */
static void write_dump(struct call *call, const char *name,
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

/* How uiautomator fails in life. Only its death is told by its status. */
static int fail_dump(struct call *call, enum fault_how how, const char *name)
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

static int run_dump(struct call *call)
{
    struct screen_context *context = context_of(call);
    const char *name = "/sdcard/window_dump.xml";
    struct buf xml = BUF_INIT(XML_MAX);
    bool compressed = false;
    struct fault fault;

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

static int run_uiautomator(struct call *call)
{
    if (call->argc >= 2 && !strcmp(call->argv[1], "dump"))
        return run_dump(call);
    call_print(call, "%s", uiautomator_usage);
    return call->argc >= 2 && !strcmp(call->argv[1], "help") ? 0 : 1;
}

/* ---- wm ---- */

static int set_display(struct call *call, const struct screen_display *display)
{
    struct err err = ERR_INIT;

    if (!screen_set_display(context_of(call)->screen, display, &err))
        return screen_command_fail(call, "Error: %s", err.text);
    return 0;
}

/* "1080x2400"; a side that no screen has is 0. */
static bool parse_size(const char *text, struct screen_size *size)
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
    *size = (struct screen_size){(int)sides[0], (int)sides[1]};
    return true;
}

static int run_size(struct call *call, struct screen_display *display)
{
    struct screen_size *size = &display->size;

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

static int run_density(struct call *call, struct screen_display *display)
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

/* "lock 1" turns the screen by a quarter and holds it, "free" lets it go. */
static int run_rotation(struct call *call, struct screen_display *display)
{
    struct settings *settings = &context_of(call)->handset->settings;
    struct buf automatic = BUF_INIT(PAIRS_VALUE_MAX);
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

/* There is no lock screen, and what else could be asked for is as it is. */
static int run_nothing(struct call *call, struct screen_display *display)
{
    (void)call, (void)display;
    return 0;
}

static int run_wm(struct call *call)
{
    static const struct {
        const char *name;
        int (*run)(struct call *call, struct screen_display *display);
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

static const struct command commands[] = {
    {"screencap", run_screencap, "[-hp] [-d display-id] [FILENAME]"},
    {"uiautomator", run_uiautomator, "dump [--compressed] [FILE]"},
    {"wm", run_wm,
     "size [reset|WxH] | density [reset|DENSITY] | "
     "user-rotation [free|lock] [ROTATION]"},
};

const struct command_set screen_commands = {commands, ARRAY_LEN(commands)};

void screen_families(struct screen_context *context,
                     struct command_family families[SCREEN_FAMILIES])
{
    const struct command_set *const sets[SCREEN_FAMILIES] = {
        &screen_commands,  &input_commands,    &activity_commands,
        &package_commands, &keyboard_commands, &dumpsys_commands,
        &device_commands,  &service_commands,
    };

    for (size_t i = 0; i < SCREEN_FAMILIES; i++)
        families[i] = (struct command_family){sets[i], context};
}
