/*
 * A small device in this process: the device role on the other end of a
 * socket, serving a few services, each stream on a separate thread.
 *
 *   echo:       sends everything back
 *   say:TEXT    sends TEXT and ends
 *   source:N    sends N bytes (byte i is i mod 251) and ends
 *   sink:       reads up to a ".", and sends the number of bytes
 *   silent:     opens and never sends anything
 *   open:SPEC   opens SPEC on the host, and copies what that sends
 *
 * and the services of its options.
 */
#ifndef TESTS_SUPPORT_ADB_LOOPBACK_DEVICE_H
#define TESTS_SUPPORT_ADB_LOOPBACK_DEVICE_H

#include <pthread.h>

#include "adb/connection/conn.h"
#include "adb/device/device.h"
#include "base/cancel.h"

struct loopback_device;

/*
 * A service that reads that many bytes, then sends a given answer and ends; or
 * calls serve, if it is given.
 */
struct loopback_answer {
    const char *service;
    size_t takes;
    const char *bytes;
    size_t length;
    void (*serve)(void *context, struct stream *stream);
    void *context;
};

#define LOOPBACK_SAYS(service_, bytes_)                                        \
    {                                                                          \
        .service = (service_), .bytes = (bytes_), .length = sizeof(bytes_) - 1 \
    }

/* Options of the device; zeros: a new one with every feature. */
struct loopback_device_options {
    uint32_t version;
    uint32_t max_payload;
    feature_set features;
    const struct loopback_answer *answers; /* borrowed until stop */
    size_t answer_count;
    const struct auth_policy
        *policy; /* decides about keys; NULL: accepts all keys */
};

/*
 * Start a device and return the transport for a host. Fails the running test on
 * errors.
 */
struct loopback_device *loopback_device_start(
    const struct loopback_device_options *options, struct transport **host);

/* The same on a socket of the caller, such as an accepted TCP connection. */
struct loopback_device *loopback_device_serve(
    const struct loopback_device_options *wanted, int fd);

/* Wait until the host has disconnected. */
void loopback_device_wait(struct loopback_device *device);

/* Disconnect at once, like a phone without power. */
void loopback_device_vanish(struct loopback_device *device);

/* Disconnect, and wait for all its threads. */
void loopback_device_stop(struct loopback_device *device);

/* A host's connection to a device that was just started. */
struct conn *loopback_device_connect(struct transport *host);

/* Both at once, as a struct device. Close it, then stop *loop. */
struct device *loopback_device_phone(
    const struct loopback_device_options *options,
    struct loopback_device **loop);

#endif
