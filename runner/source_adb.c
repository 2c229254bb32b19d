/* Phones that ADB reaches: on USB, the network, or through an adb server. */
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/discover.h"
#include "base/mem.h"
#include "runner/emulator.h"
#include "runner/source.h"

#define PAUSE_MS 200

struct adb_source {
    struct source source;
    const struct discover *discover; /* borrowed */
    char **serials;                  /* owned */
    size_t count;
};

static bool list(struct source *source, struct deadline by, char ***serials,
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

static bool acquire(struct source *source, const char *serial,
                    struct deadline by, struct lease **lease, struct err *err)
{
    const struct adb_source *self = (const struct adb_source *)source;
    struct device *device;
    struct lease *made;

    if (!discover_open(self->discover, serial, by, &device, err))
        return false;
    made = mem_new(1, sizeof(*made));
    snprintf(made->serial, sizeof(made->serial), "%s", serial);
    made->device = device;
    made->somebodys = true;
    *lease = made;
    return true;
}

static bool renew(struct source *source, struct lease *lease,
                  struct deadline by, struct err *err)
{
    const struct adb_source *self = (const struct adb_source *)source;

    device_close(lease->device);
    lease->device = NULL;
    return discover_open(self->discover, lease->serial, by, &lease->device,
                         err);
}

/* An emulator that was set back needs a moment until it answers. */
static bool come_back(struct source *source, struct lease *lease,
                      struct deadline by, struct err *err)
{
    const struct adb_source *self = (const struct adb_source *)source;
    struct pollfd fired = {.fd = cancel_fd(self->discover->cancel),
                           .events = POLLIN};

    while (!renew(source, lease, by, err)) {
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

static bool load(struct source *source, struct lease *lease, uint16_t console,
                 const char *snapshot, struct deadline by, struct err *err)
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

static bool refresh(struct source *source, struct lease *lease,
                    const char *snapshot, const char *locale,
                    struct deadline by, struct err *err)
{
    uint16_t console;

    (void)locale; /* a snapshot has its own */
    if (!snapshot)
        return err_set(err, ERR_UNSUPPORTED,
                       "%s cannot be had as new: only built-in phones can, and "
                       "emulators can load a snapshot that has a name",
                       lease->serial);
    if (!emulator_console(lease->serial, &console))
        return err_set(err, ERR_UNSUPPORTED,
                       "%s has no snapshots: only emulators and built-in "
                       "phones do",
                       lease->serial);
    return load(source, lease, console, snapshot, by, err);
}

static void release(struct source *source, struct lease *lease)
{
    (void)source;
    device_close(lease->device);
    free(lease);
}

static void close_source(struct source *source)
{
    struct adb_source *self = (struct adb_source *)source;

    for (size_t i = 0; i < self->count; i++)
        free(self->serials[i]);
    free(self->serials);
    free(self);
}

struct source *source_adb(const struct discover *discover,
                          const char *const *serials, size_t count)
{
    static const struct source_ops ops = {
        .list = list,
        .acquire = acquire,
        .renew = renew,
        .refresh = refresh,
        .release = release,
        .close = close_source,
    };
    struct adb_source *self = mem_new(1, sizeof(*self));

    self->source.ops = &ops;
    self->discover = discover;
    self->serials = mem_new(count + 1, sizeof(*self->serials));
    for (size_t i = 0; i < count; i++)
        self->serials[i] = mem_dup(serials[i]);
    self->count = count;
    return &self->source;
}
