/* Faults: a parsed list parses to the same after writing. */
#include "tools/phone/faults/fault.h"

#include <string.h>

#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct phone_fault faults[FAULTS_MAX];
    struct phone_fault again;
    struct buf text = BUF_INIT(4096);
    struct err err = ERR_INIT;
    size_t count;
    size_t one;

    if (!fault_parse((const char *)data, size, faults, FAULTS_MAX, &count,
                     &err)) {
        fuzz_expect(err.code == ERR_INVALID || err.code == ERR_LIMIT);
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        struct buf same = BUF_INIT(4096);

        buf_clear(&text);
        fault_format(&faults[i], &text);
        fuzz_expect(
            fault_parse(buf_cstr(&text), text.length, &again, 1, &one, &err) &&
            one == 1);
        fault_format(&again, &same);
        fuzz_expect(!strcmp(buf_cstr(&text), buf_cstr(&same)));
        buf_release(&same);
    }
    buf_release(&text);
    return 0;
}
