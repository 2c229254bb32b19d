/*
 * A door for an agent that drives a phone through adb. Everything that goes
 * through it is reported to the recorder.
 *
 *     agent's program ──▶ adb ──▶ adb server ──▶ recorded phone ──▶ phone
 *     (any client library)                            │
 *                                                     ▼
 *                                                  recorder
 *
 * The adb server is a private one, which shows exactly this phone; programs
 * find it through their environment, or, in a private network, where every
 * program looks for one. Or it is the user's own, to which the recorded phone
 * is connected as one more.
 */
#ifndef RUNNER_DOORS_ADB_DOOR_H
#define RUNNER_DOORS_ADB_DOOR_H

#include "adb/device/device.h"
#include "base/log.h"
#include "runner/doors/door_recorder.h"
#include "runner/doors/environment.h"
#include "runner/doors/private_network.h"

/* All of it is borrowed until adb_door_close. */
struct adb_door_options {
    struct device *device;
    const char *serial; /* as programs see it at a private server */
    struct door_recorder *recorder;
    const char *adb; /* path of our own adb program */
    /* the private server is in this network; NULL: in this computer's */
    struct private_network *network;
    /* the user's own server instead; NULL: a private one */
    const struct server_client *server;
    const struct log *log; /* may be NULL */
};

struct adb_door;

/* Open the door. Fails as adb_server_listen and server_client_ask. */
MUST_USE bool adb_door_open(const struct adb_door_options *options,
                            struct adb_door **door, struct err *err);

/*
 * Disconnect every client, and remove the door's folder with all that is in it.
 * Blocks while the phone is opening a service. NULL is fine.
 */
void adb_door_close(struct adb_door *door);

/*
 * Let the server listen in the private network, which private_network_connect
 * has connected. Only if there is one. Fails as private_network_listen.
 */
MUST_USE bool adb_door_enter_network(struct adb_door *door, struct err *err);

/* The folder for files that are handed to the agent. */
const char *adb_door_folder(const struct adb_door *door);

/* Add the variables by which programs find the door. */
void adb_door_environment(const struct adb_door *door,
                          struct program_environment *environment);

#endif
