/* Reads screens recorded by DroidBot: lists of views, converted to a dump. */
#ifndef TESTS_PROCESS_PROVIDER_DESCRIBE_DROIDBOT_H
#define TESTS_PROCESS_PROVIDER_DESCRIBE_DROIDBOT_H

#include "base/err.h"
#include "process_provider/tree/tree.h"

/* Read the tree of a DroidBot state (.json), or of a dump (other files). */
MUST_USE bool droidbot_or_dump_load(struct tree *tree, const char *path,
                                    struct err *err);

#endif
