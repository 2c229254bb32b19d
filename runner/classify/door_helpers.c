#include "runner/classify/door_helpers.h"

#include <stdlib.h>
#include <string.h>

#include "base/keycode.h"
#include "base/name_table.h"

#define YADB_SCREENSHOT "/data/local/tmp/yadb_screenshot.png"
#define YADB_LAYOUT "/data/local/tmp/yadb_layout_dump.xml"

#define PIXEL_MAX 100000
#define MS_MAX (3600 * 1000)

bool door_helpers_is_server(const char *name)
{
    static const char *const servers[] = {
        "com.wetest.uia2.Main",         /* uiautomator2 */
        "com.genymobile.scrcpy.Server", /* scrcpy */
        "com.mobilenext.mobilecli.DeviceServer",
        "com.mobilenext.devicekit/.DeviceKitServer",
        "com.mobilenext.devicekit/.ViewTreeDump",
        "com.github.uiautomator.test/androidx.test.runner.AndroidJUnitRunner",
        "com.github.uiautomator.test/"
        "android.support.test.runner.AndroidJUnitRunner",
        "io.appium.uiautomator2.server.test/"
        "androidx.test.runner.AndroidJUnitRunner",
    };

    return NAME_TABLE_HAS(servers, name);
}

bool door_helpers_is_process(const char *pattern)
{
    static const char *const processes[] = {
        "com.wetest.uia2.Main",
        "com.genymobile.scrcpy.Server",
        "com.github.uiautomator",
        "io.appium.uiautomator2.server",
        "com.mobilenext.devicekit",
        "com.mobilenext.mobilecli.DeviceServer",
        "DeviceServer", /* mobilecli's */
        "UiDumpServer",
    };
    char name[64];
    size_t length = 0;

    for (; *pattern && length < sizeof(name) - 1; pattern++) {
        if (*pattern != '[' && *pattern != ']')
            name[length++] = *pattern;
    }
    name[length] = '\0';
    return !*pattern && NAME_TABLE_HAS(processes, name);
}

/* ---- yadb ---- */

/* ~CLEAR~ and ~ENTER~ in a text are keys. */
static void yadb_keyboard(struct door_shell *shell, struct door_args args)
{
    static const struct {
        const char *flag;
        int key;
    } flags[] = {{"~CLEAR~", KEY_CLEAR}, {"~ENTER~", KEY_ENTER}};
    const char *text = door_args_at(args, 0);
    struct buf part = BUF_INIT(ACTION_TEXT_MAX);

    if (!text) {
        door_record_raw(&shell->context, EFFECT_UNKNOWN);
        return;
    }
    while (*text) {
        size_t flag = 0;

        while (flag < ARRAY_LEN(flags) &&
               strncmp(text, flags[flag].flag, strlen(flags[flag].flag)) != 0)
            flag++;
        if (flag == ARRAY_LEN(flags)) {
            buf_byte(&part, *text++);
            continue;
        }
        if (part.length)
            door_record_text(&shell->context, buf_cstr(&part));
        buf_clear(&part);
        door_record_key(&shell->context, flags[flag].key, 0);
        text += strlen(flags[flag].flag);
    }
    if (part.length)
        door_record_text(&shell->context, buf_cstr(&part));
    buf_release(&part);
}

static void yadb_clear(struct door_shell *shell, struct door_args args)
{
    (void)args;
    door_record_key(&shell->context, KEY_CLEAR, 0);
}

static bool read_point(struct door_args args, size_t index,
                       struct action_point *point)
{
    return door_args_number(args, index, -PIXEL_MAX, PIXEL_MAX, &point->x) &&
           door_args_number(args, index + 1, -PIXEL_MAX, PIXEL_MAX, &point->y);
}

static void yadb_touch(struct door_shell *shell, struct door_args args)
{
    struct action_point at;
    int ms = 0;

    if (read_point(args, 0, &at) &&
        (args.count < 3 || door_args_number(args, 2, -1, MS_MAX, &ms)))
        door_record_path(&shell->context, at, at, ms, false);
    else
        door_record_raw(&shell->context, EFFECT_UNKNOWN);
}

static void yadb_path(struct door_shell *shell, struct door_args args,
                      size_t time, bool drags)
{
    struct action_point from;
    struct action_point to;
    int ms = 300;

    if (read_point(args, 0, &from) && read_point(args, 2, &to) &&
        (args.count <= time || door_args_number(args, time, 0, MS_MAX, &ms)))
        door_record_path(&shell->context, from, to, ms, drags);
    else
        door_record_raw(&shell->context, EFFECT_UNKNOWN);
}

static void yadb_swipe(struct door_shell *shell, struct door_args args)
{
    yadb_path(shell, args, 4, false);
}

static void yadb_drag(struct door_shell *shell, struct door_args args)
{
    yadb_path(shell, args, 5, true);
}

/* -pinch X Y FROM TO MS: distances of the fingers. */
static void yadb_pinch(struct door_shell *shell, struct door_args args)
{
    struct action action;
    struct action_point at;
    int from;
    int to;
    int ms = 0;

    if (!read_point(args, 0, &at) ||
        !door_args_number(args, 2, 0, PIXEL_MAX, &from) ||
        !door_args_number(args, 3, 0, PIXEL_MAX, &to) ||
        (args.count > 4 && !door_args_number(args, 4, 0, MS_MAX, &ms))) {
        door_record_raw(&shell->context, EFFECT_UNKNOWN);
        return;
    }
    action = door_action_with(ACTION_PINCH, to < from ? "in" : "out");
    action.has_from = true;
    action.from = at;
    action.milliseconds = ms < ACTION_MILLISECONDS_MAX ? ms : 0;
    door_record_action(&shell->context, action);
}

static void yadb_screenshot(struct door_shell *shell, struct door_args args)
{
    const char *file = args.count ? door_args_at(args, 0) : YADB_SCREENSHOT;

    door_record_capture(&shell->context, DOOR_SCREENSHOT, DOOR_PNG,
                        file ? file : "");
}

static void yadb_layout(struct door_shell *shell, struct door_args args)
{
    const char *file = args.count ? door_args_at(args, 0) : YADB_LAYOUT;

    door_record_capture(&shell->context, DOOR_TREE, DOOR_XML, file ? file : "");
}

static void yadb_write_clipboard(struct door_shell *shell,
                                 struct door_args args)
{
    door_set_clipboard(&shell->context, door_args_at(args, 0));
}

static void yadb_read_clipboard(struct door_shell *shell, struct door_args args)
{
    (void)args;
    door_record_read(&shell->context);
}

static const struct {
    const char *name;
    door_command_fn *run;
} yadb_commands[] = {
    {"-keyboard", yadb_keyboard},
    {"-keyboardClear", yadb_clear},
    {"-touch", yadb_touch},
    {"-swipe", yadb_swipe},
    {"-longPressDrag", yadb_drag},
    {"-pinch", yadb_pinch},
    {"-screenshot", yadb_screenshot},
    {"-layout", yadb_layout},
    {"-writeClipboard", yadb_write_clipboard},
    {"-readClipboard", yadb_read_clipboard},
};

static void run_yadb(struct door_shell *shell, struct door_args args)
{
    const char *name = door_args_at(args, 0);

    for (size_t i = 0; name && i < ARRAY_LEN(yadb_commands); i++) {
        if (!strcmp(yadb_commands[i].name, name)) {
            yadb_commands[i].run(shell, door_args_skip(args, 1));
            return;
        }
    }
    door_record_raw(&shell->context, EFFECT_UNKNOWN);
}

/* ---- classes ---- */

static const struct {
    const char *name;
    door_command_fn *run;
} classes[] = {
    {"com.ysbing.yadb.Main", run_yadb},
    {"com.android.commands.input.Input", door_input_run},
    {"com.android.commands.am.Am", door_am_run},
    {"com.android.commands.monkey.Monkey", door_monkey_run},
    {"com.android.commands.pm.Pm", door_pm_run},
    {"com.android.commands.uiautomator.Launcher", door_uiautomator_run},
};

/* app_process [-Dx=y...] DIRECTORY [--nice-name=x] CLASS [...] */
void door_app_process_run(struct door_shell *shell, struct door_args args)
{
    const char *name;

    while (args.count && args.words[0][0] == '-')
        args = door_args_skip(args, 1);
    args = door_args_skip(args, 1);
    while (args.count && args.words[0][0] == '-')
        args = door_args_skip(args, 1);
    name = door_args_at(args, 0);
    for (size_t i = 0; name && i < ARRAY_LEN(classes); i++) {
        if (!strcmp(classes[i].name, name)) {
            classes[i].run(shell, door_args_skip(args, 1));
            return;
        }
    }
    if (name && door_helpers_is_server(name))
        door_record_read(&shell->context);
    else
        door_record_raw(&shell->context, EFFECT_PROGRAM);
}
