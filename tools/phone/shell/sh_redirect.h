/* Redirections of a command: '<', '>' and similar operators. */
#ifndef TOOLS_PHONE_SHELL_SH_REDIRECT_H
#define TOOLS_PHONE_SHELL_SH_REDIRECT_H

#include "tools/phone/shell/sh_private.h"

#define SH_REDIRECTS_MAX 16U

/* The ports that a command's redirections have opened. */
struct sh_redirects {
    struct sh_ports ports; /* the current ports */
    struct sh_in *ins[SH_REDIRECTS_MAX];
    struct sh_out *outs[SH_REDIRECTS_MAX];
    size_t count;
};

/*
 * Open each redirection in turn. False, with a message, if one fails; the
 * caller closes redirections in either case.
 */
MUST_USE bool sh_redirects_open(struct sh *shell,
                                const struct sh_redirect *list,
                                const struct sh_ports *ports,
                                struct sh_redirects *redirects);
void sh_redirects_close(struct sh *shell, struct sh_redirects *redirects,
                        const struct sh_ports *ports);

#endif
