/* A screen like those of phones: cards with icons and lines of small type. */
#ifndef TOOLS_BENCHMARK_LOADS_SCREEN_MAKER_H
#define TOOLS_BENCHMARK_LOADS_SCREEN_MAKER_H

#include <stdbool.h>

#include "base/err.h"
#include "base/picture/picture.h"

/* 1080 x 2400 pixels; with a sheet that has opened over an eighth of them. */
MUST_USE bool screen_make(struct picture *picture, bool sheet, struct err *err);

#endif
