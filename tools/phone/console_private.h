/* What the console_*.c share: the tables of commands. */
#ifndef PHONE_CONSOLE_PRIVATE_H
#define PHONE_CONSOLE_PRIVATE_H

#include "tools/phone/console.h"

/* One command under way. */
struct console_call {
    const struct console *console;
    char *rest; /* what follows its name, without blanks before it */
    struct buf *reply;
    struct err *err; /* what is said behind "KO: " */
};

/* Do it. True is "OK"; false, with err set, is "KO". */
typedef bool console_fn(struct console_call *call);

struct console_command {
    const char *name;
    const char *usage; /* what may follow it; "" for nothing */
    const char *help;
    console_fn *run;                      /* NULL: it has subcommands */
    const struct console_command *inside; /* the last one has no name */
};

/* Cut off the next word; "" at the end. */
char *console_word(struct console_call *call);

/* Fail, as in: return console_fail(call, "no such %s", name); */
PRINTF_LIKE(2, 3)
bool console_fail(const struct console_call *call, const char *fmt, ...);

/* A line of the reply. */
PRINTF_LIKE(2, 3)
void console_say(const struct console_call *call, const char *fmt, ...);

/* The same for text whose lines end in "\n". */
void console_say_lines(const struct console_call *call, const char *text);

/* What there is to do. */
extern const struct console_command console_avd[];
extern const struct console_command console_event[];
extern const struct console_command console_fault[];
extern const struct console_command console_geo[];
extern const struct console_command console_network[];
extern const struct console_command console_power[];
extern const struct console_command console_time[];
console_fn console_rotate;

#endif
