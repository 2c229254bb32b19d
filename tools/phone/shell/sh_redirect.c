#include "tools/phone/shell/sh_redirect.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/phone/shell/sh_expand.h"

static bool set_port(struct sh_redirects *redirects, int fd, struct sh_in *in,
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

/* 2>&1 and similar; "-" closes the descriptor. */
static bool redirect_same(struct sh_redirects *redirects, int fd,
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

static bool open_target(struct sh *shell, struct sh_redirects *redirects,
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
        sh_complain(redirects->ports.errors, shell->name, "can't %s %s: %s",
                    reads ? "open" : "create", target, files_reason(number));
        return false;
    }
    redirects->count++;
    return set_port(redirects, redirect->fd, *in, *out);
}

/* The text behind "<<" or "<<<", as an input. */
static bool open_here(struct sh *shell, struct sh_redirects *redirects,
                      const struct sh_redirect *redirect)
{
    struct shared_bytes_writer writer =
        files_writer(shell->session->options.files);
    const struct sh_ports ports = redirects->ports;
    struct buf text = BUF_INIT(SH_FIELD_BYTES_MAX);
    struct sh_in **in = &redirects->ins[redirects->count];
    struct sh_span target = redirect->target;
    struct shared_bytes *shared_bytes;
    bool done = true;

    if (redirect->kind == SH_REDIRECT_STRING) {
        done = sh_expand_text(shell, target, &ports, &text);
        buf_byte(&text, '\n');
    } else if (redirect->quoted) {
        buf_append(&text, target.data, target.length);
    } else {
        done = sh_expand_here(shell, target, &ports, &text);
    }
    if (done && (text.overflow ||
                 !shared_bytes_append(&writer, buf_cstr(&text), text.length))) {
        sh_complain(ports.errors, shell->name, "can't create here document");
        done = false;
    }
    buf_release(&text);
    shared_bytes = shared_bytes_finish(&writer);
    if (done) {
        *in = sh_in_blob(shared_bytes);
        redirects->count++;
        done = set_port(redirects, redirect->fd, *in, NULL);
    }
    shared_bytes_drop(shared_bytes);
    return done;
}

static bool redirect_one(struct sh *shell, struct sh_redirects *redirects,
                         const struct sh_redirect *redirect)
{
    struct buf target = BUF_INIT(FILES_PATH_MAX);
    const struct sh_ports ports = redirects->ports;
    bool done;

    if (redirects->count == SH_REDIRECTS_MAX)
        return false;
    if (redirect->kind == SH_REDIRECT_HERE ||
        redirect->kind == SH_REDIRECT_STRING)
        return open_here(shell, redirects, redirect);
    done = sh_expand_text(shell, redirect->target, &ports, &target);
    if (done && redirect->kind == SH_REDIRECT_SAME) {
        done = redirect_same(redirects, redirect->fd, buf_cstr(&target));
        if (!done)
            sh_complain(ports.errors, shell->name, "%s: bad file descriptor",
                        buf_cstr(&target));
    } else if (done) {
        done = open_target(shell, redirects, redirect, buf_cstr(&target));
    }
    buf_release(&target);
    return done;
}

bool sh_redirects_open(struct sh *shell, const struct sh_redirect *list,
                       const struct sh_ports *ports,
                       struct sh_redirects *redirects)
{
    *redirects = (struct sh_redirects){.ports = *ports};
    for (; list; list = list->next) {
        if (!redirect_one(shell, redirects, list))
            return false;
    }
    return true;
}

void sh_redirects_close(struct sh *shell, struct sh_redirects *redirects,
                        const struct sh_ports *ports)
{
    for (size_t i = redirects->count; i-- > 0;) {
        int number = 0;

        sh_in_close(redirects->ins[i]);
        if (sh_out_close(redirects->outs[i], &number))
            continue;
        sh_complain(ports->errors, shell->name, "write error: %s",
                    files_reason(number));
        shell->status = 1;
    }
}
