/* Options of a built-in phone. */
#ifndef TOOLS_PHONE_SYSTEM_PHONE_OPTIONS_H
#define TOOLS_PHONE_SYSTEM_PHONE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/log.h"
#include "tools/phone/core/android_level.h"
#include "tools/phone/faults/faults.h"
#include "tools/phone/graphics/font.h"
#include "tools/phone/screen/app.h"

/* How the phone treats unknown keys of computers. */
enum phone_trust {
    PHONE_TRUSTS_ALL, /* no key is needed */
    PHONE_ACCEPTS,    /* a key is needed; unknown ones are accepted */
    PHONE_REFUSES,    /* a key is needed; unknown ones are refused */
    PHONE_ASKS,       /* a key is needed; a dialog on the screen asks */
};

/* Zeros and NULLs stand for the defaults. */
struct phone_options {
    struct phone_fonts *fonts; /* borrowed; NULL: opens its own */
    uint64_t seed;             /* the same seed gives the same phone */
    unsigned skin;             /* variant of wording and layout of its apps */
    const char
        *apps; /* a directory of Lua apps that replace the built-in ones */
    const char *truth; /* where truth_server.h listens; NULL: nowhere */
    enum android_version android; /* the simulated version of Android */
    enum phone_locale locale;
    bool dark;
    uint64_t storage;          /* limit of its files in bytes; 0: 512 MiB */
    bool adb_keyboard;         /* ADBKeyboard is installed */
    bool adb_keyboard_enabled; /* the same, enabled and selected */
    bool realtime;             /* uses the computer's clock */
    bool unreachable;          /* it does not listen: only calls reach it */
    const char *address;       /* address to listen on; NULL: 127.0.0.1 */
    uint16_t port;             /* 0: a free one */
    enum phone_trust trust;
    const char *snapshot; /* file to start from; NULL: a new phone */
    const char
        *snapshots; /* directory of snapshots, borrowed; NULL: in memory */
    const char *snapshot_name;  /* snapshot in it to start from; or NULL */
    const char *faults;         /* see fault_parse; NULL: none */
    uint64_t fault_seed;        /* seed of the faults alone */
    faults_tell_fn *tell_fault; /* called for each fault; may be NULL */
    void *tell_context;
    const char *known;     /* trusted public keys, one per line; or NULL */
    bool tls;              /* wireless debugging: TLS, known keys only */
    bool pairs;            /* the same, and computers can pair with a code */
    const char *code;      /* NULL: derived from the seed */
    uint16_t pairing_port; /* 0: a free one */
    bool console;          /* open the emulator's console, on 127.0.0.1 */
    uint16_t console_port; /* 0: a free one */
    const char *console_token; /* its token file, borrowed */
    void (*kill)(
        void *context); /* called when the console switches the phone off */
    void *kill_context;
    const struct log *log; /* borrowed; may be NULL */
};

#endif
