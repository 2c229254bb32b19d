/* Phones over ADB: on USB, on the network, or behind an adb server. */
#include <assert.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/connection/conn.h"
#include "adb/discover/discover.h"
#include "base/mem.h"
#include "runner/device/device_source.h"
#include "runner/device/emulator.h"

#define PAUSE_MS 200

struct adb_source {
    struct device_source source;
    const struct discover *discover; /* borrowed */
    char **serials;                  /* owned */
    size_t count;

    pthread_mutex_t lock;   /* guards all below */
    struct device *offered; /* owned; for the next acquire of it; NULL: none */
};

/* The connection that was offered for a phone; NULL: none, or it is lost. */
static struct device *take_offered(struct adb_source *self, const char *serial)
{
    struct device *device = NULL;
    struct err ignored;

    pthread_mutex_lock(&self->lock);
    if (self->offered && !strcmp(device_serial(self->offered), serial)) {
        device = self->offered;
        self->offered = NULL;
    }
    pthread_mutex_unlock(&self->lock);
    if (!device || !device_conn(device) ||
        !conn_is_lost(device_conn(device), &ignored))
        return device;
    device_close(device);
    return NULL;
}

static bool device_source_adb_list(struct device_source *source,
                                   struct deadline by, char ***serials,
                                   size_t *count, struct err *err)
{
    const struct adb_source *self = (const struct adb_source *)source;

    (void)by, (void)err;
    *serials = mem_new(self->count + 1, sizeof(**serials));
    for (size_t i = 0; i < self->count; i++)
        (*serials)[i] = mem_dup(self->serials[i]);
    *count = self->count;
    return true;
}

static bool device_source_adb_acquire(struct device_source *source,
                                      const char *serial, struct deadline by,
                                      struct device_lease **lease,
                                      struct err *err)
{
    struct adb_source *self = (struct adb_source *)source;
    struct device *device = take_offered(self, serial);
    struct device_lease *made;

    if (!device && !discover_open(self->discover, serial, by, &device, err))
        return false;
    made = mem_new(1, sizeof(*made));
    snprintf(made->serial, sizeof(made->serial), "%s", serial);
    made->device = device;
    made->user_owned = true;
    *lease = made;
    return true;
}

static bool device_source_adb_renew(struct device_source *source,
                                    struct device_lease *lease,
                                    struct deadline by, struct err *err)
{
    const struct adb_source *self = (const struct adb_source *)source;

    device_close(lease->device);
    lease->device = NULL;
    return discover_open(self->discover, lease->serial, by, &lease->device,
                         err);
}

/* An emulator needs some time after it loaded a snapshot. */
static bool come_back(struct device_source *source, struct device_lease *lease,
                      struct deadline by, struct err *err)
{
    const struct adb_source *self = (const struct adb_source *)source;
    struct pollfd fired = {.fd = cancel_fd(self->discover->cancel),
                           .events = POLLIN};

    while (!device_source_adb_renew(source, lease, by, err)) {
        if (err->code == ERR_CANCELLED)
            return false;
        if (deadline_passed(by)) {
            err->code = ERR_LOST;
            return err_wrap(err, "after its snapshot was loaded");
        }
        (void)poll(&fired, 1, PAUSE_MS);
    }
    return true;
}

static bool load(struct device_source *source, struct device_lease *lease,
                 uint16_t console, const char *snapshot, struct deadline by,
                 struct err *err)
{
    const struct adb_source *self = (const struct adb_source *)source;
    struct buf token = BUF_INIT(PATH_MAX);
    struct emulator emulator = {.console = console,
                                .cancel = self->discover->cancel};
    bool done;

    emulator_token_path(&token);
    emulator.token = buf_cstr(&token);
    done = emulator_load_snapshot(&emulator, snapshot, by, err) &&
           come_back(source, lease, by, err);
    buf_release(&token);
    return done;
}

static bool device_source_adb_refresh(struct device_source *source,
                                      struct device_lease *lease,
                                      const char *snapshot, const char *locale,
                                      struct deadline by, struct err *err)
{
    uint16_t console;

    (void)locale; /* a snapshot has its own language */
    if (!snapshot)
        return err_set(err, ERR_UNSUPPORTED,
                       "%s cannot be reset: only built-in phones can, and "
                       "emulators can load a named snapshot",
                       lease->serial);
    if (!emulator_console(lease->serial, &console))
        return err_set(err, ERR_UNSUPPORTED,
                       "%s has no snapshots: only emulators and built-in "
                       "phones do",
                       lease->serial);
    return load(source, lease, console, snapshot, by, err);
}

static void device_source_adb_release(struct device_source *source,
                                      struct device_lease *lease)
{
    (void)source;
    device_close(lease->device);
    free(lease);
}

static void device_source_adb_close(struct device_source *source)
{
    struct adb_source *self = (struct adb_source *)source;

    for (size_t i = 0; i < self->count; i++)
        free(self->serials[i]);
    free(self->serials);
    device_close(self->offered);
    pthread_mutex_destroy(&self->lock);
    free(self);
}

void device_source_adb_offer(struct device_source *source,
                             struct device *device)
{
    struct adb_source *self = (struct adb_source *)source;

    pthread_mutex_lock(&self->lock);
    assert(!self->offered);
    self->offered = device;
    pthread_mutex_unlock(&self->lock);
}

struct device_source *device_source_adb(const struct discover *discover,
                                        const char *const *serials,
                                        size_t count)
{
    static const struct device_source_ops ops = {
        .list = device_source_adb_list,
        .acquire = device_source_adb_acquire,
        .renew = device_source_adb_renew,
        .refresh = device_source_adb_refresh,
        .release = device_source_adb_release,
        .close = device_source_adb_close,
    };
    struct adb_source *self = mem_new(1, sizeof(*self));

    self->source.ops = &ops;
    pthread_mutex_init(&self->lock, NULL);
    self->discover = discover;
    self->serials = mem_new(count + 1, sizeof(*self->serials));
    for (size_t i = 0; i < count; i++)
        self->serials[i] = mem_dup(serials[i]);
    self->count = count;
    return &self->source;
}
