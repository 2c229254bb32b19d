#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "tools/phone/sh_private.h"
#include "tools/phone/sh_test.h"

/* What a script may be long. */
#define SCRIPT_MAX SH_TEXT_MAX

/* Complain as the shell, about a builtin. Always 1. */
static int fail(struct call *call, const char *what, const char *why)
{
    sh_complain(call->ports.errors, SH_NAME, "%s: %s: %s", call->command->name,
                what, why);
    return 1;
}

/* ---- nothing much ---- */

static int run_true(struct call *call)
{
    (void)call;
    return 0;
}

static int run_false(struct call *call)
{
    (void)call;
    return 1;
}

/* ---- where we are ---- */

/* Drop the last name of a path that begins with "/". */
static void drop_name(struct buf *path)
{
    const char *slash = strrchr(buf_cstr(path), '/');

    buf_truncate(path, slash ? (size_t)(slash - path->data) : 0);
}

/* A path without ".", ".." and doubled slashes, as it is typed. */
static char *tidy(const char *path)
{
    struct buf tidied = BUF_INIT(FILES_PATH_MAX);
    char *text;

    while (*path) {
        size_t length = strcspn(path, "/");

        if (length == 2 && !strncmp(path, "..", 2))
            drop_name(&tidied);
        else if (length && !(length == 1 && *path == '.'))
            buf_printf(&tidied, "/%.*s", (int)length, path);
        path += length;
        path += strspn(path, "/");
    }
    text = mem_dup(tidied.length ? buf_cstr(&tidied) : "/");
    buf_release(&tidied);
    return text;
}

static bool may_enter(struct call *call, const char *path, int *number)
{
    struct files_stat stat;

    if (!files_stat(call->files, path, true, &stat, number))
        return false;
    *number = ENOTDIR;
    return S_ISDIR(stat.mode) && files_access(call->files, path, 1, number);
}

static int run_cd(struct call *call)
{
    struct sh *shell = call->shell;
    const char *name =
        call->argc > 1 ? call->argv[1] : sh_vars_get(&shell->vars, "HOME");
    int number = ENAMETOOLONG;
    char *path;
    char *tidied;

    if (name && !strcmp(name, "-"))
        name = sh_vars_get(&shell->vars, "OLDPWD");
    if (!name)
        return fail(call, "-", "not set");
    path = sh_path(shell, name);
    tidied = path ? tidy(path) : NULL;
    free(path);
    if (!tidied || !may_enter(call, tidied, &number)) {
        free(tidied);
        fail(call, name, files_reason(number));
        return 2;
    }
    (void)!sh_vars_set(&shell->vars, "OLDPWD", shell->directory);
    (void)!sh_vars_set(&shell->vars, "PWD", tidied);
    free(shell->directory);
    shell->directory = tidied;
    return 0;
}

static int run_pwd(struct call *call)
{
    call_print(call, "%s\n", call->shell->directory);
    return 0;
}

/* ---- what comes next ---- */

static int run_exit(struct call *call)
{
    struct sh *shell = call->shell;
    long status = shell->status;
    char *end;

    if (call->argc > 1) {
        status = strtol(call->argv[1], &end, 10);
        if (*end || end == call->argv[1])
            status = fail(call, call->argv[1], "bad number");
    }
    shell->flow = SH_FLOW_EXIT;
    return (int)(status & 0xff);
}

/* break and continue: the loops around us, or as many as are named. */
static int leave_loops(struct call *call, enum sh_flow flow)
{
    struct sh *shell = call->shell;
    long long levels = 1;

    if (call->argc > 1 &&
        !call_number(call, call->argv[1], 1, SH_DEPTH_MAX, &levels))
        return 1;
    if (!shell->loops)
        return 0;
    shell->flow = flow;
    shell->flow_levels = levels < shell->loops ? (long)levels : shell->loops;
    return 0;
}

static int run_break(struct call *call)
{
    return leave_loops(call, SH_FLOW_BREAK);
}

static int run_continue(struct call *call)
{
    return leave_loops(call, SH_FLOW_CONTINUE);
}

/* ---- variables ---- */

static void print_variables(struct call *call, bool all)
{
    const struct sh_vars *vars = &call->shell->vars;

    for (size_t i = 0; i < vars->count; i++) {
        if (all || vars->vars[i].exported)
            call_print(call, "%s=%s\n", vars->vars[i].name,
                       vars->vars[i].value);
    }
}

/* NAME or NAME=VALUE; the name is cut off in place. */
static int export_one(struct call *call, char *word)
{
    size_t length = sh_name_length(word, strlen(word));
    struct sh_vars *vars = &call->shell->vars;
    const char *value = NULL;

    if (!length || (word[length] && word[length] != '='))
        return fail(call, word, "is not an identifier");
    if (word[length] == '=') {
        word[length] = '\0';
        value = word + length + 1;
    } else if (!sh_vars_get(vars, word)) {
        value = "";
    }
    if (value && !sh_vars_set(vars, word, value))
        return fail(call, word, "out of memory");
    sh_vars_export(vars, word);
    return 0;
}

static int run_export(struct call *call)
{
    int status = 0;

    if (call->argc == 1)
        print_variables(call, false);
    for (size_t i = 1; i < call->argc; i++)
        status |= export_one(call, call->argv[i]);
    return status;
}

static int run_unset(struct call *call)
{
    for (size_t i = 1; i < call->argc; i++)
        sh_vars_unset(&call->shell->vars, call->argv[i]);
    return 0;
}

static int run_set(struct call *call)
{
    if (call->argc == 1) {
        print_variables(call, true);
        return 0;
    }
    return fail(call, call->argv[1], "unknown option");
}

static int run_shift(struct call *call)
{
    struct sh *shell = call->shell;
    long long count = 1;

    if (call->argc > 1 &&
        !call_number(call, call->argv[1], 0, SH_FIELDS_MAX, &count))
        return 1;
    if ((size_t)count > shell->arg_count)
        return fail(call, call->argc > 1 ? call->argv[1] : "1",
                    "nothing to shift");
    shell->args += count;
    shell->arg_count -= (size_t)count;
    return 0;
}

/* ---- reading a line ---- */

/* Byte by byte: what follows the line is somebody else's. */
static bool read_line(struct call *call, bool raw, struct buf *line)
{
    char byte = 0;
    size_t got;

    for (;;) {
        if (!sh_in_read(call->ports.in, &byte, 1, &got) || !got)
            return false;
        if (byte == '\n')
            return true;
        if (byte == '\\' && !raw) {
            if (!sh_in_read(call->ports.in, &byte, 1, &got) || !got)
                return false;
            if (byte == '\n')
                continue;
        }
        if (byte)
            buf_byte(line, byte);
    }
}

static char *cut_blanks(char *text)
{
    size_t length;

    text += strspn(text, " \t");
    length = strlen(text);
    while (length && strchr(" \t", text[length - 1]))
        text[--length] = '\0';
    return text;
}

/* A word for each name; the last one gets all that is left. */
static int share_out(struct call *call, char **names, size_t count, char *text)
{
    static char reply[] = "REPLY";
    char *none[] = {reply};
    int status = 0;

    if (!count) {
        names = none;
        count = 1;
    }
    text = cut_blanks(text);
    for (size_t i = 0; i < count; i++) {
        char *word = text;

        if (i + 1 < count) {
            text += strcspn(text, " \t");
            if (*text)
                *text++ = '\0';
            text += strspn(text, " \t");
        }
        if (sh_name_length(names[i], strlen(names[i])) != strlen(names[i]) ||
            !sh_vars_set(&call->shell->vars, names[i], word))
            status = fail(call, names[i], "is not an identifier");
    }
    return status;
}

static int run_read(struct call *call)
{
    struct buf line = BUF_INIT(SH_VARS_BYTES_MAX);
    struct call_options options;
    char *text;
    bool whole;
    int status;

    if (!call_options(call, "rp:", &options, &status))
        return status;
    whole = read_line(call, options.given['r'], &line);
    text = mem_dup(buf_cstr(&line));
    status = share_out(call, options.operands, options.count, text);
    free(text);
    buf_release(&line);
    call_options_release(&options);
    return whole ? status : 1;
}

/* ---- running other things ---- */

static int run_eval(struct call *call)
{
    struct buf text = BUF_INIT(SH_TEXT_MAX);
    int status;

    for (size_t i = 1; i < call->argc; i++) {
        buf_text(&text, call->argv[i]);
        buf_byte(&text, ' ');
    }
    status = text.overflow ? fail(call, "text", "too long")
                           : sh_run_text(call->shell, buf_cstr(&text),
                                         text.length, &call->ports, NULL);
    buf_release(&text);
    return status;
}

/* All of a file, as a script. False, with a message, if it is none. */
static bool load_script(struct call *call, const char *name, struct buf *text)
{
    char *path = call_path(call, name);
    struct blob *blob = NULL;
    int number = ENAMETOOLONG;
    bool done;

    done = path && files_open(call->files, path, &blob, &number);
    free(path);
    if (!done) {
        fail(call, name, files_reason(number));
        return false;
    }
    buf_append(text, blob->data, blob->size);
    done =
        !text->overflow && (!blob->size || !memchr(blob->data, 0, blob->size));
    blob_drop(blob);
    if (!done)
        fail(call, name, "not executable: it is no text, or too long");
    return done;
}

static int run_dot(struct call *call)
{
    struct buf text = BUF_INIT(SCRIPT_MAX);
    int status = 1;

    if (call->argc < 2)
        return fail(call, "file", "missing argument");
    if (load_script(call, call->argv[1], &text))
        status = sh_run_text(call->shell, buf_cstr(&text), text.length,
                             &call->ports, NULL);
    buf_release(&text);
    return status;
}

/* A shell of its own: sh, sh -c TEXT [NAME [ARGUMENT...]], sh FILE [...]. */
static int run_sh(struct call *call)
{
    struct buf text = BUF_INIT(SCRIPT_MAX);
    size_t first = 1; /* the word that becomes $0 */
    int status = 127;
    struct sh sub;

    if (call->argc > 2 && !strcmp(call->argv[1], "-c")) {
        buf_text(&text, call->argv[2]);
        first = 3;
    } else if (call->argc < 2) {
        struct call_lines lines;
        const char *line;
        size_t length;

        call_lines_init(&lines, call, call->ports.in);
        while (call_lines_next(&lines, &line, &length)) {
            buf_append(&text, line, length);
            buf_byte(&text, '\n');
        }
        call_lines_release(&lines);
    } else if (!load_script(call, call->argv[1], &text)) {
        buf_release(&text);
        return status;
    }
    if (!sh_init_sub(&sub, call->shell, call->ports.errors)) {
        buf_release(&text);
        return status;
    }
    if (first < call->argc)
        sub.name = call->argv[first];
    sub.args = call->argv + first + (first < call->argc);
    sub.arg_count = first < call->argc ? call->argc - first - 1 : 0;
    status =
        sh_run_text(&sub, buf_cstr(&text), text.length, &call->ports, NULL);
    sh_release(&sub);
    buf_release(&text);
    return status;
}

/* Run the words from the n-th on. */
static int run_rest(struct call *call, size_t n)
{
    if (n >= call->argc)
        return 0;
    return sh_run_words(call->shell, call->argv + n, call->argc - n,
                        &call->ports);
}

static int run_exec(struct call *call)
{
    int status = run_rest(call, 1);

    if (call->argc > 1)
        call->shell->flow = SH_FLOW_EXIT;
    return status;
}

static int run_nohup(struct call *call)
{
    return run_rest(call, 1);
}

/* Commands end by themselves here: there is nothing to cut short. */
static int run_timeout(struct call *call)
{
    if (call->argc < 3)
        return call_fail(call, "Need 2 arguments");
    return run_rest(call, 2);
}

/* env [NAME=VALUE...] [COMMAND...] */
static int run_env(struct call *call)
{
    struct sh sub;
    size_t at = 1;
    int status = 0;

    if (!sh_init_sub(&sub, call->shell, call->ports.errors))
        return 126;
    for (; at < call->argc && strchr(call->argv[at], '='); at++) {
        char *word = call->argv[at];
        char *value = strchr(word, '=');

        *value = '\0';
        sh_export(&sub, word, value + 1);
    }
    if (at < call->argc) {
        status =
            sh_run_words(&sub, call->argv + at, call->argc - at, &call->ports);
    } else {
        struct call own = *call;

        own.shell = &sub;
        print_variables(&own, false);
    }
    sh_release(&sub);
    return status;
}

static bool is_command(struct call *call, const char *name)
{
    void *context;

    return sh_find_command(call->shell->session, name, &context);
}

static int run_which(struct call *call)
{
    int status = 0;

    for (size_t i = 1; i < call->argc; i++) {
        if (is_command(call, call->argv[i]))
            call_print(call, "/system/bin/%s\n", call->argv[i]);
        else
            status = 1;
    }
    return status;
}

static int run_command(struct call *call)
{
    if (call->argc > 2 && !strcmp(call->argv[1], "-v")) {
        call->argv++;
        call->argc--;
        return run_which(call);
    }
    return run_rest(call, 1);
}

static int run_type(struct call *call)
{
    int status = 0;

    for (size_t i = 1; i < call->argc; i++) {
        const char *name = call->argv[i];

        if (is_command(call, name)) {
            call_print(call, "%s is a tracked alias for /system/bin/%s\n", name,
                       name);
        } else {
            call_print(call, "%s not found\n", name);
            status = 1;
        }
    }
    return status;
}

/* ---- xargs ---- */

#define XARGS_WORDS_MAX 4096U

/* One round of xargs: the command's own words, and those that were read. */
struct round {
    char **words; /* owned; the first ones are borrowed */
    size_t own;
    size_t count;
    size_t most; /* words read in one round */
    int status;
};

static void round_run(struct call *call, struct round *round)
{
    int status =
        sh_run_words(call->shell, round->words, round->count, &call->ports);

    if (status)
        round->status = status == 127 ? 127 : 123;
    while (round->count > round->own)
        free(round->words[--round->count]);
    round->words[round->count] = NULL;
}

static void round_add(struct call *call, struct round *round, const char *word,
                      size_t length)
{
    round->words[round->count++] = mem_dup_n(word, length);
    round->words[round->count] = NULL;
    if (round->count - round->own == round->most)
        round_run(call, round);
}

/* The words of the input; with zero, what stands between NUL bytes. */
static void round_read(struct call *call, struct round *round, bool zero)
{
    const char *blanks = zero ? "" : " \t\r";
    struct call_lines lines;
    const char *line;
    size_t length;

    call_lines_init(&lines, call, call->ports.in);
    while (call_lines_next(&lines, &line, &length)) {
        const char *end = line + length;

        while (line < end) {
            const char *begin = line;

            while (line < end && *line && !strchr(blanks, *line))
                line++;
            if (line > begin)
                round_add(call, round, begin, (size_t)(line - begin));
            line++;
        }
    }
    call_lines_release(&lines);
}

static int run_xargs(struct call *call)
{
    static char echo[] = "echo";
    struct round round = {.most = XARGS_WORDS_MAX};
    long long most = XARGS_WORDS_MAX;
    bool zero = false;
    size_t at = 1;

    for (; at < call->argc && call->argv[at][0] == '-'; at++) {
        if (!strcmp(call->argv[at], "-0"))
            zero = true;
        else if (strcmp(call->argv[at], "-n") || at + 1 >= call->argc)
            return call_fail(call, "Unknown option '%s'", call->argv[at]);
        else if (!call_number(call, call->argv[++at], 1, XARGS_WORDS_MAX,
                              &most))
            return 1;
    }
    round.most = (size_t)most;
    round.own = at < call->argc ? call->argc - at : 1;
    round.words =
        mem_new(round.own + XARGS_WORDS_MAX + 1, sizeof(*round.words));
    round.words[0] = echo;
    if (at < call->argc)
        memcpy(round.words, call->argv + at, round.own * sizeof(char *));
    round.count = round.own;
    round_read(call, &round, zero);
    if (round.count > round.own)
        round_run(call, &round);
    free(round.words);
    return round.status;
}

static const struct command commands[] = {
    {".", run_dot, "FILE"},
    {":", run_true, ""},
    {"[", sh_test, "EXPRESSION ]"},
    {"break", run_break, "[N]"},
    {"cd", run_cd, "[DIRECTORY]"},
    {"command", run_command, "[-v] COMMAND [ARGUMENT...]"},
    {"continue", run_continue, "[N]"},
    {"env", run_env, "[NAME=VALUE...] [COMMAND [ARGUMENT...]]"},
    {"eval", run_eval, "TEXT..."},
    {"exec", run_exec, "[COMMAND [ARGUMENT...]]"},
    {"exit", run_exit, "[STATUS]"},
    {"export", run_export, "[NAME[=VALUE]...]"},
    {"false", run_false, ""},
    {"nohup", run_nohup, "COMMAND [ARGUMENT...]"},
    {"pwd", run_pwd, ""},
    {"read", run_read, "[-r] [NAME...]"},
    {"set", run_set, ""},
    {"sh", run_sh, "[-c TEXT | FILE] [ARGUMENT...]"},
    {"shift", run_shift, "[N]"},
    {"source", run_dot, "FILE"},
    {"test", sh_test, "EXPRESSION"},
    {"timeout", run_timeout, "DURATION COMMAND [ARGUMENT...]"},
    {"true", run_true, ""},
    {"type", run_type, "NAME..."},
    {"unset", run_unset, "NAME..."},
    {"wait", run_true, ""},
    {"which", run_which, "COMMAND..."},
    {"xargs", run_xargs, "[-0] [-n COUNT] [COMMAND [ARGUMENT...]]"},
};

const struct command_set sh_builtins = {commands, ARRAY_LEN(commands)};
