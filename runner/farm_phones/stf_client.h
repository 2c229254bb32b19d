/*
 * The REST API of STF (Smartphone Test Farm, DeviceFarmer): phones that a lab
 * shares are listed, reserved, connected and released.
 *
 * Every reply is untrusted. The token is in the header Authorization of
 * requests to the given server, and nowhere else.
 */
#ifndef RUNNER_FARM_PHONES_STF_CLIENT_H
#define RUNNER_FARM_PHONES_STF_CLIENT_H

#include <stdbool.h>
#include <stddef.h>

#include "adb/transport/tcp.h"
#include "base/cancel.h"
#include "base/deadline.h"
#include "base/err.h"

#define STF_SERIAL_MAX 100
#define STF_PHONES_MAX 4096

struct stf_client;

struct stf_phone {
    char serial[STF_SERIAL_MAX];
    bool usable; /* connected to STF, and ready */
    bool free;   /* no user has it */
};

/* All that STF has. */
struct stf_phones {
    struct stf_phone *items; /* owned */
    size_t count;
};

void stf_phones_release(struct stf_phones *phones);

/*
 * A client for the server at url, such as "https://stf.example.org". Fails with
 * ERR_INVALID for anything but https, except on this computer.
 */
MUST_USE bool stf_client_open(const char *url, const char *token,
                              struct stf_client **client, struct err *err);
void stf_client_close(struct stf_client *client); /* NULL is fine */

/* May a phone have this serial? Others cannot be reserved. */
bool stf_client_is_serial(const char *serial);

/*
 * All calls block until the server has answered or `by` passes. They fail with
 * ERR_UNAUTHORIZED for a token that is not accepted, ERR_BUSY when the phone is
 * not free, or not ours, ERR_NOT_FOUND, ERR_REMOTE and the server's reason,
 * ERR_PROTOCOL for a reply that is not STF's, and as http_send.
 */
MUST_USE bool stf_client_list(struct stf_client *client, struct deadline by,
                              const struct cancel *cancel,
                              struct stf_phones *phones, struct err *err);

/* idle_ms: STF releases it when it was not used for this time. */
MUST_USE bool stf_client_reserve(struct stf_client *client, const char *serial,
                                 int64_t idle_ms, struct deadline by,
                                 const struct cancel *cancel, struct err *err);

/* Is it still reserved for us? */
MUST_USE bool stf_client_check(struct stf_client *client, const char *serial,
                               struct deadline by, const struct cancel *cancel,
                               struct err *err);

/* Make it reachable by ADB, at address. */
MUST_USE bool stf_client_connect(struct stf_client *client, const char *serial,
                                 struct deadline by,
                                 const struct cancel *cancel,
                                 char address[TCP_ADDRESS_MAX],
                                 struct err *err);

/* End that, and the reservation. */
MUST_USE bool stf_client_release(struct stf_client *client, const char *serial,
                                 struct deadline by, struct err *err);

#endif
