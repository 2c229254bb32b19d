/*
 * Text, brought into a phone's field exactly as it is.
 *
 * `input text` is a keyboard's keys: printable ASCII, where "%s" is a blank
 * and cannot be typed otherwise than in two parts. Everything else goes
 * through ADBKeyboard (https://github.com/senzhk/ADBKeyBoard), in base64.
 */
#ifndef RUNNER_TYPE_TEXT_H
#define RUNNER_TYPE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

#define ADB_KEYBOARD "com.android.adbkeyboard/.AdbIME"

/* Do the keys of `input text` type it exactly? Else *why says what does not. */
bool type_text_is_plain(const char *text, const char **why);

/* Is this a keyboard that takes keys for the sounds of another script? */
bool type_text_composes(const char *keyboard);

/*
 * The next command that types plain text from *at on, which is moved behind
 * what it types. False at the end.
 */
bool type_text_plain(const char *text, size_t *at, struct buf *command);

/* The same for any UTF-8, by ADBKeyboard. */
bool type_text_base64(const char *text, size_t *at, struct buf *command);

#endif
