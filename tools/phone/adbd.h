/*
 * The phone's adbd: everything that hosts reach, on adb's device role.
 */
#ifndef PHONE_ADBD_H
#define PHONE_ADBD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/log.h"
#include "tools/phone/cmd_screen.h"
#include "tools/phone/faulty.h"
#include "tools/phone/handset.h"
#include "tools/phone/phone.h"
#include "tools/phone/trust.h"

/* How long a phone that boots lets hosts wait, in the computer's time. */
#define ADBD_BOOT_MS 300

/* Everything is borrowed until adbd_stop. */
struct adbd_options {
    struct handset *handset;
    struct screen_context *screen;
    struct trust *trust;
    const struct command_family *families; /* of its shell */
    size_t family_count;
    void (*boot)(void *context);       /* a host wants the phone to boot */
    faulty_event_fn *happen;           /* a fault is not adb's */
    void *context;                     /* of both */
    const struct phone_options *phone; /* for the call alone */
};

struct adbd;

/* Hosts can connect from then on. */
MUST_USE bool adbd_start(const struct adbd_options *options, struct adbd **adbd,
                         struct err *err);

/* Hang up on all hosts. NULL is fine. */
void adbd_stop(struct adbd *adbd);

/* Where it listens. */
uint16_t adbd_port(const struct adbd *adbd);

/* Where computers pair, and with what code; 0 and "" where they do not. */
uint16_t adbd_pairing_port(const struct adbd *adbd);
const char *adbd_pairing_code(const struct adbd *adbd);

#endif
