/*
 * Judges that know nothing but the gold: what a real one must beat, as they
 * cost nothing to have.
 */
#ifndef METER_BASELINE_H
#define METER_BASELINE_H

#include "judge/dossier.h"
#include "judge/verdict.h"

/* Does the last screen look as the gold's? The way there does not matter. */
enum outcome baseline_last_screen(const struct dossier *dossier,
                                  const struct dossier *gold);

/* Was just that done which the gold does, step by step? */
enum outcome baseline_same_steps(const struct dossier *dossier,
                                 const struct dossier *gold);

#endif
