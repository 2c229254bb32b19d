/*
 * Faults on the wire: what stands between the daemon and its services, and
 * between a host and the daemon.
 */
#ifndef PHONE_FAULTY_H
#define PHONE_FAULTY_H

#include <pthread.h>

#include "adb/daemon.h"
#include "tools/phone/faults.h"

/* Something happens to the phone: FAULT_ROTATE, POPUP or PERMISSION. */
typedef void faulty_event_fn(void *context, const struct fault *fault);

struct faulty {
    struct faults *faults;  /* borrowed */
    struct daemon *daemon;  /* borrowed; to be set before a host comes */
    faulty_event_fn *event; /* may be NULL */
    void *event_context;

    pthread_mutex_t lock; /* guards what follows */
    int64_t away_hosts;   /* so many are still to be turned away */
    struct deadline away; /* and all until then */
};

void faulty_init(struct faulty *faulty, struct faults *faults);
void faulty_release(struct faulty *faulty);

/*
 * A service that goes wrong when a fault strikes at its name and argument, as
 * in "shell:ls"; what stands between "shell" and ":" does not matter.
 */
struct faulty_service {
    struct faulty *faulty;
    struct daemon_service inner;
};

/* What the daemon is to be given in its place. service stays the caller's. */
struct daemon_service faulty_service(struct faulty_service *service);

/*
 * A daemon_wrap_fn, whose context is a struct faulty: hosts that are turned
 * away, and those on whom a fault strikes at "connection".
 */
struct transport *faulty_wrap(void *context, struct transport *transport);

#endif
