/* The phone's first screen: the date, the apps, and a field to find them. */
#ifndef PHONE_LAUNCHER_H
#define PHONE_LAUNCHER_H

#include "tools/phone/app.h"

#define LAUNCHER_PACKAGE "com.android.launcher3"

/* A new launcher; its ops close it. */
struct app *launcher_open(void);

#endif
