/* The families of commands that need no screen; their context is a handset. */
#ifndef PHONE_CMD_H
#define PHONE_CMD_H

#include "tools/phone/command.h"

extern const struct command_set files_commands;  /* ls, cp, stat, find, ... */
extern const struct command_set text_commands;   /* echo, printf, seq, yes */
extern const struct command_set lines_commands;  /* cat, head, tail, wc, ... */
extern const struct command_set filter_commands; /* grep, sort, uniq, cut, tr */
extern const struct command_set bytes_commands;  /* md5sum, base64, gzip, ... */
extern const struct command_set system_commands; /* getprop, logcat, ps, ... */
extern const struct command_set net_commands;    /* nc */

/* Those that are large enough for a file of their own. */
int do_df(struct call *call);
int do_find(struct call *call);
int do_logcat(struct call *call);
int do_ls(struct call *call);
int do_stat(struct call *call);

/* The path of a name in a directory; the caller frees it. */
char *do_join(const char *directory, const char *name);

#endif
