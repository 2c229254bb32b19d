/* A phone that lets in only the computers it has come to trust. */
#ifndef TESTS_SUPPORT_WARY_PHONE_H
#define TESTS_SUPPORT_WARY_PHONE_H

#include <stdbool.h>

#include "adb/auth.h"

#define WARY_PHONE_CODE "592781"
#define WARY_PHONE_GUID "adb-1A2B3C4D-xYzAbC"

struct wary_phone {
    struct key *own;       /* owned */
    struct keyring known;  /* grows with each computer that it trusts */
    struct auth_gate gate; /* asks the owner below about unknown keys */
    bool owner_accepts;
    int asked;
    struct err pairing; /* how the last pairing ended */
};

/* It must stay where it is. Fails the running test if that is impossible. */
void wary_phone_init(struct wary_phone *phone, enum auth_demand demand);
void wary_phone_release(struct wary_phone *phone);

/*
 * For listener_start, with the phone as context: a port for pairing, and one
 * for everything else, where "shell:who" says "loop".
 */
void wary_phone_pair(int fd, void *context);
void wary_phone_serve(int fd, void *context);

#endif
