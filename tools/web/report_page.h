/*
 * A report as one page that opens from a file: the tables, and each episode
 * with its film strip, its words and its verdict. It asks nobody for anything,
 * and runs nothing but its own script.
 */
#ifndef TOOLS_WEB_REPORT_PAGE_H
#define TOOLS_WEB_REPORT_PAGE_H

#include "base/cancel.h"
#include "base/err.h"
#include "judge/report_sheets.h"

/* Which screens it holds. */
enum report_pictures {
    REPORT_PICTURES_SOME, /* as many as keep the page quick */
    REPORT_PICTURES_ALL,
    REPORT_PICTURES_NONE,
};

/* As many screens are some. */
#define REPORT_PICTURES_MAX 400

/*
 * Write the page to path, all of it or nothing. Fails as file_begin and
 * file_write do, and with ERR_CANCELLED. An episode that cannot be read says so
 * on the page.
 */
MUST_USE bool report_page_save(const struct report *report,
                               const struct report_sheets *sheets,
                               enum report_pictures pictures, const char *path,
                               const struct cancel *cancel, struct err *err);

#endif
