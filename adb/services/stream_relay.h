/*
 * Copies bytes both ways between two streams. ADB cannot half-close a stream.
 * So when near has ended its direction but may still read, far may go on
 * sending until it ends or is silent for STREAM_RELAY_LINGER_MS; when far has
 * ended, the relay ends.
 */
#ifndef ADB_SERVICES_STREAM_RELAY_H
#define ADB_SERVICES_STREAM_RELAY_H

#include "adb/connection/stream.h"

#define STREAM_RELAY_LINGER_MS 1000

/* Blocks until both directions have ended. The caller closes both streams. */
void stream_relay(struct stream *near, struct stream *far);

#endif
