/* Pop-ups and permission requests above an app. */
#ifndef TOOLS_PHONE_SCREEN_POPUP_H
#define TOOLS_PHONE_SCREEN_POPUP_H

#include "tools/phone/screen/app.h"

#define POPUP_TEXT_SIZE 128

enum popup_kind {
    POPUP_NONE,
    POPUP_NOTICE,     /* a message; any button closes it */
    POPUP_PERMISSION, /* asks for a permission */
    POPUP_BATTERY,    /* the battery is low */
    POPUP_CALL,       /* an incoming call */
    POPUP_UPDATE,     /* the app in front wants to be updated */
    POPUP_KINDS,
};

struct popup;

/* An app that shows the app below, which it closes, and the pop-up above. */
struct popup *popup_open(struct phone_app *below);
struct phone_app *popup_app(struct popup *popup);

/*
 * Show a pop-up in place of the current one; safe from any thread. "" is the
 * default text.
 */
void popup_show(struct popup *popup, enum popup_kind kind, const char *text);

#endif
