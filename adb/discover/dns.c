#include "adb/discover/dns.h"

#include <assert.h>
#include <string.h>

#include "base/bytes.h"

#define HEADER_SIZE 12
#define QUESTION_TAIL 4 /* type, class */
#define RECORD_TAIL 10  /* type, class, ttl, length */
#define SRV_HEAD 6      /* priority, weight, port */

#define FLAG_ANSWER 0x8000
#define CLASS_MASK 0x7fff /* mDNS uses the top bit as a flag */
#define CLASS_UNICAST 0x8000

/* RFC 1035, 2.3.4: the size of a name in its uncompressed form. */
#define NAME_WIRE_MAX 255
#define LABEL_MAX 63

/* The two top bits of a length: a pointer to the rest of the name. */
#define POINTER 0xc0
#define POINTER_MASK 0x3fffU

static bool fail_short(struct err *err)
{
    return err_set(err, ERR_PROTOCOL, "a DNS message is truncated");
}

/* ---- names ---- */

/* Append a label; to has room for any name that NAME_WIRE_MAX allows. */
static size_t append_label(char *to, size_t length, const uint8_t *label,
                           size_t size)
{
    if (length)
        to[length++] = '.';
    for (size_t i = 0; i < size; i++) {
        if (label[i] == '.' || label[i] == '\\')
            to[length++] = '\\';
        to[length++] = (char)(label[i] ? label[i] : '?');
    }
    return length;
}

/*
 * Find the label at *at, following pointers. Each pointer must lead further
 * back than the one before it, or a name could be endless.
 */
static bool follow(const struct dns_message *message, size_t *at,
                   size_t *lowest, size_t *after, struct err *err)
{
    const uint8_t *data = message->data;

    while (*at < message->size && (data[*at] & POINTER) == POINTER) {
        size_t to;

        if (*at + 2 > message->size)
            return fail_short(err);
        to = get_u16be(data + *at) & POINTER_MASK;
        if (!*after)
            *after = *at + 2;
        if (to >= *lowest)
            return err_set(err, ERR_PROTOCOL,
                           "a name in a DNS message has a pointer loop");
        *at = *lowest = to;
    }
    if (*at >= message->size || *at + 1 + data[*at] > message->size)
        return fail_short(err);
    if (data[*at] > LABEL_MAX)
        return err_set(err, ERR_PROTOCOL,
                       "a name in a DNS message has an unknown format");
    return true;
}

/* Read the name at message->at and advance behind it. */
static bool take_name(struct dns_message *message, char name[DNS_NAME_SIZE],
                      struct err *err)
{
    size_t at = message->at;
    size_t lowest = at;
    size_t after = 0; /* position after the first pointer; 0: none */
    size_t wire = 1;
    size_t length = 0;

    for (;;) {
        size_t size;

        if (!follow(message, &at, &lowest, &after, err))
            return false;
        size = message->data[at];
        if (!size)
            break;
        wire += 1 + size;
        if (wire > NAME_WIRE_MAX)
            return err_set(err, ERR_PROTOCOL,
                           "a name in a DNS message is too long");
        length = append_label(name, length, message->data + at + 1, size);
        at += 1 + size;
    }
    name[length] = '\0';
    message->at = after ? after : at + 1;
    return true;
}

/* ---- questions ---- */

static void put_name(const char *name, struct buf *message)
{
    while (*name) {
        size_t length = strcspn(name, ".");

        assert(length && length <= LABEL_MAX);
        buf_byte(message, (char)length);
        buf_append(message, name, length);
        name += length + (name[length] == '.');
    }
    buf_byte(message, 0);
}

void dns_ask(const char *const *names, size_t count, bool unicast,
             struct buf *message)
{
    uint8_t header[HEADER_SIZE] = {0};
    uint8_t tail[QUESTION_TAIL];

    put_u16be(header + 4, (uint16_t)count);
    put_u16be(tail, DNS_PTR);
    put_u16be(tail + 2,
              (uint16_t)(DNS_CLASS_IN | (unicast ? CLASS_UNICAST : 0)));
    buf_append(message, header, sizeof(header));
    for (size_t i = 0; i < count; i++) {
        put_name(names[i], message);
        buf_append(message, tail, sizeof(tail));
    }
}

/* ---- answers ---- */

static bool skip_questions(struct dns_message *message, size_t count,
                           struct err *err)
{
    char name[DNS_NAME_SIZE];

    for (size_t i = 0; i < count; i++) {
        if (!take_name(message, name, err))
            return false;
        if (message->size - message->at < QUESTION_TAIL)
            return fail_short(err);
        message->at += QUESTION_TAIL;
    }
    return true;
}

bool dns_open(struct dns_message *message, const void *data, size_t size,
              struct err *err)
{
    struct dns_message opened = {.data = data, .size = size, .at = HEADER_SIZE};
    const uint8_t *header = data;

    if (size < HEADER_SIZE)
        return fail_short(err);
    if (!(get_u16be(header + 2) & FLAG_ANSWER))
        return err_set(err, ERR_PROTOCOL, "a DNS message is not an answer");
    if (!skip_questions(&opened, get_u16be(header + 4), err))
        return false;
    opened.left = (size_t)get_u16be(header + 6) + get_u16be(header + 8) +
                  get_u16be(header + 10);
    *message = opened;
    return true;
}

/* Read the data of the record, which ends with the record. */
static bool take_data(struct dns_message *message, size_t length,
                      struct dns_record *record, struct err *err)
{
    const uint8_t *data = message->data + message->at;
    size_t end = message->at + length;

    switch (record->type) {
    case DNS_A:
        if (length != 4)
            return fail_short(err);
        memcpy(record->address, data, 4);
        return true;
    case DNS_AAAA:
        if (length != 16)
            return fail_short(err);
        memcpy(record->address, data, 16);
        return true;
    case DNS_SRV:
        if (length < SRV_HEAD)
            return fail_short(err);
        record->port = get_u16be(data + 4);
        message->at += SRV_HEAD;
        return take_name(message, record->target, err) &&
               (message->at == end || fail_short(err));
    default:
        return true;
    }
}

bool dns_next(struct dns_message *message, struct dns_record *record,
              struct err *err)
{
    const uint8_t *tail;
    size_t length;

    assert(message->left);
    *record = (struct dns_record){.type = 0};
    if (!take_name(message, record->name, err))
        return false;
    if (message->size - message->at < RECORD_TAIL)
        return fail_short(err);
    tail = message->data + message->at;
    message->at += RECORD_TAIL;
    length = get_u16be(tail + 8);
    if (message->size - message->at < length)
        return fail_short(err);
    if ((get_u16be(tail + 2) & CLASS_MASK) == DNS_CLASS_IN)
        record->type = get_u16be(tail);
    record->ttl = get_u32be(tail + 4);
    if (!take_data(message, length, record, err))
        return false;
    message->at = (size_t)(tail - message->data) + RECORD_TAIL + length;
    message->left--;
    return true;
}
