#include "tests/support/fixtures.h"

#include <fts.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static bool ends_so(const FTSENT *entry, const char *ending)
{
    size_t length = strlen(ending);

    return entry->fts_info == FTS_F && entry->fts_namelen >= length &&
           !strcmp(entry->fts_name + entry->fts_namelen - length, ending);
}

static void add(struct fixtures *fixtures, const char *path)
{
    fixtures->paths = mem_resize(fixtures->paths, fixtures->count + 1,
                                 sizeof(*fixtures->paths));
    fixtures->paths[fixtures->count++] = mem_dup(path);
}

bool fixtures_find(struct fixtures *fixtures, const char *ending)
{
    char folder[] = FIXTURES_FOLDER;
    char *const folders[] = {folder, NULL};
    FTS *walk = fts_open(folders, FTS_LOGICAL | FTS_NOCHDIR, by_name);
    const FTSENT *entry;

    *fixtures = (struct fixtures){.paths = NULL};
    while (walk && (entry = fts_read(walk))) {
        if (ends_so(entry, ending))
            add(fixtures, entry->fts_path);
    }
    if (walk)
        fts_close(walk);
    return fixtures->count > 0;
}

void fixtures_release(struct fixtures *fixtures)
{
    for (size_t i = 0; i < fixtures->count; i++)
        free(fixtures->paths[i]);
    free(fixtures->paths);
}
