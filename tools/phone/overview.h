/* The overview: a card for each app that runs, the last used first. */
#ifndef PHONE_OVERVIEW_H
#define PHONE_OVERVIEW_H

#include "tools/phone/stage.h"

/* A stage_open_fn. */
struct app *overview_open(const struct stage_opening *opening, void *context);

#endif
