/* The keyboard that types what broadcasts tell it: com.android.adbkeyboard. */
#ifndef PHONE_ADB_KEYBOARD_H
#define PHONE_ADB_KEYBOARD_H

#include "tools/phone/cmd_screen.h"
#include "tools/phone/intent.h"

/* Hear a broadcast. Nothing comes of it unless it is the current keyboard. */
void adb_keyboard_hear(struct screen_context *phone,
                       const struct intent *intent);

#endif
