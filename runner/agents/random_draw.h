/* Random numbers of agents: the same seed and task give the same ones. */
#ifndef RUNNER_AGENTS_RANDOM_DRAW_H
#define RUNNER_AGENTS_RANDOM_DRAW_H

#include <stdint.h>

struct random_draw {
    uint64_t state;
};

/* The numbers depend on the task, not on the phone. */
void random_draw_start(struct random_draw *draw, uint64_t seed,
                       const char *task, int repeat);

/* A number from 0 to limit - 1. */
int random_draw_below(struct random_draw *draw, int limit);

#endif
