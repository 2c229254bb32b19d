/*
 * The keyboards: which packages have one, which are enabled, and which is in
 * use. As in Android this is stored in the secure settings; changing them
 * changes the keyboard.
 */
#ifndef TOOLS_PHONE_SYSTEM_INPUT_METHODS_H
#define TOOLS_PHONE_SYSTEM_INPUT_METHODS_H

#include <stdbool.h>

#include "tools/phone/system/handset.h"

/* The keyboard of a new phone, and ADBKeyboard, which types broadcasts. */
#define INPUT_METHODS_DEFAULT "com.android.inputmethod.latin/.LatinIME"
#define INPUT_METHODS_ADB "com.android.adbkeyboard/.AdbIME"

/* A keyboard is named by its short component. */
bool input_methods_exist(struct handset *handset, const char *name);
bool input_methods_is_enabled(struct handset *handset, const char *name);
bool input_methods_is_current(struct handset *handset, const char *name);

/* True if this changed anything. */
bool input_methods_enable(struct handset *handset, const char *name);

/* The same; if it is the current one, the default becomes current. */
bool input_methods_disable(struct handset *handset, const char *name);

/* False if it is not enabled. */
MUST_USE bool input_methods_select(struct handset *handset, const char *name);

/* Reset to those of a new phone. */
void input_methods_reset(struct handset *handset);

/* Install ADBKeyboard, not enabled. */
void input_methods_install_adb(struct handset *handset);

#endif
