/*
 * Phones made of software, in this program, as the runner leases them: each is
 * new when it is acquired, and again whenever it is refreshed.
 *
 * They are reached as any phone is, over ADB; only what the oracle tells does
 * not come that way.
 */
#ifndef PHONE_SOURCE_PHONE_SOURCE_H
#define PHONE_SOURCE_PHONE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cancel.h"
#include "base/log.h"
#include "runner/source.h"
#include "tools/phone/phone.h"

#define PHONE_SOURCE_MAX 256U

/* How they are reached. */
enum phone_source_way {
    PHONE_SOURCE_DIRECT, /* over TCP */
    PHONE_SOURCE_SERVER, /* through the adb server of the environment */
};

/* Zeros and NULLs stand for the defaults. */
struct phone_source_options {
    size_t count;  /* how many; 0: one. They are "phone-0", "phone-1", ... */
    uint64_t seed; /* the same for all of them */
    unsigned skin;
    enum locale locale; /* until a task wants another */
    bool dark;
    bool adb_keyboard;     /* has the keyboard that types any text */
    const char *faults;    /* as fault_parse has it, borrowed */
    const char *apps;      /* a directory of scripts, borrowed */
    const char *snapshots; /* a directory, borrowed; NULL: there are none */
    struct fonts *fonts;   /* borrowed; NULL: the source has its own */
    enum phone_source_way way;
    const struct cancel *cancel; /* borrowed, as log; may be NULL */
    const struct log *log;
};

/*
 * A source of such phones; none runs before it is acquired. Close it by its
 * own operation, when all leases are released. Fails with ERR_INVALID for
 * options that make no sense, or when there are no fonts.
 */
MUST_USE bool phone_source_open(const struct phone_source_options *options,
                                struct source **source, struct err *err);

#endif
