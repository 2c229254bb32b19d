/* `cmd`, `pm`, `content`, `screencap` and `uiautomator`. */
#include <string.h>

#include "base/keycode.h"
#include "base/name_table.h"
#include "runner/classify/door_helpers.h"

/* ---- pm ---- */

static const struct {
    const char *name;
    enum action_effect effect; /* UNKNOWN: it only reads */
} pm_commands[] = {
    {"list", EFFECT_UNKNOWN},
    {"path", EFFECT_UNKNOWN},
    {"dump", EFFECT_UNKNOWN},
    {"dump-profiles", EFFECT_UNKNOWN},
    {"resolve-activity", EFFECT_UNKNOWN},
    {"query-activities", EFFECT_UNKNOWN},
    {"query-services", EFFECT_UNKNOWN},
    {"query-receivers", EFFECT_UNKNOWN},
    {"has-feature", EFFECT_UNKNOWN},
    {"check-permission", EFFECT_UNKNOWN},
    {"get-install-location", EFFECT_UNKNOWN},
    {"get-max-users", EFFECT_UNKNOWN},
    {"get-app-link", EFFECT_UNKNOWN},
    {"get-app-links", EFFECT_UNKNOWN},
    {"get-privapp-permissions", EFFECT_UNKNOWN},
    {"get-stagedsessions", EFFECT_UNKNOWN},
    {"help", EFFECT_UNKNOWN},
    {"grant", EFFECT_PERMISSION},
    {"revoke", EFFECT_PERMISSION},
    {"reset-permissions", EFFECT_PERMISSION},
    {"set-permission-enforced", EFFECT_PERMISSION},
    {"set-permission-flags", EFFECT_PERMISSION},
    {"clear-permission-flags", EFFECT_PERMISSION},
    {"clear", EFFECT_APP_DATA},
    {"trim-caches", EFFECT_APP_DATA},
};

void door_pm_run(struct door_shell *shell, struct door_args args)
{
    const char *name = door_args_at(args, 0);

    for (size_t i = 0; name && i < ARRAY_LEN(pm_commands); i++) {
        if (strcmp(pm_commands[i].name, name) != 0)
            continue;
        if (pm_commands[i].effect == EFFECT_UNKNOWN)
            door_record_read(&shell->context);
        else
            door_record_raw(&shell->context, pm_commands[i].effect);
        return;
    }
    door_record_raw(&shell->context,
                    args.count ? EFFECT_PACKAGE : EFFECT_UNKNOWN);
}

/* ---- content ---- */

/* The value of an option, such as "--uri". */
static const char *option_of(struct door_args args, const char *name)
{
    for (size_t i = 0; i + 1 < args.count; i++) {
        if (door_args_is(args, i, name))
            return door_args_at(args, i + 1);
    }
    return NULL;
}

/* "--bind NAME:TYPE:VALUE" */
static const char *binding_of(struct door_args args, const char *name)
{
    for (size_t i = 0; i + 1 < args.count; i++) {
        const char *value = door_args_at(args, i + 1);
        size_t length = strlen(name);

        if (door_args_is(args, i, "--bind") && value &&
            !strncmp(value, name, length) && value[length] == ':') {
            const char *colon = strchr(value + length + 1, ':');

            return colon ? colon + 1 : NULL;
        }
    }
    return NULL;
}

/* A text for the keyboard of a portal app, perhaps for an empty field. */
static void type_bound(struct door_context *context, struct door_args args)
{
    const char *text = binding_of(args, "base64_text");
    const char *clear = binding_of(args, "clear");

    if (!text) {
        door_record_raw(context, EFFECT_APP_DATA);
        return;
    }
    if (clear && !strcmp(clear, "true"))
        door_record_action(context, (struct action){.kind = ACTION_CLEAR});
    door_record_base64(context, text);
}

/* The keyboard of the portal app that mobilerun brings. */
static bool record_portal(struct door_context *context, struct door_args args,
                          const char *uri)
{
    const char *key = binding_of(args, "key_code");
    int code;

    if (strncmp(uri, "content://com.droidrun.portal/", 30) != 0 &&
        strncmp(uri, "content://com.mobilerun.portal/", 31) != 0)
        return false;
    if (strstr(uri, "/keyboard/input"))
        type_bound(context, args);
    else if (strstr(uri, "/keyboard/clear"))
        door_record_action(context, (struct action){.kind = ACTION_CLEAR});
    else if (strstr(uri, "/keyboard/key") && key && keycode_parse(key, &code))
        door_record_key(context, code, 0);
    else
        return false;
    return true;
}

void door_content_run(struct door_shell *shell, struct door_args args)
{
    static const char *const reads[] = {"query", "read", "gettype", "help"};
    const char *name = door_args_at(args, 0);
    const char *uri = option_of(args, "--uri");

    if (name && NAME_TABLE_HAS(reads, name)) {
        /* The state of a portal app is a look at the screen. */
        if (uri && strstr(uri, ".portal/"))
            door_merge_close(&shell->context.classifier->merge);
        door_record_read(&shell->context);
        return;
    }
    if (name && uri && !strcmp(name, "insert") &&
        record_portal(&shell->context, args, uri))
        return;
    door_record_raw(&shell->context,
                    uri && !strncmp(uri, "content://settings", 18)
                        ? EFFECT_SETTING
                        : EFFECT_APP_DATA);
}

/* ---- cmd ---- */

/* Services whose subcommands are those of another command. */
static const struct {
    const char *service;
    const char *command;
} same_as[] = {
    {"activity", "am"},
    {"package", "pm"},
    {"input", "input"},
    {"settings", "settings"},
    {"window", "wm"},
    {"appops", "appops"},
    {"lock_settings", "locksettings"},
    {"input_method", "ime"},
    {"device_config", "device_config"},
};

static bool run_same(struct door_shell *shell, struct door_args args)
{
    for (size_t i = 0; i < ARRAY_LEN(same_as); i++) {
        if (!strcmp(same_as[i].service, args.words[0])) {
            door_command_run_named(shell, same_as[i].command,
                                   door_args_skip(args, 1));
            return true;
        }
    }
    return false;
}

static void run_clipboard(struct door_shell *shell, struct door_args args)
{
    const char *verb = door_args_at(args, 0);

    if (verb && !strncmp(verb, "get", 3))
        door_record_read(&shell->context);
    else
        door_set_clipboard(&shell->context,
                           args.count ? door_args_at(args, args.count - 1)
                                      : NULL);
}

static bool is_question(const char *verb)
{
    static const char *const starts[] = {"get",    "list", "query",
                                         "is-",    "help", "dump",
                                         "status", "has-", "print"};

    for (size_t i = 0; i < ARRAY_LEN(starts); i++) {
        if (!strncmp(verb, starts[i], strlen(starts[i])))
            return true;
    }
    return false;
}

/* `cmd uimode night` reads, with a value it changes. */
static bool is_read(struct door_args args)
{
    const char *verb = door_args_at(args, 1);

    return args.count < 2 || (verb && is_question(verb)) ||
           (door_args_is(args, 0, "uimode") && args.count == 2) ||
           (door_args_is(args, 0, "-l") && args.count == 1);
}

void door_cmd_run(struct door_shell *shell, struct door_args args)
{
    const char *service;

    if (door_args_is(args, 0, "-w"))
        args = door_args_skip(args, 1);
    service = door_args_at(args, 0);
    if (!service)
        door_record_raw(&shell->context, EFFECT_UNKNOWN);
    else if (!strcmp(service, "clipboard"))
        run_clipboard(shell, door_args_skip(args, 1));
    else if (!strcmp(service, "statusbar") &&
             door_args_is(args, 1, "expand-notifications"))
        door_record_key(&shell->context, KEY_NOTIFICATION, 0);
    else if (run_same(shell, args))
        return;
    else if (is_read(args))
        door_record_read(&shell->context);
    else
        door_record_raw(&shell->context, EFFECT_SETTING);
}

/* ---- screenshots and trees ---- */

static bool is_output(const char *file)
{
    static const char *const names[] = {
        "-",         "/dev/tty",        "/dev/stdout",
        "/dev/fd/1", "/proc/self/fd/1", "/dev/stderr"};

    return NAME_TABLE_HAS(names, file);
}

static bool has_ending(const char *path, const char *ending)
{
    size_t length = strlen(path);
    size_t size = strlen(ending);

    return length >= size && !strcmp(path + length - size, ending);
}

/* A relative path is in the shell's folder. */
static void record_capture(struct door_shell *shell, enum door_item_kind kind,
                           enum door_format format, const char *file)
{
    char normal[DOOR_PATH_MAX];

    if (file && is_output(file))
        file = NULL;
    if (!file && shell->context.output && !shell->context.discarded)
        file = shell->context.output;
    if (file && door_files_normalise(shell->folder, file, normal))
        file = normal;
    door_record_capture(&shell->context, kind, format, file);
}

void door_screencap_run(struct door_shell *shell, struct door_args args)
{
    enum door_format format = DOOR_PIXELS;
    const char *file = NULL;

    for (size_t i = 0; i < args.count; i++) {
        const char *word = args.words[i];

        if (!strcmp(word, "-d") || !strcmp(word, "--display-id")) {
            i++;
        } else if (word[0] == '-' && word[1]) {
            if (strchr(word, 'p') && word[1] != '-')
                format = DOOR_PNG;
            else if (strchr(word, 'j') && word[1] != '-')
                format = DOOR_JPEG;
        } else {
            file = args.known[i] ? word : "";
        }
    }
    if (file && has_ending(file, ".png"))
        format = DOOR_PNG;
    if (file && (has_ending(file, ".jpg") || has_ending(file, ".jpeg")))
        format = DOOR_JPEG;
    record_capture(shell, DOOR_SCREENSHOT, format, file);
}

void door_uiautomator_run(struct door_shell *shell, struct door_args args)
{
    const char *file = NULL;

    if (door_args_is(args, 0, "events") || !args.count) {
        door_record_read(&shell->context);
        return;
    }
    if (!door_args_is(args, 0, "dump")) {
        door_record_raw(&shell->context, EFFECT_PROGRAM);
        return;
    }
    for (size_t i = 1; i < args.count; i++) {
        if (args.words[i][0] != '-' || !args.words[i][1])
            file = args.known[i] ? args.words[i] : "";
    }
    record_capture(shell, DOOR_TREE, DOOR_XML,
                   file ? file : "/sdcard/window_dump.xml");
}
