#include "tests/support/scratch.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define DESCRIPTORS 16

static char folder[] = "/tmp/proctor-test-XXXXXX";

int scratch_enter(void **state)
{
    (void)state;
    return !mkdtemp(folder) || chdir(folder) ||
           setenv("XDG_CACHE_HOME", folder, 1);
}

static int remove_one(const char *path, const struct stat *facts, int kind,
                      struct FTW *walk)
{
    (void)facts, (void)kind, (void)walk;
    return remove(path);
}

int scratch_leave(void **state)
{
    (void)state;
    return chdir("/") ||
           nftw(folder, remove_one, DESCRIPTORS, FTW_DEPTH | FTW_PHYS);
}

const char *scratch_path(void)
{
    return folder;
}
