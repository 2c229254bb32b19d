#include "tasks/task/wording_style.h"

#include <stdlib.h>

#include "base/name_table.h"

const char *const wording_style_names[WORDING_STYLES] = {
    [WORDING_POLITE] = "polite",
    [WORDING_TERSE] = "terse",
    [WORDING_MISSPELT] = "misspelt",
    [WORDING_INDIRECT] = "indirect",
    [WORDING_CHATTY] = "chatty",
    [WORDING_IMPERATIVE] = "imperative",
    [WORDING_QUESTION] = "question",
    [WORDING_WITH_CONTEXT] = "with-context",
    [WORDING_OVER_SPECIFIED] = "over-specified",
    [WORDING_SPOKEN] = "spoken",
};

bool wording_style_find(const char *name, enum wording_style *style)
{
    size_t found = name_table_find(wording_style_names, WORDING_STYLES, name);
    char *end;
    long number = strtol(name, &end, 10);

    if (found == WORDING_STYLES && end != name && !*end && number >= 1 &&
        number <= WORDING_STYLES)
        found = (size_t)number - 1;
    if (found < WORDING_STYLES)
        *style = (enum wording_style)found;
    return found < WORDING_STYLES;
}
