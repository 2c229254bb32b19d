#include "runner/farm_phones/device_source_avd.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/own_program.h"
#include "base/thread_group.h"
#include "runner/farm_phones/emulator_process.h"
#include "runner/farm_phones/sdk_emulator.h"

#define BOOT_SECONDS 300
#define BOOT_SECONDS_MAX 7200
#define PAUSE_MS 200
#define LIST_MS 10000
#define ANSWER_MS 5000

/* The snapshot that the SDK saves on closing, and from which it starts. */
#define QUICK_BOOT "default_boot"

struct avd_phone {
    struct device_lease lease;
    struct emulator_process process;
    atomic_bool taken;
};

struct avd_source {
    struct device_source source;
    struct emulator_process_options options;
    struct discover discover;
    char *program; /* owned, as the next two */
    char *supervisor;
    char *avd;
    struct buf token; /* path of the file */
    struct avd_phone phones[DEVICE_SOURCE_AVD_MAX];
    size_t count;
};

static struct avd_source *self_of(struct device_source *source)
{
    return (struct avd_source *)source;
}

static struct avd_phone *phone_of(struct device_lease *lease)
{
    return (struct avd_phone *)lease; /* its first member */
}

static struct emulator console_of(const struct avd_source *self,
                                  const struct avd_phone *phone)
{
    return (struct emulator){.console = phone->process.console,
                             .token = buf_cstr(&self->token),
                             .cancel = self->discover.cancel};
}

/* ---- leases ---- */

static bool device_source_avd_list(struct device_source *source,
                                   struct deadline by, char ***serials,
                                   size_t *count, struct err *err)
{
    const struct avd_source *self = (const struct avd_source *)source;

    (void)by, (void)err;
    *serials = mem_new(self->count + 1, sizeof(**serials));
    for (size_t i = 0; i < self->count; i++)
        (*serials)[i] = mem_dup(self->phones[i].lease.serial);
    *count = self->count;
    return true;
}

static struct avd_phone *find_phone(struct avd_source *self, const char *serial)
{
    for (size_t i = 0; i < self->count; i++) {
        if (!strcmp(self->phones[i].lease.serial, serial))
            return &self->phones[i];
    }
    return NULL;
}

/* False when the phone has a lease already. */
static bool take(struct avd_phone *phone)
{
    return !atomic_exchange(&phone->taken, true);
}

static void give_back(struct avd_phone *phone)
{
    atomic_store(&phone->taken, false);
}

/* Can each episode start from the AVD's saved state? */
static void look_for_quick_boot(const struct avd_source *self,
                                struct avd_phone *phone)
{
    const struct emulator console = console_of(self, phone);
    struct err ignored;

    phone->lease.fresh_starts = false;
    (void)!emulator_has_snapshot(&console, QUICK_BOOT, deadline_in_ms(LIST_MS),
                                 &phone->lease.fresh_starts, &ignored);
}

static bool device_source_avd_acquire(struct device_source *source,
                                      const char *serial, struct deadline by,
                                      struct device_lease **lease,
                                      struct err *err)
{
    struct avd_source *self = self_of(source);
    struct avd_phone *phone = find_phone(self, serial);

    (void)by; /* starting an emulator has its own limit */
    if (!phone)
        return err_set(err, ERR_NOT_FOUND, "there is no phone %.60s", serial);
    if (!take(phone))
        return err_set(err, ERR_BUSY, "%s is taken", serial);
    if (!emulator_process_boot(&phone->process, &phone->lease.device, err)) {
        give_back(phone);
        return false;
    }
    look_for_quick_boot(self, phone);
    *lease = &phone->lease;
    return true;
}

static bool device_source_avd_renew(struct device_source *source,
                                    struct device_lease *lease,
                                    struct deadline by, struct err *err)
{
    struct avd_phone *phone = phone_of(lease);

    (void)source;
    device_close(lease->device);
    lease->device = NULL;
    return emulator_process_reconnect(&phone->process, by, &lease->device, err);
}

/* It needs some time after it loaded a snapshot. */
static bool come_back(const struct avd_source *self, struct avd_phone *phone,
                      struct deadline by, struct err *err)
{
    struct device_lease *lease = &phone->lease;
    struct pollfd fired = {.fd = cancel_fd(self->discover.cancel),
                           .events = POLLIN};

    device_close(lease->device);
    lease->device = NULL;
    while (
        !emulator_process_connect(&phone->process, by, &lease->device, err)) {
        if (err->code == ERR_CANCELLED || err->code == ERR_LOST)
            return false;
        if (deadline_passed(by)) {
            err->code = ERR_LOST;
            return err_wrap(err, "after its snapshot was loaded");
        }
        (void)poll(&fired, 1, PAUSE_MS);
    }
    return true;
}

/* A console that is gone is that of an emulator that has ended. */
static bool explain_loss(struct avd_phone *phone, struct err *err)
{
    struct err why = *err;
    struct device *device = NULL;

    if (err->code == ERR_REMOTE || err->code == ERR_UNAUTHORIZED ||
        err->code == ERR_INVALID || err->code == ERR_CANCELLED)
        return false;
    if (!emulator_process_reconnect(&phone->process, deadline_in_ms(ANSWER_MS),
                                    &device, &why) &&
        why.code == ERR_LOST)
        *err = why;
    device_close(device);
    return false;
}

static bool device_source_avd_refresh(struct device_source *source,
                                      struct device_lease *lease,
                                      const char *snapshot, const char *locale,
                                      struct deadline by, struct err *err)
{
    const struct avd_source *self = self_of(source);
    struct avd_phone *phone = phone_of(lease);
    const struct emulator console = console_of(self, phone);

    (void)locale; /* a snapshot has its own language */
    if (!snapshot && !lease->fresh_starts)
        return err_set(err, ERR_UNSUPPORTED,
                       "AVD %.60s has no snapshot to start from: start it "
                       "once with the SDK's emulator and close it, so that "
                       "it saves one",
                       self->avd);
    return emulator_load_snapshot(&console, snapshot ? snapshot : QUICK_BOOT,
                                  by, err)
               ? come_back(self, phone, by, err)
               : explain_loss(phone, err);
}

static void device_source_avd_release(struct device_source *source,
                                      struct device_lease *lease)
{
    (void)source;
    device_close(lease->device);
    lease->device = NULL;
    give_back(phone_of(lease));
}

/* ---- open and close ---- */

static void close_phone(void *process)
{
    emulator_process_close(process);
}

/* All at once, as each may take some seconds. */
static void close_phones(struct avd_source *self)
{
    struct thread_group closing;

    thread_group_init(&closing, DEVICE_SOURCE_AVD_MAX);
    for (size_t i = 0; i < self->count; i++) {
        struct emulator_process *process = &self->phones[i].process;

        if (!thread_group_start(&closing, close_phone, process))
            close_phone(process);
    }
    thread_group_wait(&closing);
    thread_group_release(&closing);
}

static void device_source_avd_close(struct device_source *source)
{
    struct avd_source *self = self_of(source);

    close_phones(self);
    buf_release(&self->token);
    free(self->program);
    free(self->supervisor);
    free(self->avd);
    free(self);
}

static bool read_boot_seconds(int64_t *milliseconds, struct err *err)
{
    const char *given = getenv("PROCTOR_BOOT_SECONDS");
    long seconds = BOOT_SECONDS;
    char *end = NULL;

    if (given && *given) {
        errno = 0;
        seconds = strtol(given, &end, 10);
        if (errno || end == given || *end || seconds < 1 ||
            seconds > BOOT_SECONDS_MAX)
            return err_set(err, ERR_INVALID,
                           "PROCTOR_BOOT_SECONDS=%.40s: give a number from 1 "
                           "to %d",
                           given, BOOT_SECONDS_MAX);
    }
    *milliseconds = seconds * INT64_C(1000);
    return true;
}

static bool find_programs(struct avd_source *self,
                          const struct device_source_avd_options *options,
                          struct err *err)
{
    return read_boot_seconds(&self->options.boot_ms, err) &&
           own_program_path(options->programs, "proctor-supervisor",
                            &self->supervisor, err) &&
           sdk_emulator_find(&self->program, err) &&
           sdk_emulator_check_avd(self->program, self->avd,
                                  self->discover.cancel, err);
}

static bool open_phones(struct avd_source *self, size_t count, struct err *err)
{
    self->options.program = self->program;
    self->options.supervisor = self->supervisor;
    self->options.avd = self->avd;
    self->options.arguments = getenv("PROCTOR_EMULATOR_OPTIONS");
    self->options.discover = &self->discover;
    for (size_t i = 0; i < count; i++) {
        struct avd_phone *phone = &self->phones[i];

        if (!emulator_process_open(&phone->process, &self->options, err))
            return false;
        memcpy(phone->lease.serial, phone->process.serial,
               sizeof(phone->process.serial));
        self->count++;
    }
    return true;
}

bool device_source_avd_open(const struct device_source_avd_options *options,
                            struct device_source **source, struct err *err)
{
    static const struct device_source_ops ops = {
        .list = device_source_avd_list,
        .acquire = device_source_avd_acquire,
        .renew = device_source_avd_renew,
        .refresh = device_source_avd_refresh,
        .release = device_source_avd_release,
        .close = device_source_avd_close,
    };
    struct avd_source *self;

    if (!options->count || options->count > DEVICE_SOURCE_AVD_MAX)
        return err_set(err, ERR_INVALID,
                       "%zu emulators: give a number from 1 to %d",
                       options->count, DEVICE_SOURCE_AVD_MAX);
    self = mem_new(1, sizeof(*self));
    self->source.ops = &ops;
    self->discover = *options->discover;
    self->token = (struct buf)BUF_INIT(PATH_MAX);
    self->avd = mem_dup(options->avd);
    emulator_token_path(&self->token);
    if (!find_programs(self, options, err) ||
        !open_phones(self, options->count, err)) {
        device_source_avd_close(&self->source);
        return false;
    }
    *source = &self->source;
    return true;
}
