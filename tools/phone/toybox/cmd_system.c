/* Commands about the phone itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/phone/core/date_text.h"
#include "tools/phone/files/users.h"
#include "tools/phone/system/handset.h"
#include "tools/phone/system/processes.h"
#include "tools/phone/toybox/cmd.h"

static struct handset *handset_of(struct command_call *call)
{
    return call->context;
}

/* ---- properties ---- */

static int run_getprop(struct command_call *call)
{
    struct phone_props *props = &handset_of(call)->props;
    struct buf text = BUF_INIT(STRING_MAP_LIST_MAX);

    if (call->argc == 1) {
        props_list(props, &text);
    } else {
        props_get(props, call->argv[1], &text);
        if (!text.length && call->argc > 2)
            buf_text(&text, call->argv[2]);
        buf_byte(&text, '\n');
    }
    call_write(call, buf_cstr(&text), text.length);
    buf_release(&text);
    return 0;
}

static int run_setprop(struct command_call *call)
{
    if (call->argc != 3) {
        call_error(call, "usage: setprop NAME VALUE\n");
        return 1;
    }
    if (props_set(&handset_of(call)->props, call->argv[1], call->argv[2]))
        return 0;
    call_error(call,
               "Failed to set property '%.100s' to '%.100s'.\n"
               "See dmesg for error reason.\n",
               call->argv[1], call->argv[2]);
    return 1;
}

/* ---- settings ---- */

/* The exit status of system services that return -1. */
#define STATUS_SERVICE 255

/* The command's operands, without "--user N" and similar options. */
struct system_call {
    const char *words[8];
    size_t count;
};

static void read_request(const struct command_call *call,
                         struct system_call *request)
{
    request->count = 0;
    for (size_t i = 1; i < call->argc; i++) {
        if (!strcmp(call->argv[i], "--user"))
            i++;
        else if (request->count < ARRAY_LEN(request->words))
            request->words[request->count++] = call->argv[i];
    }
}

static int settings_put_one(struct command_call *call,
                            enum settings_space space,
                            const struct system_call *request)
{
    if (request->count < 4) {
        call_error(call, "Bad arguments\n");
        return STATUS_SERVICE;
    }
    if (settings_put(&handset_of(call)->settings, space, request->words[2],
                     request->words[3]))
        return 0;
    call_error(call, "Failed to put %.100s\n", request->words[2]);
    return STATUS_SERVICE;
}

static int settings_print(struct command_call *call, enum settings_space space,
                          const struct system_call *request, bool all)
{
    struct phone_settings *settings = &handset_of(call)->settings;
    struct buf text = BUF_INIT(STRING_MAP_LIST_MAX);

    if (all) {
        settings_list(settings, space, &text);
    } else {
        if (!settings_get(settings, space, request->words[2], &text))
            buf_text(&text, "null");
        buf_byte(&text, '\n');
    }
    call_write(call, buf_cstr(&text), text.length);
    buf_release(&text);
    return 0;
}

static int settings_do(struct command_call *call, enum settings_space space,
                       const struct system_call *request)
{
    const char *subcommand = request->words[0];
    bool named = request->count > 2;

    if (!strcmp(subcommand, "list"))
        return settings_print(call, space, request, true);
    if (!strcmp(subcommand, "get") && named)
        return settings_print(call, space, request, false);
    if (!strcmp(subcommand, "put"))
        return settings_put_one(call, space, request);
    if (!strcmp(subcommand, "delete") && named) {
        bool was = settings_delete(&handset_of(call)->settings, space,
                                   request->words[2]);

        call_print(call, "Deleted %d rows\n", was);
        return 0;
    }
    call_error(call, "Invalid command: %.100s\n", subcommand);
    return STATUS_SERVICE;
}

static int run_settings(struct command_call *call)
{
    enum settings_space space;
    struct system_call request;

    read_request(call, &request);
    if (request.count < 2) {
        call_print(call, "usage: settings %s\n", call->command->usage);
        return STATUS_SERVICE;
    }
    if (!settings_find_space(request.words[1], &space)) {
        call_error(call, "Invalid namespace '%.100s'\n", request.words[1]);
        return STATUS_SERVICE;
    }
    return settings_do(call, space, &request);
}

/* ---- time ---- */

/* Seconds since 1970, within the range of dates. */
static int64_t read_seconds(const char *text)
{
    long long seconds = strtoll(text, NULL, 10);
    const long long most = CLOCK_END / PHONE_SECOND;

    if (seconds < 0)
        seconds = 0;
    return (seconds < most ? seconds : most) * PHONE_SECOND;
}

static int run_date(struct command_call *call)
{
    struct buf text = BUF_INIT(4096);
    const char *format = "%a %b %e %H:%M:%S %Z %Y";
    int64_t time = virtual_clock_now(&handset_of(call)->clock);
    struct command_options options;
    bool sets = false;
    int status;

    if (!call_options(call, "d:u", &options, &status))
        return status;
    for (size_t i = 0; i < options.count; i++) {
        sets = sets || options.operands[i][0] != '+';
        format = options.operands[i] + 1;
    }
    if (options.values['d'] && options.values['d'][0] == '@')
        time = read_seconds(options.values['d'] + 1);
    call_options_release(&options);
    if (sets)
        return call_fail(call, "cannot set date: %s",
                         "Operation not permitted");
    date_text_format(time, format, &text);
    call_write_line(call, buf_cstr(&text), text.length);
    buf_release(&text);
    return 0;
}

static int run_sleep(struct command_call *call)
{
    int64_t total = 0;

    if (call->argc < 2)
        return call_needs(call, 1, 1);
    for (size_t i = 1; i < call->argc; i++) {
        int64_t duration;

        if (!dates_duration(call->argv[i], &duration))
            return call_fail(call, "Not a number '%.100s'", call->argv[i]);
        total = duration < DATES_DURATION_MAX - total ? total + duration
                                                      : DATES_DURATION_MAX;
    }
    call_pass(call, &handset_of(call)->clock, total);
    return 0;
}

static int64_t uptime(struct command_call *call)
{
    struct virtual_clock *clock = &handset_of(call)->clock;

    return (virtual_clock_now(clock) - clock->booted) / PHONE_SECOND;
}

static int run_uptime(struct command_call *call)
{
    struct buf text = BUF_INIT(128);
    long long up = uptime(call);

    date_text_format(virtual_clock_now(&handset_of(call)->clock), "%H:%M:%S",
                     &text);
    call_print(call,
               " %s up %2lld:%02lld,  0 users,  load average: 0.12, 0.08, "
               "0.05\n",
               buf_cstr(&text), up / 3600, up / 60 % 60);
    buf_release(&text);
    return 0;
}

/* ---- identity ---- */

static int run_id(struct command_call *call)
{
    const struct files_user *user = files_whoami(call->files);
    char name[USERS_NAME_SIZE];
    struct command_options options;
    int status;

    if (!call_options(call, "ugn", &options, &status))
        return status;
    users_name(options.given['g'] ? user->gid : user->uid, name);
    if (options.given['n'])
        call_print(call, "%s\n", name);
    else if (options.given['u'] || options.given['g'])
        call_print(call, "%u\n", options.given['g'] ? user->gid : user->uid);
    call_options_release(&options);
    if (options.given['u'] || options.given['g'])
        return 0;
    call_print(call, "uid=%u(%s) ", user->uid, name);
    users_name(user->gid, name);
    call_print(call, "gid=%u(%s) groups=%u(%s)", user->gid, name, user->gid,
               name);
    for (size_t i = 0; i < user->group_count; i++) {
        users_name(user->groups[i], name);
        call_print(call, ",%u(%s)", user->groups[i], name);
    }
    call_print(call, " context=u:r:shell:s0\n");
    return 0;
}

static int run_whoami(struct command_call *call)
{
    char name[USERS_NAME_SIZE];

    users_name(files_whoami(call->files)->uid, name);
    call_print(call, "%s\n", name);
    return 0;
}

static int run_uname(struct command_call *call)
{
    static const struct {
        char letter;
        const char *text;
    } parts[] = {
        {'s', "Linux"},
        {'n', "localhost"},
        {'r', "5.15.104-android14-proctor"},
        {'v', "#1 SMP PREEMPT Thu Oct 5 00:00:00 UTC 2023"},
        {'m', "aarch64"},
        {'o', "Toybox"},
    };
    struct command_options options;
    const char *blank = "";
    int status;

    if (!call_options(call, "amnorsv", &options, &status))
        return status;
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        bool wanted = options.given['a'] ||
                      options.given[(unsigned char)parts[i].letter] ||
                      (call->argc == 1 && parts[i].letter == 's');

        if (!wanted)
            continue;
        call_print(call, "%s%s", blank, parts[i].text);
        blank = " ";
    }
    call_write(call, "\n", 1);
    call_options_release(&options);
    return 0;
}

static int run_free(struct command_call *call)
{
    const unsigned long long total = 3932160ULL * 1024;
    const unsigned long long used = 2211840ULL * 1024;

    call_print(call, "%22s%16s%16s%16s%16s\n", "total", "used", "free",
               "shared", "buffers");
    call_print(call, "Mem: %17llu%16llu%16llu%16llu%16llu\n", total, used,
               total - used, 10485760ULL, 5242880ULL);
    call_print(call, "-/+ buffers/cache: %19llu%16llu\n", used - 5242880ULL,
               total - used + 5242880ULL);
    call_print(call, "Swap: %16llu%16llu%16llu\n", 0ULL, 0ULL, 0ULL);
    return 0;
}

static int run_sync(struct command_call *call)
{
    (void)call;
    return 0;
}

static const struct phone_command commands[] = {
    {"date", run_date, "[-u] [-d @SECONDS] [+FORMAT]"},
    {"free", run_free, ""},
    {"getprop", run_getprop, "[NAME [DEFAULT]]"},
    {"id", run_id, "[-gnu]"},
    {"log", do_log, "[-p LEVEL] [-t TAG] TEXT..."},
    {"logcat", do_logcat,
     "[-Bcdgs] [-b BUFFER] [-e PATTERN] [-m COUNT] [-t COUNT] [-v FORMAT] "
     "[TAG:LEVEL...]"},
    {"setprop", run_setprop, "NAME VALUE"},
    {"settings", run_settings, "get|put|delete|list NAMESPACE [NAME [VALUE]]"},
    {"sleep", run_sleep, "DURATION..."},
    {"sync", run_sync, ""},
    {"uname", run_uname, "[-amnorsv]"},
    {"uptime", run_uptime, ""},
    {"whoami", run_whoami, ""},
};

const struct command_set system_commands = {commands, ARRAY_LEN(commands)};
