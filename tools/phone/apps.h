/*
 * The phone's own packages, and how each app is opened. To give a package code
 * of its own, add a line to the table of openers.
 */
#ifndef PHONE_APPS_H
#define PHONE_APPS_H

#include "tools/phone/handset.h"
#include "tools/phone/stage.h"

/* Install everything that a new phone has. */
void apps_install(struct packages *packages, int64_t now);

/* A stage for that handset's apps, with the launcher on it. */
struct stage *apps_stage(struct handset *handset);

#endif
