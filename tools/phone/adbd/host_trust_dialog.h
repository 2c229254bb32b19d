/*
 * The dialog "Allow USB debugging?" about an unknown computer, above everything
 * else on the screen.
 */
#ifndef TOOLS_PHONE_ADBD_HOST_TRUST_DIALOG_H
#define TOOLS_PHONE_ADBD_HOST_TRUST_DIALOG_H

#include "tools/phone/adbd/host_trust.h"
#include "tools/phone/screen/app.h"

/* An app that shows the app below, which it closes, and the dialog above. */
struct phone_app *host_trust_dialog_open(struct host_trust *trust,
                                         struct phone_app *below);

#endif
