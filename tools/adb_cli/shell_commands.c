/* Commands that run something on the phone. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adb/services/shell.h"
#include "adb/sync/sync.h"
#include "tools/adb_cli/adb_cli.h"
#include "tools/cli/device/shell_session.h"

#define PIECE_SIZE ((size_t)64 * 1024)

/* How the options of "adb shell" ask for a pty. */
enum pty_choice {
    PTY_AUTO,
    PTY_NO,
    PTY_YES,    /* -t: if standard input is a terminal */
    PTY_FORCED, /* -t -t */
};

struct shell_choice {
    enum pty_choice pty;
    bool no_input;  /* -n */
    bool no_status; /* -x */
};

static bool use_pty(enum pty_choice choice, bool is_session)
{
    bool terminal = isatty(STDIN_FILENO);

    switch (choice) {
    case PTY_NO:
        return false;
    case PTY_FORCED:
        return true;
    case PTY_YES:
        if (!terminal)
            fprintf(stderr,
                    "Remote PTY will not be allocated because stdin is not a "
                    "terminal.\nUse multiple -t options to force remote PTY "
                    "allocation.\n");
        return terminal;
    case PTY_AUTO:
        break;
    }
    return terminal && is_session;
}

/* With -x the old protocol is used, which reports no status. */
static int run_plain(struct adb_cli *cli, const char *command)
{
    struct buf service = BUF_INIT(ADB_CLI_COMMAND_MAX);
    int code;

    buf_printf(&service, "shell:%s", command);
    code = adb_cli_print_service(cli, buf_cstr(&service));
    buf_release(&service);
    return code;
}

static bool run_shell_on(struct device *device,
                         const struct shell_choice *choice, const char *command,
                         int *status, struct err *err)
{
    const struct shell_options options = {
        .command = command,
        .pty = use_pty(choice->pty, !*command),
        .term = getenv("TERM"),
    };
    struct output_stream out;
    struct shell_session session = {
        .out = &out,
        .terminal = options.pty && isatty(STDIN_FILENO),
        .no_input = choice->no_input,
        .by = DEADLINE_NEVER,
    };
    bool done;

    if (!shell_open(device, &options, DEADLINE_NEVER, &session.shell, err))
        return false;
    output_stream_init(&out, STDOUT_FILENO, NULL);
    done = shell_session_run(&session, status, err);
    output_stream_release(&out);
    shell_close(session.shell);
    return done;
}

static int run_with(const struct adb_cli *cli,
                    const struct shell_choice *choice, const char *command)
{
    struct device *device = NULL;
    struct err err = ERR_INIT;
    int status = 0;
    int code;

    if (!adb_cli_device(cli, &device, &err))
        return adb_cli_fail("%s", adb_cli_reason(cli, &err));
    /* A shell of version 1 has no status. A reader that left ends quietly. */
    if (run_shell_on(device, choice, command, &status, &err))
        code = status < 0 ? 0 : status;
    else if (err.code == ERR_CLOSED)
        code = 255;
    else
        code = adb_cli_error(cli, &err);
    device_close(device);
    return code;
}

int adb_cli_shell(const struct adb_cli *cli, const char *command)
{
    const struct shell_choice choice = {.pty = PTY_NO};

    return run_with(cli, &choice, command);
}

/* Parse the options of "adb shell"; *first is the first word behind them. */
static bool parse_choice(int argc, char **argv, struct shell_choice *choice,
                         int *first)
{
    int letter;

    argv[0] = "adb shell"; /* in getopt's messages */
    while ((letter = getopt(argc, argv, "+e:ntTx")) != -1) {
        switch (letter) {
        case 'e':
            if (strlen(optarg) != 1 && strcmp(optarg, "none") != 0) {
                adb_cli_fail("-e requires a single-character argument or "
                             "'none'");
                return false;
            }
            break;
        case 'n':
            choice->no_input = true;
            break;
        case 'x':
            choice->no_status = true;
            break;
        case 't':
            choice->pty = choice->pty >= PTY_YES ? PTY_FORCED : PTY_YES;
            break;
        case 'T':
            choice->pty = PTY_NO;
            break;
        default:
            return false;
        }
    }
    *first = optind;
    return true;
}

static int run_shell(struct adb_cli *cli, int argc, char **argv)
{
    struct shell_choice choice = {.pty = PTY_AUTO};
    struct buf command = BUF_INIT(ADB_CLI_COMMAND_MAX);
    int first;
    int code;

    if (!parse_choice(argc, argv, &choice, &first))
        return 1;
    adb_cli_join(&command, argc - first, argv + first, false);
    if (command.overflow)
        code = adb_cli_fail("the command is too long");
    else if (choice.no_status && command.length)
        code = run_plain(cli, buf_cstr(&command));
    else
        code = run_with(cli, &choice, buf_cstr(&command));
    buf_release(&command);
    return code;
}

/* ---- raw streams ---- */

static bool copy_input(struct stream *stream, struct err *err)
{
    char data[PIECE_SIZE];
    ssize_t got = 1;

    while (got) {
        got = read(STDIN_FILENO, data, sizeof(data));
        if (got < 0 && errno != EINTR)
            return err_errno(err, errno, "reading standard input");
        if (got > 0 &&
            !stream_write(stream, data, (size_t)got, DEADLINE_NEVER, err))
            return false;
    }
    return true;
}

static int run_exec(struct adb_cli *cli, int argc, char **argv)
{
    bool in = !strcmp(argv[0], "exec-in");
    struct buf service = BUF_INIT(ADB_CLI_COMMAND_MAX);
    struct stream *stream = NULL;
    struct err err = ERR_INIT;
    int code = 0;

    if (argc < 2)
        return adb_cli_fail("usage: adb %s command", argv[0]);
    buf_text(&service, "exec:");
    adb_cli_join(&service, argc - 1, argv + 1, false);
    if (!adb_cli_service(cli, buf_cstr(&service), &stream, &err)) {
        (void)adb_cli_error(cli, &err);
        code = 255;
    } else if (!(in ? copy_input(stream, &err)
                    : adb_cli_copy(stream, STDOUT_FILENO, &err))) {
        code = 1;
    }
    stream_close(stream);
    buf_release(&service);
    return code;
}

static int run_raw(struct adb_cli *cli, int argc, char **argv)
{
    if (argc != 2)
        return adb_cli_fail("usage: adb raw SERVICE");
    return adb_cli_print_service(cli, argv[1]);
}

static int run_service(struct adb_cli *cli, int argc, char **argv)
{
    (void)argc;
    return adb_cli_print_service(cli, argv[0]);
}

/* The server hides these features of phones. */
static int run_hidden(struct adb_cli *cli, int argc, char **argv)
{
    (void)cli, (void)argc;
    return adb_cli_fail("%s is not supported by the device", argv[0]);
}

/* ---- the log and bug reports ---- */

static int run_logcat(struct adb_cli *cli, int argc, char **argv)
{
    const char *tags = getenv("ANDROID_LOG_TAGS");
    struct buf command = BUF_INIT(ADB_CLI_COMMAND_MAX);
    int code;

    buf_text(&command, "export ANDROID_LOG_TAGS=");
    shell_quote(&command, tags ? tags : "");
    buf_text(&command, "; exec logcat");
    if (!strcmp(argv[0], "longcat"))
        buf_text(&command, " -v long");
    for (int i = 1; i < argc; i++) {
        buf_byte(&command, ' ');
        shell_quote(&command, argv[i]);
    }
    code = adb_cli_shell(cli, buf_cstr(&command));
    buf_release(&command);
    return code;
}

/* The path in "OK:PATH", the last line that bugreportz prints. */
static const char *report_path(struct buf *printed)
{
    char *ok = printed->length ? strstr(printed->data, "OK:") : NULL;

    if (!ok)
        return NULL;
    ok[strcspn(ok, "\r\n")] = '\0';
    return ok + strlen("OK:");
}

static int fetch_report(struct device *device, struct shell_result *result,
                        const char *target)
{
    const char *path = report_path(&result->out);
    struct sync_options options = {.compression = SYNC_ANY};
    struct sync *sync = NULL;
    struct err err = ERR_INIT;
    char words[200];
    bool pulled;

    if (!path) {
        shell_result_words(result, words, sizeof(words));
        (void)adb_cli_fail(
            "device failed to take a zipped bugreport: %s",
            strncmp(words, "FAIL:", strlen("FAIL:")) ? words : words + 5);
        return 255;
    }
    pulled = sync_open(device, &options, DEADLINE_NEVER, &sync, &err) &&
             sync_pull(sync, path, target, DEADLINE_NEVER, NULL, &err);
    sync_close(sync);
    if (!pulled)
        return adb_cli_fail("%s", err.text);
    printf("Bug report copied to %s\n", target);
    return 0;
}

static int run_bugreport(struct adb_cli *cli, int argc, char **argv)
{
    struct shell_result result = {.status = -1};
    struct device *device = NULL;
    struct err err = ERR_INIT;
    int code;

    if (argc > 2)
        return adb_cli_fail("usage: adb bugreport [[PATH] | [--stream]]");
    if (!adb_cli_device(cli, &device, &err))
        return adb_cli_fail("%s", adb_cli_reason(cli, &err));
    if (!shell_run(device, "bugreportz", ADB_CLI_COMMAND_MAX, DEADLINE_NEVER,
                   &result, &err))
        code = adb_cli_fail("%s", adb_cli_reason(cli, &err));
    else
        code = fetch_report(device, &result, argc == 2 ? argv[1] : ".");
    shell_result_release(&result);
    device_close(device);
    return code;
}

const struct adb_cli_command adb_cli_shell_commands[] = {
    {"shell", run_shell},
    {"hell", run_shell},
    {"exec-out", run_exec},
    {"exec-in", run_exec},
    {"raw", run_raw},
    {"jdwp", run_service},
    {"track-jdwp", run_service},
    {"track-app", run_hidden},
    {"abb", run_hidden},
    {"logcat", run_logcat},
    {"lolcat", run_logcat},
    {"longcat", run_logcat},
    {"bugreport", run_bugreport},
    {NULL, NULL},
};
