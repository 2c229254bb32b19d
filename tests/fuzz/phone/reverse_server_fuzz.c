/* Requests of hosts for reverse forwards: one per line. */
#include <string.h>

#include "base/buf.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/adb/scripted_stream.h"
#include "tools/phone/adbd/reverse_server.h"

#define REQUEST_MAX 4096

static void ask(struct reverse_server *server, const uint8_t *line,
                size_t length)
{
    struct buf request = BUF_INIT(REQUEST_MAX);
    struct scripted_stream host;

    scripted_stream_init(&host, "", 0, 1);
    buf_append(&request, line, length);
    reverse_server_serve(server, buf_cstr(&request), &host.stream, NULL);
    buf_release(&request);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct phone_sockets sockets;
    struct reverse_server server;

    sockets_init(&sockets);
    reverse_server_init(&server, &sockets);
    while (size) {
        const uint8_t *end = memchr(data, '\n', size);
        size_t length = end ? (size_t)(end - data) : size;

        ask(&server, data, length);
        fuzz_expect(sockets.count <= SOCKETS_MAX);
        length += end ? 1 : 0;
        data += length;
        size -= length;
    }
    reverse_server_left(&server, NULL);
    fuzz_expect(!server.first);
    reverse_server_release(&server);
    sockets_release(&sockets);
    return 0;
}
