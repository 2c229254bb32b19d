/* eval, ".", sh: run a text or a file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/phone/shell/sh_builtins.h"

#define SCRIPT_MAX SH_TEXT_MAX

int sh_builtin_eval(struct command_call *call)
{
    struct buf text = BUF_INIT(SH_TEXT_MAX);
    int status;

    for (size_t i = 1; i < call->argc; i++) {
        buf_text(&text, call->argv[i]);
        buf_byte(&text, ' ');
    }
    status = text.overflow ? sh_builtin_fail(call, "text", "too long")
                           : sh_run_text(call->shell, buf_cstr(&text),
                                         text.length, &call->ports, NULL);
    buf_release(&text);
    return status;
}

/* Load a file as a script. False, with a message, on failure. */
static bool load_script(struct command_call *call, const char *name,
                        struct buf *text)
{
    char *path = call_path(call, name);
    struct shared_bytes *shared_bytes = NULL;
    int number = ENAMETOOLONG;
    bool done;

    done = path && files_open(call->files, path, &shared_bytes, &number);
    free(path);
    if (!done) {
        sh_builtin_fail(call, name, files_reason(number));
        return false;
    }
    buf_append(text, shared_bytes->data, shared_bytes->size);
    done =
        !text->overflow && (!shared_bytes->size ||
                            !memchr(shared_bytes->data, 0, shared_bytes->size));
    shared_bytes_drop(shared_bytes);
    if (!done)
        sh_builtin_fail(call, name,
                        "not executable: it is no text, or too long");
    return done;
}

int sh_builtin_dot(struct command_call *call)
{
    struct buf text = BUF_INIT(SCRIPT_MAX);
    int status = 1;

    if (call->argc < 2)
        return sh_builtin_fail(call, "file", "missing argument");
    if (load_script(call, call->argv[1], &text)) {
        call->shell->scripts++;
        status = sh_run_text(call->shell, buf_cstr(&text), text.length,
                             &call->ports, NULL);
        call->shell->scripts--;
        if (call->shell->flow == SH_FLOW_RETURN)
            call->shell->flow = SH_FLOW_ON;
    }
    buf_release(&text);
    return status;
}

/* Read the whole input as a script. */
static void read_script(struct command_call *call, struct buf *text)
{
    struct command_lines lines;
    const char *line;
    size_t length;

    call_lines_init(&lines, call, call->ports.in);
    while (call_lines_next(&lines, &line, &length)) {
        buf_append(text, line, length);
        buf_byte(text, '\n');
    }
    call_lines_release(&lines);
}

/* Run text in another shell; the first argument, if any, is its $0. */
static int run_other(struct command_call *call, const struct buf *text,
                     size_t first)
{
    struct phone_processes *processes = call->shell->session->options.processes;
    struct sh sub;
    int status;

    if (!sh_init_sub(&sub, call->shell, call->ports.errors))
        return 127;
    sh_vars_release(&sub.functions);
    sh_set_release(&sub);
    sub.pid = sh_new_pid(sub.session, call->shell->pid, buf_cstr(text));
    sub.errexit = sub.nounset = sub.xtrace = false;
    sub.tested = sub.scripts = 0;
    sub.flow = SH_FLOW_ON;
    sub.name = first < call->argc ? call->argv[first] : call->argv[0];
    sub.args = call->argv + first + (first < call->argc);
    sub.arg_count = first < call->argc ? call->argc - first - 1 : 0;
    (void)sh_run_text(&sub, buf_cstr(text), text->length, &call->ports, NULL);
    status = sh_trap_exit(&sub, &call->ports);
    if (processes)
        processes_end_shell(processes, sub.pid);
    sh_release(&sub);
    return status;
}

int sh_builtin_sh(struct command_call *call)
{
    struct buf text = BUF_INIT(SCRIPT_MAX);
    bool commands = false;
    bool fine = true;
    size_t first = 1;
    int status = 127;

    /* "-c", alone or with other letters, as in "sh -lc TEXT". */
    for (; first < call->argc && call->argv[first][0] == '-'; first++)
        commands = commands || strchr(call->argv[first], 'c');
    if (commands && first >= call->argc) {
        sh_complain(call->ports.errors, call->argv[0],
                    "-c requires an argument");
        fine = false;
        status = 1;
    } else if (commands) {
        buf_text(&text, call->argv[first++]);
    } else if (first >= call->argc) {
        read_script(call, &text);
    } else {
        fine = load_script(call, call->argv[first], &text);
    }
    if (fine && text.overflow)
        status = sh_builtin_fail(call, "text", "too long");
    else if (fine)
        status = run_other(call, &text, first);
    buf_release(&text);
    return status;
}
