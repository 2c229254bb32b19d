/*
 * The expansion of one word. Shared by sh_expand.c and sh_expand_parameter.c;
 * each function that fails has printed a message.
 */
#ifndef TOOLS_PHONE_SHELL_SH_EXPANDER_H
#define TOOLS_PHONE_SHELL_SH_EXPANDER_H

#include "tools/phone/shell/sh_expand.h"

struct sh_expander {
    struct sh *shell;
    const struct sh_ports *ports;
    struct sh_fields *fields; /* NULL: the word becomes one text */
    struct buf text;          /* text of the current field */
    struct buf
        pattern; /* the same, with a backslash before quoted characters */
    bool open;   /* the field exists, even if it is empty */
    bool keeps_pattern; /* pattern is needed although there are no fields */
};

/* Print an error. Always false. */
bool sh_expander_complain(struct sh_expander *expander, const char *what);

/* Add one character to the current field. */
void sh_expander_put(struct sh_expander *expander, char c, bool quoted);

/*
 * Add the value of a variable or substitution: outside quotes, blanks separate
 * fields.
 */
MUST_USE bool sh_expander_put_value(struct sh_expander *expander,
                                    const char *value, bool quoted);

/* End the current field, and expand it if it is a pattern of files. */
MUST_USE bool sh_expander_end_field(struct sh_expander *expander);

/* Expand a text with quotes, variables and substitutions into the field. */
MUST_USE bool sh_expander_expand(struct sh_expander *expander, const char *at,
                                 const char *end, bool quoted);

/* ---- sh_expand_parameter.c ---- */

/* The length of the name, or special parameter, at the start of text. */
size_t sh_parameter_length(const char *text, size_t length);

/* Expand the text between the braces of ${...}. */
MUST_USE bool sh_expander_put_braced(struct sh_expander *expander,
                                     const char *at, const char *end,
                                     bool quoted);

/* Expand $name. */
MUST_USE bool sh_expander_put_plain(struct sh_expander *expander,
                                    const char *name, size_t length,
                                    bool quoted);

#endif
