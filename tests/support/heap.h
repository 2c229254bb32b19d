/* How much memory the program holds, for tests of stated limits. */
#ifndef TESTS_SUPPORT_HEAP_H
#define TESTS_SUPPORT_HEAP_H

#include <stddef.h>

/* Bytes allocated and not freed; 0 where nobody counts (valgrind). */
size_t heap_in_use(void);

#endif
