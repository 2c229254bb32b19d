/*
 * Commands that type a text exactly.
 *
 * `input text` presses keys: it types printable ASCII, with "%s" for a space,
 * so that a literal "%s" must be split. All other text is sent through
 * ADBKeyboard (https://github.com/senzhk/ADBKeyBoard), in base64.
 */
#ifndef RUNNER_DEVICE_TYPE_TEXT_H
#define RUNNER_DEVICE_TYPE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

#define ADB_KEYBOARD "com.android.adbkeyboard/.AdbIME"

/* Can `input text` type it exactly? If not, *why is the reason. */
bool type_text_is_plain(const char *text, const char **why);

/* Does this keyboard compose other text from keys, such as Pinyin? */
bool type_text_composes(const char *keyboard);

/*
 * Append the next command that types plain text from *at, which is advanced
 * past what it types. sdk is the phone's API level; 0: unknown. False at the
 * end.
 */
bool type_text_plain(const char *text, int sdk, size_t *at,
                     struct buf *command);

/* The same for any UTF-8, with ADBKeyboard. */
bool type_text_base64(const char *text, size_t *at, struct buf *command);

#endif
