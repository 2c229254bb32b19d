/* The files a phone has when it is new. */
#ifndef PHONE_START_TREE_H
#define PHONE_START_TREE_H

#include "tools/phone/files.h"

/*
 * Fill an empty tree, seen by files_root, as an Android phone's is: links and
 * owners where scripts expect them, /system read-only, /sdcard shared.
 * build_prop is what /system/build.prop says.
 * Fails as the tree's limits say; the tree is then of no use.
 */
MUST_USE bool start_tree_fill(struct files *files, const char *build_prop,
                              int *number);

#endif
