/* Data files embedded in the program: prompts, and words of user interfaces. */
#ifndef JUDGE_DATA_JUDGE_DATA_H
#define JUDGE_DATA_JUDGE_DATA_H

#include "base/embedded.h"

extern const struct embedded judge_files; /* "data/prompts/state.txt" */

#endif
