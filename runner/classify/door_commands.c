/* Commands by their names: what they run, read or change. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/macros.h"
#include "base/name_table.h"
#include "runner/classify/door_helpers.h"
#include "runner/classify/door_shell.h"

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* ---- commands that only read ---- */

/* Commands that only read with any arguments, by purpose. */
static const char *const readers[] = {
    /* the shell */
    ":",
    "true",
    "false",
    "test",
    "[",
    "echo",
    "printf",
    "exit",
    "return",
    "set",
    "unset",
    "shift",
    "wait",
    "read",
    "umask",
    "ulimit",
    "alias",
    "type",
    "which",
    "whence",
    "whoami",
    "hash",
    "jobs",
    "pwd",
    "print",
    "local",
    "break",
    "continue",
    "typeset",
    "stty",
    "tty",
    "history",
    "bg",
    "fg",
    /* text */
    "grep",
    "egrep",
    "fgrep",
    "head",
    "tail",
    "sort",
    "uniq",
    "cut",
    "tr",
    "wc",
    "tac",
    "rev",
    "nl",
    "od",
    "xxd",
    "hexdump",
    "strings",
    "base64",
    "expr",
    "seq",
    "awk",
    "basename",
    "dirname",
    "fold",
    "paste",
    "column",
    "more",
    "less",
    /* files */
    "ls",
    "stat",
    "du",
    "df",
    "file",
    "readlink",
    "realpath",
    "md5sum",
    "sha1sum",
    "sha256sum",
    "sha512sum",
    "cksum",
    "cmp",
    "diff",
    "sync",
    /* the system */
    "getprop",
    "id",
    "groups",
    "uname",
    "hostname",
    "ps",
    "top",
    "pidof",
    "pgrep",
    "uptime",
    "free",
    "vmstat",
    "iostat",
    "lsof",
    "printenv",
    "getenforce",
    "getevent",
    "logcat",
    "log",
    "bugreport",
    "bugreportz",
    "nproc",
    "lscpu",
    "lsusb",
    "lspci",
    "arch",
    "netstat",
    "ping",
    "ping6",
    "traceroute",
    "nslookup",
    "cal",
    "screenrecord",
    "atrace",
    "perfetto",
    "showmap",
    "procrank",
    "usleep",
    "mount",
    "w",
    "who",
    "getconf",
};

static void run_reader(struct door_shell *shell, struct door_args args)
{
    const char *file = shell->context.output;

    (void)args;
    if (file && !door_shell_is_temporary(shell, file))
        door_record_raw(&shell->context, EFFECT_FILE);
    else
        door_record_read(&shell->context);
}

static void run_sleep(struct door_shell *shell, struct door_args args)
{
    const char *time = door_args_at(args, 0);
    char *end;
    double seconds = time ? strtod(time, &end) : 0;

    if (seconds > 0 && seconds < 3600)
        shell->context.now += (int64_t)(seconds * 1000);
    door_record_read(&shell->context);
}

/* ---- commands that read with some words, and change with others ---- */

struct subcommands {
    const char *command;
    enum action_effect effect; /* of all that do not read */
    const char *reads[16];     /* first words */
};

static const struct subcommands divided[] = {
    {"settings", EFFECT_SETTING, {"get", "list", "help"}},
    {"device_config", EFFECT_SETTING, {"get", "list", "help"}},
    {"ime", EFFECT_KEYBOARD, {"list", "help"}},
    {"svc", EFFECT_SETTING, {"help"}},
    {"service", EFFECT_SETTING, {"list", "check"}},
    {"locksettings", EFFECT_SETTING, {"get-disabled", "verify", "help"}},
    {"media", EFFECT_SETTING, {"help"}},
    {"bmgr", EFFECT_APP_DATA, {"enabled", "help"}},
    {"ip",
     EFFECT_SETTING,
     {"addr", "a", "address", "route", "r", "link", "rule", "neigh", "-4", "-6",
      "-o", "-f"}},
    {"ifconfig", EFFECT_SETTING, {"-a", "wlan0", "eth0", "lo", "rmnet0"}},
    {"setprop", EFFECT_SETTING, {NULL}},
    {"stop", EFFECT_SETTING, {NULL}},
    {"start", EFFECT_SETTING, {NULL}},
    {"reboot", EFFECT_SETTING, {NULL}},
    {"setenforce", EFFECT_SETTING, {NULL}},
    {"kill", EFFECT_APP_STOP, {"-l", "-0"}},
    {"killall", EFFECT_APP_STOP, {"-l"}},
    {"sqlite3", EFFECT_APP_DATA, {"-version", "--version"}},
    {"telecom", EFFECT_SETTING, {"get-default-dialer", "help"}},
    {"dpm", EFFECT_SETTING, {"list-owners"}},
};

static bool is_among(const char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count && names[i]; i++) {
        if (!strcmp(names[i], name))
            return true;
    }
    return false;
}

static void run_divided(struct door_shell *shell,
                        const struct subcommands *command,
                        struct door_args args)
{
    const char *first = door_args_at(args, 0);

    if (first && is_among(command->reads, ARRAY_LEN(command->reads), first)) {
        run_reader(shell, args);
        return;
    }
    door_record_raw(&shell->context, command->effect);
    door_note_change(shell, command->command, args);
}

/* `wm size` reads, `wm size 720x1280` changes. */
static void run_wm(struct door_shell *shell, struct door_args args)
{
    if (args.count < 2)
        run_reader(shell, args);
    else
        door_record_raw(&shell->context, EFFECT_SETTING);
}

static void run_dumpsys(struct door_shell *shell, struct door_args args)
{
    static const char *const changes[] = {
        "set",     "unplug", "reset",     "force-idle",    "unforce",
        "disable", "enable", "whitelist", "tempwhitelist", "step"};
    bool simulates =
        door_args_is(args, 0, "battery") || door_args_is(args, 0, "deviceidle");

    for (size_t i = 1; simulates && i < args.count; i++) {
        if (NAME_TABLE_HAS(changes, args.words[i])) {
            door_record_raw(&shell->context, EFFECT_SETTING);
            return;
        }
    }
    run_reader(shell, args);
}

/* An agent may end its own helper programs. */
static void run_pkill(struct door_shell *shell, struct door_args args)
{
    const char *pattern = door_args_at(args, args.count - 1);
    bool quiet = args.count && pattern && door_helpers_is_process(pattern);

    for (size_t i = 0; i + 1 < args.count; i++)
        quiet = quiet && args.words[i][0] == '-';
    if (quiet || door_args_is(args, 0, "-0"))
        run_reader(shell, args);
    else
        door_record_raw(&shell->context, EFFECT_APP_STOP);
}

/* The operations of adb's own user are those of no app: giving one back. */
static void run_appops(struct door_shell *shell, struct door_args args)
{
    static const char *const reads[] = {"get", "query-op", "help"};
    const char *verb = door_args_at(args, 0);

    if ((verb && NAME_TABLE_HAS(reads, verb)) ||
        (args.count == 4 && door_args_is(args, 0, "set") &&
         door_args_is(args, 1, "com.android.shell") &&
         door_args_is(args, 3, "default")))
        run_reader(shell, args);
    else
        door_record_raw(&shell->context, EFFECT_PERMISSION);
}

/* `date +%s` reads, `date 01010000` and `date -s` set the clock. */
static void run_date(struct door_shell *shell, struct door_args args)
{
    for (size_t i = 0; i < args.count; i++) {
        const char *word = args.words[i];

        if (!strcmp(word, "-s") || !strcmp(word, "--set") ||
            (isdigit((unsigned char)word[0]) &&
             !(i && !strcmp(args.words[i - 1], "-d")))) {
            door_record_raw(&shell->context, EFFECT_SETTING);
            return;
        }
    }
    run_reader(shell, args);
}

/* Programs that can run others or write files with some option. */
static void run_find(struct door_shell *shell, struct door_args args)
{
    static const char *const acts[] = {"-delete", "-exec", "-execdir", "-ok",
                                       "-fprint"};

    for (size_t i = 0; i < args.count; i++) {
        if (!args.known[i] || NAME_TABLE_HAS(acts, args.words[i])) {
            door_record_raw(&shell->context, EFFECT_FILE);
            return;
        }
    }
    run_reader(shell, args);
}

static void run_sed(struct door_shell *shell, struct door_args args)
{
    for (size_t i = 0; i < args.count; i++) {
        if (!strncmp(args.words[i], "-i", 2) ||
            !strncmp(args.words[i], "--in-place", 10)) {
            door_record_raw(&shell->context, EFFECT_FILE);
            return;
        }
    }
    run_reader(shell, args);
}

/* ---- commands that run others ---- */

static void run_others(struct door_shell *shell, struct door_args args)
{
    if (args.count)
        door_command_run(shell, args);
    else
        door_record_read(&shell->context);
}

/* Skip options, and those with a value. */
static struct door_args behind_options(struct door_args args,
                                       const char *with_value)
{
    while (args.count && args.words[0][0] == '-' && args.words[0][1]) {
        bool has_value = args.words[0][1] != '-' && !args.words[0][2] &&
                         strchr(with_value, args.words[0][1]);

        args = door_args_skip(args, has_value ? 2 : 1);
    }
    return args;
}

static void run_wrapper(struct door_shell *shell, struct door_args args)
{
    run_others(shell, behind_options(args, "nksuC"));
}

static void run_timeout(struct door_shell *shell, struct door_args args)
{
    run_others(shell, door_args_skip(behind_options(args, "ks"), 1));
}

static void run_env(struct door_shell *shell, struct door_args args)
{
    args = behind_options(args, "u");
    while (args.count && strchr(args.words[0], '=')) {
        const char *word = args.words[0];

        door_shell_set(shell, word, (size_t)(strchr(word, '=') - word),
                       args.known[0] ? strchr(word, '=') + 1 : NULL);
        args = door_args_skip(args, 1);
    }
    run_others(shell, args);
}

static void run_export(struct door_shell *shell, struct door_args args)
{
    for (size_t i = 0; i < args.count; i++) {
        const char *sign = strchr(args.words[i], '=');

        if (sign)
            door_shell_set(shell, args.words[i], (size_t)(sign - args.words[i]),
                           args.known[i] ? sign + 1 : NULL);
    }
    door_record_read(&shell->context);
}

static void run_text(struct door_shell *shell, struct door_args args,
                     size_t index)
{
    const char *text = door_args_at(args, index);

    if (text)
        door_shell_run(shell, text, strlen(text));
    else
        door_record_raw(&shell->context, EFFECT_UNKNOWN);
}

/* run-as PACKAGE [--user USER] [COMMAND...]: in the app's own folder. */
static void run_as(struct door_shell *shell, struct door_args args)
{
    const char *name;

    args = door_args_skip(args, 1);
    if (door_args_is(args, 0, "--user"))
        args = door_args_skip(args, 2);
    name = door_args_at(args, 0);
    if (name && NAME_TABLE_HAS(readers, name))
        run_reader(shell, args);
    else
        door_record_raw(&shell->context, EFFECT_APP_DATA);
}

/* Without a script, its commands come from the input. */
static void run_input_script(struct door_shell *shell)
{
    if (shell->has_here) {
        door_shell_run(shell, shell->here.data, shell->here.length);
    } else if (shell->context.piped) {
        door_record_raw(&shell->context, EFFECT_UNKNOWN);
    } else {
        shell->reads_commands = true;
        door_record_read(&shell->context);
    }
}

static void run_sh(struct door_shell *shell, struct door_args args)
{
    size_t at = 0;

    while (at < args.count && args.words[at][0] == '-' &&
           !(args.words[at][1] != '-' && strchr(args.words[at], 'c')))
        at++;
    if (at < args.count && args.words[at][0] == '-')
        run_text(shell, args, at + 1);
    else if (at < args.count)
        door_record_raw(&shell->context, EFFECT_PROGRAM); /* a script's file */
    else
        run_input_script(shell);
}

/* su -c COMMAND, su USER -c COMMAND, su USER COMMAND... */
static void run_su(struct door_shell *shell, struct door_args args)
{
    for (size_t i = 0; i < args.count; i++) {
        if (door_args_is(args, i, "-c") || door_args_is(args, i, "--command")) {
            run_text(shell, args, i + 1);
            return;
        }
    }
    if (args.count > 1)
        run_others(shell, door_args_skip(args, 1));
    else
        run_input_script(shell);
}

/* eval joins its words with blanks. */
static void run_eval(struct door_shell *shell, struct door_args args)
{
    struct buf text = BUF_INIT(DOOR_LINE_MAX);

    for (size_t i = 0; i < args.count; i++)
        buf_printf(&text, "%s%s", i ? " " : "", args.words[i]);
    if (door_args_all_known(args) && !text.overflow)
        door_shell_run(shell, buf_cstr(&text), text.length);
    else
        door_record_raw(&shell->context, EFFECT_UNKNOWN);
    buf_release(&text);
}

/* `command -v NAME` reads. */
static void run_command(struct door_shell *shell, struct door_args args)
{
    if (args.count && args.words[0][0] == '-')
        run_reader(shell, args);
    else
        run_others(shell, args);
}

/* ---- all commands ---- */

static const struct {
    const char *name;
    door_command_fn *run;
} commands[] = {
    {"input", door_input_run},
    {"sendevent", door_sendevent_run},
    {"am", door_am_run},
    {"monkey", door_monkey_run},
    {"cmd", door_cmd_run},
    {"pm", door_pm_run},
    {"content", door_content_run},
    {"app_process", door_app_process_run},
    {"app_process32", door_app_process_run},
    {"app_process64", door_app_process_run},
    {"screencap", door_screencap_run},
    {"uiautomator", door_uiautomator_run},
    {"cat", door_cat_run},
    {"rm", door_file_change_run},
    {"rmdir", door_file_change_run},
    {"mkdir", door_mkdir_run},
    {"touch", door_file_change_run},
    {"chmod", door_file_change_run},
    {"chown", door_file_change_run},
    {"truncate", door_file_change_run},
    {"tee", door_file_change_run},
    {"gzip", door_file_change_run},
    {"gunzip", door_file_change_run},
    {"cp", door_copy_run},
    {"mv", door_copy_run},
    {"ln", door_copy_run},
    {"cd", door_cd_run},
    {"wm", run_wm},
    {"dumpsys", run_dumpsys},
    {"appops", run_appops},
    {"pkill", run_pkill},
    {"run-as", run_as},
    {"date", run_date},
    {"find", run_find},
    {"sed", run_sed},
    {"sleep", run_sleep},
    {"nohup", run_wrapper},
    {"exec", run_wrapper},
    {"time", run_wrapper},
    {"nice", run_wrapper},
    {"ionice", run_wrapper},
    {"setsid", run_wrapper},
    {"builtin", run_wrapper},
    {"toybox", run_wrapper},
    {"toolbox", run_wrapper},
    {"busybox", run_wrapper},
    {"timeout", run_timeout},
    {"env", run_env},
    {"export", run_export},
    {"readonly", run_export},
    {"sh", run_sh},
    {"mksh", run_sh},
    {"su", run_su},
    {"eval", run_eval},
    {"command", run_command},
};

void door_command_run_named(struct door_shell *shell, const char *name,
                            struct door_args args)
{
    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        if (!strcmp(commands[i].name, name)) {
            commands[i].run(shell, args);
            return;
        }
    }
    for (size_t i = 0; i < ARRAY_LEN(divided); i++) {
        if (!strcmp(divided[i].command, name)) {
            run_divided(shell, &divided[i], args);
            return;
        }
    }
    if (NAME_TABLE_HAS(readers, name))
        run_reader(shell, args);
    else
        door_record_raw(&shell->context, EFFECT_UNKNOWN);
}

void door_command_run(struct door_shell *shell, struct door_args args)
{
    const char *name = door_args_at(args, 0);

    if (!args.count)
        run_reader(shell, args); /* assignments alone */
    else if (!name)
        door_record_raw(&shell->context, EFFECT_UNKNOWN);
    else
        door_command_run_named(shell, base_name(name), door_args_skip(args, 1));
}

bool door_command_is_test(struct sh_span name)
{
    static const char *const tests[] = {
        "[",       "test", "grep", "egrep", "fgrep", "pgrep",
        "pidof",   "ls",   "stat", "cmp",   "diff",  "which",
        "command", "type", "read", "find",  "false"};

    for (size_t i = 0; i < ARRAY_LEN(tests); i++) {
        if (sh_span_is(name, tests[i]))
            return true;
    }
    return false;
}
