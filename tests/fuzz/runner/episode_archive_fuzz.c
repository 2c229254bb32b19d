/* Archives of episodes, as a store gives them. */
#include "runner/store/episode_archive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char folder[] = "/tmp/proctor-archive-XXXXXX";
    char archive[64];
    char unpacked[64];
    struct err err;

    if (!mkdtemp(folder))
        abort();
    snprintf(archive, sizeof(archive), "%s/a.zip", folder);
    snprintf(unpacked, sizeof(unpacked), "%s/a", folder);
    if (file_save(archive, 0600, data, size, &err))
        (void)!episode_archive_unpack(archive, unpacked, &err);
    file_remove_tree(folder);
    return 0;
}
