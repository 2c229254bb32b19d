/*
 * Searches for phones again and again, in its own thread: USB, known hosts,
 * the local network, emulators, the adb server. Reads the Android version and
 * the battery of those that can be used, each locked meanwhile. A phone that
 * another process has locked is not opened.
 */
#ifndef TOOLS_SERVE_PHONE_FINDER_H
#define TOOLS_SERVE_PHONE_FINDER_H

#include <stdbool.h>
#include <stddef.h>

#include "adb/discover/discover.h"
#include "base/err.h"
#include "base/log.h"

struct found_phone {
    char serial[TCP_ADDRESS_MAX];
    enum discover_route route;
    bool usable;
    bool used_here;  /* is_in_use: nothing else is known of it */
    char holder[64]; /* the process that uses it, for people; "": none */
    char state[320]; /* for people: "unauthorized: accept the prompt on the
                        phone" */
    char model[64];
    char android[16]; /* "14"; "": not known, as of a phone that was skipped */
    int battery;      /* percent; -1: not known */
};

#define PHONE_FINDER_MAX 64

/* What is read from a phone that can be used. */
struct phone_facts {
    char android[16]; /* "": not known */
    char model[64];   /* "": not known */
    int battery;      /* -1: not known */
};

/* Read what is not known yet, and the battery. Blocks for a few seconds at
 * most; what cannot be read stays as it is. */
void phone_facts_read(struct phone_facts *facts, struct device *device);

struct phone_finder_options {
    /* Called by the finder's thread after each search. */
    void (*on_found)(void *context, const struct found_phone *phones,
                     size_t count);
    /* Is this phone in use here? Then it is not opened. */
    bool (*is_in_use)(void *context, const char *serial);
    void *context;
    const struct sockaddr_in *mdns; /* as in struct mdns; borrowed */
    const struct log *log;          /* borrowed; may be NULL */
};

struct phone_finder;

MUST_USE bool phone_finder_start(const struct phone_finder_options *options,
                                 struct phone_finder **finder, struct err *err);

/* End the search, which is cancelled. NULL is fine. */
void phone_finder_stop(struct phone_finder *finder);

/* Search now instead of in a few seconds. NULL is fine. */
void phone_finder_hurry(struct phone_finder *finder);

/*
 * What the state of a discovered phone means, and what to do. reason may be "".
 */
void phone_state_words(const char *state, const char *reason, char *words,
                       size_t size);

/* The level in the output of "dumpsys battery"; -1: there is none. */
int battery_level(const char *dumpsys);

#endif
