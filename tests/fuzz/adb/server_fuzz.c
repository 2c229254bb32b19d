/* All parsers of an adb server's answers. */
#include "adb/device/server_client.h"
#include "adb/device/status_reply.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/adb/scripted_stream.h"

static void read_as_status(struct scripted_stream *script)
{
    struct err err;

    while (status_reply_read_status(&script->stream, DEADLINE_NEVER, &err))
        ;
}

static void read_as_lists(struct scripted_stream *script)
{
    struct buf block = STATUS_REPLY_BLOCK_INIT;
    struct server_device_list devices;
    struct err err;

    while (status_reply_read_block(&script->stream, DEADLINE_NEVER, &block,
                                   &err)) {
        server_device_list_parse(buf_cstr(&block), block.length, &devices);
        server_device_list_release(&devices);
        buf_clear(&block);
    }
    buf_release(&block);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *bytes = (const char *)data;
    struct server_device_list devices;
    struct scripted_stream script;

    scripted_stream_init(&script, bytes, size, 3);
    read_as_status(&script);
    scripted_stream_init(&script, bytes, size, 3);
    read_as_lists(&script);
    server_device_list_parse(bytes, size, &devices);
    server_device_list_release(&devices);
    return 0;
}
