/* What comes over an app without being asked for: pop-ups and requests. */
#ifndef PHONE_POPUP_H
#define PHONE_POPUP_H

#include "tools/phone/app.h"

#define POPUP_TEXT_SIZE 128

enum popup_kind {
    POPUP_NONE,
    POPUP_NOTICE,     /* says something; any button closes it */
    POPUP_PERMISSION, /* asks for a permission */
};

struct popup;

/* An app that shows below, which it closes, and what came over it. */
struct popup *popup_open(struct app *below);
struct app *popup_app(struct popup *popup);

/*
 * From any thread: come over the app, in place of what is there. "" stands for
 * a text of its own.
 */
void popup_show(struct popup *popup, enum popup_kind kind, const char *text);

#endif
