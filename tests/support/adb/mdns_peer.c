#include "tests/support/adb/mdns_peer.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "adb/discover/dns.h"
#include "base/mem.h"

struct mdns_peer {
    int fd; /* owned */
    struct sockaddr_in address;
    pthread_mutex_t lock; /* guards message */
    const struct buf *message;
    pthread_t thread;
};

static void put_u16(struct buf *message, unsigned value)
{
    buf_byte(message, (char)(value >> 8));
    buf_byte(message, (char)value);
}

static void put_name(struct buf *message, const char *name)
{
    while (*name) {
        size_t length = strcspn(name, ".");

        buf_byte(message, (char)length);
        buf_append(message, name, length);
        name += length + (name[length] == '.');
    }
    buf_byte(message, 0);
}

/* Class IN with the cache-flush flag of mDNS; TTL two minutes. */
static void put_record(struct buf *message, const char *name, unsigned type,
                       const struct buf *data)
{
    put_name(message, name);
    put_u16(message, type);
    put_u16(message, 0x8001);
    put_u16(message, 0);
    put_u16(message, 120);
    put_u16(message, (unsigned)data->length);
    buf_append(message, data->data, data->length);
}

static void put_service(struct buf *message,
                        const struct mdns_peer_service *service)
{
    struct buf data = BUF_INIT(512);
    struct in_addr address;

    put_u16(&data, 0);
    put_u16(&data, 0);
    put_u16(&data, service->port);
    put_name(&data, service->host);
    put_record(message, service->name, DNS_SRV, &data);
    if (service->address) {
        assert_int_equal(inet_pton(AF_INET, service->address, &address), 1);
        buf_clear(&data);
        buf_append(&data, &address, sizeof(address));
        put_record(message, service->host, DNS_A, &data);
    }
    buf_release(&data);
}

void mdns_peer_answer(const struct mdns_peer_service *services, size_t count,
                      struct buf *message)
{
    unsigned records = 0;

    for (size_t i = 0; i < count; i++)
        records += services[i].address ? 2 : 1;
    put_u16(message, 0);
    put_u16(message, 0x8400);
    put_u16(message, 0);
    put_u16(message, records);
    put_u16(message, 0);
    put_u16(message, 0);
    for (size_t i = 0; i < count; i++)
        put_service(message, &services[i]);
}

static void answer(struct mdns_peer *peer, const struct sockaddr_in *from)
{
    pthread_mutex_lock(&peer->lock);
    (void)sendto(peer->fd, peer->message->data, peer->message->length, 0,
                 (const struct sockaddr *)from, sizeof(*from));
    pthread_mutex_unlock(&peer->lock);
}

/* An empty question ends it. */
static void *answer_all(void *context)
{
    struct mdns_peer *peer = context;
    char question[9000];
    struct sockaddr_in from = {0};
    socklen_t size = sizeof(from);

    while (recvfrom(peer->fd, question, sizeof(question), 0,
                    (struct sockaddr *)&from, &size) > 0)
        answer(peer, &from);
    return NULL;
}

struct mdns_peer *mdns_peer_start(const struct buf *message)
{
    struct mdns_peer *peer = mem_new(1, sizeof(*peer));
    struct sockaddr *any = (struct sockaddr *)&peer->address;
    socklen_t size = sizeof(peer->address);

    pthread_mutex_init(&peer->lock, NULL);
    peer->message = message;
    peer->address.sin_family = AF_INET;
    peer->address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    peer->fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    assert_true(peer->fd >= 0);
    assert_int_equal(bind(peer->fd, any, size), 0);
    assert_int_equal(getsockname(peer->fd, any, &size), 0);
    assert_int_equal(pthread_create(&peer->thread, NULL, answer_all, peer), 0);
    return peer;
}

void mdns_peer_change(struct mdns_peer *peer, const struct buf *message)
{
    pthread_mutex_lock(&peer->lock);
    peer->message = message;
    pthread_mutex_unlock(&peer->lock);
}

void mdns_peer_stop(struct mdns_peer *peer)
{
    (void)sendto(peer->fd, "", 0, 0, (struct sockaddr *)&peer->address,
                 sizeof(peer->address));
    pthread_join(peer->thread, NULL);
    close(peer->fd);
    pthread_mutex_destroy(&peer->lock);
    free(peer);
}

const struct sockaddr_in *mdns_peer_address(const struct mdns_peer *peer)
{
    return &peer->address;
}
