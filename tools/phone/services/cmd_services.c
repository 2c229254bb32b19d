/* cmd, svc, service and content: services by name. */
#include <stdio.h>
#include <string.h>

#include "tools/phone/services/dumpsys.h"
#include "tools/phone/services/service_names.h"
#include "tools/phone/services/subcommand.h"

#define NO_SERVICE 20 /* exit status of cmd */

static struct screen_context *context_of(struct command_call *call)
{
    return call->context;
}

static struct phone_settings *settings_of(struct command_call *call)
{
    return &context_of(call)->handset->settings;
}

static void put_global(struct command_call *call, const char *name,
                       const char *value)
{
    (void)!settings_put(settings_of(call), SETTINGS_GLOBAL, name, value);
}

/* ---- services with their own commands ---- */

static int run_uimode(struct command_call *call)
{
    struct screen_context *phone = call->context;
    const char *mode = call->argc > 3 ? call->argv[3] : NULL;

    if (call->argc < 3 || strcmp(call->argv[2], "night") != 0) {
        call_print(call, "UiModeManager service (uimode) commands:\n"
                         "  night [yes|no|auto]\n");
        return call->argc < 3 ? SCREEN_COMMAND_FAILED : 0;
    }
    if (mode && strcmp(mode, "yes") != 0 && strcmp(mode, "no") != 0 &&
        strcmp(mode, "auto") != 0)
        return screen_command_fail(
            call, "Error: mode must be 'yes', 'no', or 'auto'");
    if (mode)
        (void)!settings_put(settings_of(call), SETTINGS_SECURE, "ui_night_mode",
                            !strcmp(mode, "yes") ? "2" : "1");
    call_print(call, "Night mode: %s\n",
               screen_display(phone->screen).dark ? "yes" : "no");
    return 0;
}

static int run_wifi(struct command_call *call)
{
    struct buf on = BUF_INIT(STRING_MAP_VALUE_MAX);

    if (call->argc > 3 && !strcmp(call->argv[2], "set-wifi-enabled")) {
        put_global(call, "wifi_on",
                   !strcmp(call->argv[3], "enabled") ? "1" : "0");
    } else if (call->argc > 2 && !strcmp(call->argv[2], "status")) {
        (void)!settings_get(settings_of(call), SETTINGS_GLOBAL, "wifi_on", &on);
        call_print(call, "Wifi is %s\n",
                   strcmp(buf_cstr(&on), "1") ? "disabled" : "enabled");
    }
    buf_release(&on);
    return 0;
}

static int run_connectivity(struct command_call *call)
{
    struct buf on = BUF_INIT(STRING_MAP_VALUE_MAX);

    if (call->argc > 3 && !strcmp(call->argv[2], "airplane-mode")) {
        put_global(call, "airplane_mode_on",
                   !strcmp(call->argv[3], "enable") ? "1" : "0");
    } else if (call->argc > 2 && !strcmp(call->argv[2], "airplane-mode")) {
        (void)!settings_get(settings_of(call), SETTINGS_GLOBAL,
                            "airplane_mode_on", &on);
        call_print(call, "%s\n",
                   strcmp(buf_cstr(&on), "1") ? "disabled" : "enabled");
    }
    buf_release(&on);
    return 0;
}

static bool is_setting(struct command_call *call, enum settings_space space,
                       const char *name, const char *value)
{
    struct buf text = BUF_INIT(STRING_MAP_VALUE_MAX);
    bool is;

    (void)!settings_get(settings_of(call), space, name, &text);
    is = !strcmp(buf_cstr(&text), value);
    buf_release(&text);
    return is;
}

/* providers set-test-provider-location gps --location LATITUDE,LONGITUDE */
static void set_location(struct command_call *call, const char *place)
{
    struct screen_context *phone = call->context;
    const char *comma = strchr(place, ',');
    struct buf latitude = BUF_INIT(64);

    if (comma) {
        buf_append(&latitude, place, (size_t)(comma - place));
        (void)!string_map_set(&phone->handset->world, "geo.latitude",
                              buf_cstr(&latitude));
        (void)!string_map_set(&phone->handset->world, "geo.longitude",
                              comma + 1);
    }
    buf_release(&latitude);
}

static int run_location(struct command_call *call)
{
    const char *verb = call->argc > 2 ? call->argv[2] : "";

    if (!strcmp(verb, "is-location-enabled")) {
        call_print(call, "%s\n",
                   is_setting(call, SETTINGS_SECURE, "location_mode", "0")
                       ? "false"
                       : "true");
    } else if (!strcmp(verb, "set-location-enabled") && call->argc > 3) {
        (void)!settings_put(settings_of(call), SETTINGS_SECURE, "location_mode",
                            !strcmp(call->argv[call->argc - 1], "true") ? "3"
                                                                        : "0");
    } else if (!strcmp(verb, "providers")) {
        for (size_t i = 3; i + 1 < call->argc; i++) {
            if (!strcmp(call->argv[i], "--location"))
                set_location(call, call->argv[i + 1]);
        }
    } else {
        call_print(call, "Location service commands:\n"
                         "  is-location-enabled [--user <USER_ID>]\n"
                         "  set-location-enabled true|false\n"
                         "  providers COMMAND [ARGUMENT...]\n");
        return SCREEN_COMMAND_FAILED;
    }
    return 0;
}

static int run_display(struct command_call *call)
{
    struct screen_context *phone = call->context;
    struct buf text = BUF_INIT((size_t)64 * 1024);
    struct dumpsys dump = {.call = call, .phone = phone, .text = &text};

    if (call->argc < 3 || strcmp(call->argv[2], "get-displays") != 0) {
        call_print(call, "Display manager commands:\n"
                         "  get-displays [-i] [-c] [-o]\n");
        return call->argc < 3 ? SCREEN_COMMAND_FAILED : 0;
    }
    dumpsys_displays(&dump);
    call_write(call, buf_cstr(&text), text.length);
    buf_release(&text);
    return 0;
}

/* ---- statusbar and notification ---- */

static int run_statusbar(struct command_call *call)
{
    static const struct {
        const char *name;
        enum notification_shade_state state;
    } verbs[] = {
        {"expand-notifications", SHADE_NOTIFICATIONS},
        {"expand-settings", SHADE_SETTINGS},
        {"collapse", SHADE_CLOSED},
    };
    struct notification_shade *shade = context_of(call)->shade;

    for (size_t i = 0; shade && call->argc > 2 && i < ARRAY_LEN(verbs); i++) {
        if (!strcmp(verbs[i].name, call->argv[2]))
            notification_shade_set(shade, verbs[i].state);
    }
    return 0;
}

/* post [-t TITLE] ... TAG TEXT; other options are ignored. */
static int run_notification(struct command_call *call)
{
    struct handset *handset = context_of(call)->handset;
    struct phone_notification posted = {
        .package = "com.android.shell",
        .title = "Shell command",
        .posted = virtual_clock_now(&handset->clock),
    };
    size_t i = 3;

    if (call->argc < 3 || strcmp(call->argv[2], "post") != 0)
        return 0;
    for (; i + 1 < call->argc && call->argv[i][0] == '-'; i += 2) {
        if (!strcmp(call->argv[i], "-t") || !strcmp(call->argv[i], "--title"))
            snprintf(posted.title, sizeof(posted.title), "%s",
                     call->argv[i + 1]);
        else if (!strcmp(call->argv[i], "-v") ||
                 !strcmp(call->argv[i], "--verbose"))
            i--; /* an option without a value */
    }
    if (i + 1 >= call->argc)
        return screen_command_fail(call, "usage: cmd notification post [flags] "
                                         "<tag> <text>");
    snprintf(posted.tag, sizeof(posted.tag), "%s", call->argv[i]);
    snprintf(posted.text, sizeof(posted.text), "%s", call->argv[i + 1]);
    notifications_post(&handset->notifications, &posted);
    call_print(call, "posting:\n  %s\n", posted.tag);
    return 0;
}

static int run_quietly(struct command_call *call)
{
    (void)call;
    return 0;
}

/* ---- cmd ---- */

/* Services that also have a command. */
static const struct {
    const char *service;
    const char *command;
    size_t skip; /* its arguments, with "cmd" */
} aliases[] = {
    {"activity", "am", 1},
    {"package", "pm", 1},
    {"input_method", "ime", 1},
    {"input", "input", 1},
    {"window", "wm", 1},
    {"settings", "settings", 1},
    {"battery", "dumpsys", 0},
    {"appops", "appops", 1},
    {"lock_settings", "locksettings", 1},
};

static const struct {
    const char *service;
    command_fn *run;
} parts[] = {
    {"uimode", run_uimode},
    {"wifi", run_wifi},
    {"connectivity", run_connectivity},
    {"display", run_display},
    {"location", run_location},
    {"statusbar", run_statusbar},
    {"notification", run_notification},
    {"locale", run_quietly},
};

static int run_cmd(struct command_call *call)
{
    const char *service;

    if (call->argc > 1 && !strcmp(call->argv[1], "-w")) {
        call->argv[1] = call->argv[0]; /* all services are running */
        call->argv++;
        call->argc--;
    }
    service = call->argc > 1 ? call->argv[1] : NULL;
    if (!service) {
        call_error(call, "cmd: No service specified; use -l to list all "
                         "running services. Use -w to start and wait for a "
                         "service.\n");
        return NO_SERVICE;
    }
    if (!strcmp(service, "-l")) {
        service_names_print(call);
        return 0;
    }
    for (size_t i = 0; i < ARRAY_LEN(aliases); i++) {
        if (!strcmp(aliases[i].service, service))
            return call_run(call, aliases[i].command, aliases[i].skip);
    }
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        if (!strcmp(parts[i].service, service))
            return parts[i].run(call);
    }
    if (service_names_find(service)) {
        call_print(call, "No shell command implementation.\n");
        return 0;
    }
    call_error(call, "cmd: Can't find service: %.200s\n", service);
    return NO_SERVICE;
}

/* ---- svc ---- */

static int run_svc(struct command_call *call)
{
    static const struct {
        const char *name;
        const char *setting;
    } switches[] = {
        {"wifi", "wifi_on"},
        {"data", "mobile_data"},
        {"bluetooth", "bluetooth_on"},
    };
    const char *what = call->argc > 1 ? call->argv[1] : "";
    const char *how = call->argc > 2 ? call->argv[2] : "";

    for (size_t i = 0; i < ARRAY_LEN(switches); i++) {
        if (!strcmp(switches[i].name, what) &&
            (!strcmp(how, "enable") || !strcmp(how, "disable"))) {
            put_global(call, switches[i].setting, how[0] == 'e' ? "1" : "0");
            return 0;
        }
    }
    if (!strcmp(what, "power") && !strcmp(how, "stayon") && call->argc > 3) {
        put_global(call, "stay_on_while_plugged_in",
                   !strcmp(call->argv[3], "true")  ? "7"
                   : !strcmp(call->argv[3], "usb") ? "2"
                                                   : "0");
        return 0;
    }
    call_error(call, "Available commands:\n"
                     "    help     Show information about the subcommands\n"
                     "    power    Control the power manager\n"
                     "    data     Control mobile data connectivity\n"
                     "    wifi     Control the Wi-Fi manager\n"
                     "    bluetooth Control Bluetooth service\n");
    return call->argc > 1 && !strcmp(what, "help") ? 0 : 1;
}

/* ---- service ---- */

static int run_service(struct command_call *call)
{
    const char *subcommand = call->argc > 1 ? call->argv[1] : "";

    if (!strcmp(subcommand, "list")) {
        call_print(call, "Found %zu services:\n", service_count);
        for (size_t i = 0; i < service_count; i++)
            call_print(call, "%zu\t%s: [%s]\n", i, services[i].name,
                       services[i].interface);
        return 0;
    }
    if (!strcmp(subcommand, "check") && call->argc > 2) {
        call_print(call, "Service %s: %s\n", call->argv[2],
                   service_names_find(call->argv[2]) ? "found" : "not found");
        return 0;
    }
    if (!strcmp(subcommand, "call") && call->argc > 3) {
        if (!service_names_find(call->argv[2])) {
            call_error(call, "service: Service %.100s does not exist\n",
                       call->argv[2]);
            return 10;
        }
        call_print(call, "Result: Parcel(00000000    '....')\n");
        return 0;
    }
    call_error(call, "Usage: service [-h|-?]\n"
                     "       service list\n"
                     "       service check SERVICE\n"
                     "       service call SERVICE CODE\n");
    return 10;
}

/* ---- content ---- */

struct content {
    enum settings_space space;
    const char *name;  /* of --where, or of --bind */
    const char *value; /* of --bind */
    bool brief;        /* --projection is given: print no ids */
    char wanted[STRING_MAP_NAME_MAX + 1];
};

/* name='screen_brightness' */
static void take_where(struct content *content, const char *where)
{
    const char *quote = strpbrk(where, "'\"");
    size_t length = quote ? strcspn(quote + 1, "'\"") : 0;

    if (!quote || length >= sizeof(content->wanted))
        return;
    memcpy(content->wanted, quote + 1, length);
    content->wanted[length] = '\0';
    content->name = content->wanted;
}

/* name:s:user_rotation */
static void take_bind(struct content *content, const char *bind)
{
    const char *type = strchr(bind, ':');
    const char *value = type ? strchr(type + 1, ':') : NULL;

    if (!value)
        return;
    if (!strncmp(bind, "name:", 5))
        content->name = value + 1;
    else if (!strncmp(bind, "value:", 6))
        content->value = value + 1;
}

static bool take_uri(struct content *content, const char *uri)
{
    static const char prefix[] = "content://settings/";
    struct buf space = BUF_INIT(64);
    const char *path = uri + strlen(prefix);
    bool found;

    if (strncmp(uri, prefix, strlen(prefix)) != 0)
        return false;
    buf_append(&space, path, strcspn(path, "/"));
    found = settings_find_space(buf_cstr(&space), &content->space);
    buf_release(&space);
    return found;
}

static void query(struct command_call *call, const struct content *content)
{
    struct buf list = BUF_INIT(STRING_MAP_LIST_MAX);
    size_t row = 0, number = 0;

    settings_list(settings_of(call), content->space, &list);
    for (const char *at = buf_cstr(&list); *at; number++) {
        size_t whole = strcspn(at, "\n");
        size_t name = strcspn(at, "=");

        if (!content->name || (strlen(content->name) == name &&
                               !strncmp(at, content->name, name))) {
            call_print(call, "Row: %zu ", row++);
            if (!content->brief)
                call_print(call, "_id=%zu, ", number + 1);
            call_print(call, "name=%.*s, value=%.*s\n", (int)name, at,
                       (int)(whole > name ? whole - name - 1 : 0),
                       at + name + (whole > name));
        }
        at += whole + (at[whole] == '\n');
    }
    if (!row)
        call_print(call, "No result found.\n");
    buf_release(&list);
}

static int run_content(struct command_call *call)
{
    struct content content = {.name = NULL};
    const char *subcommand = call->argc > 1 ? call->argv[1] : "";
    bool found = false;

    for (size_t i = 2; i + 1 < call->argc; i += 2) {
        if (!strcmp(call->argv[i], "--uri"))
            found = take_uri(&content, call->argv[i + 1]);
        else if (!strcmp(call->argv[i], "--where"))
            take_where(&content, call->argv[i + 1]);
        else if (!strcmp(call->argv[i], "--bind"))
            take_bind(&content, call->argv[i + 1]);
        else if (!strcmp(call->argv[i], "--projection"))
            content.brief = true;
    }
    if (!found)
        return screen_command_fail(
            call, "Error while accessing provider:\n"
                  "java.lang.IllegalStateException: Could not find provider");
    if (!strcmp(subcommand, "query")) {
        query(call, &content);
        return 0;
    }
    if (!strcmp(subcommand, "delete") && content.name)
        settings_delete(settings_of(call), content.space, content.name);
    else if ((!strcmp(subcommand, "insert") || !strcmp(subcommand, "update")) &&
             content.name && content.value)
        (void)!settings_put(settings_of(call), content.space, content.name,
                            content.value);
    else
        return screen_command_fail(call, "[ERROR] Unsupported operation: %.50s",
                                   subcommand);
    return 0;
}

/* ---- stop, start ---- */

static int run_as_root(struct command_call *call)
{
    call_error(call, "Must be root\n");
    return 1;
}

static const struct phone_command commands[] = {
    {"cmd", run_cmd, "[-l] [-w] SERVICE [ARGUMENT...]"},
    {"content", run_content, "query|insert|delete --uri URI [...]"},
    {"service", run_service, "list | check SERVICE | call SERVICE CODE"},
    {"start", run_as_root, "[SERVICE...]"},
    {"stop", run_as_root, "[SERVICE...]"},
    {"svc", run_svc, "power|data|wifi|bluetooth ..."},
};

const struct command_set service_commands = {commands, ARRAY_LEN(commands)};
