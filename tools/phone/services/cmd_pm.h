/* Shared by the files of pm: one file per group of subcommands. */
#ifndef TOOLS_PHONE_SERVICES_CMD_PM_H
#define TOOLS_PHONE_SERVICES_CMD_PM_H

#include "tools/phone/services/subcommand.h"

int pm_list(struct subcommand_call *subcommand);
int pm_install(struct subcommand_call *subcommand);
int pm_install_create(struct subcommand_call *subcommand);
int pm_install_write(struct subcommand_call *subcommand);
int pm_install_commit(struct subcommand_call *subcommand);
int pm_install_abandon(struct subcommand_call *subcommand);
int pm_uninstall(struct subcommand_call *subcommand);

/* Append the output of "dumpsys package NAME". */
void pm_describe(const struct phone_package *package, struct buf *text);

/* Skips options that choose a user: there is only one. */
bool pm_is_user_option(struct subcommand_call *subcommand, const char *option);

#endif
