/* The files of a new phone. */
#ifndef TOOLS_PHONE_FILES_INITIAL_FILES_H
#define TOOLS_PHONE_FILES_INITIAL_FILES_H

#include "tools/phone/files/files.h"

/*
 * Fill an empty tree, seen by files_root, like an Android phone's: links and
 * owners where scripts expect them, /system read-only, /sdcard shared.
 * build_prop is the content of /system/build.prop, and build_prop_mode its
 * permission bits. Fails when a limit of the
 * tree is reached; the tree is then incomplete.
 */
MUST_USE bool initial_files_create(struct phone_files *files,
                                   const char *build_prop,
                                   uint32_t build_prop_mode, int *number);

#endif
