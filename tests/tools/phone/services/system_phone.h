/* A phone with its screen and apps, and a shell on it, in memory. */
#ifndef TESTS_TOOLS_PHONE_SERVICES_SYSTEM_PHONE_H
#define TESTS_TOOLS_PHONE_SERVICES_SYSTEM_PHONE_H

#include "tools/phone/apps/app_registry.h"
#include "tools/phone/services/cmd_screen.h"
#include "tools/phone/shell/sh.h"
#include "tools/phone/system/display_settings.h"
#include "tools/phone/toybox/cmd.h"

#define SYSTEM_PHONE_FAMILIES (TOYBOX_FAMILIES + SCREEN_FAMILIES)

struct system_phone {
    struct sh_io io;
    struct handset handset;
    struct app_registry apps;
    struct phone_fonts *fonts;
    struct screen_context context;
    struct display_settings display;
    struct command_family families[SYSTEM_PHONE_FAMILIES];
    struct sh *shell;
    struct buf sides[2];                       /* of the last run */
    const char *input;                         /* of the next one; borrowed */
    size_t input_left;                         /* bytes */
    void (*waits)(struct system_phone *phone); /* called while it waits */
};

/* For cmocka: *state becomes the phone. */
int system_phone_set_up(void **state);
int system_phone_tear_down(void **state);

/* Run text, which must end with that status; returns its output. */
const struct buf *system_phone_run(struct system_phone *phone, const char *text,
                                   int status);

/* It must print exactly this, and nothing to the errors. */
void assert_phone_prints(struct system_phone *phone, const char *text,
                         const char *out);

/* It must end with that status, and print exactly this error. */
void assert_phone_fails(struct system_phone *phone, const char *text,
                        int status, const char *errors);

/* This must be somewhere in what it prints. */
void assert_phone_says(struct system_phone *phone, const char *text,
                       const char *part);

/* Is this in uiautomator's dump? */
bool system_phone_shows(struct system_phone *phone, const char *what);

#endif
