/* Compiles grep's regular expressions. */
#ifndef TOOLS_PHONE_TOYBOX_GREP_PATTERN_H
#define TOOLS_PHONE_TOYBOX_GREP_PATTERN_H

#include <stdbool.h>

#include "base/regex.h"

enum grep_pattern_kind {
    GREP_PATTERN_FIXED,    /* all characters are plain */
    GREP_PATTERN_BASIC,    /* \( \) \{ \} \| are operators */
    GREP_PATTERN_EXTENDED, /* ( ) { } | + ? are operators */
};

/* Compile a pattern for regex_find, on bytes; fails as regex_open does. */
MUST_USE bool grep_pattern_open(const char *text, enum grep_pattern_kind kind,
                                bool ignore_case, struct regex **pattern,
                                struct err *err);

#endif
