/*
 * Output of shell v1, in reads of any size: the status line is found at the
 * end, and none of its bytes is output. The conversion of a terminal is
 * reversed exactly.
 */
#include <stdlib.h>
#include <string.h>

#include "adb/services/pty_stream.h"
#include "adb/services/shell_status.h"
#include "base/buf.h"
#include "tests/fuzz/fuzz.h"

/* The number of bytes output after length bytes have arrived. */
static size_t passed_on(const char *text, size_t length)
{
    size_t held = shell_status_held(text, length);

    fuzz_expect(held <= length && held <= SHELL_STATUS_MAX);
    return length - held;
}

static void check_status(const char *text, size_t size, size_t step)
{
    struct shell_status found = {.size = 0};
    bool has_status = shell_status_parse(text, size, &found);
    size_t passed = 0;

    fuzz_expect(found.size <= size);
    fuzz_expect(!has_status || (found.status >= 0 && found.status <= 999));
    for (size_t length = step; length < size; length += step) {
        size_t now = passed_on(text, length);

        fuzz_expect(now <= size - found.size);
        passed = now > passed ? now : passed;
    }
    fuzz_expect(passed <= size - found.size);
}

static void check_terminal(const char *text, size_t size)
{
    struct buf changed = BUF_INIT(2 * size + 1);

    for (size_t i = 0; i < size; i++) {
        if (text[i] == '\n')
            buf_byte(&changed, '\r');
        buf_byte(&changed, text[i]);
    }
    if (size) {
        fuzz_expect(pty_stream_undo(changed.data, changed.length) == size);
        fuzz_expect(!memcmp(changed.data, text, size));
    }
    buf_release(&changed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    check_status((const char *)data + 1, size - 1, 1 + data[0] % 16);
    check_terminal((const char *)data + 1, size - 1);
    return 0;
}
