/* Files of /proc whose contents change with time. */
#ifndef TOOLS_PHONE_FILES_PROC_FILES_H
#define TOOLS_PHONE_FILES_PROC_FILES_H

#include "tools/phone/files/files.h"

/* Create them in a tree that has a /proc; as root. */
MUST_USE bool proc_files_create(struct phone_files *files, int *number);

/* Generates one of them; context is the phone's struct virtual_clock. */
files_live_fn proc_files_text;

#endif
