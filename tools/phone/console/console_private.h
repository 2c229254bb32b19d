/* Shared by console_*.c: the tables of commands. */
#ifndef TOOLS_PHONE_CONSOLE_CONSOLE_PRIVATE_H
#define TOOLS_PHONE_CONSOLE_CONSOLE_PRIVATE_H

#include "tools/phone/console/console.h"

/* A running command. */
struct console_call {
    const struct phone_console *console;
    char *rest; /* the arguments, without leading blanks */
    struct buf *reply;
    struct err *err; /* the text behind "KO: " */
};

/* Execute it. True is "OK"; false, with err set, is "KO". */
typedef bool console_fn(struct console_call *call);

struct console_command {
    const char *name;
    const char *usage; /* its arguments, for the help; "" for none */
    const char *help;
    console_fn *run;                      /* NULL: it has subcommands */
    const struct console_command *inside; /* the last one has no name */
};

/* Remove and return the next word; "" at the end. */
char *console_word(struct console_call *call);

/* Fail, as in: return console_fail(call, "no such %s", name); */
PRINTF_LIKE(2, 3)
bool console_fail(const struct console_call *call, const char *fmt, ...);

/* Add a line to the reply. */
PRINTF_LIKE(2, 3)
void console_say(const struct console_call *call, const char *fmt, ...);

/*
 * The same for text whose lines end in "
 * ".
 */
void console_say_lines(const struct console_call *call, const char *text);

/* All commands. */
extern const struct console_command console_avd[];
extern const struct console_command console_event[];
extern const struct console_command console_fault[];
extern const struct console_command console_geo[];
extern const struct console_command console_network[];
extern const struct console_command console_power[];
extern const struct console_command console_time[];
console_fn console_rotate;

#endif
