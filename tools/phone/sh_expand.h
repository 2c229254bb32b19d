/* What words stand for: quotes, variables, substitutions, patterns. */
#ifndef PHONE_SH_EXPAND_H
#define PHONE_SH_EXPAND_H

#include "tools/phone/sh_private.h"

/* The words of a command. */
struct sh_fields {
    struct arena arena;
    char **items; /* owned; each is in the arena, and NULL follows the last */
    size_t count;
};

#define SH_FIELDS_INIT(account_)                                               \
    {                                                                          \
        .arena = ARENA_INIT(SH_FIELD_BYTES_MAX, account_)                      \
    }

/* Each word becomes any number of fields. False, with a message, if not. */
MUST_USE bool sh_expand_words(struct sh *shell, const struct sh_word *words,
                              const struct sh_ports *ports,
                              struct sh_fields *fields);
void sh_fields_release(struct sh_fields *fields);

/* One text, neither split nor matched with files, appended to out. */
MUST_USE bool sh_expand_text(struct sh *shell, struct sh_span text,
                             const struct sh_ports *ports, struct buf *out);

#endif
