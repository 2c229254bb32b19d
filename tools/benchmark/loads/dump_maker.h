/* UI dumps of any size, as uiautomator writes them. */
#ifndef TOOLS_BENCHMARK_LOADS_DUMP_MAKER_H
#define TOOLS_BENCHMARK_LOADS_DUMP_MAKER_H

#include "base/buf.h"

/* Append a dump of about count nodes: a list of rows with texts and icons. */
void dump_make(struct buf *dump, unsigned count);

#endif
