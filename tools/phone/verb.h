/*
 * Commands with verbs, as Android's services have them: "am start -n NAME".
 * What follows a verb is taken word by word.
 */
#ifndef PHONE_VERB_H
#define PHONE_VERB_H

#include "tools/phone/cmd_screen.h"

/* A verb under way. */
struct verb_call {
    struct call *call;
    struct screen_context *phone;
    const char *name; /* the verb */
    size_t next;      /* the index of the next word */
};

struct verb {
    const char *name;
    int (*run)(struct verb_call *verb);
};

/* Run the verb that the command's first word names; usage is for none. */
int verb_run(struct call *call, const struct verb *verbs, size_t count,
             const char *usage);

/* The next word; NULL when there is none. */
const char *verb_next(struct verb_call *verb);

/* The same, if it is an option; "--" is skipped and ends them. */
const char *verb_option(struct verb_call *verb);

/* A word that must be there; the command's status when it is not. */
MUST_USE bool verb_need(struct verb_call *verb, const char **word, int *status);

/* What Java's exceptions look like. Always SCREEN_COMMAND_FAILED. */
PRINTF_LIKE(3, 4)
int verb_throw(struct verb_call *verb, const char *exception, const char *fmt,
               ...);

#define VERB_ILLEGAL "java.lang.IllegalArgumentException"

#endif
