/*
 * Built-in phones in this process, as the runner leases them: each starts fresh
 * when it is acquired, and again whenever it is refreshed.
 *
 * They are reached like any phone, over ADB; only the truth does not come that
 * way.
 */
#ifndef TOOLS_PHONE_SOURCE_PHONE_SOURCE_H
#define TOOLS_PHONE_SOURCE_PHONE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cancel.h"
#include "base/log.h"
#include "runner/device/device_source.h"
#include "tools/phone/phone.h"

#define PHONE_SOURCE_MAX 256U

/* How hosts reach them. */
enum phone_source_way {
    PHONE_SOURCE_DIRECT, /* over TCP */
    PHONE_SOURCE_SERVER, /* through the adb server of the environment */
};

/* Zero and NULL mean the defaults. */
struct phone_source_options {
    size_t count;  /* number of phones; 0: one. They are "phone-0", "phone-1",
                      ... */
    uint64_t seed; /* the same for all of them */
    unsigned skin;
    enum phone_locale locale; /* until a task requires another */
    bool dark;
    bool realtime;             /* use this computer's clock */
    bool adb_keyboard;         /* with ADBKeyboard, which types any text */
    const char *faults;        /* as fault_parse has it, borrowed */
    const char *apps;          /* a directory of scripts, borrowed */
    const char *snapshots;     /* a directory, borrowed; NULL: there are none */
    struct phone_fonts *fonts; /* borrowed; NULL: the source has its own */
    enum phone_source_way way;
    const struct cancel *cancel; /* borrowed, as log; may be NULL */
    const struct log *log;
};

/*
 * A source of such phones; a phone is started when it is acquired. Close the
 * source by its own operation, after all leases are released. Fails with
 * ERR_INVALID for invalid options, or when there are no fonts.
 */
MUST_USE bool phone_source_open(const struct phone_source_options *options,
                                struct device_source **source, struct err *err);

/*
 * The phone of a lease of such a source, until it is refreshed or released;
 * NULL: it is switched off.
 */
struct phone *phone_source_phone(struct device_lease *lease);

#endif
