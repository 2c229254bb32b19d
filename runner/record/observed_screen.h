/* An observation (runner/observe/observer.h) as a screen for the recorder. */
#ifndef RUNNER_RECORD_OBSERVED_SCREEN_H
#define RUNNER_RECORD_OBSERVED_SCREEN_H

#include "runner/observe/observer.h"
#include "runner/record/record_phone.h"

/* Copy it into screen, which is initialized. */
void observed_screen_set(struct record_screen *screen,
                         const struct observation *seen, int64_t at_ms);

#endif
