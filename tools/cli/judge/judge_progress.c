#include "tools/cli/judge/judge_progress.h"

#include <stdio.h>
#include <unistd.h>

#include "base/deadline.h"

#define DRAW_EVERY_NS 100000000 /* ten times a second */

void judge_progress_init(struct judge_progress *progress, bool wanted)
{
    *progress =
        (struct judge_progress){.shown = wanted && isatty(STDERR_FILENO)};
}

void judge_progress_show(struct judge_progress *progress, size_t finished,
                         size_t episodes, size_t steps)
{
    int64_t now = clock_ns();

    if (!progress->shown || finished == episodes ||
        (progress->drawn_ns && now - progress->drawn_ns < DRAW_EVERY_NS))
        return;
    progress->drawn_ns = now;
    progress->drawn = true;
    fprintf(stderr,
            "\r\033[Kjudging: %zu of %zu episode%s, %zu step%s described",
            finished, episodes, episodes == 1 ? "" : "s", steps,
            steps == 1 ? "" : "s");
}

void judge_progress_clear(struct judge_progress *progress)
{
    if (progress->drawn)
        fprintf(stderr, "\r\033[K");
    progress->drawn = false;
    progress->drawn_ns = 0;
}
