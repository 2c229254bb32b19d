#include "tools/web/web_files.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

const struct web_file *web_file_find(const char *name)
{
    for (size_t i = 0; i < web_files_count; i++) {
        if (!strcmp(web_files[i].name, name))
            return &web_files[i];
    }
    assert(false && "a file of that name");
    return &web_files[0];
}
