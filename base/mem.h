/* For small allocations: running out of memory aborts the program. */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>
#include <stdnoreturn.h>

/* Report that memory is exhausted, and abort. */
noreturn void mem_out(void);

/* Zeroed memory for count elements; never NULL. Free with free(). */
void *mem_new(size_t count, size_t size);

/* As realloc, for count elements; never NULL. */
void *mem_resize(void *old, size_t count, size_t size);

/* Copies of text; never NULL. */
char *mem_dup(const char *text);
char *mem_dup_n(const char *text, size_t length);

#endif
