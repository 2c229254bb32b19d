/*
 * Baseline judges that know only the gold, for comparison with the real ones.
 */
#ifndef TOOLS_METER_BASELINE_JUDGES_H
#define TOOLS_METER_BASELINE_JUDGES_H

#include "judge/evidence/episode_evidence.h"
#include "judge/verdict/verdict.h"

/* Does the last screen look like that of the gold? The steps do not matter. */
enum outcome baseline_judge_last_screen(const struct episode_evidence *evidence,
                                        const struct episode_evidence *gold);

/* Are all steps equal to those of the gold? */
enum outcome baseline_judge_same_steps(const struct episode_evidence *evidence,
                                       const struct episode_evidence *gold);

#endif
