/* The families of commands that need no screen; their context is a handset. */
#ifndef PHONE_CMD_H
#define PHONE_CMD_H

#include "tools/phone/command.h"

extern const struct command_set cmd_files;  /* ls, cp, stat, find, ... */
extern const struct command_set cmd_text;   /* echo, printf, seq, yes */
extern const struct command_set cmd_lines;  /* cat, head, tail, wc, ... */
extern const struct command_set cmd_filter; /* grep, sort, uniq, cut, tr */
extern const struct command_set cmd_bytes;  /* md5sum, base64, gzip, ... */
extern const struct command_set cmd_system; /* getprop, logcat, ps, ... */

/* Those that are large enough for a file of their own. */
int cmd_df(struct call *call);
int cmd_find(struct call *call);
int cmd_logcat(struct call *call);
int cmd_ls(struct call *call);
int cmd_stat(struct call *call);

/* The path of a name in a directory; the caller frees it. */
char *cmd_join(const char *directory, const char *name);

#endif
