#include "runner/farm_phones/device_source_stf.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/child.h"
#include "base/mem.h"
#include "base/own_program.h"
#include "runner/farm_phones/stf_client.h"

#define LIST_MS 30000
#define RELEASE_MS 10000
#define RELEASER_MS 5000

struct stf_slot {
    struct device_lease lease;
    atomic_bool taken;
};

struct stf_source {
    struct device_source source;
    struct discover discover;
    struct stf_client *client;
    int64_t idle_ms;
    struct child releaser;
    pthread_mutex_t lock; /* guards the releaser's input */
    struct stf_slot slots[DEVICE_SOURCE_STF_MAX];
    size_t count;
};

static struct stf_source *self_of(struct device_source *source)
{
    return (struct stf_source *)source;
}

static struct stf_slot *slot_of(struct device_lease *lease)
{
    return (struct stf_slot *)lease; /* its first member */
}

/* ---- the releaser ---- */

static bool write_releaser(struct stf_source *self, const char *text,
                           struct err *err)
{
    bool done;

    pthread_mutex_lock(&self->lock);
    done = child_write(&self->releaser, text, strlen(text),
                       deadline_in_ms(RELEASER_MS), NULL, err);
    pthread_mutex_unlock(&self->lock);
    return done || err_wrap(err, "proctor-stf-releaser");
}

/* mark: '+' before a reservation, '-' after its end. */
static bool note(struct stf_source *self, char mark, const char *serial,
                 struct err *err)
{
    char line[STF_SERIAL_MAX + 8];

    snprintf(line, sizeof(line), "%c%.*s\n", mark, STF_SERIAL_MAX, serial);
    return write_releaser(self, line, err);
}

static bool start_releaser(struct stf_source *self,
                           const struct device_source_stf_options *options,
                           struct err *err)
{
    const char *arguments[] = {NULL, NULL};
    const struct child_command command = {.arguments = arguments};
    struct buf head = BUF_INIT(16384);
    char *path;
    bool done;

    if (!own_program_path(options->programs, "proctor-stf-releaser", &path,
                          err))
        return false;
    arguments[0] = path;
    done = child_start(&self->releaser, &command, err);
    free(path);
    if (!done)
        return false;
    buf_printf(&head, "%s\n%s\n", options->url, options->token);
    done = write_releaser(self, buf_cstr(&head), err);
    explicit_bzero(head.data, head.length);
    buf_release(&head);
    return done;
}

/* ---- leases ---- */

static bool device_source_stf_list(struct device_source *source,
                                   struct deadline by, char ***serials,
                                   size_t *count, struct err *err)
{
    const struct stf_source *self = self_of(source);

    (void)by, (void)err;
    *serials = mem_new(self->count + 1, sizeof(**serials));
    for (size_t i = 0; i < self->count; i++)
        (*serials)[i] = mem_dup(self->slots[i].lease.serial);
    *count = self->count;
    return true;
}

static struct stf_slot *find_slot(struct stf_source *self, const char *serial)
{
    for (size_t i = 0; i < self->count; i++) {
        if (!strcmp(self->slots[i].lease.serial, serial))
            return &self->slots[i];
    }
    return NULL;
}

/* False when the phone has a lease already. */
static bool take(struct stf_slot *slot)
{
    return !atomic_exchange(&slot->taken, true);
}

static void give_back(struct stf_slot *slot)
{
    atomic_store(&slot->taken, false);
}

/* STF gives a new address each time. */
static bool connect_phone(struct stf_source *self, struct stf_slot *slot,
                          struct deadline by, struct err *err)
{
    const struct discover *discover = &self->discover;
    const struct device_options options = {.credentials = discover->credentials,
                                           .cancel = discover->cancel,
                                           .log = discover->log};
    char address[TCP_ADDRESS_MAX];
    char host[TCP_HOST_MAX];
    uint16_t port;

    if (!stf_client_connect(self->client, slot->lease.serial, by,
                            discover->cancel, address, err) ||
        !tcp_parse_address(address, 0, host, &port, err))
        return false;
    if (device_open_tcp(host, port, &options, by, &slot->lease.device, err))
        return true;
    if (err->code == ERR_UNAUTHORIZED)
        return err_set(err, ERR_UNAUTHORIZED,
                       "STF does not know the ADB key of this computer: add "
                       "~/.android/adbkey.pub in its settings, under Keys");
    return err_wrap(err, "%.60s, where STF has %s", address,
                    slot->lease.serial);
}

/* The releaser continues with it when STF cannot be reached. */
static void end_reservation(struct stf_source *self, struct stf_slot *slot)
{
    struct err err = ERR_INIT;

    if (stf_client_release(self->client, slot->lease.serial,
                           deadline_in_ms(RELEASE_MS), &err) ||
        err.code == ERR_BUSY || err.code == ERR_NOT_FOUND)
        (void)!note(self, '-', slot->lease.serial, &err);
}

static bool reserve(struct stf_source *self, struct stf_slot *slot,
                    struct deadline by, struct err *err)
{
    struct err ignored;

    if (!note(self, '+', slot->lease.serial, err))
        return false;
    if (stf_client_reserve(self->client, slot->lease.serial, self->idle_ms, by,
                           self->discover.cancel, err))
        return true;
    /* Only a refusal is certain not to have reserved it. */
    if (err->code == ERR_BUSY || err->code == ERR_NOT_FOUND ||
        err->code == ERR_UNAUTHORIZED)
        (void)!note(self, '-', slot->lease.serial, &ignored);
    else
        end_reservation(self, slot);
    return false;
}

static bool device_source_stf_acquire(struct device_source *source,
                                      const char *serial, struct deadline by,
                                      struct device_lease **lease,
                                      struct err *err)
{
    struct stf_source *self = self_of(source);
    struct stf_slot *slot = find_slot(self, serial);

    if (!slot)
        return err_set(err, ERR_NOT_FOUND, "there is no phone %.60s", serial);
    if (!take(slot))
        return err_set(err, ERR_BUSY, "%s is taken", serial);
    if (!reserve(self, slot, by, err)) {
        give_back(slot);
        return false;
    }
    if (!connect_phone(self, slot, by, err)) {
        end_reservation(self, slot);
        give_back(slot);
        return false;
    }
    *lease = &slot->lease;
    return true;
}

/* A phone that STF has taken back may be in use by other people. */
static bool device_source_stf_renew(struct device_source *source,
                                    struct device_lease *lease,
                                    struct deadline by, struct err *err)
{
    struct stf_source *self = self_of(source);

    device_close(lease->device);
    lease->device = NULL;
    if (stf_client_check(self->client, lease->serial, by, self->discover.cancel,
                         err))
        return connect_phone(self, slot_of(lease), by, err);
    if (err->code == ERR_BUSY || err->code == ERR_NOT_FOUND)
        err->code = ERR_LOST;
    return false;
}

static bool device_source_stf_refresh(struct device_source *source,
                                      struct device_lease *lease,
                                      const char *snapshot, const char *locale,
                                      struct deadline by, struct err *err)
{
    (void)source, (void)snapshot, (void)locale, (void)by;
    return err_set(err, ERR_UNSUPPORTED,
                   "%s has no snapshots: only emulators and built-in phones do",
                   lease->serial);
}

static void device_source_stf_release(struct device_source *source,
                                      struct device_lease *lease)
{
    struct stf_source *self = self_of(source);
    struct stf_slot *slot = slot_of(lease);

    device_close(lease->device);
    lease->device = NULL;
    end_reservation(self, slot);
    give_back(slot);
}

static void device_source_stf_close(struct device_source *source)
{
    struct stf_source *self = self_of(source);

    struct buf output = BUF_INIT(4096);
    struct err ignored;

    /* It ends when it has released what could not be released before. */
    child_end_input(&self->releaser);
    if (self->releaser.pid)
        (void)!child_read_all(&self->releaser, deadline_in_ms(RELEASE_MS), NULL,
                              &output, &ignored);
    child_stop(&self->releaser);
    buf_release(&output);
    stf_client_close(self->client);
    pthread_mutex_destroy(&self->lock);
    free(self);
}

/* ---- open ---- */

static void add_slot(struct stf_source *self, const char *serial)
{
    struct device_lease *lease = &self->slots[self->count++].lease;

    snprintf(lease->serial, sizeof(lease->serial), "%s", serial);
    lease->user_owned = true;
}

static bool choose_one(struct stf_source *self, const char *serial,
                       const struct stf_phones *phones, struct err *err)
{
    for (size_t i = 0; i < phones->count; i++) {
        if (strcmp(phones->items[i].serial, serial) != 0)
            continue;
        add_slot(self, serial);
        return true;
    }
    return err_set(err, ERR_NOT_FOUND, "STF has no phone %.60s", serial);
}

static bool choose_free(struct stf_source *self, size_t count,
                        const struct stf_phones *phones, struct err *err)
{
    size_t usable = 0;

    for (size_t i = 0; i < phones->count; i++) {
        const struct stf_phone *phone = &phones->items[i];

        usable += phone->usable;
        if (phone->usable && phone->free && self->count < count &&
            !find_slot(self, phone->serial))
            add_slot(self, phone->serial);
    }
    return self->count == count ||
           err_set(err, ERR_BUSY,
                   "STF has %zu phones, %zu are ready, and %zu of these are "
                   "free: not the %zu that are wanted",
                   phones->count, usable, self->count, count);
}

static bool choose(struct stf_source *self,
                   const struct device_source_stf_options *options,
                   struct err *err)
{
    struct stf_phones phones;
    bool done;

    if (!stf_client_list(self->client, deadline_in_ms(LIST_MS),
                         self->discover.cancel, &phones, err))
        return false;
    done = options->serial ? choose_one(self, options->serial, &phones, err)
                           : choose_free(self, options->count, &phones, err);
    stf_phones_release(&phones);
    return done;
}

bool device_source_stf_open(const struct device_source_stf_options *options,
                            struct device_source **source, struct err *err)
{
    static const struct device_source_ops ops = {
        .list = device_source_stf_list,
        .acquire = device_source_stf_acquire,
        .renew = device_source_stf_renew,
        .refresh = device_source_stf_refresh,
        .release = device_source_stf_release,
        .close = device_source_stf_close,
    };
    struct stf_source *self;

    if (!options->count || options->count > DEVICE_SOURCE_STF_MAX)
        return err_set(err, ERR_INVALID, "%zu phones: give a number to %d",
                       options->count, DEVICE_SOURCE_STF_MAX);
    self = mem_new(1, sizeof(*self));
    self->source.ops = &ops;
    self->discover = *options->discover;
    self->idle_ms = options->idle_ms;
    self->releaser = (struct child)CHILD_INIT;
    pthread_mutex_init(&self->lock, NULL);
    if (!stf_client_open(options->url, options->token, &self->client, err) ||
        !choose(self, options, err) || !start_releaser(self, options, err)) {
        device_source_stf_close(&self->source);
        return false;
    }
    *source = &self->source;
    return true;
}
