/* The one function of a fuzz target, called by libFuzzer and by replay.c. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Take any bytes without crashing, hanging or breaking a promise. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What must hold for any input; unlike assert, in every kind of build. */
static inline void fuzz_expect(bool held)
{
    if (!held)
        abort();
}

#endif
