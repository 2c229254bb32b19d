/*
 * How far judging is: one line on a terminal, drawn again and again. Nothing
 * is drawn where standard error is no terminal.
 */
#ifndef TOOLS_CLI_JUDGE_JUDGE_PROGRESS_H
#define TOOLS_CLI_JUDGE_JUDGE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct judge_progress {
    bool shown; /* there is a terminal */
    bool drawn; /* a line is on the terminal now */
    int64_t drawn_ns;
};

void judge_progress_init(struct judge_progress *progress, bool wanted);

/* Draw "judging: 3 of 20 episodes, 412 steps described", now and then. */
void judge_progress_show(struct judge_progress *progress, size_t finished,
                         size_t episodes, size_t steps);

/* Take the line away. */
void judge_progress_clear(struct judge_progress *progress);

#endif
