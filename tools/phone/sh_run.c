#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "tools/phone/sh_expand.h"
#include "tools/phone/sh_private.h"

#define REDIRECTS_MAX 16U
#define STATUS_NOT_EXECUTABLE 126
#define STATUS_NOT_FOUND 127

/* ---- redirections ---- */

/* What a command's redirections have opened. */
struct redirects {
    struct sh_ports ports; /* as they are now */
    struct sh_in *ins[REDIRECTS_MAX];
    struct sh_out *outs[REDIRECTS_MAX];
    const char *targets[REDIRECTS_MAX];
    size_t count;
};

static bool set_port(struct redirects *redirects, int fd, struct sh_in *in,
                     struct sh_out *out)
{
    if (fd == 0 && in)
        redirects->ports.in = in;
    else if (fd == 1 && out)
        redirects->ports.out = out;
    else if (fd == 2 && out)
        redirects->ports.errors = out;
    else
        return false;
    return true;
}

/* 2>&1 and the like; "-" closes, and nothing is read or written then. */
static bool redirect_same(struct redirects *redirects, int fd,
                          const char *target)
{
    const struct sh_ports now = redirects->ports;
    struct sh_in **in = &redirects->ins[redirects->count];
    struct sh_out **out = &redirects->outs[redirects->count];

    if (!strcmp(target, "-")) {
        redirects->count++;
        return set_port(redirects, fd, *in = sh_in_empty(),
                        *out = sh_out_nothing());
    }
    if (strlen(target) != 1 || !strchr("012", *target))
        return false;
    return set_port(redirects, fd, *target == '0' ? now.in : NULL,
                    *target == '2' ? now.errors : now.out);
}

static bool open_target(struct sh *shell, struct redirects *redirects,
                        const struct sh_redirect *redirect, const char *target)
{
    char *path = sh_path(shell, target);
    struct sh_in **in = &redirects->ins[redirects->count];
    struct sh_out **out = &redirects->outs[redirects->count];
    int number = ENAMETOOLONG;
    bool reads = redirect->kind == SH_REDIRECT_READ;
    bool done = path != NULL;

    if (done && reads)
        done = sh_open_in(shell, path, in, &number);
    else if (done)
        done = sh_open_out(shell, path, redirect->kind == SH_REDIRECT_APPEND,
                           out, &number);
    free(path);
    if (!done) {
        sh_complain(redirects->ports.errors, SH_NAME, "can't %s %s: %s",
                    reads ? "open" : "create", target, files_reason(number));
        return false;
    }
    redirects->count++;
    return set_port(redirects, redirect->fd, *in, *out);
}

static bool redirect_one(struct sh *shell, struct redirects *redirects,
                         const struct sh_redirect *redirect)
{
    struct buf target = BUF_INIT(FILES_PATH_MAX);
    const struct sh_ports ports = redirects->ports;
    bool done;

    if (redirects->count == REDIRECTS_MAX)
        return false;
    done = sh_expand_text(shell, redirect->target, &ports, &target);
    if (done && redirect->kind == SH_REDIRECT_SAME) {
        done = redirect_same(redirects, redirect->fd, buf_cstr(&target));
        if (!done)
            sh_complain(ports.errors, SH_NAME, "%s: bad file descriptor",
                        buf_cstr(&target));
    } else if (done) {
        done = open_target(shell, redirects, redirect, buf_cstr(&target));
    }
    buf_release(&target);
    return done;
}

static bool redirects_open(struct sh *shell, const struct sh_redirect *list,
                           const struct sh_ports *ports,
                           struct redirects *redirects)
{
    *redirects = (struct redirects){.ports = *ports};
    for (; list; list = list->next) {
        if (!redirect_one(shell, redirects, list))
            return false;
    }
    return true;
}

static void redirects_close(struct sh *shell, struct redirects *redirects,
                            const struct sh_ports *ports)
{
    for (size_t i = redirects->count; i-- > 0;) {
        int number = 0;

        sh_in_close(redirects->ins[i]);
        if (sh_out_close(redirects->outs[i], &number))
            continue;
        sh_complain(ports->errors, SH_NAME, "write error: %s",
                    files_reason(number));
        shell->status = 1;
    }
}

/* ---- commands ---- */

static bool go_deeper(struct sh *shell, const struct sh_ports *ports)
{
    if (shell->depth >= SH_RUN_DEPTH_MAX) {
        sh_complain(ports->errors, SH_NAME, "can't fork - try again");
        shell->status = 1;
        return false;
    }
    shell->depth++;
    return true;
}

static int not_executable(const struct sh_ports *ports, const char *name,
                          int number)
{
    sh_complain(ports->errors, SH_NAME, "%s: can't execute: %s", name,
                files_reason(number));
    return STATUS_NOT_EXECUTABLE;
}

/* Is there a file that may be run? Otherwise *status says how that ends. */
static bool is_script(struct sh *shell, const char *name,
                      const struct sh_ports *ports, int *status)
{
    struct files *files = shell->session->options.files;
    char *path = strchr(name, '/') ? sh_path(shell, name) : NULL;
    struct files_stat stat = {.mode = 0};
    int number = 0;
    bool fine = false;

    if (!path || !files_stat(files, path, true, &stat, &number)) {
        sh_complain(ports->errors, SH_NAME, "%s: inaccessible or not found",
                    name);
        *status = STATUS_NOT_FOUND;
    } else if (S_ISDIR(stat.mode)) {
        *status = not_executable(ports, name, EISDIR);
    } else if (!files_access(files, path, 1, &number)) {
        *status = not_executable(ports, name, number);
    } else {
        fine = true;
    }
    free(path);
    return fine;
}

/* A file of the phone's that is run by its name: it is the shell's, then. */
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

int sh_run_words(struct sh *shell, char **words, size_t count,
                 const struct sh_ports *ports)
{
    struct sh_session *session = shell->session;
    struct call call = {
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
    if (call.command)
        status = call.command->run(&call) & 0xff;
    else
        status = run_script(shell, words, count, ports);
    shell->depth--;
    return status;
}

/* Give the variables in front of a command their values. */
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
            sh_complain(ports->errors, SH_NAME, "out of memory");
            done = false;
        }
        if (done && export)
            sh_vars_export(&shell->vars, name);
        buf_release(&value);
        free(name);
    }
    return done;
}

/* The assignments hold for this command alone. */
static void run_with(struct sh *shell, const struct sh_word *assignments,
                     struct sh_fields *fields, const struct sh_ports *ports)
{
    struct sh_vars before = SH_VARS_INIT(shell->vars.account);

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

static void run_simple(struct sh *shell, const struct sh_node *node,
                       const struct sh_ports *ports)
{
    struct sh_fields fields = SH_FIELDS_INIT(shell->vars.account);
    int before = shell->status;

    if (!sh_expand_words(shell, node->words, ports, &fields)) {
        shell->status = 1;
    } else if (fields.count) {
        run_with(shell, node->assignments, &fields, ports);
    } else {
        /* What a substitution ended with is the status of an assignment. */
        shell->captured = 0;
        shell->status = before;
        if (assign_all(shell, node->assignments, ports, false))
            shell->status = shell->captured;
        else
            shell->status = 1;
    }
    sh_fields_release(&fields);
}

/* ---- what holds commands together ---- */

static void run_list(struct sh *shell, const struct sh_node *list,
                     const struct sh_ports *ports)
{
    for (const struct sh_node *node = list->body; node; node = node->next) {
        if (shell->flow != SH_FLOW_ON || shell->session->stopped)
            return;
        if ((node->joint == SH_JOINT_AND && shell->status != 0) ||
            (node->joint == SH_JOINT_OR && shell->status == 0))
            continue;
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
    shell->status = sub.status;
    sh_release(&sub);
}

static void run_if(struct sh *shell, const struct sh_node *node,
                   const struct sh_ports *ports)
{
    sh_run_node(shell, node->condition, ports);
    if (shell->flow != SH_FLOW_ON)
        return;
    if (shell->status == 0)
        sh_run_node(shell, node->body, ports);
    else if (node->otherwise)
        sh_run_node(shell, node->otherwise, ports);
    else
        shell->status = 0;
}

/* After a round of a loop: does another one follow? */
static bool loops_on(struct sh *shell)
{
    bool breaks = shell->flow == SH_FLOW_BREAK;

    if (shell->flow == SH_FLOW_ON || shell->flow == SH_FLOW_EXIT)
        return shell->flow == SH_FLOW_ON;
    if (--shell->flow_levels > 0)
        return false; /* an outer loop is meant */
    shell->flow = SH_FLOW_ON;
    return !breaks;
}

static void run_loop(struct sh *shell, const struct sh_node *node,
                     const struct sh_ports *ports)
{
    int status = 0;

    shell->loops++;
    for (;;) {
        sh_run_node(shell, node->condition, ports);
        if (shell->flow != SH_FLOW_ON && loops_on(shell))
            continue;
        if (shell->flow != SH_FLOW_ON || (shell->status == 0) == node->until)
            break;
        sh_run_node(shell, node->body, ports);
        status = shell->status;
        if (!loops_on(shell) || shell->session->stopped)
            break;
    }
    shell->loops--;
    if (shell->flow != SH_FLOW_EXIT)
        shell->status = status;
}

static void run_for(struct sh *shell, const struct sh_node *node,
                    const struct sh_ports *ports)
{
    struct sh_fields fields = SH_FIELDS_INIT(shell->vars.account);
    char *name = mem_dup_n(node->name.data, node->name.length);

    shell->loops++;
    shell->status = sh_expand_words(shell, node->words, ports, &fields) ? 0 : 1;
    for (size_t i = 0; i < fields.count; i++) {
        if (!sh_vars_set(&shell->vars, name, fields.items[i]))
            break;
        sh_run_node(shell, node->body, ports);
        if (!loops_on(shell) || shell->session->stopped)
            break;
    }
    shell->loops--;
    free(name);
    sh_fields_release(&fields);
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
    }
}

static void run_redirected(struct sh *shell, const struct sh_node *node,
                           const struct sh_ports *ports)
{
    struct redirects redirects;

    if (!node->redirects) {
        run_kind(shell, node, ports);
        return;
    }
    if (redirects_open(shell, node->redirects, ports, &redirects))
        run_kind(shell, node, &redirects.ports);
    else
        shell->status = 1;
    redirects_close(shell, &redirects, ports);
}

/* What runs in the background has no input, and nobody waits for it. */
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
    own.in = sh_in_empty();
    run_redirected(&sub, node, &own);
    sh_in_close(own.in);
    sh_release(&sub);
    shell->status =
        node->next && node->next->joint != SH_JOINT_ALWAYS ? sub.status : 0;
}

void sh_run_node(struct sh *shell, const struct sh_node *node,
                 const struct sh_ports *ports)
{
    if (!sh_step(shell->session, 1) || !go_deeper(shell, ports))
        return;
    if (node->background && !shell->background)
        run_background(shell, node, ports);
    else
        run_redirected(shell, node, ports);
    if (node->negated)
        shell->status = !shell->status;
    shell->depth--;
}

/* ---- text ---- */

int sh_run_text(struct sh *shell, const char *text, size_t length,
                const struct sh_ports *ports, bool *incomplete)
{
    struct sh_tree tree = SH_TREE_INIT(shell->vars.account);
    struct err err = ERR_INIT;
    bool parsed;
    bool more;

    parsed = sh_parse(text, length, &tree, &more, &err);
    if (incomplete)
        *incomplete = more;
    if (parsed) {
        sh_run_node(shell, tree.root, ports);
    } else if (!incomplete || !more) {
        sh_complain(ports->errors, SH_NAME, "%s", err.text);
        shell->status = 1;
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
    own.out = sh_out_buf(output, shell->vars.account);
    shell->captured = sh_run_text(&sub, text, length, &own, NULL);
    (void)!sh_out_close(own.out, &number); /* a buffer loses nothing */
    sh_release(&sub);
}
