/* The phone's first screen: the date, the apps, and a field to find them. */
#ifndef PHONE_LAUNCHER_H
#define PHONE_LAUNCHER_H

#include "tools/phone/stage.h"

#define LAUNCHER_PACKAGE "com.android.launcher3"

/* A stage_open_fn. */
struct app *launcher_open(const struct stage_opening *opening, void *context);

#endif
