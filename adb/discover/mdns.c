#include "adb/discover/mdns.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "adb/discover/dns.h"
#include "base/clean_text.h"
#include "base/mem.h"

#define MDNS_PORT 5353
#define MDNS_GROUP 0xe00000fb /* 224.0.0.251 */

/* RFC 6762, 5.2: the interval between queries is at least a second. */
#define ASK_AGAIN_MS 1000

/* RFC 6762, 17: the largest message, with its headers. */
#define MESSAGE_MAX 9000

static const char *const type_names[MDNS_KIND_COUNT] = {
    [MDNS_PLAIN] = "_adb._tcp.local",
    [MDNS_SECURE] = "_adb-tls-connect._tcp.local",
    [MDNS_PAIRING] = "_adb-tls-pairing._tcp.local",
};

/* ---- parsing the answers ---- */

/* Split "instance.type"; false when it is not one of the types. */
static bool split_name(const char *name, struct mdns_service *service)
{
    size_t length = strlen(name);

    for (size_t kind = 0; kind < MDNS_KIND_COUNT; kind++) {
        size_t type_length = strlen(type_names[kind]);
        size_t before;

        if (length < type_length + 2)
            continue;
        before = length - type_length - 1;
        if (name[before] != '.' ||
            strcasecmp(name + before + 1, type_names[kind]))
            continue;
        service->kind = (enum mdns_kind)kind;
        clean_text_copy(service->instance, sizeof(service->instance), name,
                        before);
        return true;
    }
    return false;
}

static bool same_service(const struct mdns_service *a,
                         const struct mdns_service *b)
{
    return a->kind == b->kind && !strcmp(a->instance, b->instance);
}

/* Its index; count if it is new and there is room for it. */
static size_t find_service(const struct mdns_services *services,
                           const struct mdns_service *service)
{
    size_t i = 0;

    while (i < services->count && !same_service(&services->items[i], service))
        i++;
    return i;
}

static void take_service(struct mdns_answers *answers,
                         const struct dns_record *record)
{
    struct mdns_services *services = &answers->services;
    struct mdns_service service = {.port = record->port};
    size_t i;

    if (!record->port ||
        strlen(record->target) >= sizeof(answers->hosts_of[0]) ||
        !split_name(record->name, &service))
        return;
    i = find_service(services, &service);
    if (i == MDNS_MAX)
        return;
    services->count += i == services->count;
    services->items[i] = service;
    memcpy(answers->hosts_of[i], record->target, strlen(record->target) + 1);
}

static const struct mdns_host *find_host(const struct mdns_answers *answers,
                                         const char *name)
{
    for (size_t i = 0; i < answers->host_count; i++) {
        if (!strcasecmp(answers->hosts[i].name, name))
            return &answers->hosts[i];
    }
    return NULL;
}

/* A link-local address is useless without its interface. */
static bool is_of_a_link(const struct dns_record *record)
{
    return record->type == DNS_AAAA && record->address[0] == 0xfe &&
           (record->address[1] & 0xc0) == 0x80;
}

static void take_host(struct mdns_answers *answers,
                      const struct dns_record *record)
{
    struct mdns_host *host = &answers->hosts[answers->host_count];
    int family = record->type == DNS_A ? AF_INET : AF_INET6;

    if (answers->host_count == MDNS_MAX || is_of_a_link(record) ||
        strlen(record->name) >= sizeof(host->name) ||
        find_host(answers, record->name) ||
        !inet_ntop(family, record->address, host->address,
                   sizeof(host->address)))
        return;
    memcpy(host->name, record->name, strlen(record->name) + 1);
    answers->host_count++;
}

void mdns_take(struct mdns_answers *answers, const void *data, size_t size)
{
    struct dns_message message;
    struct dns_record record;
    struct err ignored;

    if (!dns_open(&message, data, size, &ignored))
        return;
    while (message.left && dns_next(&message, &record, &ignored)) {
        if (!record.ttl)
            continue;
        if (record.type == DNS_SRV)
            take_service(answers, &record);
        else if (record.type == DNS_A || record.type == DNS_AAAA)
            take_host(answers, &record);
    }
}

void mdns_join(const struct mdns_answers *answers,
               struct mdns_services *services)
{
    services->count = 0;
    for (size_t i = 0; i < answers->services.count; i++) {
        const struct mdns_host *host = find_host(answers, answers->hosts_of[i]);
        struct mdns_service *service = &services->items[services->count];

        if (!host)
            continue;
        *service = answers->services.items[i];
        memcpy(service->host, host->address, sizeof(host->address));
        services->count++;
    }
}

/* ---- queries ---- */

/* On every network of this computer; true when one accepted the query. */
static bool ask_networks(int fd, const struct buf *question)
{
    struct sockaddr_in group = {.sin_family = AF_INET,
                                .sin_port = htons(MDNS_PORT)};
    struct ifaddrs *networks = NULL;
    bool asked = false;

    group.sin_addr.s_addr = htonl(MDNS_GROUP);
    if (getifaddrs(&networks))
        return false;
    for (const struct ifaddrs *one = networks; one; one = one->ifa_next) {
        struct ip_mreqn from = {0};

        if (!one->ifa_addr || one->ifa_addr->sa_family != AF_INET ||
            !(one->ifa_flags & IFF_UP) || !(one->ifa_flags & IFF_MULTICAST))
            continue;
        from.imr_ifindex = (int)if_nametoindex(one->ifa_name);
        if (!setsockopt(fd, IPPROTO_IP, IP_MULTICAST_IF, &from, sizeof(from)) &&
            sendto(fd, question->data, question->length, 0,
                   (struct sockaddr *)&group, sizeof(group)) >= 0)
            asked = true;
    }
    freeifaddrs(networks);
    return asked;
}

static bool ask(int fd, const struct mdns *mdns, struct err *err)
{
    struct buf question = BUF_INIT(MESSAGE_MAX);
    const struct sockaddr_in *responder = mdns->responder;
    bool asked;

    dns_ask(type_names, MDNS_KIND_COUNT, true, &question);
    if (responder)
        asked =
            sendto(fd, question.data, question.length, 0,
                   (const struct sockaddr *)responder, sizeof(*responder)) >= 0;
    else
        asked = ask_networks(fd, &question);
    buf_release(&question);
    return asked || err_set(err, ERR_IO, "there is no network to search");
}

/* RFC 6762, 6: packets from another port are not answers. */
static bool is_from_responder(const struct mdns *mdns,
                              const struct sockaddr_in *from)
{
    return from->sin_port ==
           (mdns->responder ? mdns->responder->sin_port : htons(MDNS_PORT));
}

static void take_waiting(int fd, const struct mdns *mdns,
                         struct mdns_answers *answers)
{
    uint8_t data[MESSAGE_MAX];
    struct sockaddr_in from = {0};
    socklen_t from_size = sizeof(from);
    ssize_t size = recvfrom(fd, data, sizeof(data), MSG_DONTWAIT,
                            (struct sockaddr *)&from, &from_size);

    if (size > 0 && is_from_responder(mdns, &from))
        mdns_take(answers, data, (size_t)size);
}

static bool listen_until(int fd, const struct mdns *mdns, struct deadline by,
                         struct mdns_answers *answers, struct err *err)
{
    struct pollfd polls[] = {
        {.fd = fd, .events = POLLIN},
        {.fd = cancel_fd(mdns->cancel), .events = POLLIN},
    };

    while (!deadline_passed(by)) {
        int ready = poll(polls, 2, deadline_left_ms(by));

        if (ready < 0 && errno != EINTR)
            return err_errno(err, errno, "waiting for phones to answer");
        if (ready > 0 && polls[1].revents)
            return err_set(err, ERR_CANCELLED, "interrupted");
        if (ready > 0)
            take_waiting(fd, mdns, answers);
    }
    return true;
}

bool mdns_browse(const struct mdns *mdns, struct deadline by,
                 struct mdns_services *services, struct err *err)
{
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    struct mdns_answers *answers;
    bool done;

    if (fd < 0)
        return err_errno(err, errno, "making a socket");
    answers = mem_new(1, sizeof(*answers));
    done = ask(fd, mdns, err) && listen_until(fd, mdns, by, answers, err);
    if (done)
        mdns_join(answers, services);
    free(answers);
    close(fd);
    return done || err_wrap(err, "looking for phones on the network");
}

/*
 * The number of services of that kind and name; one of them is stored in
 * service.
 */
static size_t count_matches(const struct mdns_services *services,
                            enum mdns_kind kind, const char *instance,
                            struct mdns_service *service)
{
    size_t count = 0;

    for (size_t i = 0; i < services->count; i++) {
        const struct mdns_service *item = &services->items[i];

        if (item->kind != kind ||
            (instance && strcmp(item->instance, instance) != 0))
            continue;
        *service = *item;
        count++;
    }
    return count;
}

bool mdns_find(const struct mdns *mdns, enum mdns_kind kind,
               const char *instance, struct deadline by,
               struct mdns_service *service, struct err *err)
{
    struct mdns_services services;
    struct mdns_service match;

    do {
        struct deadline soon =
            deadline_sooner(by, deadline_in_ms(ASK_AGAIN_MS));
        size_t matches;

        if (!mdns_browse(mdns, soon, &services, err))
            return false;
        matches = count_matches(&services, kind, instance, &match);
        if (matches > 1)
            return err_set(err, ERR_INVALID,
                           "%zu phones offer that on this network", matches);
        if (matches) {
            *service = match;
            return true;
        }
    } while (!deadline_passed(by));
    return err_set(err, ERR_TIMEOUT, "no phone on this network offers that");
}
