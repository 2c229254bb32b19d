#include "tests/support/heap.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
/* Functions of the sanitizers; Debian ships no header of them for gcc. */
size_t __sanitizer_get_current_allocated_bytes(void);

size_t heap_in_use(void)
{
    return __sanitizer_get_current_allocated_bytes();
}
#else
#include <malloc.h>

size_t heap_in_use(void)
{
    struct mallinfo2 info = mallinfo2();

    return info.uordblks + info.hblkhd;
}
#endif
