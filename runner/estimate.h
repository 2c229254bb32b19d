/*
 * What an episode may cost before anybody is asked: as services count tokens,
 * as far as they say.
 */
#ifndef RUNNER_ESTIMATE_H
#define RUNNER_ESTIMATE_H

#include "base/model.h"
#include "runner/coords.h"
#include "runner/profile.h"

/* Tokens of a picture of that size. */
int64_t estimate_picture(const char *service, struct extent size);

/* Tokens of an episode of so many steps; its cost is left alone. */
void estimate_episode(const struct profile *profile, const char *service,
                      struct extent screen, int steps,
                      struct model_usage *usage);

#endif
