/*
 * The keyboards: which packages have one, which are enabled, and which is in
 * use. That is kept where Android keeps it, in the secure settings, so that
 * whoever changes these changes the keyboard.
 */
#ifndef PHONE_KEYBOARDS_H
#define PHONE_KEYBOARDS_H

#include <stdbool.h>

#include "tools/phone/handset.h"

/* The one of a new phone, and the one that types what it is sent. */
#define KEYBOARDS_DEFAULT "com.android.inputmethod.latin/.LatinIME"
#define KEYBOARDS_ADB "com.android.adbkeyboard/.AdbIME"

/* A keyboard is named by its component, in short. */
bool keyboards_exist(struct handset *handset, const char *name);
bool keyboards_is_enabled(struct handset *handset, const char *name);
bool keyboards_is_current(struct handset *handset, const char *name);

/* Was it changed? */
bool keyboards_enable(struct handset *handset, const char *name);

/* The same; when it is the current one, the default one becomes that. */
bool keyboards_disable(struct handset *handset, const char *name);

/* False when it is not enabled. */
MUST_USE bool keyboards_select(struct handset *handset, const char *name);

/* As on a new phone. */
void keyboards_reset(struct handset *handset);

/* Install the keyboard that adb types with; it is not enabled then. */
void keyboards_install_adb(struct handset *handset);

#endif
