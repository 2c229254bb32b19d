/* A built-in phone without connections, for targets that use its parts. */
#ifndef TESTS_FUZZ_PHONE_FUZZ_PHONE_H
#define TESTS_FUZZ_PHONE_FUZZ_PHONE_H

#include "tools/phone/apps/app_registry.h"
#include "tools/phone/screen/screen.h"
#include "tools/phone/system/handset.h"

struct fuzz_phone {
    struct handset handset;
    struct app_registry apps;
    struct phone_fonts *fonts;
    struct phone_screen *screen;
};

/* For the whole process: it is never released. */
void fuzz_phone_init(struct fuzz_phone *phone);

#endif
