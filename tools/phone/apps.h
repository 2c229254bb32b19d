/*
 * The phone's own packages, and how each app is opened. To give a package code
 * of its own, add a line to the table of openers, or of scripts for one that
 * is written in Lua.
 */
#ifndef PHONE_APPS_H
#define PHONE_APPS_H

#include <stdint.h>

#include "tools/phone/handset.h"
#include "tools/phone/stage.h"
#include "tools/phone/truth.h"

/* What apps are opened with. Everything is borrowed. */
struct apps {
    struct handset *handset;
    struct truth *truth; /* NULL: nobody asks for it */
    uint64_t seed;
    unsigned skin;
    const char *directory; /* of scripts that go before ours; NULL: none */
};

/* Install everything that a new phone has. */
void apps_install(struct packages *packages, int64_t now);

/* A stage for those apps, with the launcher on it. */
struct stage *apps_stage(struct apps *apps);

#endif
