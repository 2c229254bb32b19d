/*
 * The commands of Android before toybox, where they differ: toolbox, some that
 * the shell has itself, and Java programs that exit with 0 whatever happens.
 * Their family comes before all others, and what does not differ is inherited
 * from those. The context is a handset.
 */
#ifndef TOOLS_PHONE_TOOLBOX_TOOLBOX_H
#define TOOLS_PHONE_TOOLBOX_TOOLBOX_H

#include "tools/phone/toybox/cmd.h"

/* ---- toolbox_files.c ---- */

int toolbox_chmod(struct command_call *call);
int toolbox_mkdir(struct command_call *call);
int toolbox_mv(struct command_call *call);
int toolbox_rm(struct command_call *call);

/* ---- toolbox_ls.c ---- */

int toolbox_ls(struct command_call *call);

/* ---- toolbox_stat.c ---- */

int toolbox_df(struct command_call *call);
int toolbox_stat(struct command_call *call);

/* ---- toolbox_system.c ---- */

int toolbox_free(struct command_call *call);
int toolbox_id(struct command_call *call);
int toolbox_ifconfig(struct command_call *call);
int toolbox_netstat(struct command_call *call);
int toolbox_ps(struct command_call *call);
int toolbox_uptime(struct command_call *call);

#endif
