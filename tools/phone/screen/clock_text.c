#include "tools/phone/screen/clock_text.h"

#include <stdio.h>
#include <time.h>

#include "tools/phone/core/clock.h"

static struct tm parts_of(int64_t now)
{
    time_t seconds = (time_t)(now / PHONE_SECOND);
    struct tm parts = {0};

    gmtime_r(&seconds, &parts);
    return parts;
}

void clock_text_time(int64_t now, enum phone_locale locale, char *text,
                     size_t size)
{
    struct tm parts = parts_of(now);

    if (locale == LOCALE_ZH)
        snprintf(text, size, "%02d:%02d", parts.tm_hour, parts.tm_min);
    else
        snprintf(text, size, "%d:%02d", (parts.tm_hour + 11) % 12 + 1,
                 parts.tm_min);
}

void clock_text_date(int64_t now, enum phone_locale locale, char *text,
                     size_t size)
{
    static const char *const days[2][7] = {
        {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"},
        {"日", "一", "二", "三", "四", "五", "六"},
    };
    static const char *const months[12] = {"Jan", "Feb", "Mar", "Apr",
                                           "May", "Jun", "Jul", "Aug",
                                           "Sep", "Oct", "Nov", "Dec"};
    struct tm parts = parts_of(now);
    const char *day = days[locale == LOCALE_ZH][parts.tm_wday];

    if (locale == LOCALE_ZH)
        snprintf(text, size, "%d月%d日周%s", parts.tm_mon + 1, parts.tm_mday,
                 day);
    else
        snprintf(text, size, "%s, %s %d", day, months[parts.tm_mon],
                 parts.tm_mday);
}
