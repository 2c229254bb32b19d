/* Lists of reverse forwards: renaming nothing changes nothing. */
#include "adb/services/reverse_reply.h"

#include <string.h>

#include "adb/device/status_reply.h"
#include "tests/fuzz/fuzz.h"

static const char *keep(void *context, const char *local)
{
    (void)context, (void)local;
    return NULL;
}

static const char *lengthen(void *context, const char *local)
{
    (void)local;
    return context;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buf reply = STATUS_REPLY_BLOCK_INIT;
    struct buf same = STATUS_REPLY_BLOCK_INIT;
    struct buf longer = STATUS_REPLY_BLOCK_INIT;

    if (memchr(data, 0, size) || size > STATUS_REPLY_BLOCK_MAX)
        return 0;
    buf_append(&reply, data, size);
    reverse_reply_rename(&reply, keep, NULL, &same);
    fuzz_expect(same.length == size);
    fuzz_expect(size < STATUS_REPLY_DIGITS ||
                !memcmp(same.data + STATUS_REPLY_DIGITS,
                        data + STATUS_REPLY_DIGITS,
                        size - STATUS_REPLY_DIGITS));
    reverse_reply_rename(&reply, lengthen, "localabstract:a_longer_name",
                         &longer);
    fuzz_expect(!longer.overflow);
    (void)reverse_reply_port(&reply);
    buf_release(&reply);
    buf_release(&same);
    buf_release(&longer);
    return 0;
}
