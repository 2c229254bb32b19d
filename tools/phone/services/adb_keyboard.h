/* The keyboard that types the text of broadcasts: com.android.adbkeyboard. */
#ifndef TOOLS_PHONE_SERVICES_ADB_KEYBOARD_H
#define TOOLS_PHONE_SERVICES_ADB_KEYBOARD_H

#include "tools/phone/services/cmd_screen.h"
#include "tools/phone/system/intent.h"

/* Handle a broadcast. Ignored unless it is the current keyboard. */
void adb_keyboard_receive(struct screen_context *phone,
                          const struct phone_intent *intent);

#endif
