/*
 * DNS messages (RFC 1035) as far as finding phones needs them: questions are
 * written, answers are read. Pure: bytes in, values out.
 */
#ifndef ADB_DNS_H
#define ADB_DNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

/* Labels with dots between them; a dot or '\' inside a label follows a '\'. */
#define DNS_NAME_SIZE 512

#define DNS_CLASS_IN 1

enum dns_type {
    DNS_A = 1,
    DNS_PTR = 12,
    DNS_AAAA = 28,
    DNS_SRV = 33,
};

/* One record of an answer. Types that are not listed have a name only. */
struct dns_record {
    char name[DNS_NAME_SIZE];
    uint16_t type;
    uint32_t ttl;               /* 0: what is named is gone */
    char target[DNS_NAME_SIZE]; /* SRV: the host */
    uint16_t port;              /* SRV */
    uint8_t address[16];        /* A: the first 4; AAAA */
};

/* An answer that is being read. The bytes are borrowed. */
struct dns_message {
    const uint8_t *data;
    size_t size;
    size_t at;   /* what comes next */
    size_t left; /* records from there on */
};

/*
 * Append a message that asks for the pointers of count names. unicast asks to
 * be answered alone (RFC 6762, 5.4).
 */
void dns_ask(const char *const *names, size_t count, bool unicast,
             struct buf *message);

/*
 * Begin to read an answer, up to its records. Fails with ERR_PROTOCOL when it
 * is none, or breaks off.
 */
MUST_USE bool dns_open(struct dns_message *message, const void *data,
                       size_t size, struct err *err);

/* Read a record, while there are any left. Fails as dns_open does. */
MUST_USE bool dns_next(struct dns_message *message, struct dns_record *record,
                       struct err *err);

#endif
