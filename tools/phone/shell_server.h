/*
 * The device side of adb's shell: services "shell" (v1 and v2, with a terminal
 * and without) and "exec:", on the phone's own shell.
 */
#ifndef PHONE_SHELL_SERVER_H
#define PHONE_SHELL_SERVER_H

#include <stdatomic.h>
#include <stddef.h>

#include "adb/daemon.h"
#include "tools/phone/account.h"
#include "tools/phone/command.h"
#include "tools/phone/files.h"

/* Shells at once; more are told so. */
#define SHELL_SERVER_SHELLS_MAX 512

/* What the words of all of them may take; files have their own limit. */
#define SHELL_SERVER_MEMORY ((size_t)64 << 20)

struct shell_server {
    struct files *files;                   /* borrowed */
    const struct command_family *families; /* borrowed */
    size_t family_count;
    struct account account;
    atomic_uint shells;
};

void shell_server_init(struct shell_server *server, struct files *files,
                       const struct command_family *families,
                       size_t family_count);

/* For struct daemon_service: what follows "shell", and what follows "exec:". */
daemon_serve_fn shell_server_shell;
daemon_serve_fn shell_server_exec;

#endif
