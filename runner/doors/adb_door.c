#include "runner/doors/adb_door.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "adb/server/adb_server.h"
#include "adb/server/server_phone.h"
#include "base/file.h"
#include "base/mem.h"
#include "runner/doors/adb_endpoint.h"
#include "runner/doors/door_folder.h"
#include "runner/doors/recorded_phone.h"

#define LOOPBACK "127.0.0.1"
#define ASK_MS 30000 /* for the user's adb server */

struct adb_door {
    struct adb_door_options options;
    struct buf folder;
    struct server_phone *phone; /* passes everything on */
    struct recorded_phone *recorded;
    struct adb_server_phone shown; /* what programs get to see */
    struct adb_server *server;     /* a private one; NULL: the user's own */
    struct adb_endpoint *endpoint; /* for the user's own */
    uint16_t port;                 /* of the private server or the endpoint */
    char serial[32];               /* at the user's own server; "": none */
};

/* ---- a private server ---- */

static bool start_server(struct adb_door *door, struct err *err)
{
    const struct adb_door_options *options = &door->options;
    struct private_network *network = options->network;
    const struct adb_server_options serving = {
        .phones = &door->shown,
        .phone_count = 1,
        .network = network ? private_network_local(network) : NULL,
        .log = options->log,
    };

    door->shown.serial = options->serial;
    if (!adb_server_start(&serving, &door->server, err))
        return false;
    door->port = SERVER_CLIENT_DEFAULT_PORT;
    return (network ||
            adb_server_listen(door->server, LOOPBACK, 0, &door->port, err)) &&
           door_folder_write_server(buf_cstr(&door->folder), door->port, err);
}

bool adb_door_enter_network(struct adb_door *door, struct err *err)
{
    int listener;

    if (!private_network_listen(door->options.network, door->port, &listener,
                                err))
        return false;
    if (adb_server_listen_on(door->server, listener, err))
        return true;
    close(listener);
    return false;
}

/* ---- the user's own server ---- */

/* Ask the server to connect to the endpoint, or to disconnect. */
static bool ask_server(const struct adb_door *door, const char *what,
                       struct err *err)
{
    struct buf reply = BUF_INIT(4096);
    char request[64];
    bool done;

    snprintf(request, sizeof(request), "host:%s:%s", what, door->serial);
    done = server_client_ask(door->options.server, request,
                             deadline_in_ms(ASK_MS), &reply, err);
    buf_release(&reply);
    return done || err_wrap(err, "the adb server");
}

static bool connect_to_server(struct adb_door *door, struct err *err)
{
    if (!adb_endpoint_open(&door->shown, door->options.log, &door->endpoint,
                           &door->port, err))
        return false;
    snprintf(door->serial, sizeof(door->serial), LOOPBACK ":%u", door->port);
    return ask_server(door, "connect", err);
}

/* ---- life ---- */

static bool open_phone(struct adb_door *door, struct err *err)
{
    const struct adb_door_options *options = &door->options;
    struct private_network *network = options->network;

    if (!server_phone_open(options->device,
                           network ? private_network_local(network) : NULL,
                           options->log, &door->phone, err))
        return false;
    door->shown = server_phone_show(door->phone);
    door->recorded = recorded_phone_open(&door->shown, options->recorder);
    server_phone_set_wrap(door->phone, recorded_phone_wrap, door->recorded);
    door->shown = recorded_phone_show(door->recorded);
    return options->server ? connect_to_server(door, err)
                           : start_server(door, err);
}

bool adb_door_open(const struct adb_door_options *options,
                   struct adb_door **door, struct err *err)
{
    struct adb_door *made = mem_new(1, sizeof(*made));

    *made = (struct adb_door){
        .options = *options,
        .folder = BUF_INIT(PATH_MAX),
    };
    if (door_folder_make(getenv("ANDROID_HOME"), options->adb, &made->folder,
                         err) &&
        open_phone(made, err)) {
        *door = made;
        return true;
    }
    adb_door_close(made);
    return false;
}

void adb_door_close(struct adb_door *door)
{
    struct err ignored; /* the server notices that the phone is gone */

    if (!door)
        return;
    if (door->serial[0])
        (void)!ask_server(door, "disconnect", &ignored);
    adb_endpoint_close(door->endpoint);
    adb_server_stop(door->server);
    server_phone_close(door->phone);
    recorded_phone_close(door->recorded);
    if (door->folder.length)
        file_remove_tree(buf_cstr(&door->folder));
    buf_release(&door->folder);
    free(door);
}

const char *adb_door_folder(const struct adb_door *door)
{
    return buf_cstr(&door->folder);
}

void adb_door_environment(const struct adb_door *door,
                          struct program_environment *environment)
{
    const char *folder = buf_cstr(&door->folder);
    const char *path = getenv("PATH");

    environment_add(environment, "ANDROID_SERIAL=%s",
                    door->serial[0] ? door->serial : door->options.serial);
    if (door->options.server)
        return; /* everything else is the user's own */
    environment_add(environment, "PATH=%s/platform-tools:%s", folder,
                    path ? path : "/usr/bin:/bin");
    environment_add(environment, "ANDROID_HOME=%s", folder);
    environment_add(environment, "ANDROID_SDK_ROOT=%s", folder);
    /* mobilecli's daemon, which serves all its clients with its own adb. */
    environment_add(environment, "MOBILECLI_HOME=%s/agent/mobilecli", folder);
    environment_add(environment, "ANDROID_ADB_SERVER_ADDRESS=" LOOPBACK);
    environment_add(environment, "ANDROID_ADB_SERVER_HOST=" LOOPBACK);
    environment_add(environment, "ANDROID_ADB_SERVER_PORT=%u", door->port);
    environment_add(environment, "ADB_SERVER_SOCKET=tcp:" LOOPBACK ":%u",
                    door->port);
}
