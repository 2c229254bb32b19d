#include "base/embedded.h"

#include <assert.h>
#include <string.h>

const struct embedded_file *embedded_find(const struct embedded *embedded,
                                          const char *name)
{
    for (size_t i = 0; i < embedded->count; i++) {
        if (!strcmp(embedded->files[i].name, name))
            return &embedded->files[i];
    }
    return NULL;
}

const struct embedded_file *embedded_get(const struct embedded *embedded,
                                         const char *name)
{
    const struct embedded_file *file = embedded_find(embedded, name);

    assert(file && "every name is that of a file");
    return file;
}
