#include "adb/reply.h"

#include <string.h>

#include "base/macros.h"
#include "base/text.h"

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

bool reply_parse_hex4(const char digits[REPLY_DIGITS], size_t *value,
                      struct err *err)
{
    size_t number = 0;

    for (int i = 0; i < REPLY_DIGITS; i++) {
        int digit = hex_digit(digits[i]);
        char seen[REPLY_DIGITS + 1];

        if (digit < 0) {
            text_copy_clean(seen, sizeof(seen), digits, REPLY_DIGITS);
            return err_set(err, ERR_PROTOCOL,
                           "adb sent \"%s\" where four "
                           "hexadecimal digits belong",
                           seen);
        }
        number = number << 4 | (size_t)digit;
    }
    *value = number;
    return true;
}

/* How the servers of all versions word the failures that have a code. */
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

bool reply_failure(const char *words, size_t length, struct err *err)
{
    char line[200]; /* some failures are paragraphs */
    char clean[sizeof(line)];

    if (length > sizeof(line) - 1)
        length = sizeof(line) - 1;
    for (size_t i = 0; i < length; i++)
        line[i] = words[i] == '\n' ? ' ' : words[i];
    text_copy_clean(clean, sizeof(clean), line, length);
    return err_set(err, failure_code(clean), "adb says: %s", clean);
}

static bool fail_hung_up(const struct buf *seen, struct err *err)
{
    char clean[33];

    if (!seen->length)
        return err_set(err, ERR_CLOSED, "adb hung up without an answer");
    text_copy_clean(clean, sizeof(clean), seen->data, seen->length);
    return err_set(err, ERR_PROTOCOL,
                   "adb hung up in the middle of its answer, "
                   "after %zu bytes: \"%s\"",
                   seen->length, clean);
}

/* Read until seen holds size bytes; what came before a failure stays there. */
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

/* Read the block that begins after the first `before` bytes of seen. */
static bool read_block_after(struct stream *stream, size_t before,
                             struct deadline by, struct buf *seen,
                             struct err *err)
{
    size_t start = before + REPLY_DIGITS;
    size_t length;

    return read_until(stream, start, by, seen, err) &&
           reply_parse_hex4(seen->data + before, &length, err) &&
           read_until(stream, start + length, by, seen, err);
}

bool reply_read_block(struct stream *stream, struct deadline by,
                      struct buf *block, struct err *err)
{
    if (!read_block_after(stream, 0, by, block, err))
        return false;
    buf_consume(block, REPLY_DIGITS);
    return true;
}

static bool read_failure(struct stream *stream, struct deadline by,
                         struct buf *seen, struct err *err)
{
    const size_t start = STATUS_LENGTH + REPLY_DIGITS;

    if (!read_block_after(stream, STATUS_LENGTH, by, seen, err))
        return false;
    return reply_failure(seen->data + start, seen->length - start, err);
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
    text_copy_clean(clean, sizeof(clean), seen->data, STATUS_LENGTH);
    return err_set(err, ERR_PROTOCOL, "\"%s\" came where adb says OKAY or FAIL",
                   clean);
}

bool reply_read_status(struct stream *stream, struct deadline by,
                       struct err *err)
{
    struct buf seen = BUF_INIT(STATUS_LENGTH + REPLY_DIGITS + REPLY_BLOCK_MAX);
    bool okay = read_status(stream, by, &seen, err);

    buf_release(&seen);
    return okay;
}
