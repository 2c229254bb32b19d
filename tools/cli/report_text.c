#include "tools/cli/report_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define GAP 2
#define INDENT 2

/* How wide columns are, and which of them stand side by side. */
struct layout {
    const struct sheet *sheet;
    bool ascii;
    size_t label; /* width of the rows' names */
    size_t *widths;
    size_t first, end; /* of the columns that are written now */
};

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Do that column and the one before it stand under the same heading? */
static bool goes_on(const struct sheet *sheet, size_t column)
{
    const char *group = sheet->columns[column].group;
    const char *before = sheet->columns[column - 1].group;

    return group && before && !strcmp(group, before);
}

/* The last column up to end that stands under the same heading. */
static size_t group_last(const struct sheet *sheet, size_t column, size_t end)
{
    while (column + 1 < end && goes_on(sheet, column + 1))
        column++;
    return column;
}

static size_t width_of(const struct layout *layout, size_t first, size_t last)
{
    size_t width = 0;

    for (size_t i = first; i <= last; i++)
        width += layout->widths[i] + (i > first ? GAP : 0);
    return width;
}

/* A heading that is wider than what it stands over makes the last one wider. */
static void widen_groups(struct layout *layout)
{
    const struct sheet *sheet = layout->sheet;

    for (size_t i = 0; i < sheet->column_count; i++) {
        size_t last = group_last(sheet, i, sheet->column_count);

        if (sheet->columns[i].group) {
            size_t wanted = page_columns(sheet->columns[i].group);
            size_t width = width_of(layout, i, last);

            if (wanted > width)
                layout->widths[last] += wanted - width;
        }
        i = last;
    }
}

static void lay_out(struct layout *layout)
{
    const struct sheet *sheet = layout->sheet;

    for (size_t i = 0; i < sheet->column_count; i++)
        layout->widths[i] = page_columns(sheet->columns[i].name);
    for (size_t i = 0; i < sheet->row_count; i++) {
        const struct sheet_row *row = &sheet->rows[i];

        layout->label = larger(layout->label, page_columns(row->label) +
                                                  (row->heading ? 0 : INDENT));
        for (size_t k = 0; row->cells && k < sheet->column_count; k++) {
            char text[SHEET_TEXT_MAX];

            sheet_text(&row->cells[k], sheet->columns[k].form, layout->ascii,
                       text);
            layout->widths[k] = larger(layout->widths[k], page_columns(text));
        }
    }
    widen_groups(layout);
}

/* Flush right in its column. */
static void write_right(struct page *page, enum page_style style, size_t width,
                        const char *text)
{
    page_pad(page, page_columns(text), width);
    page_foreign(page, style, text);
}

static void write_groups(struct page *page, const struct layout *layout)
{
    const struct sheet *sheet = layout->sheet;
    size_t at = 0, begin = layout->label;
    bool any = false;

    for (size_t i = layout->first; i < layout->end; i++)
        any = any || sheet->columns[i].group;
    for (size_t i = layout->first; any && i < layout->end; i++) {
        size_t last = group_last(sheet, i, layout->end);
        const char *group = sheet->columns[i].group;

        begin += GAP;
        if (group) {
            page_pad(page, at, begin);
            page_foreign(page, PAGE_DIM, group);
            at = begin + page_columns(group);
        }
        begin += width_of(layout, i, last);
        i = last;
    }
    if (any)
        page_text(page, PAGE_PLAIN, "\n");
}

static void write_heads(struct page *page, const struct layout *layout)
{
    const struct sheet *sheet = layout->sheet;

    write_groups(page, layout);
    page_pad(page, 0, layout->label);
    for (size_t i = layout->first; i < layout->end; i++)
        write_right(page, PAGE_DIM, layout->widths[i] + GAP,
                    sheet->columns[i].name);
    page_text(page, PAGE_PLAIN, "\n");
}

static void write_row(struct page *page, const struct layout *layout,
                      const struct sheet_row *row)
{
    const struct sheet *sheet = layout->sheet;

    if (row->heading) {
        page_foreign(page, PAGE_DIM, row->label);
        page_text(page, PAGE_PLAIN, "\n");
        return;
    }
    page_pad(page, 0, INDENT);
    page_foreign(page, PAGE_PLAIN, row->label);
    page_pad(page, INDENT + page_columns(row->label), layout->label);
    for (size_t i = layout->first; i < layout->end; i++) {
        char text[SHEET_TEXT_MAX];

        sheet_text(&row->cells[i], sheet->columns[i].form, layout->ascii, text);
        write_right(page, PAGE_PLAIN, layout->widths[i] + GAP, text);
    }
    page_text(page, PAGE_PLAIN, "\n");
}

/*
 * The next columns: as many as fit, and at least one. What stands under one
 * heading is only torn apart if it is too wide by itself.
 */
static bool next_columns(struct layout *layout, size_t width)
{
    const struct sheet *sheet = layout->sheet;
    size_t at = layout->label, whole = 0, i;

    layout->first = layout->end;
    for (i = layout->first; i < sheet->column_count; i++) {
        at += GAP + layout->widths[i];
        if (i > layout->first && at > width)
            break;
        if (i > layout->first && !goes_on(sheet, i))
            whole = i;
    }
    if (i < sheet->column_count && whole && goes_on(sheet, i))
        i = whole;
    layout->end = i;
    return layout->first < layout->end;
}

void report_text_sheet(struct page *page, const struct sheet *sheet)
{
    struct layout layout = {.sheet = sheet, .ascii = !page->unicode};

    layout.widths = mem_new(sheet->column_count + 1, sizeof(*layout.widths));
    lay_out(&layout);
    page_text(page, PAGE_BOLD, sheet->title);
    page_text(page, PAGE_PLAIN, "\n");
    while (next_columns(&layout, page->width)) {
        if (layout.first)
            page_text(page, PAGE_PLAIN, "\n");
        write_heads(page, &layout);
        for (size_t i = 0; i < sheet->row_count; i++)
            write_row(page, &layout, &sheet->rows[i]);
    }
    if (sheet->note)
        page_wrap(page, 0, 0, sheet->note);
    free(layout.widths);
}

void report_text_damage(struct cli *cli, const struct ledger *ledger)
{
    for (size_t i = 0; i < ledger->count; i++) {
        const struct ledger_entry *entry = &ledger->entries[i];

        if (entry->damage)
            cli_say(cli, "%s/%s is in no rate: %s",
                    ledger->runs[entry->run].folder, entry->folder,
                    entry->damage);
    }
}
