/* Calendar days, and their formatting. */
#ifndef TASKS_TASK_DATES_H
#define TASKS_TASK_DATES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

/* A day of the Gregorian calendar. */
struct date {
    int year;
    int month; /* from 1 */
    int day;
};

/* Parse a day such as 2026-11-16; false if it is invalid or does not exist. */
MUST_USE bool date_parse(const char *text, struct date *date);

/* The day of a time, in seconds since 1970, and the time it begins. */
struct date date_of(int64_t seconds);
int64_t date_seconds(struct date date);

/*
 * Add a number of units: 'd'ays, 'w'eeks, 'm'onths or 'y'ears. If the month is
 * too short for the day, the result is its last day.
 */
struct date date_plus(struct date date, int count, char unit);

/*
 * Append it in the format of strftime: %Y %y %m %d %B %b %A %a %%, and %-m and
 * %-d without leading zero. NULL: 2026-11-16. Names are in Chinese for a locale
 * "zh…", otherwise in English. Fails with ERR_INVALID for anything else.
 */
MUST_USE bool date_format(struct date date, const char *format,
                          const char *locale, struct buf *out, struct err *err);

#endif
