/* Regular expressions as grep has them. */
#ifndef PHONE_POSIX_H
#define PHONE_POSIX_H

#include <stdbool.h>

#include "base/pattern.h"

enum posix_kind {
    POSIX_FIXED,    /* every character is itself */
    POSIX_BASIC,    /* \( \) \{ \} \| are operators */
    POSIX_EXTENDED, /* ( ) { } | + ? are */
};

/* A pattern of bytes, for pattern_find; fails as pattern_open. */
MUST_USE bool posix_open(const char *text, enum posix_kind kind,
                         bool ignore_case, struct pattern **pattern,
                         struct err *err);

#endif
