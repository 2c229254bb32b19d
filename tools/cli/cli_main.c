#include "tools/cli/cli_main.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adb/transport/usb.h"
#include "base/clean_text.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/command_line/help.h"
#include "tools/cli/terminal/exit_signals.h"

/* The command line, and the place of the command's name in it. */
struct command_words {
    char *const *argv;
    size_t count;
    size_t name_at; /* count: nowhere */
};

static bool print_version(struct cli_context *cli, struct err *err)
{
    static const char version[] = "proctor " PROCTOR_VERSION "\n";

    return output_stream_write(&cli->out, version, sizeof(version) - 1, err);
}

/* The command line has no command: only --help and --version make sense. */
static bool run_without_command(struct cli_context *cli,
                                const struct command_words *line,
                                struct err *err)
{
    struct option_group groups[COMMAND_GROUPS_MAX];
    struct syntax syntax = {.groups = groups};
    struct operand_words words = {0};
    bool parsed;

    syntax.group_count = command_groups(NULL, NULL, &cli->shared, groups);
    parsed = option_parse(&syntax, line->argv, line->count, &words, err);
    operand_words_release(&words);
    if (!parsed)
        return false;
    if (cli->shared.version)
        return print_version(cli, err);
    if (cli->shared.help)
        return help_print(NULL, &cli->out, err);
    return err_set(err, ERR_INVALID, "no command (see: proctor --help)");
}

/* Options may be given before and after the command's name. */
static bool parse_command(struct cli_context *cli,
                          const struct command *command,
                          const struct command_words *line, void *args,
                          struct operand_words *words, struct err *err)
{
    size_t after = line->name_at + 1;
    struct option_group groups[COMMAND_GROUPS_MAX];
    struct syntax syntax = {
        .command = command->name,
        .groups = groups,
        .operands = command->operands,
        .operand_count = command->operand_count,
    };

    syntax.group_count = command_groups(command, args, &cli->shared, groups);
    if (!option_parse(&syntax, line->argv, line->name_at, words, err) ||
        !option_parse(&syntax, line->argv + after, line->count - after, words,
                      err))
        return false;
    return cli->shared.help || option_check_words(&syntax, words, err);
}

static bool run_command(struct cli_context *cli, const struct command *command,
                        const struct command_words *line, int *status,
                        struct err *err)
{
    void *args = mem_new(1, command->args_size + 1);
    struct operand_words words = {0};
    bool done = false;

    if (!parse_command(cli, command, line, args, &words, err))
        goto end;
    if (cli->shared.timeout_s > 0)
        cli->by = deadline_in_ms((int64_t)(cli->shared.timeout_s * 1e3));
    if (cli->shared.help)
        done = help_print(command, &cli->out, err);
    else
        done = command->run(cli, args, &words, status, err);
end:
    operand_words_release(&words);
    free(args);
    return done;
}

static bool run(struct cli_context *cli, struct command_words *line,
                int *status, struct err *err)
{
    struct option_group groups[COMMAND_GROUPS_MAX];
    size_t group_count = command_groups(NULL, NULL, NULL, groups);
    const struct command *command;

    line->name_at = option_skip(groups, group_count, line->argv, line->count);
    if (line->name_at == line->count)
        return run_without_command(cli, line, err);
    return command_find(line->argv[line->name_at], &command, err) &&
           run_command(cli, command, line, status, err);
}

/* For programs: on standard output, where they look. */
static void report_json(struct cli_context *cli, const struct err *err)
{
    struct cJSON *tree = json_new_object();
    struct cJSON *error = json_add_object(tree, "error");
    struct err ignored; /* the message has been printed already */
    bool done;

    json_add_string(error, "code", err_code_name(err->code));
    json_add_string(error, "message", err->text);
    cli->out.cancel = NULL; /* an interrupt is reported, too */
    done = output_stream_json(&cli->out, tree, &ignored);
    (void)done;
    cJSON_Delete(tree);
}

/* Say what went wrong, once. */
static void report(struct cli_context *cli, const struct err *err)
{
    char text[sizeof(err->text)];

    clean_text_copy(text, sizeof(text), err->text, strlen(err->text));
    fprintf(stderr, "proctor: %s\n", text);
    if (cli->shared.json)
        report_json(cli, err);
}

/* End as other programs do when the reader of their output is gone. */
static void die_of_closed_pipe(void)
{
    signal(SIGPIPE, SIG_DFL);
    raise(SIGPIPE);
}

/*
 * A standard descriptor that is closed would be taken by the next thing opened,
 * and a phone would get our messages. The replacement fails when it is used.
 */
static bool occupy_standard_descriptors(struct err *err)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        int mode = fd == STDIN_FILENO ? O_WRONLY : O_RDONLY;

        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", mode) != fd)
            return err_errno(err, errno, "opening /dev/null");
    }
    return true;
}

int cli_main(int argc, char **argv)
{
    struct err err = ERR_INIT;
    struct log log;
    struct cancel cancel;
    struct exit_signals signals;
    struct cli_context cli = {
        .log = &log, .cancel = &cancel, .by = DEADLINE_NEVER};
    struct command_words line = {.argv = argv + 1, .count = (size_t)argc - 1};
    int status = 0;

    if (argc < 1)
        return cli_exit_code(ERR_INVALID);
    usb_is_ours();
    if (!occupy_standard_descriptors(&err) ||
        !log_init(&log, stderr, getenv("PROCTOR_TRACE"), &err) ||
        !cancel_init(&cancel, &err) ||
        !exit_signals_start(&signals, &cancel, &err)) {
        report(&cli, &err);
        return cli_exit_code(err.code);
    }
    cli.shared.device = getenv("ANDROID_SERIAL");
    output_stream_init(&cli.out, STDOUT_FILENO, &cancel);
    if (!run(&cli, &line, &status, &err)) {
        if (!cli.out.reader_gone)
            report(&cli, &err);
        status = cli_exit_code(err.code);
    }
    output_stream_release(&cli.out);
    exit_signals_stop(&signals);
    cancel_release(&cancel);
    if (cli.out.reader_gone)
        die_of_closed_pipe();
    return status;
}
