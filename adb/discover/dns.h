/*
 * DNS messages (RFC 1035), as far as needed to find phones: writes questions
 * and parses answers. Pure: bytes in, values out.
 */
#ifndef ADB_DISCOVER_DNS_H
#define ADB_DISCOVER_DNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

/* Labels separated by dots; a dot or '\' inside a label is escaped with '\'. */
#define DNS_NAME_SIZE 512

#define DNS_CLASS_IN 1

enum dns_type {
    DNS_A = 1,
    DNS_PTR = 12,
    DNS_AAAA = 28,
    DNS_SRV = 33,
};

/* One record of an answer. Types that are not listed have only a name. */
struct dns_record {
    char name[DNS_NAME_SIZE];
    uint16_t type;
    uint32_t ttl;               /* 0: the record is withdrawn */
    char target[DNS_NAME_SIZE]; /* SRV: the host */
    uint16_t port;              /* SRV */
    uint8_t address[16];        /* A: the first 4; AAAA */
};

/* An answer that is being parsed. The bytes are borrowed. */
struct dns_message {
    const uint8_t *data;
    size_t size;
    size_t at;   /* position of the next record */
    size_t left; /* records that are left */
};

/*
 * Append a message that asks for the PTR records of count names. unicast
 * requests a unicast answer (RFC 6762, 5.4).
 */
void dns_ask(const char *const *names, size_t count, bool unicast,
             struct buf *message);

/*
 * Start parsing an answer, up to its records. Fails with ERR_PROTOCOL when it
 * is not an answer or is truncated.
 */
MUST_USE bool dns_open(struct dns_message *message, const void *data,
                       size_t size, struct err *err);

/* Parse a record, while there are any left. Fails as dns_open does. */
MUST_USE bool dns_next(struct dns_message *message, struct dns_record *record,
                       struct err *err);

#endif
