/* A built-in phone without wires, for targets that feed its parts. */
#ifndef TESTS_FUZZ_FUZZ_PHONE_H
#define TESTS_FUZZ_FUZZ_PHONE_H

#include "tools/phone/apps.h"
#include "tools/phone/handset.h"
#include "tools/phone/screen.h"

struct fuzz_phone {
    struct handset handset;
    struct apps apps;
    struct fonts *fonts;
    struct screen *screen;
};

/* For the whole of a process: it is never released. */
void fuzz_phone_init(struct fuzz_phone *phone);

#endif
