#include "judge/verdict/failure.h"

#include <string.h>

#include "base/name_table.h"

static const char *const names[FAILURE_CLASSES] = {
    [FAILURE_NONE] = "none",
    [FAILURE_MISSED] = "missed",
    [FAILURE_REPEATED] = "repeated",
    [FAILURE_FOCUSED] = "focused",
    [FAILURE_TYPED_TASK] = "typed_task",
    [FAILURE_NOT_COMPLETED] = "not_completed",
    [FAILURE_TOO_EARLY] = "too_early",
    [FAILURE_UNDONE] = "undone",
    [FAILURE_OUTSIDE] = "outside",
    [FAILURE_BLOCKED] = "blocked",
    [FAILURE_UNPARSED] = "unparsed",
    [FAILURE_BUDGET] = "budget",
    [FAILURE_GAVE_UP] = "gave_up",
    [FAILURE_WRONG] = "wrong",
};

const char *failure_class_name(enum failure_class class_)
{
    return names[class_];
}

bool failure_class_find(const char *name, enum failure_class *class_)
{
    size_t found = name_table_find(names, FAILURE_CLASSES, name);

    if (!strcmp(name, "never_said")) /* in verdicts of version 1 */
        found = FAILURE_NOT_COMPLETED;

    if (found < FAILURE_CLASSES)
        *class_ = (enum failure_class)found;
    return found < FAILURE_CLASSES;
}
