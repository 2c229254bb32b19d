/*
 * Text for people: colours where they show, lines that fit.
 *
 * Text from elsewhere goes through page_foreign, so that a phone cannot move
 * the cursor or colour the screen.
 */
#ifndef TOOLS_CLI_PAGE_H
#define TOOLS_CLI_PAGE_H

#include <stdbool.h>

#include "base/buf.h"

enum page_style {
    PAGE_PLAIN,
    PAGE_BOLD,
    PAGE_DIM,
    PAGE_RED,
    PAGE_GREEN,
    PAGE_YELLOW,
};

struct page {
    struct buf text; /* what was written so far */
    bool colour;
    bool unicode;   /* other characters than ASCII show */
    unsigned width; /* columns a line may have */
};

/* A page for what fd is: a terminal of some width, or anything else. */
void page_init(struct page *page, int fd);
void page_release(struct page *page);

void page_text(struct page *page, enum page_style style, const char *text);
PRINTF_LIKE(2, 3) void page_printf(struct page *page, const char *fmt, ...);

/* Control characters become '?'. */
void page_foreign(struct page *page, enum page_style style, const char *text);

/* The same for text of several lines; the last one is ended, too. */
void page_foreign_lines(struct page *page, const char *text);

/* Spaces up to that column, when column is where the line stands now. */
void page_pad(struct page *page, size_t from, size_t to);

/*
 * Words, broken into lines that begin at indent; the first line goes on at
 * column from. An empty line in text stays one, and a % stands with its number.
 * Ends with a newline.
 */
void page_wrap(struct page *page, size_t from, size_t indent, const char *text);

/* The same for a paragraph of text from elsewhere. */
void page_wrap_foreign(struct page *page, enum page_style style,
                       const char *text);

/* Columns that text takes on a terminal: Chinese takes two for each. */
size_t page_columns(const char *text);

#endif
