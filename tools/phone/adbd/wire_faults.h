/*
 * Faults on the wire: between the daemon and its services, and between a host
 * and the daemon.
 */
#ifndef TOOLS_PHONE_ADBD_WIRE_FAULTS_H
#define TOOLS_PHONE_ADBD_WIRE_FAULTS_H

#include <pthread.h>

#include "adb/daemon/daemon.h"
#include "tools/phone/faults/faults.h"

/* Called for faults of the phone: FAULT_ROTATE, POPUP or PERMISSION. */
typedef void wire_faults_event_fn(void *context,
                                  const struct phone_fault *fault);

struct wire_faults {
    struct phone_faults *faults; /* borrowed */
    struct daemon *daemon;       /* borrowed; set before the first connection */
    wire_faults_event_fn *event; /* may be NULL */
    void *event_context;

    pthread_mutex_t lock; /* guards what follows */
    int64_t away_hosts;   /* connections still to be refused */
    struct deadline away; /* refuse all until then */
};

void wire_faults_init(struct wire_faults *wire_faults,
                      struct phone_faults *faults);
void wire_faults_release(struct wire_faults *wire_faults);

/*
 * A service with faults that strike at its name and argument, as in "shell:ls";
 * options between "shell" and ":" do not matter.
 */
struct wire_faults_service {
    struct wire_faults *wire_faults;
    struct daemon_service inner;
};

/* The service to register in its place. service stays the caller's. */
struct daemon_service wire_faults_service(struct wire_faults_service *service);

/*
 * A daemon_wrap_fn with a struct faulty as context: refuses connections, and
 * lets faults strike at "connection".
 */
struct transport *wire_faults_wrap(void *context, struct transport *transport);

#endif
