/* Requests for reverse forwards, as clients of an adb server write them. */
#include <stdio.h>
#include <string.h>

#include "adb/device/status_reply.h"
#include "adb/services/reverse_private.h"
#include "adb/services/reverse_reply.h"

/* Send a request and append the whole answer to reply. */
static bool ask_all(struct device *device, const char *request,
                    struct deadline by, struct buf *reply, struct err *err)
{
    struct stream *stream = NULL;
    bool done = reverse_ask(device, request, by, &stream, err) &&
                stream_read_all(stream, by, reply, err);

    stream_close(stream);
    return done;
}

/* Do connections pass through this process, not only through the server? */
static bool relays(const struct reverse *reverse)
{
    const struct server_client *server = device_server(reverse->device);

    return server && (reverse->wrap || reverse->network) &&
           (!strcmp(server->host, "localhost") ||
            !strncmp(server->host, "127.", strlen("127.")) ||
            !strcmp(server->host, "::1"));
}

static bool add_requested(struct reverse *reverse,
                          struct reverse_target *target, bool rebind,
                          struct deadline by, struct buf *reply,
                          struct err *err)
{
    char request[2 * SPEC_MAX + 64];
    char remote[SPEC_MAX];
    bool answered;

    if (relays(reverse) &&
        !reverse_relay_start(reverse->pump_set, target->local, &target->relay,
                             err)) {
        reverse_free_targets(target);
        return false;
    }
    snprintf(request, sizeof(request), "reverse:forward:%s%s;%s",
             rebind ? "" : "norebind:", target->remote,
             target->relay ? reverse_relay_name(target->relay) : target->local);
    memcpy(remote, target->remote, sizeof(remote));
    reverse_register_target(reverse, target);
    answered = ask_all(reverse->device, request, by, reply, err);
    if (answered && !strncmp(buf_cstr(reply), "OKAY", 4))
        reverse_settle_target(
            reverse, target, remote,
            strcmp(remote, "tcp:0") ? 0 : reverse_reply_port(reply));
    else
        reverse_unregister_target(reverse, target);
    return answered;
}

/* "[norebind:]REMOTE;LOCAL", which is a part of request. */
static bool request_forward(struct reverse *reverse, const char *request,
                            const char *spec, struct deadline by,
                            struct buf *reply, struct err *err)
{
    bool rebind = strncmp(spec, "norebind:", strlen("norebind:")) != 0;
    struct reverse_target *target;
    char remote[SPEC_MAX];
    const char *local;

    if (!rebind)
        spec += strlen("norebind:");
    local = strchr(spec, ';');
    if (!local || (size_t)(local - spec) >= sizeof(remote))
        return err_set(err, ERR_INVALID, "bad forward");
    snprintf(remote, sizeof(remote), "%.*s", (int)(local - spec), spec);
    if (!reverse_make_target(remote, local + 1, &target, err)) {
        /* The server may know more kinds of local ends. */
        return !reverse->conn &&
               ask_all(reverse->device, request, by, reply, err);
    }
    return add_requested(reverse, target, rebind, by, reply, err);
}

/* The local end that a client has asked for, where a relay is listed. */
static const char *requested_local(void *context, const char *listed)
{
    const struct reverse *reverse = context;
    const struct reverse_target *target = reverse->targets;

    while (target && !(target->relay &&
                       !strcmp(reverse_relay_name(target->relay), listed)))
        target = target->next;
    return target ? target->local : NULL;
}

static bool request_list(struct reverse *reverse, const char *request,
                         struct deadline by, struct buf *reply, struct err *err)
{
    struct buf listed = STATUS_REPLY_BLOCK_INIT;
    bool answered = ask_all(reverse->device, request, by, &listed, err);

    if (answered) {
        pthread_mutex_lock(&reverse->lock);
        reverse_reply_rename(&listed, requested_local, reverse, reply);
        pthread_mutex_unlock(&reverse->lock);
    }
    buf_release(&listed);
    return answered;
}

bool reverse_request(struct reverse *reverse, const char *request,
                     struct deadline by, struct buf *reply, struct err *err)
{
    static const char forward[] = "reverse:forward:";
    static const char kill[] = "reverse:killforward:";

    if (!strncmp(request, forward, strlen(forward)))
        return request_forward(reverse, request, request + strlen(forward), by,
                               reply, err);
    if (!strcmp(request, "reverse:list-forward"))
        return request_list(reverse, request, by, reply, err);
    if (!strncmp(request, kill, strlen(kill)))
        reverse_forget(reverse, request + strlen(kill), NULL);
    else if (!strcmp(request, "reverse:killforward-all"))
        reverse_forget(reverse, NULL, NULL);
    return ask_all(reverse->device, request, by, reply, err);
}
