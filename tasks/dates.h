/* Days, and how people write them. */
#ifndef TASKS_DATES_H
#define TASKS_DATES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

/* A day of the calendar that is in use. */
struct date {
    int year;
    int month; /* from 1 */
    int day;
};

/* A day that exists, such as 2026-11-16; false for anything else. */
MUST_USE bool date_parse(const char *text, struct date *date);

/* The day of a moment, in seconds since 1970, and the moment it begins. */
struct date date_of(int64_t seconds);
int64_t date_seconds(struct date date);

/*
 * So many units later: 'd'ays, 'w'eeks, 'm'onths or 'y'ears. A month that is
 * too short for the day gives its last one.
 */
struct date date_plus(struct date date, int count, char unit);

/*
 * Append it as the format says, as strftime would: %Y %y %m %d %B %b %A %a %%,
 * and %-m and %-d without a zero in front. NULL: 2026-11-16. Names are in
 * Chinese for a locale "zh…", otherwise in English. Fails with ERR_INVALID for
 * what it does not know.
 */
MUST_USE bool date_format(struct date date, const char *format,
                          const char *locale, struct buf *out, struct err *err);

#endif
