/* `am` and `monkey`: starts of apps, and messages to them. */
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/keycode.h"
#include "base/mem.h"
#include "base/name_table.h"
#include "base/utf8.h"
#include "runner/classify/door_helpers.h"
#include "runner/classify/door_intent.h"

/* ---- starts ---- */

static bool is_main(const struct door_intent *intent)
{
    return !intent->action ||
           !strcmp(intent->action, "android.intent.action.MAIN");
}

/* Does it show a page, as no tap on the app's icon would? */
static bool is_link(const struct door_intent *intent)
{
    return !is_main(intent) || intent->data || intent->extra_count;
}

static void record_start(struct door_context *context,
                         const struct door_intent *intent)
{
    char package[DOOR_PATH_MAX];
    bool home = is_main(intent) && intent->home;
    bool known = !intent->unknown && (home || is_link(intent) ||
                                      door_intent_package(intent, package));

    if (!known)
        door_record_raw(context, EFFECT_INTENT);
    else if (home)
        door_record_action(context, (struct action){.kind = ACTION_HOME});
    else if (is_link(intent))
        door_record_raw(context, EFFECT_DEEP_LINK);
    else
        door_record_action(context, door_action_with(ACTION_OPEN_APP, package));
}

static void run_start(struct door_shell *shell, struct door_args args)
{
    struct door_intent intent;

    door_intent_read(args, &intent);
    record_start(&shell->context, &intent);
}

/* ---- keyboards that type what they are sent ---- */

void door_record_base64(struct door_context *context, const char *letters)
{
    struct base64_decoder decoder = {0};
    struct buf text = BUF_INIT(ACTION_TEXT_MAX);

    for (; *letters; letters++)
        (void)base64_take(&decoder, *letters, &text);
    if (text.overflow)
        door_record_raw(context, EFFECT_UNKNOWN);
    else
        door_record_text(context, buf_cstr(&text));
    buf_release(&text);
}

/* Code points, separated by commas. */
static void record_characters(struct door_context *context, const char *list)
{
    struct buf text = BUF_INIT(ACTION_TEXT_MAX);

    utf8_append_numbers(list, &text);
    door_record_text(context, buf_cstr(&text));
    buf_release(&text);
}

#define REPEATS_MAX 500

static void record_code(struct door_context *context,
                        const struct door_intent *intent)
{
    const char *name = door_intent_extra(intent, "code");
    const char *repeat = door_intent_extra(intent, "repeat");
    long times = repeat ? strtol(repeat, NULL, 10) : 1;
    int code;

    if (!name || !keycode_parse(name, &code) || times < 1 ||
        times > REPEATS_MAX) {
        door_record_raw(context, EFFECT_INTENT);
        return;
    }
    for (long i = 0; i < times; i++)
        door_record_key(context, code, 0);
}

static void record_message(struct door_context *context,
                           const struct door_intent *intent)
{
    const char *text = door_intent_extra(intent, "msg");
    const char *format = door_intent_extra(intent, "format");

    if (!text)
        door_record_raw(context, EFFECT_INTENT);
    else if (format && !strcmp(format, "base64"))
        door_record_base64(context, text);
    else
        door_record_text(context, text);
}

static void replace_text(struct door_context *context, const char *letters)
{
    door_record_action(context, (struct action){.kind = ACTION_CLEAR});
    door_record_base64(context, letters);
}

static bool record_typing(struct door_context *context,
                          const struct door_intent *intent, const char *name)
{
    const char *text = door_intent_extra(intent, "msg");
    const char *list = door_intent_extra(intent, "chars");
    const char *u2_text = door_intent_extra(intent, "text");

    if (!strcmp(name, "INPUT_TEXT"))
        record_message(context, intent);
    else if (!strcmp(name, "INPUT_B64") && text)
        door_record_base64(context, text);
    else if (!strcmp(name, "INPUT_CHARS") && list)
        record_characters(context, list);
    else if (!strcmp(name, "INPUT_CODE") ||
             !strcmp(name, "KEYBOARD_INPUT_KEYCODE"))
        record_code(context, intent);
    else if (!strcmp(name, "EDITOR_CODE") ||
             !strcmp(name, "KEYBOARD_EDITOR_CODE") ||
             !strcmp(name, "KEYBOARD_SMART_ENTER"))
        door_record_action(context, (struct action){.kind = ACTION_ENTER});
    else if (!strcmp(name, "KEYBOARD_INPUT_TEXT") && u2_text)
        door_record_base64(context, u2_text);
    else if (!strcmp(name, "KEYBOARD_SET_TEXT") && u2_text)
        replace_text(context, u2_text);
    else if (!strcmp(name, "CLEAR_TEXT") ||
             !strcmp(name, "KEYBOARD_CLEAR_TEXT"))
        door_record_action(context, (struct action){.kind = ACTION_CLEAR});
    else
        return false;
    return true;
}

/* ---- clipboards ---- */

void door_set_clipboard(struct door_context *context, const char *text)
{
    char **clipboard = &context->classifier->clipboard;

    free(*clipboard);
    *clipboard = text && strlen(text) <= ACTION_TEXT_MAX && !context->uncertain
                     ? mem_dup(text)
                     : NULL;
    door_record_raw(context, EFFECT_CLIPBOARD);
}

static void set_clipboard_base64(struct door_context *context,
                                 const char *letters)
{
    struct base64_decoder decoder = {0};
    struct buf text = BUF_INIT(ACTION_TEXT_MAX);

    for (; *letters; letters++)
        (void)base64_take(&decoder, *letters, &text);
    door_set_clipboard(context, text.overflow ? NULL : buf_cstr(&text));
    buf_release(&text);
}

static bool record_clipboard(struct door_context *context,
                             const struct door_intent *intent)
{
    static const char *const reads[] = {"clipper.get", "get",
                                        "devicekit.clipboard.get"};
    static const char *const sets[] = {"clipper.set", "set",
                                       "devicekit.clipboard.set"};
    const char *text = door_intent_extra(intent, "text");
    const char *encoding = door_intent_extra(intent, "encoding");

    if (NAME_TABLE_HAS(reads, intent->action))
        door_record_read(context);
    else if (!strcmp(intent->action, "devicekit.clipboard.clear"))
        door_set_clipboard(context, NULL);
    else if (!NAME_TABLE_HAS(sets, intent->action))
        return false;
    else if (text && encoding && !strcmp(encoding, "base64"))
        set_clipboard_base64(context, text);
    else
        door_set_clipboard(context, text);
    return true;
}

/* ---- broadcasts ---- */

/* "ADB_INPUT_TEXT", "com.droidrun.portal.DROIDRUN_INPUT_B64" */
static const char *keyboard_message(const char *action)
{
    static const char *const prefixes[] = {"ADB_", "DROIDRUN_", "MOBILERUN_"};
    const char *dot = strrchr(action, '.');
    const char *name = dot ? dot + 1 : action;

    for (size_t i = 0; i < ARRAY_LEN(prefixes); i++) {
        if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
            return name + strlen(prefixes[i]);
    }
    return NULL;
}

static void run_message(struct door_shell *shell, struct door_args args)
{
    struct door_context *context = &shell->context;
    struct door_intent intent;
    const char *name;

    door_intent_read(args, &intent);
    name = intent.action ? keyboard_message(intent.action) : NULL;
    if (intent.unknown || !intent.action ||
        ((!name || !record_typing(context, &intent, name)) &&
         !record_clipboard(context, &intent)))
        door_record_raw(context, EFFECT_INTENT);
}

/* ---- am ---- */

static void run_instrument(struct door_shell *shell, struct door_args args)
{
    for (size_t i = 0; i < args.count; i++) {
        if (args.known[i] && door_helpers_is_server(args.words[i])) {
            door_record_read(&shell->context);
            return;
        }
    }
    door_record_raw(&shell->context, EFFECT_PROGRAM);
}

static void run_stop(struct door_shell *shell, struct door_args args)
{
    (void)args;
    door_record_raw(&shell->context, EFFECT_APP_STOP);
}

static void run_query(struct door_shell *shell, struct door_args args)
{
    (void)args;
    door_record_read(&shell->context);
}

static const struct {
    const char *name;
    door_command_fn *run;
} subcommands[] = {
    {"start", run_start},
    {"start-activity", run_start},
    {"broadcast", run_message},
    {"startservice", run_message},
    {"start-service", run_message},
    {"startforegroundservice", run_message},
    {"start-foreground-service", run_message},
    {"instrument", run_instrument},
    {"force-stop", run_stop},
    {"stop-app", run_stop},
    {"kill", run_stop},
    {"kill-all", run_stop},
    {"crash", run_stop},
    {"get-current-user", run_query},
    {"get-config", run_query},
    {"get-uid-state", run_query},
    {"get-inactive", run_query},
    {"get-standby-bucket", run_query},
    {"get-started-user-state", run_query},
    {"get-isolated-pids", run_query},
    {"is-user-stopped", run_query},
    {"package-importance", run_query},
    {"to-uri", run_query},
    {"to-intent-uri", run_query},
    {"to-app-uri", run_query},
    {"monitor", run_query},
    {"wait-for-broadcast-idle", run_query},
    {"help", run_query},
};

void door_am_run(struct door_shell *shell, struct door_args args)
{
    const char *name = door_args_at(args, 0);

    if (name && (!strcmp(name, "stack") || !strcmp(name, "task")) &&
        door_args_is(args, 1, "list")) {
        door_record_read(&shell->context);
        return;
    }
    for (size_t i = 0; name && i < ARRAY_LEN(subcommands); i++) {
        if (!strcmp(subcommands[i].name, name)) {
            subcommands[i].run(shell, door_args_skip(args, 1));
            return;
        }
    }
    door_record_raw(&shell->context, EFFECT_UNKNOWN);
}

/* ---- monkey ---- */

/* monkey -p PACKAGE -c CATEGORY 1: one event, which starts the app. */
void door_monkey_run(struct door_shell *shell, struct door_args args)
{
    static const char *const with_value[] = {"-c",
                                             "-s",
                                             "--port",
                                             "--throttle",
                                             "--setup",
                                             "--pct-touch",
                                             "--pct-motion",
                                             "--pct-trackball",
                                             "--pct-nav",
                                             "--pct-majornav",
                                             "--pct-syskeys",
                                             "--pct-appswitch",
                                             "--pct-anyevent",
                                             "--pct-flip",
                                             "--pct-pinchzoom",
                                             "--pct-permission",
                                             "--pct-rotation"};
    const char *package = NULL;
    const char *count = NULL;

    for (size_t i = 0; i < args.count; i++) {
        const char *word = args.words[i];

        if (!strcmp(word, "-p"))
            package = door_args_at(args, ++i);
        else if (NAME_TABLE_HAS(with_value, word))
            i++;
        else if (word[0] != '-')
            count = word;
    }
    if (package && count && !strcmp(count, "1") && door_args_all_known(args))
        door_record_action(&shell->context,
                           door_action_with(ACTION_OPEN_APP, package));
    else
        door_record_raw(&shell->context, EFFECT_PROGRAM);
}
