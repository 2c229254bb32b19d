/* Expansion of words: quotes, variables, substitutions, patterns. */
#ifndef TOOLS_PHONE_SHELL_SH_EXPAND_H
#define TOOLS_PHONE_SHELL_SH_EXPAND_H

#include "tools/phone/shell/sh_private.h"

/* The fields of a command. */
struct sh_fields {
    struct arena arena;
    char **items; /* owned; each is in the arena, and NULL follows the last */
    size_t count;
};

#define SH_FIELDS_INIT(account_)                                               \
    {                                                                          \
        .arena = ARENA_INIT(SH_FIELD_BYTES_MAX, account_)                      \
    }

/*
 * Expand words; each becomes any number of fields. False, with a message, on
 * failure.
 */
MUST_USE bool sh_expand_words(struct sh *shell, const struct sh_word *words,
                              const struct sh_ports *ports,
                              struct sh_fields *fields);
void sh_fields_release(struct sh_fields *fields);

/* Add copies of words without expansion. False when they do not fit. */
MUST_USE bool sh_fields_add_all(struct sh_fields *fields, char *const *words,
                                size_t count);

/* Expand to one text, without splitting and file patterns, appended to out. */
MUST_USE bool sh_expand_text(struct sh *shell, struct sh_span text,
                             const struct sh_ports *ports, struct buf *out);

/* The same for a pattern: quoted characters get a backslash. */
MUST_USE bool sh_expand_pattern(struct sh *shell, struct sh_span text,
                                const struct sh_ports *ports, struct buf *out);

/* Expand the lines of a here-document, in which quotes are plain characters. */
MUST_USE bool sh_expand_here(struct sh *shell, struct sh_span text,
                             const struct sh_ports *ports, struct buf *out);

#endif
