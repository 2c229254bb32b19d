/*
 * Large memory for a moment, straight from the system and back to it: malloc
 * keeps for ever what it has given out twice. In large pages where the system
 * has them, which makes the first touch of ten megabytes three times as cheap.
 */
#ifndef BASE_PAGES_H
#define BASE_PAGES_H

#include <stddef.h>

/* Zeroed; NULL when there is no memory. */
void *pages_new(size_t size);

/* With the size they were made with. NULL is fine. */
void pages_free(void *pages, size_t size);

#endif
