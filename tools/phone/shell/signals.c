#include "tools/phone/shell/signals.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[SIGNALS_COUNT] = {
    "EXIT",   "HUP",  "INT",    "QUIT", "ILL",   "TRAP", "ABRT", "BUS",
    "FPE",    "KILL", "USR1",   "SEGV", "USR2",  "PIPE", "ALRM", "TERM",
    "STKFLT", "CHLD", "CONT",   "STOP", "TSTP",  "TTIN", "TTOU", "URG",
    "XCPU",   "XFSZ", "VTALRM", "PROF", "WINCH", "IO",   "PWR",  "SYS",
};

const char *signals_name(int number)
{
    return number >= 0 && number < SIGNALS_COUNT ? names[number] : "UNKNOWN";
}

bool signals_find(const char *text, int *number)
{
    char *end;
    long value = strtol(text, &end, 10);

    if (end != text && !*end) {
        if (value < 0 || value >= SIGNALS_COUNT)
            return false;
        *number = (int)value;
        return true;
    }
    if (!strncasecmp(text, "SIG", 3))
        text += 3;
    for (int i = 0; i < SIGNALS_COUNT; i++) {
        if (!strcasecmp(names[i], text)) {
            *number = i;
            return true;
        }
    }
    return false;
}

bool signals_ends(int number)
{
    static const char *const others[] = {"EXIT", "CHLD", "CONT", "STOP", "TSTP",
                                         "TTIN", "TTOU", "URG",  "WINCH"};

    for (size_t i = 0; i < ARRAY_LEN(others); i++) {
        if (!strcmp(signals_name(number), others[i]))
            return false;
    }
    return true;
}
