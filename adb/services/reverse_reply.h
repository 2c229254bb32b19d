/* The device's answers to requests for reverse forwards, as bytes. */
#ifndef ADB_SERVICES_REVERSE_REPLY_H
#define ADB_SERVICES_REVERSE_REPLY_H

#include <stdint.h>

#include "base/buf.h"

/* The port that the device picked, from "OKAY" and a block; 0: none. */
uint16_t reverse_reply_port(const struct buf *reply);

/* The name to be listed in place of local; NULL: local itself. */
typedef const char *reverse_reply_name_fn(void *context, const char *local);

/*
 * Append a list, a block of lines "HOST REMOTE LOCAL", with other local ends.
 * A reply that is no such list is appended unchanged.
 */
void reverse_reply_rename(const struct buf *reply, reverse_reply_name_fn *name,
                          void *context, struct buf *renamed);

#endif
