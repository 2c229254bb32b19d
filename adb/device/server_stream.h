/*
 * A stream through an adb server that detects when the phone is lost.
 *
 * A server ends the streams of an unplugged phone in the same way as those of a
 * finished service. So at the end of a stream the server is asked whether the
 * phone is still connected; if not, reading fails with ERR_LOST, as over a
 * direct connection.
 */
#ifndef ADB_DEVICE_SERVER_STREAM_H
#define ADB_DEVICE_SERVER_STREAM_H

#include "adb/connection/stream.h"
#include "adb/device/server_client.h"

/*
 * Wrap inner, which the new stream then owns: a stream to the phone that the
 * server lists under serial. server is copied, but not its cancel and log.
 */
struct stream *server_stream_new(struct stream *inner,
                                 const struct server_client *server,
                                 const char *serial);

/*
 * Is the phone still at the server? Fails with ERR_LOST, and only if the phone,
 * or the server itself, is gone. Blocks for two seconds at most.
 */
MUST_USE bool server_stream_check_phone(const struct server_client *server,
                                        const char *serial, struct deadline by,
                                        struct err *err);

#endif
