#include "tests/process_provider/describe/screen_files.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/macros.h"
#include "base/picture/picture_file.h"

/* path with the last part that is from, if any, replaced by to. */
static void replace(const char *path, const char *from, const char *to,
                    char changed[PATH_MAX])
{
    const char *found = NULL;

    for (const char *at = path; (at = strstr(at, from)); at++)
        found = at;
    if (found)
        snprintf(changed, PATH_MAX, "%.*s%s%s", (int)(found - path), path, to,
                 found + strlen(from));
    else
        snprintf(changed, PATH_MAX, "%s", path);
}

bool screen_load_beside(const char *path, struct picture *picture)
{
    /*
     * Names that recorders give to a tree and its picture, in two parts at
     * most.
     */
    static const char *const ways[][4] = {
        {".xml", ".png", "/xmls/", "/screenshots/"},
        {".xml", ".jpg", "/xmls/", "/screenshots/"},
        {".json", ".png", "/state_", "/screen_"},
    };

    struct err err;

    for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
        char once[PATH_MAX];
        char twice[PATH_MAX];

        replace(path, ways[i][0], ways[i][1], once);
        replace(once, ways[i][2], ways[i][3], twice);
        if (strcmp(once, path) != 0 && picture_file_load(twice, picture, &err))
            return true;
    }
    return false;
}
