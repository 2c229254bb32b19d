/* The memory that the program uses, for tests of limits. */
#ifndef TESTS_SUPPORT_HEAP_H
#define TESTS_SUPPORT_HEAP_H

#include <stddef.h>

/* Bytes allocated and not freed; 0 if it is unknown (valgrind). */
size_t heap_in_use(void);

#endif
