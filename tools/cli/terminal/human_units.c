#include "tools/cli/terminal/human_units.h"

#include <stdio.h>

#include "base/macros.h"

void human_units_size(double bytes, char text[HUMAN_UNITS_MAX])
{
    static const char *const names[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    size_t unit = 0;

    /* 1023.95 would be written as 1024.0. */
    while (unit + 1 < ARRAY_LEN(names) && bytes >= 1023.95) {
        bytes /= 1024;
        unit++;
    }
    snprintf(text, HUMAN_UNITS_MAX, unit ? "%.1f %s" : "%.0f %s", bytes,
             names[unit]);
}

void human_units_time(double seconds, char text[HUMAN_UNITS_MAX])
{
    long long whole = (long long)(seconds + 0.5);

    if (seconds < 9.995)
        snprintf(text, HUMAN_UNITS_MAX, "%.2f s", seconds);
    else if (seconds < 59.95)
        snprintf(text, HUMAN_UNITS_MAX, "%.1f s", seconds);
    else if (whole < 3600)
        snprintf(text, HUMAN_UNITS_MAX, "%lld:%02lld", whole / 60, whole % 60);
    else
        snprintf(text, HUMAN_UNITS_MAX, "%lld:%02lld:%02lld", whole / 3600,
                 whole / 60 % 60, whole % 60);
}
