/* Families of commands that need no screen; their context is a handset. */
#ifndef TOOLS_PHONE_TOYBOX_CMD_H
#define TOOLS_PHONE_TOYBOX_CMD_H

#include "tools/phone/files/users.h"
#include "tools/phone/shell/command.h"
#include "tools/phone/system/handset.h"

extern const struct command_set files_commands;  /* ls, cp, stat, find, ... */
extern const struct command_set text_commands;   /* echo, printf, seq, yes */
extern const struct command_set lines_commands;  /* cat, head, tail, wc, ... */
extern const struct command_set filter_commands; /* grep, sort, uniq, cut, tr */
extern const struct command_set bytes_commands;  /* md5sum, base64, gzip, ... */
extern const struct command_set system_commands; /* getprop, logcat, ps, ... */
extern const struct command_set net_commands;    /* nc */
extern const struct command_set process_commands; /* ps, top, pgrep, ... */

extern const struct command_set ip_commands;     /* ip, ping, netstat, ... */
extern const struct command_set toybox_commands; /* toybox, mktemp, tty, ... */

/* In separate folders. */
extern const struct command_set awk_commands;
extern const struct command_set toolbox_commands; /* before there was toybox */

/* All families, for a shell. */
#define TOYBOX_FAMILIES 12

void toybox_families(struct handset *handset,
                     struct command_family families[TOYBOX_FAMILIES]);

/*
 * Create a file in /system/bin for each command of those families, and of the
 * shell itself. Fails with an errno value.
 */
MUST_USE bool toybox_install(struct phone_files *root,
                             const struct android_level *android,
                             const struct command_family *families,
                             size_t count, int *number);

/* Commands in separate files. */
int do_dd(struct command_call *call);
int do_df(struct command_call *call);
int do_du(struct command_call *call);
int do_egrep(struct command_call *call);
int do_expr(struct command_call *call);
int do_fgrep(struct command_call *call);
int do_find(struct command_call *call);
int do_grep(struct command_call *call);
int do_log(struct command_call *call);
int do_logcat(struct command_call *call);
int do_ls(struct command_call *call);
int do_nc_listen(struct command_call *call, const char *port);
int do_od(struct command_call *call);
int do_sed(struct command_call *call);
int do_stat(struct command_call *call);
int do_tar(struct command_call *call);
int do_xxd(struct command_call *call);

/*
 * Decompress or compress an input with zlib, in gzip's format. False on
 * failure.
 */
MUST_USE bool gzip_pack(struct command_call *call, struct sh_in *in,
                        struct sh_out *out, int level);
MUST_USE bool gzip_unpack(struct command_call *call, struct sh_in *in,
                          struct sh_out *out);

/* The path of a name in a directory; the caller frees it. */
char *cmd_join_path(const char *directory, const char *name);

/* For ls: " -> TARGET" of a link; and a user's name or number. */
void cmd_print_link_target(struct command_call *call, const char *path);
void cmd_owner_text(uint32_t id, bool numeric,
                    char text[static USERS_NAME_SIZE]);

#endif
