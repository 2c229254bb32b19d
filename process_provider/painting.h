/* Which node of a UI tree is painted over which. */
#ifndef PROCESS_PROVIDER_PAINTING_H
#define PROCESS_PROVIDER_PAINTING_H

#include <stdbool.h>
#include <stdint.h>

#include "process_provider/tree.h"

/*
 * All nodes of tree into painted, the topmost first. Only an ordered one has
 * nodes or windows that say so; otherwise the later lies on top.
 */
void painting_order(const struct tree *tree, bool ordered, uint32_t *painted);

#endif
