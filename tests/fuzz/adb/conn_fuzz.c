/*
 * A whole connection whose peer sends the fuzzer's bytes. The first byte is the
 * size of the pieces, the second selects the roles, and the rest is sent after
 * a handshake, or in place of one.
 */
#include "adb/connection/conn.h"

#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tests/support/adb/memory_transport.h"

#define SOON deadline_in_ms(60000)

enum fuzz_choice {
    CHOOSE_RAW = 1,      /* without a handshake */
    CHOOSE_DEVICE = 2,   /* we are the device */
    CHOOSE_OLD = 4,      /* check sums and small payloads */
    CHOOSE_LISTEN = 8,   /* the peer may open services */
    CHOOSE_DELAYED = 16, /* OKAYs carry windows */
};

static void put_greeting(struct buf *bytes, unsigned choice)
{
    const char *banner = choice & CHOOSE_DELAYED
                             ? "device::features=shell_v2,delayed_ack"
                             : "device::features=shell_v2";
    bool old = choice & CHOOSE_OLD;
    uint8_t header[PACKET_HEADER_SIZE];

    packet_encode(
        &(struct packet){
            .command = PACKET_CNXN,
            .arg0 = old ? PACKET_VERSION_MIN : PACKET_VERSION_SKIP_CHECKSUM,
            .arg1 = old ? PACKET_MAX_PAYLOAD_V1 : PACKET_MAX_PAYLOAD,
            .length = (uint32_t)strlen(banner),
            .check = packet_checksum(banner, strlen(banner))},
        header);
    buf_append(bytes, header, sizeof(header));
    buf_text(bytes, banner);
}

static bool wants_all(void *context, const char *service)
{
    (void)context;
    (void)service;
    return true;
}

static void use_stream(struct stream *stream)
{
    struct buf rest = BUF_INIT(100000);
    char byte;
    size_t got;
    struct err err;

    if (stream_read(stream, &byte, 1, SOON, &got, &err) &&
        stream_write(stream, "hello", 5, SOON, &err) &&
        stream_read_all(stream, SOON, &rest, &err))
        fuzz_expect(!rest.overflow);
    buf_release(&rest);
    stream_close(stream);
}

static void take_offers(struct conn *conn)
{
    struct stream *stream;
    struct buf service;
    struct err err;

    while (conn_accept(conn, SOON, &service, &stream, &err)) {
        if (conn_confirm(stream, &err))
            use_stream(stream);
        else
            stream_close(stream);
        buf_release(&service);
    }
    fuzz_expect(err.code != ERR_TIMEOUT);
}

static void use_conn(struct conn *conn, unsigned choice)
{
    struct stream *stream;
    struct err err;

    if (choice & CHOOSE_LISTEN)
        conn_listen(conn, wants_all, NULL);
    if (conn_open_stream(conn, "service:", SOON, &stream, &err))
        use_stream(stream);
    if (choice & CHOOSE_LISTEN)
        take_offers(conn);
    conn_close(conn);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t piece = size ? 1 + data[0] * 16U : 1;
    unsigned choice = size > 1 ? data[1] : 0;
    const struct conn_options options = {
        .role = choice & CHOOSE_DEVICE ? CONN_DEVICE : CONN_HOST,
        .banner = {.state = "host", .features = conn_host_features},
    };
    struct buf bytes = BUF_INIT((size_t)16 << 20);
    struct memory_transport memory;
    struct conn *conn;
    struct err err;

    if (!(choice & CHOOSE_RAW))
        put_greeting(&bytes, choice);
    if (size > 2)
        buf_append(&bytes, data + 2, size - 2);
    memory_transport_init(&memory, bytes.data, bytes.length, piece);
    if (conn_open(&memory.transport, &options, SOON, &conn, &err))
        use_conn(conn, choice);
    memory_transport_release(&memory);
    buf_release(&bytes);
    return 0;
}
