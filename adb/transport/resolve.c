#include "adb/transport/resolve.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"

/*
 * A lookup in its own thread. The caller may give up before it ends, so both
 * sides hold a reference, and the last one frees it.
 */
struct resolve_lookup {
    char *host;
    char service[8];
    int failed; /* as getaddrinfo() returns it */
    struct addrinfo *addresses;
    atomic_bool answered; /* the two above are set, */
    struct cancel done;   /* and this is fired to wake the waiting thread */
    atomic_int holders;
};

static int look_up(const char *host, const char *service, int flags,
                   struct addrinfo **addresses)
{
    const struct addrinfo hints = {.ai_family = AF_UNSPEC,
                                   .ai_socktype = SOCK_STREAM,
                                   .ai_flags = AI_NUMERICSERV | flags};

    return getaddrinfo(host, service, &hints, addresses);
}

static void let_go(struct resolve_lookup *lookup)
{
    if (atomic_fetch_sub(&lookup->holders, 1) > 1)
        return;
    if (lookup->addresses)
        freeaddrinfo(lookup->addresses);
    cancel_release(&lookup->done);
    free(lookup->host);
    free(lookup);
}

static void *lookup_main(void *context)
{
    struct resolve_lookup *lookup = context;

    lookup->failed =
        look_up(lookup->host, lookup->service, 0, &lookup->addresses);
    atomic_store(&lookup->answered, true);
    cancel_fire(&lookup->done);
    let_go(lookup);
    return NULL;
}

static bool start(struct resolve_lookup *lookup, struct err *err)
{
    pthread_attr_t attributes;
    pthread_t thread;
    int failed;

    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    atomic_store(&lookup->holders, 2);
    failed = pthread_create(&thread, &attributes, lookup_main, lookup);
    pthread_attr_destroy(&attributes);
    if (!failed)
        return true;
    atomic_store(&lookup->holders, 1);
    return err_errno(err, failed, "starting a thread");
}

static bool wait_for(struct resolve_lookup *lookup, const struct cancel *cancel,
                     struct deadline by, struct err *err)
{
    struct pollfd polls[] = {
        {.fd = cancel_fd(&lookup->done), .events = POLLIN},
        {.fd = cancel_fd(cancel), .events = POLLIN},
    };
    int ready;

    do {
        ready = poll(polls, 2, deadline_left_ms(by));
    } while (ready < 0 && errno == EINTR);
    if (ready < 0)
        return err_errno(err, errno, "waiting for the name service");
    if (ready == 0)
        return err_set(err, ERR_UNREACHABLE,
                       "the name service does not answer in time");
    return atomic_load(&lookup->answered) ||
           err_set(err, ERR_CANCELLED, "interrupted");
}

/* Take the addresses, or report why there are none. */
static bool take(struct resolve_lookup *lookup, struct addrinfo **addresses,
                 struct err *err)
{
    if (lookup->failed)
        return err_set(err, ERR_UNREACHABLE, "%s",
                       gai_strerror(lookup->failed));
    *addresses = lookup->addresses;
    lookup->addresses = NULL;
    return true;
}

bool resolve(const char *host, uint16_t port, const struct cancel *cancel,
             struct deadline by, struct addrinfo **addresses, struct err *err)
{
    struct resolve_lookup *lookup = mem_new(1, sizeof(*lookup));
    bool done;

    atomic_init(&lookup->holders, 1);
    lookup->host = mem_dup(host);
    lookup->done = (struct cancel)CANCEL_INIT;
    snprintf(lookup->service, sizeof(lookup->service), "%u", (unsigned)port);
    lookup->failed =
        look_up(host, lookup->service, AI_NUMERICHOST, &lookup->addresses);
    if (lookup->failed == EAI_NONAME) /* a name, then */
        done = cancel_init(&lookup->done, err) && start(lookup, err) &&
               wait_for(lookup, cancel, by, err) &&
               take(lookup, addresses, err);
    else
        done = take(lookup, addresses, err);
    let_go(lookup);
    return done || err_wrap(err, "looking up %.180s", host);
}
