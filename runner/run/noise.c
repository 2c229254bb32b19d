#include "runner/run/noise.h"

/* With a screenshot: it is seen before the next action. */
#define SEEN "service=*screencap"

/* A tap may take effect late, but before the screen counts as settled. */
#define TAP "service=input tap"

/*
 * Each event comes at most once, so that the additional steps suffice: one to
 * close each window, and one to look again after each turn or slow screen.
 */
static const struct noise {
    const char *name;
    const char *faults;
    int steps;
} levels[NOISE_LEVELS] = {
    [NOISE_NONE] = {"none", "", 0},
    [NOISE_LIGHT] = {"light",
                     "popup:" SEEN ",skip=1,chance=0.25,times=1;"
                     "battery:" SEEN ",skip=3,chance=0.2,times=1;"
                     "slow:" TAP ",chance=0.2,ms=900,times=2",
                     5},
    [NOISE_HEAVY] = {"heavy",
                     "popup:" SEEN ",chance=0.4,times=1;"
                     "battery:" SEEN ",skip=1,chance=0.4,times=1;"
                     "call:" SEEN ",skip=2,chance=0.4,times=1;"
                     "permission:" SEEN ",skip=2,chance=0.3,times=1;"
                     "update:" SEEN ",skip=3,chance=0.4,times=1;"
                     "rotate:" SEEN ",skip=6,times=1;"
                     "rotate:" SEEN ",skip=10,times=1,turns=3;"
                     "slow:" TAP ",chance=0.4,ms=900,times=4",
                     12},
};

const char *noise_level_name(enum noise_level level)
{
    return levels[level].name;
}

const char *noise_faults(enum noise_level level)
{
    return levels[level].faults;
}

int noise_steps(enum noise_level level)
{
    return levels[level].steps;
}
