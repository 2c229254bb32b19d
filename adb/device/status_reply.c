#include "adb/device/status_reply.h"

#include <string.h>

#include "base/clean_text.h"
#include "base/macros.h"

#define STATUS_LENGTH 4

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

bool status_reply_parse_hex4(const char digits[STATUS_REPLY_DIGITS],
                             size_t *value, struct err *err)
{
    size_t number = 0;

    for (int i = 0; i < STATUS_REPLY_DIGITS; i++) {
        int digit = hex_digit(digits[i]);
        char seen[STATUS_REPLY_DIGITS + 1];

        if (digit < 0) {
            clean_text_copy(seen, sizeof(seen), digits, STATUS_REPLY_DIGITS);
            return err_set(err, ERR_PROTOCOL,
                           "adb sent \"%s\" instead of four hexadecimal digits",
                           seen);
        }
        number = number << 4 | (size_t)digit;
    }
    *value = number;
    return true;
}

/* The failures that have a code, as worded by servers of all versions. */
static const struct {
    const char *begins;
    const char *contains;
    enum err_code code;
} failures[] = {
    {"closed", "", ERR_REFUSED},
    {"device ", "not found", ERR_NOT_FOUND},
    {"no devices", "", ERR_NOT_FOUND},
    {"device offline", "", ERR_LOST},
    {"device unauthorized", "", ERR_UNAUTHORIZED},
    {"device still authorizing", "", ERR_UNAUTHORIZED},
};

static enum err_code failure_code(const char *words)
{
    for (size_t i = 0; i < ARRAY_LEN(failures); i++) {
        if (!strncmp(words, failures[i].begins, strlen(failures[i].begins)) &&
            strstr(words, failures[i].contains))
            return failures[i].code;
    }
    return ERR_REMOTE;
}

bool status_reply_failure(const char *words, size_t length, struct err *err)
{
    char line[200]; /* some messages are paragraphs */
    char clean[sizeof(line)];

    if (length > sizeof(line) - 1)
        length = sizeof(line) - 1;
    for (size_t i = 0; i < length; i++)
        line[i] = words[i] == '\n' ? ' ' : words[i];
    clean_text_copy(clean, sizeof(clean), line, length);
    return err_set(err, failure_code(clean), "adb says: %s", clean);
}

static bool fail_hung_up(const struct buf *seen, struct err *err)
{
    char clean[33];

    if (!seen->length)
        return err_set(err, ERR_CLOSED,
                       "adb closed the connection without an answer");
    clean_text_copy(clean, sizeof(clean), seen->data, seen->length);
    return err_set(err, ERR_PROTOCOL,
                   "adb closed the connection in the middle of its answer, "
                   "after %zu bytes: \"%s\"",
                   seen->length, clean);
}

/* Read until seen holds size bytes; on failure it keeps what has arrived. */
static bool read_until(struct stream *stream, size_t size, struct deadline by,
                       struct buf *seen, struct err *err)
{
    while (seen->length < size) {
        size_t missing = size - seen->length;
        char *room = buf_reserve(seen, missing);
        size_t got;

        if (!room)
            return err_set(err, ERR_LIMIT, "the answer does not fit");
        if (!stream_read(stream, room, missing, by, &got, err))
            return err_wrap(err, "waiting for an answer");
        if (!got)
            return fail_hung_up(seen, err);
        buf_commit(seen, got);
    }
    return true;
}

/* Read the block that starts after the first `before` bytes of seen. */
static bool read_block_after(struct stream *stream, size_t before,
                             struct deadline by, struct buf *seen,
                             struct err *err)
{
    size_t start = before + STATUS_REPLY_DIGITS;
    size_t length;

    return read_until(stream, start, by, seen, err) &&
           status_reply_parse_hex4(seen->data + before, &length, err) &&
           read_until(stream, start + length, by, seen, err);
}

bool status_reply_read_block(struct stream *stream, struct deadline by,
                             struct buf *block, struct err *err)
{
    if (!read_block_after(stream, 0, by, block, err))
        return false;
    buf_consume(block, STATUS_REPLY_DIGITS);
    return true;
}

static bool read_failure(struct stream *stream, struct deadline by,
                         struct buf *seen, struct err *err)
{
    const size_t start = STATUS_LENGTH + STATUS_REPLY_DIGITS;

    if (!read_block_after(stream, STATUS_LENGTH, by, seen, err))
        return false;
    return status_reply_failure(seen->data + start, seen->length - start, err);
}

static bool read_status(struct stream *stream, struct deadline by,
                        struct buf *seen, struct err *err)
{
    char clean[STATUS_LENGTH + 1];

    if (!read_until(stream, STATUS_LENGTH, by, seen, err))
        return false;
    if (!memcmp(seen->data, "OKAY", STATUS_LENGTH))
        return true;
    if (!memcmp(seen->data, "FAIL", STATUS_LENGTH))
        return read_failure(stream, by, seen, err);
    clean_text_copy(clean, sizeof(clean), seen->data, STATUS_LENGTH);
    return err_set(err, ERR_PROTOCOL, "adb sent \"%s\" instead of OKAY or FAIL",
                   clean);
}

bool status_reply_read_status(struct stream *stream, struct deadline by,
                              struct err *err)
{
    struct buf seen =
        BUF_INIT(STATUS_LENGTH + STATUS_REPLY_DIGITS + STATUS_REPLY_BLOCK_MAX);
    bool okay = read_status(stream, by, &seen, err);

    buf_release(&seen);
    return okay;
}
