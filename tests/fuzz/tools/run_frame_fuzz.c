/*
 * What comes over the socket of a run: messages are within what was received
 * and within their limit, and are written as they came.
 */
#include "tools/run_socket/run_frame.h"

#include <string.h>

#include "tests/fuzz/fuzz.h"

#define MAX 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *at = (const char *)data;
    struct buf again = BUF_INIT(MAX + RUN_FRAME_HEADER);
    struct run_frame frame;
    struct err err = ERR_INIT;
    size_t used;

    while (run_frame_read(at, size, MAX, &frame, &used, &err) && used) {
        fuzz_expect(used <= size);
        fuzz_expect(frame.length == used - RUN_FRAME_HEADER);
        fuzz_expect(frame.length <= MAX);
        buf_clear(&again);
        run_frame_write(&frame, &again);
        fuzz_expect(again.length == used);
        fuzz_expect(memcmp(again.data, at, used) == 0);
        at += used;
        size -= used;
    }
    buf_release(&again);
    return 0;
}
