/* A text while it is typed: UTF-8 with a caret, and what is selected. */
#ifndef PHONE_EDITOR_H
#define PHONE_EDITOR_H

#include <stddef.h>

#include "base/buf.h"

#define EDITOR_MAX ((size_t)16 * 1024)

struct editor {
    struct buf text;
    size_t caret;  /* bytes before it; never inside a character */
    size_t anchor; /* the other end of the selection; the caret if none */
};

/* Begin with a text (NULL is empty); positions beyond it are its end. */
void editor_init(struct editor *editor, const char *text, size_t caret,
                 size_t anchor);
void editor_release(struct editor *editor);

/* Type in place of the selection. Text that is too long is not typed. */
void editor_insert(struct editor *editor, const char *text);

/* Take away the selection, or else a character before or behind the caret. */
void editor_erase_before(struct editor *editor);
void editor_erase_behind(struct editor *editor);

/* Move the caret by so many characters; nothing is selected then. */
void editor_move(struct editor *editor, int by);

/* Select the word at a position. */
void editor_select_word(struct editor *editor, size_t at);

#endif
