/*
 * Removes from a text whatever identifies the phone, the computer or the user.
 *
 * Secrets that are known by name (serials, host and user names) go wherever
 * they stand. Others are known by their looks: IP and MAC addresses, names on
 * the local network, "user@host", long hexadecimal numbers (Android IDs,
 * IMEIs, fingerprints, UUIDs) and keys in base64. Each becomes a word such as
 * "serial-1", the same secret always the same word, so that a report can
 * still be followed. When in doubt, too much is taken out.
 */
#ifndef TOOLS_DEVICE_CHECKS_REDACTOR_H
#define TOOLS_DEVICE_CHECKS_REDACTOR_H

#include <stddef.h>

#include "base/buf.h"

enum secret_kind {
    SECRET_SERIAL,
    SECRET_ADDRESS,
    SECRET_MAC,
    SECRET_HOST,
    SECRET_USER,
    SECRET_ID,
    SECRET_KEY,
    SECRET_KIND_COUNT
};

/* The serials and names that were found so far. */
struct secret {
    enum secret_kind kind;
    unsigned number; /* the 1 in "serial-1" */
    bool by_name;    /* look for it everywhere */
    char *text;      /* owned */
    size_t length;
};

/* Beyond this, replacements have no number. */
#define REDACTOR_SECRETS_MAX 256

struct redactor {
    struct secret secrets[REDACTOR_SECRETS_MAX];
    size_t count;
    unsigned counts[SECRET_KIND_COUNT];
};

#define REDACTOR_INIT                                                          \
    {                                                                          \
        .count = 0                                                             \
    }

void redactor_release(struct redactor *redactor);

/*
 * Look for text from now on, in upper and lower case. Of less than
 * REDACTOR_INSIDE_MIN characters it must be a whole word: "an" must not match
 * every "an" of a "planet". NULL, "" and common names (localhost, root,
 * unknown) are nothing to look for.
 */
#define REDACTOR_INSIDE_MIN 5
void redactor_know(struct redactor *redactor, enum secret_kind kind,
                   const char *text);

/* The names of this computer and of its user, as far as they are known. */
void redactor_know_this_computer(struct redactor *redactor);

/* A phone's serial, and the host in it if it is HOST:PORT. */
void redactor_know_serial(struct redactor *redactor, const char *serial);

/* Append text to clean without any secret. */
void redactor_apply(struct redactor *redactor, const char *text, size_t length,
                    struct buf *clean);

#endif
