/*
 * Noise: what happens on a phone beside the task, such as pop-ups and calls. It
 * makes a task harder and never impossible.
 */
#ifndef RUNNER_RUN_NOISE_H
#define RUNNER_RUN_NOISE_H

enum noise_level {
    NOISE_NONE,
    NOISE_LIGHT,
    NOISE_HEAVY,
    NOISE_LEVELS,
};

/* "none", "light", "heavy". */
const char *noise_level_name(enum noise_level level);

/* The faults of a built-in phone that are this noise; "": none. */
const char *noise_faults(enum noise_level level);

/* Steps that a task gets in addition, to deal with the noise. */
int noise_steps(enum noise_level level);

#endif
