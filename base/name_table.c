#include "base/name_table.h"

#include <string.h>

size_t name_table_find(const char *const *names, size_t count, const char *name)
{
    size_t i = 0;

    while (i < count && strcmp(names[i], name) != 0)
        i++;
    return i;
}
