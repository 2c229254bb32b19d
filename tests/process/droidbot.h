/* DroidBot keeps what it saw as lists of views: the same as a dump. */
#ifndef TESTS_PROCESS_DROIDBOT_H
#define TESTS_PROCESS_DROIDBOT_H

#include "base/err.h"
#include "process_provider/tree.h"

/* Read the tree of a state of DroidBot's (.json), or of a dump (all else). */
MUST_USE bool droidbot_or_dump_load(struct tree *tree, const char *path,
                                    struct err *err);

#endif
