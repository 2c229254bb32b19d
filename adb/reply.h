/*
 * What an adb server answers, and a device asked for reverse forwards:
 *
 *     OKAY                           yes
 *     FAIL <hex4 length> <words>     no, and why
 *     <hex4 length> <bytes>          a block, after some OKAYs
 */
#ifndef ADB_REPLY_H
#define ADB_REPLY_H

#include <stdbool.h>
#include <stddef.h>

#include "adb/stream.h"
#include "base/buf.h"

/* Four hexadecimal digits: all numbers of this protocol. */
#define REPLY_DIGITS 4
#define REPLY_BLOCK_MAX 0xffff

/* Fails with ERR_PROTOCOL, showing what was there instead of a number. */
MUST_USE bool reply_parse_hex4(const char digits[REPLY_DIGITS], size_t *value,
                               struct err *err);

/*
 * Fill err with what a FAIL means: ERR_NOT_FOUND, ERR_LOST (offline),
 * ERR_UNAUTHORIZED, ERR_REFUSED, or ERR_REMOTE with the server's words.
 * Always false.
 */
bool reply_failure(const char *words, size_t length, struct err *err);

/*
 * Read OKAY, or fail as the server's FAIL says. A server that hangs up without
 * a word is ERR_CLOSED; anything that is no answer is ERR_PROTOCOL.
 */
MUST_USE bool reply_read_status(struct stream *stream, struct deadline by,
                                struct err *err);

/* An empty block, to be read into. */
#define REPLY_BLOCK_INIT BUF_INIT(REPLY_DIGITS + REPLY_BLOCK_MAX)

/*
 * Read a block. On success block holds its bytes, without their length.
 * On failure it holds what came so far: after ERR_TIMEOUT the call may be made
 * again with it. ERR_CLOSED when the server hung up before the block.
 */
MUST_USE bool reply_read_block(struct stream *stream, struct deadline by,
                               struct buf *block, struct err *err);

#endif
