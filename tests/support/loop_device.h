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
 *
 * and whatever else its options lay down.
 */
#ifndef TESTS_SUPPORT_LOOP_DEVICE_H
#define TESTS_SUPPORT_LOOP_DEVICE_H

#include <pthread.h>

#include "adb/conn.h"
#include "adb/device.h"
#include "base/cancel.h"

struct loop_device;

/*
 * A service that takes so many bytes, then says what it was told and ends;
 * or, where serve is given, does what that does.
 */
struct loop_answer {
    const char *service;
    size_t takes;
    const char *bytes;
    size_t length;
    void (*serve)(void *context, struct stream *stream);
    void *context;
};

#define LOOP_SAYS(service_, bytes_)                                            \
    {                                                                          \
        .service = (service_), .bytes = (bytes_), .length = sizeof(bytes_) - 1 \
    }

/* What the device is like; zeros: a new one that knows every feature. */
struct loop_device_options {
    uint32_t version;
    uint32_t max_payload;
    feature_set features;
    const struct loop_answer *answers; /* borrowed until stop */
    size_t answer_count;
    const struct auth_gate *gate; /* whom it lets in; NULL: everybody */
};

/*
 * Start a device and return the transport of a host that is to greet it.
 * Fails the running test if that is impossible.
 */
struct loop_device *loop_device_start(const struct loop_device_options *options,
                                      struct transport **host);

/* The same on a socket of the caller's, such as an accepted TCP connection. */
struct loop_device *loop_device_serve(const struct loop_device_options *wanted,
                                      int fd);

/* Wait until the host has hung up. */
void loop_device_wait(struct loop_device *device);

/* Hang up at once, as a phone does whose battery fell out. */
void loop_device_vanish(struct loop_device *device);

/* Hang up, if the host has not, and wait for all its threads. */
void loop_device_stop(struct loop_device *device);

/* A host's connection to a device that was just started. */
struct conn *loop_device_connect(struct transport *host);

/* Both at once, as the layers above know it. Close it, then stop *loop. */
struct device *loop_device_phone(const struct loop_device_options *options,
                                 struct loop_device **loop);

#endif
