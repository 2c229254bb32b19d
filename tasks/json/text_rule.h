/* The format of a text in JSON, and which placeholders are filled in. */
#ifndef TASKS_JSON_TEXT_RULE_H
#define TASKS_JSON_TEXT_RULE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* How {…} is filled in when a task is resolved. */
enum text_rule_fill {
    TEXT_RULE_AS_IT_IS,
    TEXT_RULE_FILL,    /* {today+3d} and {fact}; {{ stands for { */
    TEXT_RULE_PATTERN, /* the same, but the inserted text matches only itself */
    TEXT_RULE_COMMAND, /* only dates: a shell has its own braces */
};

struct text_rule {
    size_t max; /* in bytes; texts are never empty */
    enum text_rule_fill fill;
    /* Fails with ERR_INVALID and what is expected; NULL: anything goes. */
    bool (*check)(const char *text, struct err *err);
};

/* Is the text valid? Fails with ERR_INVALID or ERR_LIMIT, and the reason. */
MUST_USE bool text_rule_check(const struct text_rule *rule, const char *text,
                              struct err *err);

#endif
