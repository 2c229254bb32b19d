/* Files of data that are part of the program: prompts, and words for UIs. */
#ifndef JUDGE_DATA_H
#define JUDGE_DATA_H

#include "base/embedded.h"

extern const struct embedded judge_files; /* "prompts/state.txt" */

#endif
