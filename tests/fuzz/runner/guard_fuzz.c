/* A guard list, and a name to compare with it. */
#include "runner/episode/guard.h"

#include <assert.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct guard *guard = NULL;
    struct err err = ERR_INIT;
    const char *word = NULL;

    if (!guard_parse((const char *)data, size, NULL, 0, &guard, &err)) {
        assert(err.code != ERR_NONE && *err.text);
        return 0;
    }
    if (guard_finds_word(guard, "Pay 12 now", &word))
        assert(strcasestr("Pay 12 now", word));
    guard_close(guard);
    return 0;
}
