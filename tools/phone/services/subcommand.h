/*
 * Commands with subcommands, as Android's services have them: "am start -n
 * NAME". Arguments are consumed one by one.
 */
#ifndef TOOLS_PHONE_SERVICES_SUBCOMMAND_H
#define TOOLS_PHONE_SERVICES_SUBCOMMAND_H

#include "tools/phone/services/cmd_screen.h"

/* A running subcommand. */
struct subcommand_call {
    struct command_call *call;
    struct screen_context *phone;
    const char *name; /* of the subcommand */
    size_t next;      /* index of the next argument */
};

struct subcommand {
    const char *name;
    int (*run)(struct subcommand_call *subcommand);
};

/* Run the subcommand of the first argument; without one, print usage. */
int subcommand_run(struct command_call *call, const struct subcommand *verbs,
                   size_t count, const char *usage);

/* The next argument; NULL if there is none. */
const char *subcommand_next(struct subcommand_call *subcommand);

/* The same, if it is an option; "--" is skipped and ends the options. */
const char *subcommand_option(struct subcommand_call *subcommand);

/* A required argument; without it, a message and the command's status. */
MUST_USE bool subcommand_need(struct subcommand_call *subcommand,
                              const char **word, int *status);

/* Print a Java exception. Always SCREEN_COMMAND_FAILED. */
PRINTF_LIKE(3, 4)
int subcommand_throw(struct subcommand_call *subcommand, const char *exception,
                     const char *fmt, ...);

#define SUBCOMMAND_ILLEGAL "java.lang.IllegalArgumentException"

#endif
