/* An app that fills the screen: 51 cards with two texts each. */
#ifndef TOOLS_BENCHMARK_DENSE_APP_H
#define TOOLS_BENCHMARK_DENSE_APP_H

#include "tools/phone/app.h"

struct app *dense_app_open(void);

#endif
