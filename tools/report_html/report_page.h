/*
 * A report as one HTML file that opens from disk: the tables, and each episode
 * with its screenshots, descriptions and verdict. It makes no network requests,
 * and runs only its own script.
 */
#ifndef TOOLS_REPORT_HTML_REPORT_PAGE_H
#define TOOLS_REPORT_HTML_REPORT_PAGE_H

#include "base/cancel.h"
#include "base/err.h"
#include "judge/report/report_tables.h"

/* Which screens are embedded. */
enum report_pictures {
    REPORT_PICTURES_SOME, /* as many as keep the page quick */
    REPORT_PICTURES_ALL,
    REPORT_PICTURES_NONE,
};

/* The limit for "some". */
#define REPORT_PICTURES_MAX 400

/*
 * Write the page to path, atomically. Fails as file_begin and file_write do,
 * and with ERR_CANCELLED. An episode that cannot be read is marked on the page.
 */
MUST_USE bool report_page_save(const struct report *report,
                               const struct report_tables *sheets,
                               enum report_pictures pictures, const char *path,
                               const struct cancel *cancel, struct err *err);

#endif
