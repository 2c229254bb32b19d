/* A phone that accepts only trusted computers. */
#ifndef TESTS_SUPPORT_ADB_AUTH_PHONE_H
#define TESTS_SUPPORT_ADB_AUTH_PHONE_H

#include <stdbool.h>

#include "adb/trust/auth.h"

#define AUTH_PHONE_CODE "592781"
#define AUTH_PHONE_GUID "adb-1A2B3C4D-xYzAbC"

struct auth_phone {
    struct key *own;           /* owned */
    struct keyring known;      /* grows with each trusted computer */
    struct auth_policy policy; /* asks about unknown keys */
    bool owner_accepts;
    int asked;
    struct err pairing; /* how the last pairing ended */
};

/* It must not move. Fails the running test on errors. */
void auth_phone_init(struct auth_phone *phone, enum auth_demand demand);
void auth_phone_release(struct auth_phone *phone);

/*
 * For tcp_listener_start, with the phone as context: a port for pairing, and
 * one for everything else, on which the command "who" prints "loop".
 */
void auth_phone_pair(int fd, void *context);
void auth_phone_serve(int fd, void *context);

#endif
