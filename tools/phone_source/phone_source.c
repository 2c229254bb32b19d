#include "tools/phone_source/phone_source.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "adb/server.h"
#include "base/mem.h"
#include "tools/phone/font.h"
#include "tools/phone_source/phone_oracle.h"

#define REPLY_MAX ((size_t)1024)
#define RETRY_MS 50
#define TRIES_MAX 100

/* One of the phones; all but `taken` belongs to who has leased it. */
struct slot {
    struct lease lease;
    struct phone_oracle oracle;
    struct phone *phone; /* owned; NULL: switched off */
    unsigned boots;      /* how often it was switched on */
    bool taken;
};

struct phone_source {
    struct source source;
    struct phone_source_options options;
    struct fonts *fonts; /* owned; NULL: they are somebody's */
    struct server server;
    pthread_mutex_t lock; /* guards every slot's `taken` */
    struct slot *slots;   /* owned */
};

static struct phone_source *self_of(struct source *source)
{
    return (struct phone_source *)source;
}

/* ---- reaching a phone ---- */

static void address_of(const struct slot *slot, char address[static 32])
{
    snprintf(address, 32, "127.0.0.1:%u", (unsigned)phone_port(slot->phone));
}

/* What the server says about it is for people, and nothing depends on it. */
static bool tell_server(const struct phone_source *self,
                        const struct slot *slot, const char *verb,
                        struct deadline by, struct err *err)
{
    struct buf reply = BUF_INIT(REPLY_MAX);
    char address[32];
    char request[64];
    bool done;

    address_of(slot, address);
    snprintf(request, sizeof(request), "host:%s:%s", verb, address);
    done = server_ask(&self->server, request, by, &reply, err);
    buf_release(&reply);
    return done;
}

static void pause_shortly(void)
{
    nanosleep(&(struct timespec){.tv_nsec = RETRY_MS * 1000000L}, NULL);
}

static bool reach_once(const struct phone_source *self, struct slot *slot,
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

/* A server needs a moment to know the phone, and faults may strike here, too.
 */
static bool reach(const struct phone_source *self, struct slot *slot,
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

static void let_go(const struct phone_source *self, struct slot *slot)
{
    struct err err = ERR_INIT;

    device_close(slot->lease.device);
    slot->lease.device = NULL;
    if (slot->phone && self->options.way == PHONE_SOURCE_SERVER)
        (void)!tell_server(self, slot, "disconnect", deadline_in_ms(2000),
                           &err);
}

/* ---- switching it on and off ---- */

static void switch_off(const struct phone_source *self, struct slot *slot)
{
    let_go(self, slot);
    phone_stop(slot->phone);
    slot->phone = NULL;
    slot->oracle.phone = NULL;
}

static bool switch_on(const struct phone_source *self, struct slot *slot,
                      const char *snapshot, enum locale locale,
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
        .adb_keyboard = options->adb_keyboard,
        .snapshots = options->snapshots,
        .snapshot_name = snapshot,
        .faults = options->faults,
        .luck = slot->boots,
        .log = options->log,
    };

    if (!phone_start(&phone, &slot->phone, err))
        return err_wrap(err, "switching %s on", slot->lease.serial);
    slot->boots++;
    slot->oracle.phone = slot->phone;
    if (reach(self, slot, by, err))
        return true;
    switch_off(self, slot);
    return err_wrap(err, "reaching %s", slot->lease.serial);
}

/* ---- what the runner asks ---- */

static bool list(struct source *source, struct deadline by, char ***serials,
                 size_t *count, struct err *err)
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

static struct slot *find_slot(const struct phone_source *self,
                              const char *serial)
{
    for (size_t i = 0; i < self->options.count; i++) {
        if (!strcmp(self->slots[i].lease.serial, serial))
            return &self->slots[i];
    }
    return NULL;
}

static bool take(struct phone_source *self, struct slot *slot)
{
    bool was;

    pthread_mutex_lock(&self->lock);
    was = slot->taken;
    slot->taken = true;
    pthread_mutex_unlock(&self->lock);
    return !was;
}

static void give_back(struct phone_source *self, struct slot *slot)
{
    pthread_mutex_lock(&self->lock);
    slot->taken = false;
    pthread_mutex_unlock(&self->lock);
}

static bool acquire(struct source *source, const char *serial,
                    struct deadline by, struct lease **lease, struct err *err)
{
    struct phone_source *self = self_of(source);
    struct slot *slot = find_slot(self, serial);

    if (!slot)
        return err_set(err, ERR_NOT_FOUND, "there is no phone %.60s", serial);
    if (!take(self, slot))
        return err_set(err, ERR_BUSY, "%s is taken", serial);
    if (!switch_on(self, slot, NULL, self->options.locale, by, err)) {
        give_back(self, slot);
        return false;
    }
    *lease = &slot->lease;
    return true;
}

static struct slot *slot_of(struct lease *lease)
{
    return (struct slot *)lease; /* its first member */
}

static bool renew(struct source *source, struct lease *lease,
                  struct deadline by, struct err *err)
{
    struct phone_source *self = self_of(source);
    struct slot *slot = slot_of(lease);

    if (!slot->phone)
        return err_set(err, ERR_LOST, "%s is switched off", lease->serial);
    let_go(self, slot);
    return reach(self, slot, by, err);
}

static enum locale locale_of(const struct phone_source *self, const char *name)
{
    if (!name)
        return self->options.locale;
    return strncmp(name, "zh", 2) ? LOCALE_EN : LOCALE_ZH;
}

static bool refresh(struct source *source, struct lease *lease,
                    const char *snapshot, const char *locale,
                    struct deadline by, struct err *err)
{
    struct phone_source *self = self_of(source);
    struct slot *slot = slot_of(lease);
    struct err ignored;

    switch_off(self, slot);
    if (switch_on(self, slot, snapshot, locale_of(self, locale), by, err))
        return true;
    /* Without its snapshot it is still a phone, for other tasks. */
    if (snapshot)
        (void)!switch_on(self, slot, NULL, locale_of(self, locale), by,
                         &ignored);
    return false;
}

static void release(struct source *source, struct lease *lease)
{
    struct phone_source *self = self_of(source);
    struct slot *slot = slot_of(lease);

    switch_off(self, slot);
    give_back(self, slot);
}

static void close_source(struct source *source)
{
    struct phone_source *self = self_of(source);

    if (!self)
        return;
    for (size_t i = 0; i < self->options.count; i++)
        switch_off(self, &self->slots[i]);
    pthread_mutex_destroy(&self->lock);
    fonts_close(self->fonts);
    free(self->slots);
    free(self);
}

/* ---- opening ---- */

static bool prepare(struct phone_source *self, struct err *err)
{
    const struct phone_source_options *options = &self->options;

    if (options->way == PHONE_SOURCE_SERVER &&
        !server_from_environment(&self->server, err))
        return false;
    self->server.cancel = options->cancel;
    self->server.log = options->log;
    return options->fonts || fonts_open(&self->fonts, err);
}

static void make_slots(struct phone_source *self)
{
    self->slots = mem_new(self->options.count, sizeof(*self->slots));
    for (size_t i = 0; i < self->options.count; i++) {
        struct slot *slot = &self->slots[i];

        snprintf(slot->lease.serial, sizeof(slot->lease.serial), "phone-%zu",
                 i);
        phone_oracle_init(&slot->oracle);
        slot->lease.oracle = &slot->oracle.oracle;
    }
}

bool phone_source_open(const struct phone_source_options *options,
                       struct source **source, struct err *err)
{
    static const struct source_ops ops = {
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
    pthread_mutex_init(&self->lock, NULL);
    make_slots(self);
    if (!prepare(self, err)) {
        close_source(&self->source);
        return false;
    }
    *source = &self->source;
    return true;
}
