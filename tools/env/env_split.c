#include "tools/env/env_split.h"

#include "base/name_table.h"

#define BLOCK 8U
#define TRAIN_PER_BLOCK (BLOCK - 1)

static const char *const names[ENV_SPLITS] = {
    [ENV_TRAIN] = "train",
    [ENV_TEST] = "test",
};

const char *env_split_name(enum env_split split)
{
    return names[split];
}

bool env_split_find(const char *name, enum env_split *split)
{
    size_t at = name_table_find(names, ENV_SPLITS, name);

    if (at == ENV_SPLITS)
        return false;
    *split = (enum env_split)at;
    return true;
}

/* The place of the test seed in a block: the finalizer of SplitMix64. */
static uint64_t test_place(uint64_t block)
{
    block += UINT64_C(0x9e3779b97f4a7c15);
    block = (block ^ block >> 30U) * UINT64_C(0xbf58476d1ce4e5b9);
    block = (block ^ block >> 27U) * UINT64_C(0x94d049bb133111eb);
    return (block ^ block >> 31U) % BLOCK;
}

enum env_split env_split_of(uint64_t seed)
{
    return seed % BLOCK == test_place(seed / BLOCK) ? ENV_TEST : ENV_TRAIN;
}

uint64_t env_split_seed(enum env_split split, uint64_t index)
{
    uint64_t block, place;

    if (split == ENV_TEST)
        return index * BLOCK + test_place(index);
    block = index / TRAIN_PER_BLOCK;
    place = index % TRAIN_PER_BLOCK;
    return block * BLOCK + place + (place >= test_place(block));
}
