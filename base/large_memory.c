#include "base/large_memory.h"

#include <stdint.h>
#include <sys/mman.h>

/* The size of a huge page; if it is another one, normal pages are used. */
#define LARGE_PAGE ((size_t)2 << 20)

/* Whole huge pages: the system then aligns them. */
static size_t mapped_size(size_t size)
{
    return (size + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
}

void *large_memory_new(size_t size)
{
    void *pages;

    if (size > SIZE_MAX - LARGE_PAGE)
        return NULL;
    pages = mmap(NULL, mapped_size(size), PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        return NULL;
    (void)madvise(pages, mapped_size(size),
                  MADV_HUGEPAGE); /* or normal pages */
    return pages;
}

void large_memory_free(void *pages, size_t size)
{
    if (pages)
        (void)munmap(pages,
                     mapped_size(size)); /* cannot fail with these arguments */
}
