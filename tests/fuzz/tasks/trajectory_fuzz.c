/* Events of an episode: no file name leads to another folder. */
#include <stdlib.h>
#include <string.h>

#include "tasks/trajectory/trajectory.h"
#include "tests/fuzz/fuzz.h"

static void check_name(const struct trajectory_file *file, const char *prefix)
{
    if (file->file[0] && (strncmp(file->file, prefix, strlen(prefix)) != 0 ||
                          strstr(file->file, "..")))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct trajectory read;
    struct err err;

    if (!trajectory_parse((const char *)data, size, "nowhere", &read, &err))
        return 0;
    for (size_t i = 0; i < read.count; i++) {
        check_name(&read.steps[i].screen, "screens/");
        check_name(&read.steps[i].tree, "trees/");
    }
    trajectory_release(&read);
    return 0;
}
