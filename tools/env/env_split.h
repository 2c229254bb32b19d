/*
 * Seeds for training and for testing, which never overlap.
 *
 * Of each block of eight consecutive seeds, one is a test seed and seven are
 * training seeds; which one is chosen by a hash of the block's number. So the
 * split of a seed never changes, and the n-th seed of a split is computed.
 */
#ifndef TOOLS_ENV_ENV_SPLIT_H
#define TOOLS_ENV_ENV_SPLIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/macros.h"

enum env_split {
    ENV_TRAIN,
    ENV_TEST,
    ENV_SPLITS,
};

/* Seeds are integers that JSON can hold exactly. */
#define ENV_SEED_MAX INT64_C(9007199254740991)

/* The largest index whose seed is within ENV_SEED_MAX in both splits. */
#define ENV_INDEX_MAX (ENV_SEED_MAX / 8 - 1)

/* "train", "test". */
const char *env_split_name(enum env_split split);
MUST_USE bool env_split_find(const char *name, enum env_split *split);

enum env_split env_split_of(uint64_t seed);

/* The seed with this index, from 0, of a split. */
uint64_t env_split_seed(enum env_split split, uint64_t index);

#endif
