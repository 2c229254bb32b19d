#include "tools/phone/system/sockets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/transport/tcp.h"
#include "base/macros.h"
#include "base/mem.h"

/* The range of automatic ports, as on Linux. */
#define FIRST_PICKED_PORT 32768U

#define PIECE_SIZE ((size_t)16 * 1024)

/* A listening socket, freed with its last reference. */
struct socket {
    char name[SOCKETS_NAME_MAX];
    struct socket_service service;
    size_t users; /* references: connections, and one while it is listed */
    struct socket *next;
};

/* ---- names ---- */

static bool is_the_phone(const char *host, size_t length)
{
    static const char *const names[] = {"localhost", "127.0.0.1", "::1",
                                        "[::1]", "0.0.0.0"};

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        if (strlen(names[i]) == length && !memcmp(host, names[i], length))
            return true;
    }
    return false;
}

static bool name_port(const char *text, char name[SOCKETS_NAME_MAX])
{
    const char *colon = strrchr(text, ':');
    uint16_t port = 0;

    if (colon && !is_the_phone(text, (size_t)(colon - text)))
        return false;
    text = colon ? colon + 1 : text;
    if (strcmp(text, "0") != 0 && !tcp_parse_port(text, &port))
        return false;
    snprintf(name, SOCKETS_NAME_MAX, "tcp:%u", (unsigned)port);
    return true;
}

bool sockets_name(const char *spec, char name[SOCKETS_NAME_MAX])
{
    static const struct {
        const char *prefix;
        const char *means;
    } kinds[] = {
        {"localabstract:", "localabstract:"},
        {"localreserved:", "localreserved:"},
        {"local:", "localreserved:"},
        {"localfilesystem:", "localfilesystem:"},
    };

    if (!strncmp(spec, "tcp:", 4))
        return name_port(spec + 4, name);
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        size_t length = strlen(kinds[i].prefix);
        int size;

        if (strncmp(spec, kinds[i].prefix, length) != 0 || !spec[length])
            continue;
        size = snprintf(name, SOCKETS_NAME_MAX, "%s%s", kinds[i].means,
                        spec + length);
        return size > 0 && size < SOCKETS_NAME_MAX;
    }
    return false;
}

/* ---- with the lock held ---- */

static struct socket **find(struct phone_sockets *sockets, const char *name)
{
    struct socket **link = &sockets->first;

    while (*link && strcmp((*link)->name, name) != 0)
        link = &(*link)->next;
    return link;
}

static uint16_t pick_port(struct phone_sockets *sockets,
                          char name[SOCKETS_NAME_MAX])
{
    uint16_t port;

    do {
        port = sockets->next_port++;
        if (sockets->next_port < FIRST_PICKED_PORT)
            sockets->next_port = FIRST_PICKED_PORT;
        snprintf(name, SOCKETS_NAME_MAX, "tcp:%u", (unsigned)port);
    } while (*find(sockets, name));
    return port;
}

static bool add(struct phone_sockets *sockets, const char *name,
                const struct socket_service *service, struct err *err)
{
    struct socket **link = find(sockets, name);

    if (*link)
        return err_set(err, ERR_REFUSED, "Address already in use");
    if (sockets->count == SOCKETS_MAX)
        return err_set(err, ERR_LIMIT, "Too many open files");
    *link = mem_new(1, sizeof(**link));
    **link = (struct socket){.service = *service, .users = 1};
    snprintf((*link)->name, sizeof((*link)->name), "%s", name);
    sockets->count++;
    return true;
}

/* ---- listening ---- */

static void release(const struct socket_service *service)
{
    if (service->release)
        service->release(service->context);
}

static void drop(struct phone_sockets *sockets, struct socket *socket)
{
    bool last;

    pthread_mutex_lock(&sockets->lock);
    last = --socket->users == 0;
    pthread_mutex_unlock(&sockets->lock);
    if (!last)
        return;
    release(&socket->service);
    free(socket);
}

bool sockets_listen(struct phone_sockets *sockets, const char *spec,
                    struct socket_service service, uint16_t *port,
                    struct err *err)
{
    char name[SOCKETS_NAME_MAX];
    uint16_t picked = 0;
    bool added = false;

    if (!sockets_name(spec, name)) {
        err_set(err, ERR_INVALID, "unknown socket specification: %.100s", spec);
    } else {
        pthread_mutex_lock(&sockets->lock);
        if (!strcmp(name, "tcp:0"))
            picked = pick_port(sockets, name);
        added = add(sockets, name, &service, err);
        pthread_mutex_unlock(&sockets->lock);
    }
    if (!added)
        release(&service);
    else if (port)
        *port = picked;
    return added;
}

bool sockets_unlisten(struct phone_sockets *sockets, const char *spec)
{
    char name[SOCKETS_NAME_MAX];
    struct socket **link;
    struct socket *found;

    if (!sockets_name(spec, name))
        return false;
    pthread_mutex_lock(&sockets->lock);
    link = find(sockets, name);
    found = *link;
    if (found) {
        *link = found->next;
        sockets->count--;
    }
    pthread_mutex_unlock(&sockets->lock);
    if (found)
        drop(sockets, found);
    return found;
}

bool sockets_connect(struct phone_sockets *sockets, const char *spec,
                     struct stream *stream, struct err *err)
{
    char name[SOCKETS_NAME_MAX];
    struct socket *found = NULL;

    if (sockets_name(spec, name)) {
        pthread_mutex_lock(&sockets->lock);
        found = *find(sockets, name);
        if (found)
            found->users++;
        pthread_mutex_unlock(&sockets->lock);
    }
    if (!found)
        return err_set(err, ERR_REFUSED, "Connection refused");
    found->service.serve(found->service.context, stream);
    drop(sockets, found);
    return true;
}

bool sockets_has_listener(struct phone_sockets *sockets, const char *spec)
{
    char name[SOCKETS_NAME_MAX];
    bool listens;

    if (!sockets_name(spec, name))
        return false;
    pthread_mutex_lock(&sockets->lock);
    listens = *find(sockets, name) != NULL;
    pthread_mutex_unlock(&sockets->lock);
    return listens;
}

/* ---- built-in services ---- */

static void serve_echo(void *context, struct stream *stream)
{
    char *data = mem_resize(NULL, PIECE_SIZE, 1);
    struct err err;
    size_t got;

    (void)context;
    while (stream_read(stream, data, PIECE_SIZE, DEADLINE_NEVER, &got, &err) &&
           got && stream_write(stream, data, got, DEADLINE_NEVER, &err))
        continue;
    free(data);
}

static void serve_discard(void *context, struct stream *stream)
{
    char *data = mem_resize(NULL, PIECE_SIZE, 1);
    struct err err;
    size_t got;

    (void)context;
    while (stream_read(stream, data, PIECE_SIZE, DEADLINE_NEVER, &got, &err) &&
           got)
        continue;
    free(data);
}

void sockets_init(struct phone_sockets *sockets)
{
    static const struct {
        const char *name;
        struct socket_service service;
    } own[] = {
        {"tcp:7", {.serve = serve_echo}},
        {"tcp:9", {.serve = serve_discard}},
        {"localabstract:echo", {.serve = serve_echo}},
    };
    struct err err;

    *sockets = (struct phone_sockets){.next_port = FIRST_PICKED_PORT};
    pthread_mutex_init(&sockets->lock, NULL);
    for (size_t i = 0; i < ARRAY_LEN(own); i++)
        (void)!sockets_listen(sockets, own[i].name, own[i].service, NULL, &err);
}

void sockets_release(struct phone_sockets *sockets)
{
    while (sockets->first)
        sockets_unlisten(sockets, sockets->first->name);
    pthread_mutex_destroy(&sockets->lock);
}
