/* The phone's adbd: all services that hosts can use, on adb's device role. */
#ifndef TOOLS_PHONE_ADBD_ADBD_H
#define TOOLS_PHONE_ADBD_ADBD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/log.h"
#include "tools/phone/adbd/host_trust.h"
#include "tools/phone/adbd/wire_faults.h"
#include "tools/phone/services/cmd_screen.h"
#include "tools/phone/system/handset.h"
#include "tools/phone/system/phone_options.h"

/* How long hosts have to wait for a booting phone, in real time. */
#define ADBD_BOOT_MS 300

/* Everything is borrowed until adbd_stop. */
struct adbd_options {
    struct handset *handset;
    struct screen_context *screen;
    struct host_trust *trust;
    const struct command_family *families; /* commands of its shell */
    size_t family_count;
    void (*boot)(void *context);  /* called when a host reboots the phone */
    wire_faults_event_fn *happen; /* called for faults outside of adb */
    void *context;                /* context of both functions */
    const struct phone_options *phone; /* borrowed for this call alone */
};

struct adbd;

/* When this returns, hosts can connect. */
MUST_USE bool adbd_start(const struct adbd_options *options, struct adbd **adbd,
                         struct err *err);

/* Disconnect all hosts. NULL is fine. */
void adbd_stop(struct adbd *adbd);

/* The port it listens on. */
uint16_t adbd_port(const struct adbd *adbd);

/* The port and code for pairing; 0 and "" without pairing. */
uint16_t adbd_pairing_port(const struct adbd *adbd);
const char *adbd_pairing_code(const struct adbd *adbd);

#endif
