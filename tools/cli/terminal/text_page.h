/*
 * Text for people: colours where they show, lines that fit.
 *
 * Text from elsewhere goes through text_page_untrusted, so that a phone cannot
 * move the cursor or colour the screen.
 */
#ifndef TOOLS_CLI_TERMINAL_TEXT_PAGE_H
#define TOOLS_CLI_TERMINAL_TEXT_PAGE_H

#include <stdbool.h>

#include "base/buf.h"

enum text_style {
    TEXT_STYLE_PLAIN,
    TEXT_STYLE_BOLD,
    TEXT_STYLE_DIM,
    TEXT_STYLE_RED,
    TEXT_STYLE_GREEN,
    TEXT_STYLE_YELLOW,
};

struct text_page {
    struct buf text; /* what was written so far */
    bool colour;
    bool unicode;   /* other characters than ASCII show */
    unsigned width; /* columns a line may have */
};

/* A page for what fd is: a terminal of some width, or anything else. */
void text_page_init(struct text_page *page, int fd);
void text_page_release(struct text_page *page);

void text_page_add(struct text_page *page, enum text_style style,
                   const char *text);
PRINTF_LIKE(2, 3)
void text_page_printf(struct text_page *page, const char *fmt, ...);

/* Control characters become '?'. */
void text_page_untrusted(struct text_page *page, enum text_style style,
                         const char *text);

/* The same for text of several lines; the last one is ended, too. */
void text_page_untrusted_lines(struct text_page *page, const char *text);

/* Spaces from one column of the line to another. */
void text_page_pad(struct text_page *page, size_t from, size_t to);

/*
 * Words, broken into lines that begin at indent; the first line goes on at
 * column from. An empty line in text stays one, and a % stands with its number.
 * Ends with a newline.
 */
void text_page_wrap(struct text_page *page, size_t from, size_t indent,
                    const char *text);

/* The same for a paragraph of text from elsewhere. */
void text_page_wrap_untrusted(struct text_page *page, enum text_style style,
                              const char *text);

/*
 * The beginning of a text, with a mark at its end if that is not all of it: as
 * much as fits into this many columns. The caller frees it.
 */
char *text_page_cut(const char *text, size_t columns, bool unicode);

/* Columns that text takes on a terminal: Chinese takes two for each. */
size_t text_page_columns(const char *text);

#endif
