#include "tests/support/scratch_folder.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DESCRIPTORS 16

static const char template[] = "/tmp/proctor-test-XXXXXX";
static char folder[sizeof(template)];

int scratch_folder_enter(void **state)
{
    (void)state;
    memcpy(folder, template, sizeof(template));
    return !mkdtemp(folder) || chdir(folder) ||
           setenv("XDG_CACHE_HOME", folder, 1);
}

static int remove_one(const char *path, const struct stat *facts, int kind,
                      struct FTW *walk)
{
    (void)facts, (void)kind, (void)walk;
    return remove(path);
}

int scratch_folder_leave(void **state)
{
    (void)state;
    return chdir("/") ||
           nftw(folder, remove_one, DESCRIPTORS, FTW_DEPTH | FTW_PHYS);
}

const char *scratch_folder_path(void)
{
    return folder;
}
