#include "tools/meter/baseline_judges.h"

#include <string.h>

#include "runner/observe/selector_find.h"

#define LOOKS_THE_SAME 0.95

enum outcome baseline_judge_last_screen(const struct episode_evidence *evidence,
                                        const struct episode_evidence *gold)
{
    if (!evidence->last || !gold->last)
        return OUTCOME_UNSCORED;
    return selector_screen_similarity(gold->last, evidence->last) >=
                   LOOKS_THE_SAME
               ? OUTCOME_SUCCESS
               : OUTCOME_FAILURE;
}

enum outcome baseline_judge_same_steps(const struct episode_evidence *evidence,
                                       const struct episode_evidence *gold)
{
    if (evidence->count != gold->count)
        return OUTCOME_FAILURE;
    for (size_t i = 0; i < gold->count; i++) {
        if (strcmp(evidence->steps[i].description,
                   gold->steps[i].description) != 0)
            return OUTCOME_FAILURE;
    }
    return OUTCOME_SUCCESS;
}
