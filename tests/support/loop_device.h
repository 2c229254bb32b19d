/*
 * A small device in this process: the device role on the other end of a
 * socket, serving a few services, each stream on a thread of its own.
 *
 *   echo:       sends back what it gets
 *   say:TEXT    sends TEXT and ends
 *   source:N    sends N bytes (byte i is i mod 251) and ends
 *   sink:       takes everything, and says how many bytes at their end "."
 *   silent:     opens and never says anything
 *   open:SPEC   opens SPEC on the host, and copies what that sends
 */
#ifndef TESTS_SUPPORT_LOOP_DEVICE_H
#define TESTS_SUPPORT_LOOP_DEVICE_H

#include <pthread.h>

#include "adb/conn.h"
#include "base/cancel.h"

struct loop_device;

/* What the device is like; zeros: a new one that knows every feature. */
struct loop_device_options {
    uint32_t version;
    uint32_t max_payload;
    feature_set features;
};

/*
 * Start a device and return the transport of a host that is to greet it.
 * Fails the running test if that is impossible.
 */
struct loop_device *loop_device_start(const struct loop_device_options *options,
                                      struct transport **host);

/* The same on a socket of the caller's, such as an accepted TCP connection. */
struct loop_device *loop_device_serve(const struct loop_device_options *options,
                                      int fd);

/* Hang up at once, as a phone does whose battery fell out. */
void loop_device_vanish(struct loop_device *device);

/* Wait for all its threads. The host has hung up, or vanish was called. */
void loop_device_stop(struct loop_device *device);

/* A host's connection to a device that was just started. */
struct conn *loop_device_connect(struct transport *host);

#endif
