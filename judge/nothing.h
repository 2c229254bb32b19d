/* Steps that nothing came of. */
#ifndef JUDGE_NOTHING_H
#define JUDGE_NOTHING_H

#include <stdbool.h>

#include "judge/dossier.h"

/*
 * Are the screens before and after the same, as far as the trees tell? False
 * where either is not known.
 */
bool nothing_came_of(const struct dossier_step *step);

#endif
