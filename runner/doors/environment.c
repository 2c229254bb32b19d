#include "runner/doors/environment.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

void environment_add(struct program_environment *environment,
                     const char *format, ...)
{
    char *item = NULL;
    va_list values;

    va_start(values, format);
    if (vasprintf(&item, format, values) < 0)
        mem_out();
    va_end(values);
    environment->items =
        mem_resize(environment->items, environment->count + 2, sizeof(item));
    environment->items[environment->count++] = item;
    environment->items[environment->count] = NULL;
}

void environment_release(struct program_environment *environment)
{
    for (size_t i = 0; i < environment->count; i++)
        free(environment->items[i]);
    free(environment->items);
    *environment = (struct program_environment){.items = NULL};
}
