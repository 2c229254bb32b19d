/* Redaction: a serial is never in the output, whatever surrounds it. */
#include "tools/device_checks/redactor.h"

#include <string.h>

#include "tests/fuzz/fuzz.h"

#define SERIAL "R58M12ABCDE"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct redactor redactor = REDACTOR_INIT;
    struct buf text = BUF_INIT(SIZE_MAX / 2);
    struct buf clean = BUF_INIT(SIZE_MAX / 2);
    size_t half = size / 2;

    redactor_know_serial(&redactor, SERIAL);
    buf_append(&text, data, half);
    buf_text(&text, SERIAL);
    buf_append(&text, data + half, size - half);
    redactor_apply(&redactor, text.data, text.length, &clean);
    fuzz_expect(!memmem(clean.data, clean.length, SERIAL, sizeof(SERIAL) - 1));
    buf_release(&text);
    buf_release(&clean);
    redactor_release(&redactor);
    return 0;
}
