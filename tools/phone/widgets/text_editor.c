#include "tools/phone/widgets/text_editor.h"

#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"

/* ---- positions ---- */

/* Is the position between two characters? */
static bool is_boundary(const struct text_editor *editor, size_t at)
{
    return at == editor->text.length ||
           ((unsigned char)editor->text.data[at] & 0xc0) != 0x80;
}

static size_t before(const struct text_editor *editor, size_t at)
{
    while (at && !is_boundary(editor, --at))
        ;
    return at;
}

static size_t behind(const struct text_editor *editor, size_t at)
{
    while (at < editor->text.length && !is_boundary(editor, ++at))
        ;
    return at;
}

static size_t position(const struct text_editor *editor, size_t at)
{
    if (at > editor->text.length)
        at = editor->text.length;
    return is_boundary(editor, at) ? at : before(editor, at);
}

void text_editor_init(struct text_editor *editor, const char *text,
                      size_t caret, size_t anchor)
{
    editor->text = (struct buf)BUF_INIT(TEXT_EDITOR_MAX);
    buf_text(&editor->text, text ? text : "");
    editor->caret = position(editor, caret);
    editor->anchor = position(editor, anchor);
}

void text_editor_release(struct text_editor *editor)
{
    buf_release(&editor->text);
}

/* ---- typing ---- */

/* Replace the text between two positions. */
static void replace(struct text_editor *editor, size_t from, size_t to,
                    const char *text)
{
    struct buf next = BUF_INIT(TEXT_EDITOR_MAX);

    buf_append(&next, buf_cstr(&editor->text), from);
    buf_text(&next, text);
    if (!next.overflow)
        buf_text(&next, buf_cstr(&editor->text) + to);
    if (next.overflow) {
        buf_release(&next);
        return;
    }
    buf_release(&editor->text);
    editor->text = next;
    editor->caret = from + strlen(text);
    editor->anchor = editor->caret;
}

static void replace_selection(struct text_editor *editor, const char *text)
{
    bool ahead = editor->caret < editor->anchor;

    replace(editor, ahead ? editor->caret : editor->anchor,
            ahead ? editor->anchor : editor->caret, text);
}

void text_editor_insert(struct text_editor *editor, const char *text)
{
    replace_selection(editor, text);
}

void text_editor_erase_before(struct text_editor *editor)
{
    if (editor->caret == editor->anchor)
        editor->anchor = before(editor, editor->caret);
    replace_selection(editor, "");
}

void text_editor_erase_behind(struct text_editor *editor)
{
    if (editor->caret == editor->anchor)
        editor->anchor = behind(editor, editor->caret);
    replace_selection(editor, "");
}

/* ---- moving ---- */

void text_editor_move(struct text_editor *editor, int by)
{
    for (; by < 0; by++)
        editor->caret = before(editor, editor->caret);
    for (; by > 0; by--)
        editor->caret = behind(editor, editor->caret);
    editor->anchor = editor->caret;
}

/* Letters and digits, and all other characters beyond ASCII. */
static bool is_in_word(const struct text_editor *editor, size_t at)
{
    unsigned char c = (unsigned char)editor->text.data[at];

    return c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z') || c == '_';
}

void text_editor_select_word(struct text_editor *editor, size_t at)
{
    size_t from = position(editor, at);
    size_t to = from;

    while (from && is_in_word(editor, from - 1))
        from = before(editor, from);
    while (to < editor->text.length && is_in_word(editor, to))
        to = behind(editor, to);
    editor->anchor = from;
    editor->caret = to;
}
