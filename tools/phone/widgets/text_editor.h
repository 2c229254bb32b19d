/* An editable text: UTF-8 with a caret and a selection. */
#ifndef TOOLS_PHONE_WIDGETS_TEXT_EDITOR_H
#define TOOLS_PHONE_WIDGETS_TEXT_EDITOR_H

#include <stddef.h>

#include "base/buf.h"

#define TEXT_EDITOR_MAX ((size_t)16 * 1024)

struct text_editor {
    struct buf text;
    size_t caret;  /* bytes before the caret; never inside a character */
    size_t anchor; /* the other end of the selection; equal to the caret if
                      there is none */
};

/* Start with a text (NULL is empty); positions beyond it are clamped. */
void text_editor_init(struct text_editor *editor, const char *text,
                      size_t caret, size_t anchor);
void text_editor_release(struct text_editor *editor);

/* Replace the selection by text. Ignored if the result is too long. */
void text_editor_insert(struct text_editor *editor, const char *text);

/* Delete the selection, or else a character before or after the caret. */
void text_editor_erase_before(struct text_editor *editor);
void text_editor_erase_behind(struct text_editor *editor);

/* Move the caret by that many characters, and clear the selection. */
void text_editor_move(struct text_editor *editor, int by);

/* Select the word at a position. */
void text_editor_select_word(struct text_editor *editor, size_t at);

#endif
