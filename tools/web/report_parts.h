/* What the page of a report is put together from. */
#ifndef TOOLS_WEB_REPORT_PARTS_H
#define TOOLS_WEB_REPORT_PARTS_H

#include "base/buf.h"
#include "judge/report_sheets.h"
#include "tools/web/strip.h"
#include "tools/web/thumbs.h"

/* ---- charts, drawn without any style, which the policy forbids ---- */

/* A rate as a bar, with its interval where it has one. */
void report_chart_rate(struct buf *html, const struct sheet_cell *cell);

/* What became of a row's episodes, as one bar of several colours. */
void report_chart_outcomes(struct buf *html, const struct tally *tally);

/* ---- tables ---- */

void report_table(struct buf *html, const struct sheet *sheet);

/* ---- episodes ---- */

/* All attempts in the order of the page, and what is shown of them. */
struct report_reel {
    const struct report *report; /* borrowed */
    size_t *order;               /* owned: indices of the ledger's entries */
    struct strip *strips;        /* owned: one per entry, by its index */
    struct thumbs thumbs;
    size_t shown; /* episodes with pictures */
};

/* Read every episode, and choose at most so many screens of them. */
void report_reel_init(struct report_reel *reel, const struct report *report,
                      size_t screens);
void report_reel_release(struct report_reel *reel);

/* A line of the list; place is its number on the page. */
void report_episode(struct buf *html, const struct report_reel *reel,
                    size_t place);

/* What is shown when the line is opened. */
void report_episode_data(struct buf *html, const struct report_reel *reel,
                         size_t place);

#endif
