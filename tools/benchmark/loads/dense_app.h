/* An app that fills the screen: 51 cards with two texts each. */
#ifndef TOOLS_BENCHMARK_LOADS_DENSE_APP_H
#define TOOLS_BENCHMARK_LOADS_DENSE_APP_H

#include "tools/phone/screen/app.h"

struct phone_app *dense_app_open(void);

#endif
