#include "tools/cli/judge/report_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define GAP 2
#define INDENT 2

/* The widths of columns, and which of them are shown side by side. */
struct table_layout {
    const struct report_table *sheet;
    bool ascii;
    size_t label; /* width of the rows' names */
    size_t *widths;
    size_t first, end; /* of the columns that are written now */
};

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Do that column and the one before it have the same heading? */
static bool goes_on(const struct report_table *sheet, size_t column)
{
    const char *group = sheet->columns[column].group;
    const char *before = sheet->columns[column - 1].group;

    return group && before && !strcmp(group, before);
}

/* The last column up to end that has the same heading. */
static size_t group_last(const struct report_table *sheet, size_t column,
                         size_t end)
{
    while (column + 1 < end && goes_on(sheet, column + 1))
        column++;
    return column;
}

static size_t width_of(const struct table_layout *layout, size_t first,
                       size_t last)
{
    size_t width = 0;

    for (size_t i = first; i <= last; i++)
        width += layout->widths[i] + (i > first ? GAP : 0);
    return width;
}

/* A heading that is wider than its columns makes the last one wider. */
static void widen_groups(struct table_layout *layout)
{
    const struct report_table *sheet = layout->sheet;

    for (size_t i = 0; i < sheet->column_count; i++) {
        size_t last = group_last(sheet, i, sheet->column_count);

        if (sheet->columns[i].group) {
            size_t wanted = text_page_columns(sheet->columns[i].group);
            size_t width = width_of(layout, i, last);

            if (wanted > width)
                layout->widths[last] += wanted - width;
        }
        i = last;
    }
}

static void lay_out(struct table_layout *layout)
{
    const struct report_table *sheet = layout->sheet;

    for (size_t i = 0; i < sheet->column_count; i++)
        layout->widths[i] = text_page_columns(sheet->columns[i].name);
    for (size_t i = 0; i < sheet->row_count; i++) {
        const struct report_table_row *row = &sheet->rows[i];

        layout->label = larger(layout->label, text_page_columns(row->label) +
                                                  (row->heading ? 0 : INDENT));
        for (size_t k = 0; row->cells && k < sheet->column_count; k++) {
            char text[REPORT_TABLE_TEXT_MAX];

            report_table_text(&row->cells[k], sheet->columns[k].form,
                              layout->ascii, text);
            layout->widths[k] =
                larger(layout->widths[k], text_page_columns(text));
        }
    }
    widen_groups(layout);
}

/* Flush right in its column. */
static void write_right(struct text_page *page, enum text_style style,
                        size_t width, const char *text)
{
    text_page_pad(page, text_page_columns(text), width);
    text_page_untrusted(page, style, text);
}

static void write_groups(struct text_page *page,
                         const struct table_layout *layout)
{
    const struct report_table *sheet = layout->sheet;
    size_t at = 0, begin = layout->label;
    bool any = false;

    for (size_t i = layout->first; i < layout->end; i++)
        any = any || sheet->columns[i].group;
    for (size_t i = layout->first; any && i < layout->end; i++) {
        size_t last = group_last(sheet, i, layout->end);
        const char *group = sheet->columns[i].group;

        begin += GAP;
        if (group) {
            text_page_pad(page, at, begin);
            text_page_untrusted(page, TEXT_STYLE_DIM, group);
            at = begin + text_page_columns(group);
        }
        begin += width_of(layout, i, last);
        i = last;
    }
    if (any)
        text_page_add(page, TEXT_STYLE_PLAIN, "\n");
}

static void write_heads(struct text_page *page,
                        const struct table_layout *layout)
{
    const struct report_table *sheet = layout->sheet;

    write_groups(page, layout);
    text_page_pad(page, 0, layout->label);
    for (size_t i = layout->first; i < layout->end; i++)
        write_right(page, TEXT_STYLE_DIM, layout->widths[i] + GAP,
                    sheet->columns[i].name);
    text_page_add(page, TEXT_STYLE_PLAIN, "\n");
}

static void write_row(struct text_page *page, const struct table_layout *layout,
                      const struct report_table_row *row)
{
    const struct report_table *sheet = layout->sheet;

    if (row->heading) {
        text_page_untrusted(page, TEXT_STYLE_DIM, row->label);
        text_page_add(page, TEXT_STYLE_PLAIN, "\n");
        return;
    }
    text_page_pad(page, 0, INDENT);
    text_page_untrusted(page, TEXT_STYLE_PLAIN, row->label);
    text_page_pad(page, INDENT + text_page_columns(row->label), layout->label);
    for (size_t i = layout->first; i < layout->end; i++) {
        char text[REPORT_TABLE_TEXT_MAX];

        report_table_text(&row->cells[i], sheet->columns[i].form, layout->ascii,
                          text);
        write_right(page, TEXT_STYLE_PLAIN, layout->widths[i] + GAP, text);
    }
    text_page_add(page, TEXT_STYLE_PLAIN, "\n");
}

/*
 * The next columns: as many as fit, and at least one. Columns under one heading
 * are only separated if they alone are too wide.
 */
static bool next_columns(struct table_layout *layout, size_t width)
{
    const struct report_table *sheet = layout->sheet;
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

void report_text_sheet(struct text_page *page, const struct report_table *sheet)
{
    struct table_layout layout = {.sheet = sheet, .ascii = !page->unicode};

    layout.widths = mem_new(sheet->column_count + 1, sizeof(*layout.widths));
    lay_out(&layout);
    text_page_add(page, TEXT_STYLE_BOLD, sheet->title);
    text_page_add(page, TEXT_STYLE_PLAIN, "\n");
    while (next_columns(&layout, page->width)) {
        if (layout.first)
            text_page_add(page, TEXT_STYLE_PLAIN, "\n");
        write_heads(page, &layout);
        for (size_t i = 0; i < sheet->row_count; i++)
            write_row(page, &layout, &sheet->rows[i]);
    }
    if (sheet->note)
        text_page_wrap(page, 0, 0, sheet->note);
    free(layout.widths);
}

void report_text_damage(struct cli_context *cli,
                        const struct judged_runs *judged)
{
    for (size_t i = 0; i < judged->count; i++) {
        const struct judged_attempt *entry = &judged->entries[i];

        if (entry->damage)
            cli_message(cli, "%s/%s is in no rate: %s",
                        judged->runs[entry->run].folder, entry->folder,
                        entry->damage);
    }
    for (size_t i = 0; i < judged->run_count; i++) {
        const struct judged_run *run = &judged->runs[i];

        for (size_t k = 0; k < run->faults.count; k++)
            cli_message(cli, "%s/%s", run->folder, run->faults.items[k]);
    }
}
