/* The function of a fuzz target, called by libFuzzer and by corpus_replay.c. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/*
 * Accept any bytes without crashing, hanging or violating a promise. Returns 0.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Must hold for any input; unlike assert, in every kind of build. */
static inline void fuzz_expect(bool held)
{
    if (!held)
        abort();
}

#endif
