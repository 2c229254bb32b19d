#include "runner/agents/random_draw.h"

/* FNV-1a. */
static uint64_t mix(uint64_t seed, const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ seed;

    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return hash;
}

void random_draw_start(struct random_draw *draw, uint64_t seed,
                       const char *task, int repeat)
{
    draw->state = mix(seed, task) + (uint64_t)repeat;
}

/* SplitMix64: works with every seed. */
int random_draw_below(struct random_draw *draw, int limit)
{
    uint64_t z = (draw->state += UINT64_C(0x9e3779b97f4a7c15));

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return (int)(z % (uint64_t)limit);
}
