#include "tools/phone/core/date_text.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const days[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                   "Thursday", "Friday", "Saturday"};
static const char *const months[] = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December"};

static const char *composed(char letter)
{
    switch (letter) {
    case 'F':
        return "%Y-%m-%d";
    case 'T':
        return "%H:%M:%S";
    case 'R':
        return "%H:%M";
    case 'D':
        return "%m/%d/%y";
    case 'c':
        return "%a %b %e %H:%M:%S %Y";
    case 'r':
        return "%I:%M:%S %p";
    default:
        return NULL;
    }
}

static void put_name(const struct tm *tm, char letter, struct buf *text)
{
    switch (letter) {
    case 'a':
        buf_printf(text, "%.3s", days[tm->tm_wday]);
        break;
    case 'A':
        buf_text(text, days[tm->tm_wday]);
        break;
    case 'b':
    case 'h':
        buf_printf(text, "%.3s", months[tm->tm_mon]);
        break;
    case 'B':
        buf_text(text, months[tm->tm_mon]);
        break;
    case 'p':
        buf_text(text, tm->tm_hour < 12 ? "AM" : "PM");
        break;
    case 'Z':
        buf_text(text, "GMT");
        break;
    case 'z':
        buf_text(text, "+0000");
        break;
    case 'n':
        buf_byte(text, '\n');
        break;
    case 't':
        buf_byte(text, '\t');
        break;
    case '%':
        buf_byte(text, '%');
        break;
    default:
        buf_printf(text, "%%%c", letter);
        break;
    }
}

/* A number with that many digits. */
static void put_number(const struct tm *tm, int64_t time, char letter,
                       struct buf *text)
{
    switch (letter) {
    case 'Y':
        buf_printf(text, "%d", tm->tm_year + 1900);
        break;
    case 'y':
        buf_printf(text, "%02d", tm->tm_year % 100);
        break;
    case 'm':
        buf_printf(text, "%02d", tm->tm_mon + 1);
        break;
    case 'd':
        buf_printf(text, "%02d", tm->tm_mday);
        break;
    case 'e':
        buf_printf(text, "%2d", tm->tm_mday);
        break;
    case 'j':
        buf_printf(text, "%03d", tm->tm_yday + 1);
        break;
    case 'H':
        buf_printf(text, "%02d", tm->tm_hour);
        break;
    case 'I':
        buf_printf(text, "%02d", (tm->tm_hour + 11) % 12 + 1);
        break;
    case 'M':
        buf_printf(text, "%02d", tm->tm_min);
        break;
    case 'S':
        buf_printf(text, "%02d", tm->tm_sec);
        break;
    case 'u':
        buf_printf(text, "%d", (tm->tm_wday + 6) % 7 + 1);
        break;
    case 's':
        buf_printf(text, "%lld", (long long)(time / PHONE_SECOND));
        break;
    case 'N':
        buf_printf(text, "%09lld", (long long)(time % PHONE_SECOND));
        break;
    default:
        put_name(tm, letter, text);
        break;
    }
}

/* The first digits of the fraction of a second. */
static void put_fraction(int64_t time, int digits, struct buf *text)
{
    char all[16];

    snprintf(all, sizeof(all), "%09lld", (long long)(time % PHONE_SECOND));
    buf_append(text, all, (size_t)digits);
}

void date_text_format(int64_t time, const char *format, struct buf *text)
{
    time_t seconds = (time_t)(time / PHONE_SECOND);
    struct tm tm = {.tm_year = 70};

    (void)gmtime_r(&seconds, &tm);
    for (; *format; format++) {
        if (*format != '%' || !format[1]) {
            buf_byte(text, *format);
            continue;
        }
        format++;
        if (*format >= '1' && *format <= '9' && format[1] == 'N') {
            put_fraction(time, *format - '0', text);
            format++;
        } else if (composed(*format))
            date_text_format(time, composed(*format), text);
        else
            put_number(&tm, time, *format, text);
    }
}

bool dates_duration(const char *text, int64_t *nanoseconds)
{
    static const char units[] = "smhd";
    static const int64_t seconds[] = {1, 60, 3600, 86400};
    const char *unit;
    char *end;
    double value = strtod(text, &end);

    unit = *end ? strchr(units, *end) : units;
    if (end == text || !unit || (*end && end[1]) || !(value >= 0))
        return false;
    value *= (double)(seconds[unit - units] * PHONE_SECOND);
    *nanoseconds = value < (double)DATES_DURATION_MAX ? (int64_t)value
                                                      : DATES_DURATION_MAX;
    return true;
}
