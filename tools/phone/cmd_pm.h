/* What pm's files know of each other: verbs with files of their own. */
#ifndef PHONE_CMD_PM_H
#define PHONE_CMD_PM_H

#include "tools/phone/verb.h"

int pm_list(struct verb_call *verb);
int pm_install(struct verb_call *verb);
int pm_install_create(struct verb_call *verb);
int pm_install_write(struct verb_call *verb);
int pm_install_commit(struct verb_call *verb);
int pm_install_abandon(struct verb_call *verb);
int pm_uninstall(struct verb_call *verb);

/* Append what "dumpsys package NAME" says of it. */
void pm_describe(const struct package *package, struct buf *text);

/* The options that name a user are for phones with several. */
bool pm_is_user_option(struct verb_call *verb, const char *option);

#endif
