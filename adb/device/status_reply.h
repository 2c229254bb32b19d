/*
 * The replies of an adb server, and of a device to reverse: requests:
 *
 *     OKAY                           success
 *     FAIL <hex4 length> <message>   failure
 *     <hex4 length> <bytes>          a block, after some OKAYs
 */
#ifndef ADB_DEVICE_STATUS_REPLY_H
#define ADB_DEVICE_STATUS_REPLY_H

#include <stdbool.h>
#include <stddef.h>

#include "adb/connection/stream.h"
#include "base/buf.h"

/* All numbers of this protocol have four hexadecimal digits. */
#define STATUS_REPLY_DIGITS 4
#define STATUS_REPLY_BLOCK_MAX 0xffff

/* Fails with ERR_PROTOCOL, and shows what came instead of a number. */
MUST_USE bool status_reply_parse_hex4(const char digits[STATUS_REPLY_DIGITS],
                                      size_t *value, struct err *err);

/*
 * Fill err from the message of a FAIL: ERR_NOT_FOUND, ERR_LOST (offline),
 * ERR_UNAUTHORIZED, ERR_REFUSED, or ERR_REMOTE with the server's message.
 * Always false.
 */
bool status_reply_failure(const char *words, size_t length, struct err *err);

/*
 * Read OKAY, or fail as the server's FAIL says. Fails with ERR_CLOSED when the
 * server closes the connection without an answer, and with ERR_PROTOCOL on an
 * invalid answer.
 */
MUST_USE bool status_reply_read_status(struct stream *stream,
                                       struct deadline by, struct err *err);

/* Initializer for a block to be read. */
#define STATUS_REPLY_BLOCK_INIT                                                \
    BUF_INIT(STATUS_REPLY_DIGITS + STATUS_REPLY_BLOCK_MAX)

/*
 * Read a block. On success block holds its bytes, without their length. On
 * failure it holds what has arrived so far: after ERR_TIMEOUT the call may be
 * repeated with it. ERR_CLOSED: the server closed the connection before the
 * block.
 */
MUST_USE bool status_reply_read_block(struct stream *stream, struct deadline by,
                                      struct buf *block, struct err *err);

#endif
