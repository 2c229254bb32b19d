/* Phones that ADB reaches: on USB, the network, or through an adb server. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/discover.h"
#include "base/mem.h"
#include "runner/source.h"

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

static bool refresh(struct source *source, struct lease *lease,
                    const char *locale, struct deadline by, struct err *err)
{
    (void)source, (void)locale, (void)by;
    return err_set(err, ERR_UNSUPPORTED,
                   "%s cannot be had as new: only built-in phones can",
                   lease->serial);
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
