#include <math.h>

#include "base/macros.h"
#include "tools/report_html/report_parts.h"

void report_chart_rate(struct buf *html, const struct report_table_cell *cell)
{
    double value = 100 * cell->value;
    double low = 100 * cell->interval.low, high = 100 * cell->interval.high;

    if (isnan(value))
        return;
    buf_printf(html,
               "<svg class=\"bar\" viewBox=\"0 0 100 12\" "
               "preserveAspectRatio=\"none\" aria-hidden=\"true\">"
               "<rect class=\"track\" y=\"2\" width=\"100\" height=\"8\"/>"
               "<rect class=\"fill\" y=\"2\" width=\"%.2f\" height=\"8\"/>",
               value);
    if (!isnan(low))
        buf_printf(html,
                   "<rect class=\"span\" x=\"%.2f\" y=\"5.4\" width=\"%.2f\" "
                   "height=\"1.2\"/>"
                   "<rect class=\"span\" x=\"%.2f\" y=\"3\" width=\".7\" "
                   "height=\"6\"/>"
                   "<rect class=\"span\" x=\"%.2f\" y=\"3\" width=\".7\" "
                   "height=\"6\"/>",
                   low, high - low, fmin(low, 99.3), fmin(high, 99.3));
    buf_text(html, "</svg>");
}

void report_chart_outcomes(struct buf *html, const struct tally *tally)
{
    size_t all = tally_all(tally);
    double at = 0;

    if (!all)
        return;
    buf_text(html, "<svg class=\"stack\" viewBox=\"0 0 100 10\" "
                   "preserveAspectRatio=\"none\" aria-hidden=\"true\">");
    for (int i = 0; i < OUTCOMES; i++) {
        double width = 100 * (double)tally->outcomes[i] / (double)all;

        if (tally->outcomes[i])
            buf_printf(html,
                       "<rect class=\"o-%s\" x=\"%.3f\" width=\"%.3f\" "
                       "height=\"10\"/>",
                       outcome_name((enum outcome)i), at, width);
        at += width;
    }
    buf_text(html, "</svg>");
}
