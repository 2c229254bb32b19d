#include "tools/cli/command_line/completion.h"

#include <stddef.h>

const char *completion_source(enum option_completes completes)
{
    switch (completes) {
    case COMPLETE_NOTHING:
    case COMPLETE_FILE:
        break;
    case COMPLETE_DEVICE:
        return "proctor complete devices";
    case COMPLETE_RUN_DEVICE:
        return "proctor complete run-devices";
    case COMPLETE_AGENT:
        return "proctor complete agents";
    case COMPLETE_SUITE:
        return "proctor complete suites";
    case COMPLETE_TASK:
        return "proctor complete tasks";
    case COMPLETE_PROFILE:
        return "proctor complete profiles";
    }
    return NULL;
}

bool completion_has_files(enum option_completes completes)
{
    return completes == COMPLETE_FILE || completes == COMPLETE_SUITE ||
           completes == COMPLETE_PROFILE;
}
