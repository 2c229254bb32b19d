/* DroidBot keeps what it saw as lists of views: the same as a dump. */
#ifndef TESTS_PROCESS_DROIDBOT_H
#define TESTS_PROCESS_DROIDBOT_H

#include "base/buf.h"
#include "base/err.h"

/* Append the dump of a state that is in a file of JSON. */
MUST_USE bool droidbot_dump(const char *path, struct buf *xml, struct err *err);

#endif
