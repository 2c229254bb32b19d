#include "tasks/task/dates.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DAY_SECONDS 86400

static const char *const months[] = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December",
};
static const char *const days[] = {
    "Sunday",   "Monday", "Tuesday",  "Wednesday",
    "Thursday", "Friday", "Saturday",
};
static const char *const days_zh[] = {
    "日", "一", "二", "三", "四", "五", "六",
};

static bool is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_in(int year, int month)
{
    static const int lengths[] = {31, 28, 31, 30, 31, 30,
                                  31, 31, 30, 31, 30, 31};

    return lengths[month - 1] + (month == 2 && is_leap(year));
}

bool date_parse(const char *text, struct date *date)
{
    static const char form[] = "dddd-dd-dd";
    struct date read;

    if (strlen(text) != strlen(form))
        return false;
    for (size_t i = 0; form[i]; i++) {
        if (form[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != '-')
            return false;
    }
    read.year = (int)strtol(text, NULL, 10);
    read.month = (int)strtol(text + 5, NULL, 10);
    read.day = (int)strtol(text + 8, NULL, 10);
    if (read.month < 1 || read.month > 12 || read.day < 1 ||
        read.day > days_in(read.year, read.month))
        return false;
    *date = read;
    return true;
}

/* Days since 1970-01-01: Howard Hinnant's days_from_civil. */
static int64_t number_of(struct date date)
{
    int64_t year = date.month <= 2 ? date.year - 1 : date.year;
    int64_t era = (year >= 0 ? year : year - 399) / 400;
    int64_t of_era = year - era * 400;
    int64_t month = (date.month + 9) % 12;
    int64_t of_year = (153 * month + 2) / 5 + date.day - 1;

    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year -
           719468;
}

/* The other way: civil_from_days. */
static struct date date_at(int64_t number)
{
    int64_t shifted = number + 719468;
    int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
    int64_t of_era = shifted - era * 146097;
    int64_t year =
        (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
    int64_t month = (5 * of_year + 2) / 153;
    int64_t plain = month < 10 ? month + 3 : month - 9;

    return (struct date){
        .year = (int)(year + era * 400 + (plain <= 2)),
        .month = (int)plain,
        .day = (int)(of_year - (153 * month + 2) / 5 + 1),
    };
}

struct date date_of(int64_t seconds)
{
    int64_t number = seconds / DAY_SECONDS - (seconds % DAY_SECONDS < 0);

    return date_at(number);
}

int64_t date_seconds(struct date date)
{
    return number_of(date) * DAY_SECONDS;
}

struct date date_plus(struct date date, int count, char unit)
{
    int month;
    int most;

    if (unit == 'd' || unit == 'w')
        return date_at(number_of(date) +
                       (int64_t)count * (unit == 'w' ? 7 : 1));
    month = date.year * 12 + date.month - 1 + count * (unit == 'y' ? 12 : 1);
    date.year = month / 12;
    date.month = month % 12 + 1;
    most = days_in(date.year, date.month);
    date.day = date.day < most ? date.day : most;
    return date;
}

/* ---- formats ---- */

static void put_weekday(struct date date, bool whole, bool chinese,
                        struct buf *out)
{
    /* The first of January 1970 was a Thursday. */
    int day = (int)(((number_of(date) + 4) % 7 + 7) % 7);

    if (chinese)
        buf_printf(out, "%s%s", whole ? "星期" : "周", days_zh[day]);
    else
        buf_printf(out, "%.*s", whole ? 9 : 3, days[day]);
}

static void put_month(struct date date, bool whole, bool chinese,
                      struct buf *out)
{
    if (chinese)
        buf_printf(out, "%d月", date.month);
    else
        buf_printf(out, "%.*s", whole ? 9 : 3, months[date.month - 1]);
}

/* One of the letters after a %; false for another. */
static bool put_field(struct date date, char letter, bool bare, bool chinese,
                      struct buf *out)
{
    int width = bare ? 1 : 2;

    if (bare && letter != 'm' && letter != 'd')
        return false;
    switch (letter) {
    case 'Y':
        buf_printf(out, "%04d", date.year);
        return true;
    case 'y':
        buf_printf(out, "%02d", date.year % 100);
        return true;
    case 'm':
        buf_printf(out, "%0*d", width, date.month);
        return true;
    case 'd':
        buf_printf(out, "%0*d", width, date.day);
        return true;
    case 'B':
    case 'b':
        put_month(date, letter == 'B', chinese, out);
        return true;
    case 'A':
    case 'a':
        put_weekday(date, letter == 'A', chinese, out);
        return true;
    case '%':
        buf_byte(out, '%');
        return true;
    default:
        return false;
    }
}

bool date_format(struct date date, const char *format, const char *locale,
                 struct buf *out, struct err *err)
{
    bool chinese = locale && !strncmp(locale, "zh", 2);
    size_t before = out->length;

    for (const char *at = format ? format : "%Y-%m-%d"; *at; at++) {
        bool bare = at[0] == '%' && at[1] == '-';

        if (*at != '%') {
            buf_byte(out, *at);
            continue;
        }
        at += bare ? 2 : 1;
        if (!*at || !put_field(date, *at, bare, chinese, out)) {
            buf_truncate(out, before);
            return err_set(err, ERR_INVALID,
                           "a date has no %%%s%c; there are %%Y %%y %%m %%d "
                           "%%B %%b %%A %%a",
                           bare ? "-" : "", *at ? *at : ' ');
        }
    }
    return true;
}
