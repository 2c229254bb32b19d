/* Everything that is read of an adb server's answers. */
#include "adb/reply.h"
#include "adb/server.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/script_stream.h"

static void read_as_status(struct script_stream *script)
{
    struct err err;

    while (reply_read_status(&script->stream, DEADLINE_NEVER, &err))
        ;
}

static void read_as_lists(struct script_stream *script)
{
    struct buf block = REPLY_BLOCK_INIT;
    struct server_devices devices;
    struct err err;

    while (reply_read_block(&script->stream, DEADLINE_NEVER, &block, &err)) {
        server_parse_devices(buf_cstr(&block), block.length, &devices);
        server_devices_release(&devices);
        buf_clear(&block);
    }
    buf_release(&block);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *bytes = (const char *)data;
    struct server_devices devices;
    struct script_stream script;

    script_stream_init(&script, bytes, size, 3);
    read_as_status(&script);
    script_stream_init(&script, bytes, size, 3);
    read_as_lists(&script);
    server_parse_devices(bytes, size, &devices);
    server_devices_release(&devices);
    return 0;
}
