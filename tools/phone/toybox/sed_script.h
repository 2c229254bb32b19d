/* A sed script: commands and their addresses. */
#ifndef TOOLS_PHONE_TOYBOX_SED_SCRIPT_H
#define TOOLS_PHONE_TOYBOX_SED_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/regex.h"

#define SED_SCRIPT_MAX ((size_t)64 * 1024)
#define SED_COMMANDS_MAX 1024U
#define SED_DEPTH_MAX 16U

enum sed_address_kind {
    SED_ADDRESS_NONE,
    SED_ADDRESS_LINE,    /* number */
    SED_ADDRESS_STEP,    /* number~step */
    SED_ADDRESS_LAST,    /* $ */
    SED_ADDRESS_PATTERN, /* /regex/; NULL: the one used last */
    SED_ADDRESS_COUNT,   /* +number, after a first address */
};

struct sed_address {
    enum sed_address_kind kind;
    long long number;
    long long step;
    struct regex *pattern; /* owned */
};

struct sed_command {
    struct sed_address from;
    struct sed_address to;
    bool negated;
    char name;   /* 's', 'p', '{', '}', ':', ... */
    size_t jump; /* of 'b', 't', 'T' and '{': index of the target command */
    char *text;  /* owned: of 'a', 'i', 'c', 'y', a label, or the replacement of
                    's' */
    char *other; /* owned: of 'y', the replacement characters */

    struct regex *pattern; /* owned: of 's'; NULL: the one used last */
    bool global;
    bool prints;
    long long nth; /* of 's': the first match to replace; 0: the first */

    /* State while the script runs. */
    bool inside;     /* the range has begun and not ended */
    long long until; /* of a range that ends at a line number */
};

struct sed_script {
    struct sed_command *commands; /* owned */
    size_t count;
};

/*
 * Parse text, whose commands are separated by ';' and newlines, into an empty
 * script. Fails with ERR_INVALID and a message; the caller releases script in
 * either case.
 */
MUST_USE bool sed_script_parse(struct sed_script *script, const char *text,
                               bool extended, struct err *err);
void sed_script_release(struct sed_script *script);

#endif
