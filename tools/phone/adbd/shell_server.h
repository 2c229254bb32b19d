/*
 * The device side of adb's shell: services "shell" (v1 and v2, with and without
 * a terminal) and "exec:", on the phone's shell.
 */
#ifndef TOOLS_PHONE_ADBD_SHELL_SERVER_H
#define TOOLS_PHONE_ADBD_SHELL_SERVER_H

#include <stdatomic.h>
#include <stddef.h>

#include "adb/daemon/daemon.h"
#include "base/memory_account.h"
#include "tools/phone/files/files.h"
#include "tools/phone/shell/command.h"
#include "tools/phone/system/handset.h"

/* Shells at the same time; another one gets an error. */
#define SHELL_SERVER_SHELLS_MAX 512

/* Memory limit of all shells; files have their own limit. */
#define SHELL_SERVER_MEMORY ((size_t)64 << 20)

struct shell_server {
    struct phone_files *files;             /* borrowed */
    const struct command_family *families; /* borrowed */
    size_t family_count;
    struct phone_processes *processes; /* borrowed */
    struct virtual_clock *clock;       /* borrowed */
    const struct sh_dialect *dialect;
    struct memory_account memory_account;
    atomic_uint shells;
};

/* Everything is borrowed. */
void shell_server_init(struct shell_server *server, struct handset *handset,
                       const struct command_family *families,
                       size_t family_count);

/* For struct daemon_service: the parts after "shell", "shell:" and "exec:". */
daemon_serve_fn shell_server_shell;
daemon_serve_fn shell_server_shell_v1;
daemon_serve_fn shell_server_exec;

#endif
