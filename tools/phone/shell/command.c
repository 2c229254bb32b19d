#include "tools/phone/shell/command.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/phone/shell/sh_private.h"

/* Bytes read from an input at once. */
#define READ_SIZE ((size_t)64 * 1024)

/* How often a waiting command checks for signals. */
#define SIGNALS_LOOK_MS 50

/* ---- finding ---- */

/* Every command is in the directory that phones have it in. */
static const char *base_name(const char *name)
{
    static const char *const directories[] = {"/system/bin/", "/bin/"};

    for (size_t i = 0; i < ARRAY_LEN(directories); i++) {
        size_t length = strlen(directories[i]);

        if (!strncmp(name, directories[i], length))
            return name + length;
    }
    return name;
}

static const struct phone_command *find_in(const struct command_set *set,
                                           const char *name)
{
    for (size_t i = 0; i < set->count; i++) {
        if (!strcmp(set->commands[i].name, name))
            return &set->commands[i];
    }
    return NULL;
}

/*
 * The command of that name in the families, or of the shell itself; with
 * before, in those behind its own.
 */
static const struct phone_command *find_behind(
    const struct sh_session *session, const char *name,
    const struct phone_command *before, void **context)
{
    for (size_t i = 0; i < session->options.family_count; i++) {
        const struct command_family *family = &session->options.families[i];
        const struct phone_command *found = find_in(family->set, name);

        if (!before && found) {
            *context = family->context;
            return found;
        }
        if (found == before)
            before = NULL;
    }
    *context = NULL;
    return find_in(&sh_builtins, name);
}

const struct phone_command *sh_find_command(const struct sh_session *session,
                                            const char *name, void **context)
{
    const struct phone_command *found =
        find_behind(session, base_name(name), NULL, context);

    return found && found->run ? found : NULL;
}

/* ---- output ---- */

void call_write(struct command_call *call, const void *data, size_t size)
{
    if (!call->ended && !sh_out_write(call->ports.out, data, size))
        call->ended = true;
}

void call_print(struct command_call *call, const char *fmt, ...)
{
    char small[512];
    char *large = NULL;
    va_list args;
    int length;

    va_start(args, fmt);
    length = vsnprintf(small, sizeof(small), fmt, args);
    va_end(args);
    if (length >= (int)sizeof(small)) {
        large = mem_new((size_t)length + 1, 1);
        va_start(args, fmt);
        vsnprintf(large, (size_t)length + 1, fmt, args);
        va_end(args);
    }
    call_write(call, large ? large : small, (size_t)length);
    free(large);
}

void call_write_line(struct command_call *call, const char *line, size_t length)
{
    call_write(call, line, length);
    call_write(call, "\n", 1);
}

void call_error(struct command_call *call, const char *fmt, ...)
{
    char text[2048];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    if (!sh_out_write(call->ports.errors, text, strlen(text)))
        call->ended = true;
}

int call_fail(struct command_call *call, const char *fmt, ...)
{
    const struct sh *shell = call->shell;
    const char *name = call->command->name;
    char text[512];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    if (sh_dialect_has(shell->session->options.dialect, name))
        sh_complain(call->ports.errors, shell->name, "%s: %s", name, text);
    else
        sh_complain(call->ports.errors, name, "%s", text);
    return 1;
}

int call_needs(struct command_call *call, unsigned count, int status)
{
    const char *name = call->command->name;

    call_fail(call, "Need%s %u argument%s (see \"%s --help\")",
              count == 1 ? "s" : "", count, count == 1 ? "" : "s", name);
    return status;
}

int call_fail_path(struct command_call *call, const char *path, int number)
{
    return call_fail(call, "%.400s: %s", path, files_reason(number));
}

bool call_create(struct command_call *call, const char *name, bool append,
                 struct sh_out **out)
{
    char *path = call_path(call, name);
    int number = ENAMETOOLONG;
    bool done = path && sh_open_out(call->shell, path, append, out, &number);

    free(path);
    if (!done)
        call_fail_path(call, name, number);
    return done;
}

bool call_finish(struct command_call *call, struct sh_out *out)
{
    int number;

    if (sh_out_close(out, &number))
        return true;
    call_fail(call, "write: %s", files_reason(number));
    return false;
}

/* ---- input ---- */

bool call_read(struct command_call *call, struct sh_in *in, void *data,
               size_t size, size_t *got)
{
    if (!call->ended &&
        (!sh_step(call->shell->session, 1) || !sh_in_read(in, data, size, got)))
        call->ended = true;
    return !call->ended;
}

bool call_open(struct command_call *call, const char *name, struct sh_in **in)
{
    int number = ENAMETOOLONG;
    char *path;
    bool done;

    if (!strcmp(name, "-")) {
        *in = call->ports.in;
        return true;
    }
    path = call_path(call, name);
    done = path && sh_open_in(call->shell, path, in, &number);
    free(path);
    if (!done)
        call_fail_path(call, name, number);
    return done;
}

void call_close(struct command_call *call, struct sh_in *in)
{
    if (in != call->ports.in)
        sh_in_close(in);
}

int call_each_input(struct command_call *call, char **names, size_t count,
                    call_input_fn *use, void *context)
{
    int status = 0;

    if (!count)
        use(call, "-", call->ports.in, context);
    for (size_t i = 0; i < count && !call->ended; i++) {
        struct sh_in *in;

        if (!call_open(call, names[i], &in)) {
            status = 1;
            continue;
        }
        use(call, names[i], in, context);
        call_close(call, in);
    }
    return status;
}

void call_lines_init(struct command_lines *lines, struct command_call *call,
                     struct sh_in *in)
{
    *lines = (struct command_lines){
        .call = call,
        .in = in,
        .data = BUF_INIT(CALL_LINE_MAX + READ_SIZE),
    };
}

void call_lines_release(struct command_lines *lines)
{
    buf_release(&lines->data);
}

/* Read more input behind the rest of the current line. */
static bool lines_fill(struct command_lines *lines)
{
    char *room;
    size_t got;

    buf_consume(&lines->data, lines->at);
    lines->at = 0;
    room = buf_reserve(&lines->data, READ_SIZE);
    if (!room || !call_read(lines->call, lines->in, room, READ_SIZE, &got))
        return false;
    buf_commit(&lines->data, got);
    lines->done = got == 0;
    return true;
}

bool call_lines_next(struct command_lines *lines, const char **line,
                     size_t *length)
{
    size_t searched = 0;

    for (;;) {
        const char *begin = buf_cstr(&lines->data) + lines->at;
        size_t left = lines->data.length - lines->at;
        const char *newline =
            left > searched ? memchr(begin + searched, '\n', left - searched)
                            : NULL;

        if (newline || left >= CALL_LINE_MAX || (lines->done && left)) {
            *line = begin;
            *length = newline ? (size_t)(newline - begin) : left;
            lines->at += *length + (newline != NULL);
            return true;
        }
        searched = left;
        if (lines->done || !lines_fill(lines))
            return false;
    }
}

/* ---- other commands ---- */

int call_run(struct command_call *call, const char *name, size_t skip)
{
    struct command_call other = *call;
    int status;

    other.command = sh_find_command(call->shell->session, name, &other.context);
    if (!other.command || skip >= call->argc)
        return call_fail(call, "%.100s: %s", name,
                         call->shell->session->options.dialect->not_found);
    other.argv += skip;
    other.argc -= skip;
    status = other.command->run(&other);
    call->ended = other.ended;
    return status;
}

int call_run_words(struct command_call *call, char **words, size_t count)
{
    struct command_call other = *call;
    int status;

    other.argv = words;
    other.argc = count;
    status = call_run(&other, words[0], 0);
    call->ended = other.ended;
    return status;
}

int call_inherited(struct command_call *call)
{
    struct command_call other = *call;
    const struct phone_command *found =
        find_behind(call->shell->session, call->command->name, call->command,
                    &other.context);
    int status;

    assert(found);
    status = found->run(&other);
    call->ended = other.ended;
    return status;
}

bool call_knows(const struct command_call *call, const char *name)
{
    void *context;

    return sh_find_command(call->shell->session, name, &context);
}

bool call_on_terminal(const struct command_call *call)
{
    const struct sh_session *session = call->shell->session;

    return session->options.terminal && call->ports.in == &session->in.in;
}

const char *call_variable(const struct command_call *call, const char *name)
{
    return sh_vars_get(&call->shell->vars, name);
}

unsigned call_pid(const struct command_call *call)
{
    return call->shell->pid;
}

/* ---- time ---- */

bool call_step(struct command_call *call)
{
    if (!call->ended && !sh_step(call->shell->session, 1))
        call->ended = true;
    return !call->ended;
}

struct memory_account *call_memory(const struct command_call *call)
{
    return call->shell->vars.memory_account;
}

bool call_spend(struct command_call *call, size_t bytes)
{
    if (!call->ended && !sh_step(call->shell->session, bytes / SH_STEP_BYTES))
        call->ended = true;
    return !call->ended;
}

/* Has another shell sent a signal? */
static bool has_signal(const struct sh *shell)
{
    struct phone_processes *processes = shell->session->options.processes;

    return processes && processes_has_signal(processes, shell->pid);
}

bool call_wait(struct command_call *call, struct deadline by)
{
    struct sh *shell = call->shell;

    if (call->ended || shell->background) {
        call->ended = true;
        return false;
    }
    by = sh_limit_deadline(shell, by);
    do {
        struct deadline look =
            deadline_sooner(by, deadline_in_ms(SIGNALS_LOOK_MS));

        call->ended = !sh_wait(shell->session, look) || has_signal(shell);
    } while (!call->ended && !deadline_passed(by));
    sh_limit_check(shell);
    call->ended = call->ended || sh_limit_passed(shell);
    return !call->ended;
}

void call_pass(struct command_call *call, struct virtual_clock *clock,
               int64_t nanoseconds)
{
    struct deadline by = {clock_ns()};

    nanoseconds = sh_limit_cut(call->shell, nanoseconds);
    virtual_clock_advance(clock, nanoseconds);
    if (!clock->real)
        return;
    by.at_ns += nanoseconds;
    (void)!call_wait(call, by);
}

/* ---- arguments ---- */

char *call_path(struct command_call *call, const char *name)
{
    return sh_path(call->shell, name);
}

/* One argument of option letters, such as "-la" or "-n5". */
static bool take_letters(struct command_call *call, const char *known,
                         size_t *index, struct command_options *options)
{
    for (const char *at = call->argv[*index] + 1; *at; at++) {
        const char *found = *at == ':' ? NULL : strchr(known, *at);

        if (!found || (unsigned char)*at >= 128) {
            call_fail(call, "Unknown option '%c' (see \"%s --help\")", *at,
                      call->command->name);
            return false;
        }
        options->given[(unsigned char)*at] = true;
        if (found[1] != ':')
            continue;
        if (!at[1] && *index + 1 >= call->argc) {
            call_fail(call, "Missing argument to '%c'", *at);
            return false;
        }
        options->values[(unsigned char)*at] =
            at[1] ? at + 1 : call->argv[++*index];
        return true;
    }
    return true;
}

static bool wants_help(const struct command_call *call)
{
    return call->argc == 2 && !strcmp(call->argv[1], "--help");
}

bool call_options(struct command_call *call, const char *known,
                  struct command_options *options, int *status)
{
    bool letters = true;

    *options = (struct command_options){.count = 0};
    *status = 0;
    if (wants_help(call)) {
        call_print(call,
                   "Toybox 0.8.6-android multicall binary (see toybox "
                   "--help)\n\nusage: %s %s\n",
                   call->command->name, call->command->usage);
        return false;
    }
    options->operands = mem_new(call->argc, sizeof(*options->operands));
    for (size_t i = 1; i < call->argc; i++) {
        char *word = call->argv[i];

        if (letters && !strcmp(word, "--")) {
            letters = false;
        } else if (letters && !strncmp(word, "--color", 7)) {
            continue; /* output is never coloured */
        } else if (letters && !strncmp(word, "--", 2)) {
            call_fail(call, "Unknown option '%.100s' (see \"%s --help\")",
                      word + 2, call->command->name);
            call_options_release(options);
            *status = 1;
            return false;
        } else if (!letters || word[0] != '-' || !word[1]) {
            options->operands[options->count++] = word;
        } else if (!take_letters(call, known, &i, options)) {
            call_options_release(options);
            *status = 1;
            return false;
        }
    }
    return true;
}

void call_options_release(struct command_options *options)
{
    free(options->operands);
    options->operands = NULL;
    options->count = 0;
}

bool call_number(struct command_call *call, const char *text, long long low,
                 long long high, long long *number)
{
    char *end;
    long long value;

    errno = 0;
    value = strtoll(text, &end, 10);
    if (end == text || *end) {
        call_fail(call, "not integer: %.100s", text);
        return false;
    }
    if (errno || value < low) {
        call_fail(call, "%.100s < %lld", text, low);
        return false;
    }
    if (value > high) {
        call_fail(call, "%.100s > %lld", text, high);
        return false;
    }
    *number = value;
    return true;
}
