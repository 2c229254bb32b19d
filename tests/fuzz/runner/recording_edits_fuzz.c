/* Edits of a recording: steps stay in bounds, and no crop leads elsewhere. */
#include <stdlib.h>
#include <string.h>

#include "runner/recording/recording_edit.h"
#include "tasks/trajectory/trajectory.h"
#include "tests/fuzz/fuzz.h"

static void check(const struct recording_edit *edit)
{
    const char *crop = edit->selector ? edit->selector->crop : NULL;
    struct cJSON *line = recording_edit_to_json(edit);

    if (edit->step < 0 || edit->step > TRAJECTORY_STEPS_MAX ||
        edit->from > edit->to ||
        (crop && (*crop == '/' || strstr(crop, "/../"))))
        abort();
    cJSON_Delete(line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct recording_edits edits;
    struct err err;

    if (!recording_edits_parse((const char *)data, size, &edits, &err))
        return 0;
    for (size_t i = 0; i < edits.count; i++)
        check(&edits.items[i]);
    recording_edits_release(&edits);
    return 0;
}
