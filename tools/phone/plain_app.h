/* An app that shows nothing but what it is: for packages without code. */
#ifndef PHONE_PLAIN_APP_H
#define PHONE_PLAIN_APP_H

#include "tools/phone/stage.h"

/* A stage_open_fn. */
struct app *plain_app_open(const struct stage_opening *opening, void *context);

#endif
