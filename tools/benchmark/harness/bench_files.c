#include "tools/benchmark/harness/bench_files.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"

/* size is a multiple of 8. */
static void fill_randomly(char *data, size_t size)
{
    uint64_t state = 1;

    for (size_t at = 0; at < size; at += sizeof(state)) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        memcpy(data + at, &state, sizeof(state));
    }
}

bool bench_files_make(const char *here, const char *device_root,
                      const char *there, size_t size, struct err *err)
{
    char *data = mem_new(size, 1);
    char path[PATH_MAX];
    bool fine;

    snprintf(path, sizeof(path), "%s%s", device_root, there);
    fill_randomly(data, size);
    fine = file_save(here, 0644, data, size, err) &&
           file_save(path, 0644, data, size, err);
    free(data);
    return fine;
}
