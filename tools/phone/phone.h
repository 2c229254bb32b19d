/*
 * The built-in phone: a handset behind the device side of ADB, so that
 * proctor, adb and any program that speaks to phones can use it.
 *
 * Everything it has is in memory and of its own: no host reaches this
 * computer's files, programs or clock through it.
 */
#ifndef PHONE_PHONE_H
#define PHONE_PHONE_H

#include <stdbool.h>
#include <stdint.h>

#include "adb/key.h"
#include "base/log.h"
#include "tools/phone/app.h"
#include "tools/phone/faults.h"
#include "tools/phone/screen.h"

/* What the phone does about computers that it does not know. */
enum phone_trust {
    PHONE_TRUSTS_ALL, /* asks for no key */
    PHONE_ACCEPTS,    /* asks for a key, and its owner says yes */
    PHONE_REFUSES,    /* asks for a key, and its owner says no */
    PHONE_ASKS,       /* asks for a key, and on the screen for an answer */
};

/* Zeros and NULLs stand for the defaults. */
struct phone_options {
    struct fonts *fonts; /* borrowed, shared by many; NULL: its own */
    uint64_t seed;       /* the same one gives the same phone */
    unsigned skin;       /* how its apps word and arrange what they show */
    const char *apps;    /* a directory of scripts to use before its own */
    const char *truth;   /* who may ask for it (truth_server.h); NULL: nobody */
    enum locale locale;
    bool dark;
    uint64_t storage;    /* bytes that its files may have; 0: 512 MiB */
    bool adb_keyboard;   /* has the keyboard that adb types with */
    bool realtime;       /* its clock is the computer's */
    const char *address; /* where it listens; NULL: this computer only */
    uint16_t port;       /* 0: a free one */
    enum phone_trust trust;
    const char *snapshot;      /* a file to begin from; NULL: a new phone */
    const char *snapshots;     /* a directory, borrowed; NULL: in memory */
    const char *snapshot_name; /* the one in there to begin from; NULL */
    const char *faults;        /* as fault_parse has it; NULL: none */
    uint64_t luck; /* another one gives the same phone other faults */
    faults_tell_fn *tell_fault; /* each that strikes; may be NULL */
    void *tell_context;
    const char *known;     /* public keys that it trusts already, one a line */
    bool tls;              /* wireless debugging: TLS, with known keys only */
    bool pairs;            /* the same, and computers can pair, with a code */
    const char *code;      /* NULL: the seed's */
    uint16_t pairing_port; /* 0: a free one */
    bool console;          /* the emulator's, on this computer only */
    uint16_t console_port; /* 0: a free one */
    const char *console_token;   /* the file that holds its token, borrowed */
    void (*kill)(void *context); /* the console wants it to be switched off */
    void *kill_context;
    const struct log *log; /* borrowed; may be NULL */
};

struct phone;

/* Switch one on. Hosts can connect from then on. */
MUST_USE bool phone_start(const struct phone_options *options,
                          struct phone **phone, struct err *err);

/* Hang up on all hosts and forget everything. NULL is fine. */
void phone_stop(struct phone *phone);

/*
 * Save everything in a file, or be as it was when that was saved; while nobody
 * uses the phone. Fails as snapshot_save and snapshot_load do.
 */
MUST_USE bool phone_save(struct phone *phone, const char *path,
                         struct err *err);
MUST_USE bool phone_load(struct phone *phone, const char *path,
                         struct err *err);

/* ---- what this program may know, and no host ---- */

/*
 * Append what the truth of this name (docs/phone-apps.md) calls its facts: an
 * object of texts. Fails with ERR_NOT_FOUND when there is no such truth.
 */
MUST_USE bool phone_facts(struct phone *phone, const char *truth,
                          struct buf *json, struct err *err);

/*
 * Append what became of it: {"met": true, "clauses": [{"name", "met"}],
 * "events": [...]}, of all that happened since the phone was switched on.
 * answer is what was answered; NULL: nothing. Fails as phone_facts does.
 */
MUST_USE bool phone_judge(struct phone *phone, const char *truth,
                          const char *answer, struct buf *json,
                          struct err *err);

/* See screen_locate. */
struct screen_place phone_locate(struct phone *phone, const char *call);

/* Where it listens. */
uint16_t phone_port(const struct phone *phone);

/* Where its console is; 0 where there is none. */
uint16_t phone_console_port(const struct phone *phone);

/* Where computers pair, and with what code; 0 and "" where they do not. */
uint16_t phone_pairing_port(const struct phone *phone);
const char *phone_pairing_code(const struct phone *phone);

#endif
