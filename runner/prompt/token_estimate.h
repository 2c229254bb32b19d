/*
 * An upper bound of the tokens of an episode, computed before any request is
 * sent. Pictures are counted as the services document it. A byte of text counts
 * as one token: no tokenizer makes more.
 */
#ifndef RUNNER_PROMPT_TOKEN_ESTIMATE_H
#define RUNNER_PROMPT_TOKEN_ESTIMATE_H

#include "base/model.h"
#include "runner/agent.h"
#include "runner/prompt/profile.h"

/* Tokens of a picture of that size. */
int64_t token_estimate_picture(const char *service, struct extent size);

/*
 * Set the tokens of one attempt; the cost is unchanged. Both are -1 when the
 * profile does not limit the length of replies: then there is no upper bound.
 */
void token_estimate_episode(const struct profile *profile, const char *service,
                            const struct agent_estimate *episode,
                            struct model_usage *usage);

#endif
