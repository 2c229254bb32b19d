/*
 * "Allow USB debugging?": the owner is asked about a computer, on top of
 * whatever the screen shows.
 */
#ifndef PHONE_TRUST_DIALOG_H
#define PHONE_TRUST_DIALOG_H

#include "tools/phone/app.h"
#include "tools/phone/trust.h"

/* An app that shows below, which it closes, and the dialog. */
struct app *trust_dialog_open(struct trust *trust, struct app *below);

#endif
