/*
 * Differences between the versions of Android that the phone can simulate. A
 * level changes what hosts see through ADB, to test them against old phones.
 * Screens and apps are the same at every level.
 */
#ifndef TOOLS_PHONE_CORE_ANDROID_LEVEL_H
#define TOOLS_PHONE_CORE_ANDROID_LEVEL_H

#include <stdbool.h>
#include <stdint.h>

/* The first is the default. */
enum android_version {
    ANDROID_14,
    ANDROID_13,
    ANDROID_7,
    ANDROID_4_4,
    ANDROID_VERSIONS,
};

struct android_level {
    enum android_version version;
    const char *name;     /* "4.4" */
    const char *release;  /* ro.build.version.release: "4.4.2" */
    const char *build_id; /* ro.build.id */
    const char *patch;    /* ro.build.version.security_patch; NULL: none */
    int sdk;

    /* ---- adbd ---- */
    uint32_t protocol;    /* ADB protocol version of its banner */
    uint32_t max_payload; /* of a packet */
    bool no_exec;         /* it has no service "exec:" */
    bool shell_v1;   /* a shell reports no exit status and no separate stderr */
    bool one_host;   /* serves one connection at a time */
    bool sync_v1;    /* no STA2, LIS2, SND2 and similar ones */
    bool sync_once;  /* a sync session ends after a SEND */
    int framebuffer; /* the version of the framebuffer service */

    /* ---- commands ---- */
    bool toolbox;      /* Android's toolbox, before toybox */
    bool few_settings; /* many settings are null until they are written */
    bool rgb_565;      /* pixels have 16 bits */
    bool
        no_color_space; /* the header of screencap has 12 bytes instead of 16 */
    const char *log_folder; /* in front of the names of logs; NULL: nothing */
    const char *dump_file;  /* default output file of uiautomator */
};

const struct android_level *android_level(enum android_version version);

#endif
