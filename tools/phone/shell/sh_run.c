#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "tools/phone/shell/sh_expand.h"
#include "tools/phone/shell/sh_private.h"
#include "tools/phone/shell/sh_redirect.h"
#include "tools/phone/shell/sh_test.h"

#define STATUS_NOT_EXECUTABLE 126
#define STATUS_NOT_FOUND 127

/* ---- commands ---- */

static bool go_deeper(struct sh *shell, const struct sh_ports *ports)
{
    if (shell->depth >= SH_RUN_DEPTH_MAX) {
        sh_complain(ports->errors, shell->name, "can't fork - try again");
        shell->status = 1;
        return false;
    }
    shell->depth++;
    return true;
}

static int not_executable(const struct sh *shell, const struct sh_ports *ports,
                          const char *name, int number)
{
    sh_complain(ports->errors, shell->name, "%s: can't execute: %s", name,
                files_reason(number));
    return STATUS_NOT_EXECUTABLE;
}

/*
 * Is there a file that may be executed? Otherwise *status is the exit status.
 */
static bool is_script(struct sh *shell, const char *name,
                      const struct sh_ports *ports, int *status)
{
    struct phone_files *files = shell->session->options.files;
    char *path = strchr(name, '/') ? sh_path(shell, name) : NULL;
    struct files_stat stat = {.mode = 0};
    int number = 0;
    bool fine = false;

    if (!path || !files_stat(files, path, true, &stat, &number)) {
        sh_complain(ports->errors, shell->name, "%s: %s", name,
                    shell->session->options.dialect->not_found);
        *status = STATUS_NOT_FOUND;
    } else if (S_ISDIR(stat.mode)) {
        *status = not_executable(shell, ports, name, EISDIR);
    } else if (!files_access(files, path, 1, &number)) {
        *status = not_executable(shell, ports, name, number);
    } else {
        fine = true;
    }
    free(path);
    return fine;
}

/* Execute a file of the phone, as a shell script. */
static int run_script(struct sh *shell, char **words, size_t count,
                      const struct sh_ports *ports)
{
    char interpreter[] = "sh";
    char **again;
    int status;

    if (!is_script(shell, words[0], ports, &status))
        return status;
    again = mem_new(count + 2, sizeof(*again));
    again[0] = interpreter;
    memcpy(again + 1, words, count * sizeof(*words));
    status = sh_run_words(shell, again, count + 1, ports);
    free(again);
    return status;
}

/* Run a command of the tables; other shells can list and kill it. */
static int run_listed(struct sh *shell, struct command_call *call)
{
    struct phone_processes *processes = shell->session->options.processes;
    int status;
    int number;

    if (!processes)
        return call->command->run(call) & 0xff;
    processes_set_command(processes, shell->pid, call->command->name);
    status = call->command->run(call) & 0xff;
    number = processes_take_signal(processes, shell->pid + 1);
    processes_set_command(processes, shell->pid, "");
    return number ? 128 + number : status;
}

void sh_abort(struct sh *shell, int status)
{
    shell->status = status;
    if (shell->flow != SH_FLOW_EXIT)
        shell->flow = SH_FLOW_ABORT;
}

int sh_run_words(struct sh *shell, char **words, size_t count,
                 const struct sh_ports *ports)
{
    struct sh_session *session = shell->session;
    const char *function = sh_vars_get(&shell->functions, words[0]);
    struct command_call call = {
        .argc = count,
        .argv = words,
        .files = session->options.files,
        .shell = shell,
        .ports = *ports,
    };
    int status;

    if (!go_deeper(shell, ports))
        return 1;
    call.command = sh_find_command(session, words[0], &call.context);
    if (function)
        status = sh_function_call(shell, function, words, count, ports);
    else if (call.command)
        status = run_listed(shell, &call);
    else
        status = run_script(shell, words, count, ports);
    shell->depth--;
    return status;
}

/* Evaluate the assignments before a command. */
static bool assign_all(struct sh *shell, const struct sh_word *word,
                       const struct sh_ports *ports, bool export)
{
    bool done = true;

    for (; done && word; word = word->next) {
        struct sh_span text = word->text;
        size_t length = sh_assignment_length(text);
        char *name = mem_dup_n(text.data, length - 1);
        struct buf value = BUF_INIT(SH_FIELD_BYTES_MAX);

        text.data += length;
        text.length -= length;
        done = sh_expand_text(shell, text, ports, &value);
        if (done && !sh_vars_set(&shell->vars, name, buf_cstr(&value))) {
            sh_complain(ports->errors, shell->name, "out of memory");
            done = false;
        }
        if (done && export)
            sh_vars_export(&shell->vars, name);
        buf_release(&value);
        free(name);
    }
    return done;
}

/* These assignments apply only to this command. */
static void run_with(struct sh *shell, const struct sh_word *assignments,
                     struct sh_fields *fields, const struct sh_ports *ports)
{
    struct sh_vars before = SH_VARS_INIT(shell->vars.memory_account);

    if (!assignments) {
        shell->status =
            sh_run_words(shell, fields->items, fields->count, ports);
        return;
    }
    shell->status = 1;
    if (!sh_vars_copy(&before, &shell->vars))
        return;
    if (assign_all(shell, assignments, ports, true))
        shell->status =
            sh_run_words(shell, fields->items, fields->count, ports);
    sh_vars_release(&shell->vars);
    shell->vars = before;
}

/* set -x */
static void trace(const struct sh_fields *fields, const struct sh_ports *ports)
{
    struct buf line = BUF_INIT(SH_FIELD_BYTES_MAX);

    buf_byte(&line, '+');
    for (size_t i = 0; i < fields->count; i++) {
        buf_byte(&line, ' ');
        buf_text(&line, fields->items[i]);
    }
    buf_byte(&line, '\n');
    (void)!sh_out_write(ports->errors, buf_cstr(&line), line.length);
    buf_release(&line);
}

static void run_simple(struct sh *shell, const struct sh_node *node,
                       const struct sh_ports *ports)
{
    struct sh_fields fields = SH_FIELDS_INIT(shell->vars.memory_account);
    int before = shell->status;

    if (!sh_expand_words(shell, node->words, ports, &fields)) {
        sh_abort(shell, 1);
    } else if (fields.count) {
        if (shell->xtrace)
            trace(&fields, ports);
        run_with(shell, node->assignments, &fields, ports);
    } else {
        /* The status of an assignment is that of its last substitution. */
        shell->captured = 0;
        shell->status = before;
        if (assign_all(shell, node->assignments, ports, false))
            shell->status = shell->captured;
        else
            sh_abort(shell, 1);
    }
    sh_fields_release(&fields);
}

/* ---- compound commands ---- */

/* Run a condition: in it, "set -e" has no effect. */
static void run_tested(struct sh *shell, const struct sh_node *node,
                       const struct sh_ports *ports)
{
    shell->tested++;
    sh_run_node(shell, node, ports);
    shell->tested--;
}

static void run_condition(struct sh *shell, const struct sh_node *node,
                          const struct sh_ports *ports)
{
    shell->status = 0;
    run_tested(shell, node, ports);
}

static void run_list(struct sh *shell, const struct sh_node *list,
                     const struct sh_ports *ports)
{
    for (const struct sh_node *node = list->body; node; node = node->next) {
        if (shell->flow != SH_FLOW_ON || shell->session->stopped ||
            sh_limit_passed(shell))
            return;
        if ((node->joint == SH_JOINT_AND && shell->status != 0) ||
            (node->joint == SH_JOINT_OR && shell->status == 0))
            continue;
        if (node->next && node->next->joint != SH_JOINT_ALWAYS)
            run_tested(shell, node, ports);
        else
            sh_run_node(shell, node, ports);
    }
}

static void run_subshell(struct sh *shell, const struct sh_node *node,
                         const struct sh_ports *ports)
{
    struct sh sub;

    if (!sh_init_sub(&sub, shell, ports->errors)) {
        shell->status = 1;
        return;
    }
    run_list(&sub, node, ports);
    shell->status = sh_trap_exit(&sub, ports);
    sh_release(&sub);
}

static void run_if(struct sh *shell, const struct sh_node *node,
                   const struct sh_ports *ports)
{
    run_condition(shell, node->condition, ports);
    if (shell->flow != SH_FLOW_ON)
        return;
    if (shell->status == 0)
        sh_run_node(shell, node->body, ports);
    else if (node->otherwise)
        sh_run_node(shell, node->otherwise, ports);
    else
        shell->status = 0;
}

/* After an iteration: does another one follow? */
static bool loops_on(struct sh *shell)
{
    bool breaks = shell->flow == SH_FLOW_BREAK;

    if (!breaks && shell->flow != SH_FLOW_CONTINUE)
        return shell->flow == SH_FLOW_ON;
    if (--shell->flow_levels > 0)
        return false; /* an outer loop is left */
    shell->flow = SH_FLOW_ON;
    return !breaks;
}

static void run_loop(struct sh *shell, const struct sh_node *node,
                     const struct sh_ports *ports)
{
    int status = 0;

    shell->loops++;
    for (;;) {
        run_condition(shell, node->condition, ports);
        if (shell->flow != SH_FLOW_ON && loops_on(shell))
            continue;
        if (shell->flow != SH_FLOW_ON || (shell->status == 0) == node->until)
            break;
        sh_run_node(shell, node->body, ports);
        status = shell->status;
        if (!loops_on(shell) || shell->session->stopped ||
            sh_limit_passed(shell))
            break;
    }
    shell->loops--;
    if (shell->flow == SH_FLOW_ON)
        shell->status = status;
}

static void run_for(struct sh *shell, const struct sh_node *node,
                    const struct sh_ports *ports)
{
    struct sh_fields fields = SH_FIELDS_INIT(shell->vars.memory_account);
    char *name = mem_dup_n(node->name.data, node->name.length);
    bool done;

    shell->loops++;
    if (node->arguments)
        done = sh_fields_add_all(&fields, shell->args, shell->arg_count);
    else
        done = sh_expand_words(shell, node->words, ports, &fields);
    if (done)
        shell->status = 0;
    else
        sh_abort(shell, 1);
    for (size_t i = 0; done && i < fields.count; i++) {
        if (!sh_vars_set(&shell->vars, name, fields.items[i]))
            break;
        sh_run_node(shell, node->body, ports);
        if (!loops_on(shell) || shell->session->stopped ||
            sh_limit_passed(shell))
            break;
    }
    shell->loops--;
    free(name);
    sh_fields_release(&fields);
}

/* Does one of the patterns match? Also false after an error. */
static bool branch_fits(struct sh *shell, const struct sh_node *branch,
                        const char *word, const struct sh_ports *ports)
{
    bool fits = false;

    for (const struct sh_word *at = branch->words; at && !fits; at = at->next) {
        struct buf pattern = BUF_INIT(SH_FIELD_BYTES_MAX);

        if (!sh_expand_pattern(shell, at->text, ports, &pattern)) {
            buf_release(&pattern);
            sh_abort(shell, 1);
            return false;
        }
        fits = sh_match(shell->session, buf_cstr(&pattern), word);
        buf_release(&pattern);
    }
    return fits;
}

static void run_case(struct sh *shell, const struct sh_node *node,
                     const struct sh_ports *ports)
{
    struct buf word = BUF_INIT(SH_FIELD_BYTES_MAX);

    if (!sh_expand_text(shell, node->name, ports, &word)) {
        buf_release(&word);
        sh_abort(shell, 1);
        return;
    }
    shell->status = 0;
    for (const struct sh_node *branch = node->body; branch;
         branch = branch->next) {
        bool fits = branch_fits(shell, branch, buf_cstr(&word), ports);

        if (fits)
            sh_run_node(shell, branch->body, ports);
        if (fits || shell->flow != SH_FLOW_ON)
            break;
    }
    buf_release(&word);
}

/* A word of [[ ... ]], without splitting and file patterns. */
static bool add_test_word(struct sh *shell, struct sh_span word, bool pattern,
                          const struct sh_ports *ports,
                          struct sh_fields *fields)
{
    struct buf text = BUF_INIT(SH_FIELD_BYTES_MAX);
    char *made;
    bool done;

    if (sh_span_is(word, "&&"))
        buf_text(&text, "-a");
    else if (sh_span_is(word, "||"))
        buf_text(&text, "-o");
    done =
        text.length || (pattern ? sh_expand_pattern(shell, word, ports, &text)
                                : sh_expand_text(shell, word, ports, &text));
    made = mem_dup(buf_cstr(&text));
    done = done && sh_fields_add_all(fields, &made, 1);
    free(made);
    buf_release(&text);
    return done;
}

static void run_test(struct sh *shell, const struct sh_node *node,
                     const struct sh_ports *ports)
{
    static const struct phone_command test = {"[[", sh_test, ""};
    struct sh_fields fields = SH_FIELDS_INIT(shell->vars.memory_account);
    struct command_call call = {
        .command = &test,
        .files = shell->session->options.files,
        .shell = shell,
        .ports = *ports,
    };
    char name[] = "[[";
    char *first = name;
    bool done = sh_fields_add_all(&fields, &first, 1);
    bool pattern = false;

    for (const struct sh_word *at = node->words; done && at; at = at->next) {
        done = add_test_word(shell, at->text, pattern, ports, &fields);
        pattern = sh_span_is(at->text, "=") || sh_span_is(at->text, "==") ||
                  sh_span_is(at->text, "!=");
    }
    call.argv = fields.items;
    call.argc = fields.count;
    if (done)
        shell->status = sh_test(&call);
    else
        sh_abort(shell, 1);
    sh_fields_release(&fields);
}

static void define(struct sh *shell, const struct sh_node *node,
                   const struct sh_ports *ports)
{
    char *name = mem_dup_n(node->name.data, node->name.length);
    char *text = mem_dup_n(node->text.data, node->text.length);

    shell->status = 0;
    if (!sh_vars_set(&shell->functions, name, text)) {
        sh_complain(ports->errors, shell->name, "%.100s: out of memory", name);
        shell->status = 1;
    }
    free(name);
    free(text);
}

static void run_kind(struct sh *shell, const struct sh_node *node,
                     const struct sh_ports *ports)
{
    switch (node->kind) {
    case SH_NODE_SIMPLE:
        run_simple(shell, node, ports);
        break;
    case SH_NODE_PIPELINE:
        sh_run_pipeline(shell, node, ports);
        break;
    case SH_NODE_LIST:
        run_list(shell, node, ports);
        break;
    case SH_NODE_SUBSHELL:
        run_subshell(shell, node, ports);
        break;
    case SH_NODE_IF:
        run_if(shell, node, ports);
        break;
    case SH_NODE_LOOP:
        run_loop(shell, node, ports);
        break;
    case SH_NODE_FOR:
        run_for(shell, node, ports);
        break;
    case SH_NODE_CASE:
        run_case(shell, node, ports);
        break;
    case SH_NODE_TEST:
        run_test(shell, node, ports);
        break;
    case SH_NODE_FUNCTION:
        define(shell, node, ports);
        break;
    case SH_NODE_BRANCH: /* run by the case command */
        break;
    }
}

static void run_redirected(struct sh *shell, const struct sh_node *node,
                           const struct sh_ports *ports)
{
    struct sh_redirects redirects;

    if (!node->redirects) {
        run_kind(shell, node, ports);
        return;
    }
    if (sh_redirects_open(shell, node->redirects, ports, &redirects))
        run_kind(shell, node, &redirects.ports);
    else
        shell->status = 1;
    sh_redirects_close(shell, &redirects, ports);
}

/* The process id of a background command, which has ended when it is used. */
static unsigned ended_pid(const struct sh *shell)
{
    struct phone_processes *processes = shell->session->options.processes;
    char text[16];
    unsigned pid;

    snprintf(text, sizeof(text), "%u", shell->background_pid);
    pid = sh_new_pid(shell->session, shell->pid, text);
    if (processes)
        processes_end_shell(processes, pid);
    return pid;
}

/* A background command has no input, and runs to its end at once. */
static void run_background(struct sh *shell, const struct sh_node *node,
                           const struct sh_ports *ports)
{
    struct sh_ports own = *ports;
    struct sh sub;

    if (!sh_init_sub(&sub, shell, ports->errors)) {
        shell->status = 1;
        return;
    }
    sub.background = true;
    sub.pid = ended_pid(shell);
    own.in = sh_in_empty();
    run_redirected(&sub, node, &own);
    sh_in_close(own.in);
    shell->background_pid = sub.pid;
    shell->background_status = sub.status;
    sh_release(&sub);
    shell->status =
        node->next && node->next->joint != SH_JOINT_ALWAYS ? sub.status : 0;
}

/* set -e: a command that fails ends the shell. */
static void check_failure(struct sh *shell, const struct sh_node *node)
{
    bool counts = node->kind == SH_NODE_SIMPLE || node->kind == SH_NODE_TEST ||
                  node->kind == SH_NODE_PIPELINE ||
                  node->kind == SH_NODE_SUBSHELL;

    if (shell->errexit && shell->status && counts && !shell->tested &&
        !node->negated && !node->background && shell->flow == SH_FLOW_ON)
        shell->flow = SH_FLOW_EXIT;
}

void sh_run_node(struct sh *shell, const struct sh_node *node,
                 const struct sh_ports *ports)
{
    sh_trap_check(shell, ports);
    if (shell->flow != SH_FLOW_ON || !sh_step(shell->session, 1) ||
        !go_deeper(shell, ports))
        return;
    shell->tested += node->negated;
    if (node->background && !shell->background)
        run_background(shell, node, ports);
    else
        run_redirected(shell, node, ports);
    shell->tested -= node->negated;
    if (node->negated)
        shell->status = !shell->status;
    check_failure(shell, node);
    sh_trap_check(shell, ports); /* the signal may have ended it */
    shell->depth--;
}

/* ---- text ---- */

int sh_run_text(struct sh *shell, const char *text, size_t length,
                const struct sh_ports *ports, bool *incomplete)
{
    struct sh_tree tree = SH_TREE_INIT(shell->vars.memory_account);
    struct err err = ERR_INIT;
    bool parsed;
    bool more;

    /* Running the same text again costs steps by its length. */
    if (length <= SH_TEXT_MAX &&
        !sh_step(shell->session, 1 + length / SH_STEP_BYTES))
        return shell->status;
    tree.token_first = shell->session->options.dialect->token_first;
    parsed = sh_parse(text, length, &tree, &more, &err);
    if (incomplete)
        *incomplete = more;
    if (parsed) {
        sh_run_node(shell, tree.root, ports);
    } else if (!incomplete || !more) {
        sh_complain(ports->errors, shell->name, "%s", err.text);
        sh_abort(shell, 1);
    }
    sh_tree_release(&tree);
    return shell->status;
}

void sh_capture(struct sh *shell, const char *text, size_t length,
                const struct sh_ports *ports, struct buf *output)
{
    struct sh_ports own = *ports;
    struct sh sub;
    int number;

    shell->captured = 1;
    if (!sh_init_sub(&sub, shell, ports->errors))
        return;
    own.out = sh_out_buf(output, shell->vars.memory_account);
    (void)sh_run_text(&sub, text, length, &own, NULL);
    shell->captured = sh_trap_exit(&sub, &own);
    (void)!sh_out_close(own.out, &number); /* writing to a buffer cannot fail */
    sh_release(&sub);
}
