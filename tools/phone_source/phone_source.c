#include "tools/phone_source/phone_source.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "adb/device/server_client.h"
#include "base/mem.h"
#include "tools/phone/graphics/font.h"
#include "tools/phone_source/phone_truth.h"

#define REPLY_MAX ((size_t)1024)
#define RETRY_MS 50
#define TRIES_MAX 100

/* One of the phones; everything but `taken` belongs to its lease. */
struct phone_slot {
    struct device_lease lease;
    struct phone_truth truth_source;
    struct phone *phone; /* owned; NULL: switched off */
    unsigned boots;      /* how often it was started */
    atomic_bool taken;
};

struct phone_source {
    struct device_source source;
    struct phone_source_options options;
    struct phone_fonts *fonts; /* owned; NULL: borrowed */
    struct server_client server;
    struct phone_slot *slots; /* owned */
};

static struct phone_source *self_of(struct device_source *source)
{
    return (struct phone_source *)source;
}

/* ---- connecting ---- */

static void address_of(const struct phone_slot *slot, char address[static 32])
{
    snprintf(address, 32, "127.0.0.1:%u", (unsigned)phone_port(slot->phone));
}

/* The server's message is only informational. */
static bool tell_server(const struct phone_source *self,
                        const struct phone_slot *slot, const char *verb,
                        struct deadline by, struct err *err)
{
    struct buf reply = BUF_INIT(REPLY_MAX);
    char address[32];
    char request[64];
    bool done;

    address_of(slot, address);
    snprintf(request, sizeof(request), "host:%s:%s", verb, address);
    done = server_client_ask(&self->server, request, by, &reply, err);
    buf_release(&reply);
    return done;
}

static void pause_shortly(void)
{
    nanosleep(&(struct timespec){.tv_nsec = RETRY_MS * 1000000L}, NULL);
}

static bool reach_once(const struct phone_source *self, struct phone_slot *slot,
                       struct deadline by, struct err *err)
{
    const struct device_options options = {.cancel = self->options.cancel,
                                           .log = self->options.log};
    char address[32];

    if (self->options.way == PHONE_SOURCE_DIRECT)
        return device_open_tcp("127.0.0.1", phone_port(slot->phone), &options,
                               by, &slot->lease.device, err);
    address_of(slot, address);
    return tell_server(self, slot, "connect", by, err) &&
           device_open_server(&self->server, address, by, &slot->lease.device,
                              err);
}

/* A server needs a moment to find the phone, and faults may occur here, too. */
static bool reach(const struct phone_source *self, struct phone_slot *slot,
                  struct deadline by, struct err *err)
{
    for (int tries = 0; !reach_once(self, slot, by, err); tries++) {
        if (err->code == ERR_CANCELLED || err->code == ERR_TIMEOUT ||
            tries == TRIES_MAX || deadline_passed(by))
            return false;
        pause_shortly();
    }
    return true;
}

static void let_go(const struct phone_source *self, struct phone_slot *slot)
{
    struct err err = ERR_INIT;

    device_close(slot->lease.device);
    slot->lease.device = NULL;
    if (slot->phone && self->options.way == PHONE_SOURCE_SERVER)
        (void)!tell_server(self, slot, "disconnect", deadline_in_ms(2000),
                           &err);
}

/* ---- power ---- */

static void switch_off(const struct phone_source *self, struct phone_slot *slot)
{
    let_go(self, slot);
    phone_stop(slot->phone);
    slot->phone = NULL;
    slot->truth_source.phone = NULL;
}

static bool switch_on(const struct phone_source *self, struct phone_slot *slot,
                      const char *snapshot, enum phone_locale locale,
                      struct deadline by, struct err *err)
{
    const struct phone_source_options *options = &self->options;
    const struct phone_options phone = {
        .fonts = options->fonts ? options->fonts : self->fonts,
        .seed = options->seed,
        .skin = options->skin,
        .apps = options->apps,
        .locale = locale,
        .dark = options->dark,
        .realtime = options->realtime,
        .adb_keyboard = options->adb_keyboard,
        .snapshots = options->snapshots,
        .snapshot_name = snapshot,
        .faults = options->faults,
        .fault_seed = slot->boots,
        .log = options->log,
    };

    if (!phone_start(&phone, &slot->phone, err))
        return err_wrap(err, "switching %s on", slot->lease.serial);
    slot->boots++;
    slot->truth_source.phone = slot->phone;
    if (reach(self, slot, by, err))
        return true;
    switch_off(self, slot);
    return err_wrap(err, "reaching %s", slot->lease.serial);
}

/* ---- the source's interface ---- */

static bool list(struct device_source *source, struct deadline by,
                 char ***serials, size_t *count, struct err *err)
{
    const struct phone_source *self = self_of(source);
    char **made = mem_new(self->options.count, sizeof(*made));

    (void)by;
    (void)err;
    for (size_t i = 0; i < self->options.count; i++)
        made[i] = mem_dup(self->slots[i].lease.serial);
    *serials = made;
    *count = self->options.count;
    return true;
}

static struct phone_slot *find_slot(const struct phone_source *self,
                                    const char *serial)
{
    for (size_t i = 0; i < self->options.count; i++) {
        if (!strcmp(self->slots[i].lease.serial, serial))
            return &self->slots[i];
    }
    return NULL;
}

/* False when the phone has a lease already. */
static bool take(struct phone_slot *slot)
{
    return !atomic_exchange(&slot->taken, true);
}

static void give_back(struct phone_slot *slot)
{
    atomic_store(&slot->taken, false);
}

static bool acquire(struct device_source *source, const char *serial,
                    struct deadline by, struct device_lease **lease,
                    struct err *err)
{
    struct phone_source *self = self_of(source);
    struct phone_slot *slot = find_slot(self, serial);

    if (!slot)
        return err_set(err, ERR_NOT_FOUND, "there is no phone %.60s", serial);
    if (!take(slot))
        return err_set(err, ERR_BUSY, "%s is taken", serial);
    if (!switch_on(self, slot, NULL, self->options.locale, by, err)) {
        give_back(slot);
        return false;
    }
    *lease = &slot->lease;
    return true;
}

static struct phone_slot *slot_of(struct device_lease *lease)
{
    return (struct phone_slot *)lease; /* its first member */
}

struct phone *phone_source_phone(struct device_lease *lease)
{
    return slot_of(lease)->phone;
}

static bool renew(struct device_source *source, struct device_lease *lease,
                  struct deadline by, struct err *err)
{
    struct phone_source *self = self_of(source);
    struct phone_slot *slot = slot_of(lease);

    if (!slot->phone)
        return err_set(err, ERR_LOST, "%s is switched off", lease->serial);
    let_go(self, slot);
    return reach(self, slot, by, err);
}

static enum phone_locale locale_of(const struct phone_source *self,
                                   const char *name)
{
    if (!name)
        return self->options.locale;
    return strncmp(name, "zh", 2) ? LOCALE_EN : LOCALE_ZH;
}

static bool refresh(struct device_source *source, struct device_lease *lease,
                    const char *snapshot, const char *locale,
                    struct deadline by, struct err *err)
{
    struct phone_source *self = self_of(source);
    struct phone_slot *slot = slot_of(lease);
    struct err ignored;

    switch_off(self, slot);
    if (switch_on(self, slot, snapshot, locale_of(self, locale), by, err))
        return true;
    /* Without its snapshot the phone can still do other tasks. */
    if (snapshot)
        (void)!switch_on(self, slot, NULL, locale_of(self, locale), by,
                         &ignored);
    return false;
}

static void release(struct device_source *source, struct device_lease *lease)
{
    struct phone_source *self = self_of(source);
    struct phone_slot *slot = slot_of(lease);

    switch_off(self, slot);
    give_back(slot);
}

static void close_source(struct device_source *source)
{
    struct phone_source *self = self_of(source);

    if (!self)
        return;
    for (size_t i = 0; i < self->options.count; i++)
        switch_off(self, &self->slots[i]);
    fonts_close(self->fonts);
    free(self->slots);
    free(self);
}

/* ---- opening ---- */

static bool prepare(struct phone_source *self, struct err *err)
{
    const struct phone_source_options *options = &self->options;

    if (options->way == PHONE_SOURCE_SERVER &&
        !server_client_from_environment(&self->server, err))
        return false;
    self->server.cancel = options->cancel;
    self->server.log = options->log;
    return options->fonts || fonts_open(&self->fonts, err);
}

static void make_slots(struct phone_source *self)
{
    self->slots = mem_new(self->options.count, sizeof(*self->slots));
    for (size_t i = 0; i < self->options.count; i++) {
        struct phone_slot *slot = &self->slots[i];

        snprintf(slot->lease.serial, sizeof(slot->lease.serial), "phone-%zu",
                 i);
        phone_truth_init(&slot->truth_source);
        slot->lease.truth_source = &slot->truth_source.truth_source;
        slot->lease.fresh_starts = true;
    }
}

bool phone_source_open(const struct phone_source_options *options,
                       struct device_source **source, struct err *err)
{
    static const struct device_source_ops ops = {
        .list = list,
        .acquire = acquire,
        .renew = renew,
        .refresh = refresh,
        .release = release,
        .close = close_source,
    };
    struct phone_source *self;

    if (options->count > PHONE_SOURCE_MAX)
        return err_set(err, ERR_INVALID, "%zu phones are too many: %u fit",
                       options->count, PHONE_SOURCE_MAX);
    self = mem_new(1, sizeof(*self));
    self->source.ops = &ops;
    self->options = *options;
    self->options.count = options->count ? options->count : 1;
    make_slots(self);
    if (!prepare(self, err)) {
        close_source(&self->source);
        return false;
    }
    *source = &self->source;
    return true;
}
