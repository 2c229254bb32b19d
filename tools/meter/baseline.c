#include "tools/meter/baseline.h"

#include <string.h>

#include "runner/find.h"

#define LOOKS_THE_SAME 0.95

enum outcome baseline_last_screen(const struct dossier *dossier,
                                  const struct dossier *gold)
{
    if (!dossier->last || !gold->last)
        return OUTCOME_UNSCORED;
    return find_similarity(gold->last, dossier->last) >= LOOKS_THE_SAME
               ? OUTCOME_SUCCESS
               : OUTCOME_FAILURE;
}

enum outcome baseline_same_steps(const struct dossier *dossier,
                                 const struct dossier *gold)
{
    if (dossier->count != gold->count)
        return OUTCOME_FAILURE;
    for (size_t i = 0; i < gold->count; i++) {
        if (strcmp(dossier->steps[i].words, gold->steps[i].words) != 0)
            return OUTCOME_FAILURE;
    }
    return OUTCOME_SUCCESS;
}
