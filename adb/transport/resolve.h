/* Host name lookup with a deadline, which getaddrinfo() does not have. */
#ifndef ADB_TRANSPORT_RESOLVE_H
#define ADB_TRANSPORT_RESOLVE_H

#include <netdb.h>
#include <stdint.h>

#include "base/cancel.h"
#include "base/deadline.h"
#include "base/err.h"

/*
 * Look up host, a name or a numeric address. Blocks until the lookup has
 * finished, by passes, or cancel (may be NULL) is fired; numeric addresses do
 * not block. On success the caller frees addresses with freeaddrinfo(). Fails
 * with ERR_UNREACHABLE when there is no such host.
 */
MUST_USE bool resolve(const char *host, uint16_t port,
                      const struct cancel *cancel, struct deadline by,
                      struct addrinfo **addresses, struct err *err);

#endif
