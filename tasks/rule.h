/* What a text in a task must look like, and what is filled into it. */
#ifndef TASKS_RULE_H
#define TASKS_RULE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* What becomes of {…} when a task is resolved. */
enum rule_fill {
    RULE_AS_IT_IS,
    RULE_FILL,    /* {today+3d} and {fact}; {{ stands for { */
    RULE_PATTERN, /* the same, but what is filled in matches only itself */
    RULE_COMMAND, /* dates alone: a shell has braces of its own */
};

struct rule {
    size_t max; /* bytes; nothing may be empty */
    enum rule_fill fill;
    /* Fails with ERR_INVALID and what is expected; NULL: anything goes. */
    bool (*check)(const char *text, struct err *err);
};

extern const struct rule rule_id;      /* of tasks and truths */
extern const struct rule rule_name;    /* of needs, probes and facts */
extern const struct rule rule_label;   /* category, tags: a line */
extern const struct rule rule_package; /* com.example.app */
extern const struct rule rule_permission;
extern const struct rule rule_locale;    /* en, zh-CN */
extern const struct rule rule_date;      /* 2026-11-16 */
extern const struct rule rule_version;   /* 12.3.4 */
extern const struct rule rule_beside;    /* a file beside the suite */
extern const struct rule rule_on_phone;  /* a file on the phone */
extern const struct rule rule_transform; /* of a picture */
extern const struct rule rule_node_path; /* 0/1/3 */
extern const struct rule rule_plain;     /* told, or compared, as it is */
extern const struct rule rule_comment;   /* for whoever reads the file */
extern const struct rule rule_typed;     /* what gold types and answers */
extern const struct rule rule_pattern;   /* PCRE2 */
extern const struct rule rule_command;   /* in the phone's shell */

/* Does the text fit? Fails with ERR_INVALID or ERR_LIMIT, and says why not. */
MUST_USE bool rule_check(const struct rule *rule, const char *text,
                         struct err *err);

#endif
