/*
 * Bytes both ways between two streams.
 *
 * ADB cannot half-close. So when near has no more to say, far may go on
 * answering until it ends or has said nothing for SPLICE_LINGER_MS; when far
 * has ended, everything is over.
 */
#ifndef PHONE_SPLICE_H
#define PHONE_SPLICE_H

#include "adb/stream.h"

#define SPLICE_LINGER_MS 1000

/* Blocks until it is over. Both stay the caller's to close. */
void splice(struct stream *near, struct stream *far);

#endif
