#include "base/path_parts.h"

#include <string.h>

#include "base/mem.h"

char *path_folder(const char *path)
{
    const char *slash = strrchr(path, '/');

    if (!slash)
        return mem_dup(".");
    return mem_dup_n(path, slash == path ? 1 : (size_t)(slash - path));
}

char *path_name(const char *path)
{
    size_t end = strlen(path);
    size_t start;

    while (end > 1 && path[end - 1] == '/')
        end--;
    start = end;
    while (start > 0 && path[start - 1] != '/')
        start--;
    return mem_dup_n(path + start, end - start);
}
