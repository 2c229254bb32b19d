/* The parts of the report page. */
#ifndef TOOLS_REPORT_HTML_REPORT_PARTS_H
#define TOOLS_REPORT_HTML_REPORT_PARTS_H

#include "base/buf.h"
#include "judge/report/report_tables.h"
#include "tools/report_html/episode_data.h"
#include "tools/report_html/thumbnails.h"

/* ---- charts, drawn without any style, which the policy forbids ---- */

/* A rate as a bar, with its interval where it has one. */
void report_chart_rate(struct buf *html, const struct report_table_cell *cell);

/* The outcomes of a row's episodes, as one bar of several colours. */
void report_chart_outcomes(struct buf *html, const struct tally *tally);

/* ---- tables ---- */

void report_table(struct buf *html, const struct report_table *sheet);

/* ---- episodes ---- */

/* All attempts in the order of the page, with what is shown of them. */
struct report_episodes {
    const struct report *report; /* borrowed */
    size_t *order;               /* owned: indices of the attempts */
    struct episode_data *items;  /* owned: one per entry, by its index */
    struct thumbnails thumbnails;
    size_t shown; /* episodes with pictures */
};

/* Read every episode, and choose at most that many screens. */
void report_episodes_init(struct report_episodes *episode_list,
                          const struct report *report, size_t screens);
void report_episodes_release(struct report_episodes *episode_list);

/* A line of the list; place is its number on the page. */
void report_episode(struct buf *html,
                    const struct report_episodes *episode_list, size_t place);

/* The data that is shown when the line is opened. */
void report_episode_data(struct buf *html,
                         const struct report_episodes *episode_list,
                         size_t place);

#endif
