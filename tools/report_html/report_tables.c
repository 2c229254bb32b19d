#include <math.h>
#include <string.h>

#include "tools/report_html/html.h"
#include "tools/report_html/report_parts.h"

/* The number of columns under the heading of this one. */
static size_t span(const struct report_table *sheet, size_t column)
{
    const char *group = sheet->columns[column].group;
    size_t end = column + 1;

    while (group && end < sheet->column_count && sheet->columns[end].group &&
           !strcmp(sheet->columns[end].group, group))
        end++;
    return end - column;
}

static void heads(struct buf *html, const struct report_table *sheet)
{
    bool grouped = false;

    for (size_t i = 0; i < sheet->column_count; i++)
        grouped = grouped || sheet->columns[i].group;
    buf_text(html, "<thead>");
    if (grouped) {
        buf_text(html, "<tr><td></td>");
        for (size_t i = 0; i < sheet->column_count; i += span(sheet, i)) {
            const char *group = sheet->columns[i].group;

            buf_printf(html, "<th colspan=\"%zu\" scope=\"colgroup\">",
                       span(sheet, i));
            if (group) {
                buf_text(html, "<span>");
                html_text(html, group);
                buf_text(html, "</span>");
            }
            buf_text(html, "</th>");
        }
        buf_text(html, "</tr>");
    }
    buf_text(html, "<tr><th scope=\"col\">");
    html_text(html, sheet->label);
    buf_text(html, "</th>");
    for (size_t i = 0; i < sheet->column_count; i++) {
        bool first = i == 0 || span(sheet, i - 1) == 1;

        buf_printf(html, "<th scope=\"col\"%s>", first ? " class=\"g\"" : "");
        html_text(html, sheet->columns[i].name);
        buf_text(html, "</th>");
    }
    buf_text(html, "</tr></thead>");
}

static void cell(struct buf *html, const struct report_table *sheet,
                 const struct report_table_cell *value, size_t column)
{
    enum report_table_form form = sheet->columns[column].form;
    bool first = column == 0 || span(sheet, column - 1) == 1;
    bool missing = isnan(value->value) && !value->all;
    char text[REPORT_TABLE_TEXT_MAX];

    report_table_text(value, form, false, text);
    buf_printf(html, "<td class=\"%s%s%s\">", first ? "g " : "",
               missing ? "none " : "",
               form == REPORT_TABLE_RANGE ? "range" : "");
    if (form == REPORT_TABLE_RANGE)
        report_chart_rate(html, value);
    buf_printf(html, "<span>%s</span></td>", text);
}

static void row(struct buf *html, const struct report_table *sheet,
                const struct report_table_row *values)
{
    bool tasks = !strcmp(sheet->id, "task");

    if (values->heading) {
        buf_printf(html,
                   "<tr class=\"sort\"><th scope=\"rowgroup\" "
                   "colspan=\"%zu\">",
                   sheet->column_count + 1);
        html_text(html, values->label);
        buf_text(html, "</th></tr>");
        return;
    }
    buf_text(html, "<tr><th scope=\"row\">");
    if (tasks)
        buf_text(html, "<a href=\"#episodes\" class=\"pick\">");
    html_text(html, values->label);
    buf_text(html, tasks ? "</a></th>" : "</th>");
    for (size_t i = 0; i < sheet->column_count; i++)
        cell(html, sheet, &values->cells[i], i);
    buf_text(html, "</tr>");
}

void report_table(struct buf *html, const struct report_table *sheet)
{
    buf_printf(html,
               "<section class=\"card\" id=\"%s\"><h2>%s</h2>"
               "<div class=\"wide\" tabindex=\"0\" role=\"region\" "
               "aria-label=\"%s\"><table>",
               sheet->id, sheet->title, sheet->title);
    heads(html, sheet);
    buf_text(html, "<tbody>");
    for (size_t i = 0; i < sheet->row_count; i++)
        row(html, sheet, &sheet->rows[i]);
    buf_text(html, "</tbody></table></div>");
    if (sheet->note)
        buf_printf(html, "<p class=\"note\">%s</p>", sheet->note);
    buf_text(html, "</section>\n");
}
