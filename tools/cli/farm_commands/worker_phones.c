#include "tools/cli/farm_commands/worker_phones.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#include "adb/services/shell.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "runner/device/phone_lock.h"
#include "tools/cli/run/run_phones.h"
#include "tools/farm_queue/farm_needs.h"

#define ANSWER_MS 30000
#define ANSWER_MAX ((size_t)1 << 20)

static struct cJSON *add_phone(struct worker_phones *phones, const char *serial,
                               bool programs)
{
    struct cJSON *phone = json_add_object(phones->offers, NULL);
    struct cJSON *offers;

    json_add_string(phone, "serial", serial);
    offers = json_add_array(phone, "offers");
    farm_offer_agents(offers, programs);
    return offers;
}

/* A phone that reports nothing unique is known by its serial. */
static bool read_identity(struct worker_phones *phones, struct device *device,
                          struct err *err)
{
    struct buf identity = BUF_INIT(4096);
    bool done = phone_lock_read_identity(device, deadline_in_ms(ANSWER_MS),
                                         &identity, err);

    if (done)
        text_list_add(&phones->identities, identity.length
                                               ? buf_cstr(&identity)
                                               : device_serial(device));
    buf_release(&identity);
    return done;
}

static bool ask(struct device *device, const char *serial, struct cJSON *offers,
                struct err *err)
{
    struct device_info info;
    struct shell_result packages;

    if (!device_info_read(device, deadline_in_ms(ANSWER_MS), &info, err) ||
        !shell_run(device, "pm list packages", ANSWER_MAX,
                   deadline_in_ms(ANSWER_MS), &packages, err))
        return false;
    farm_offer_phone(offers, serial, &info);
    farm_offer_packages(offers, buf_cstr(&packages.out));
    shell_result_release(&packages);
    return true;
}

static bool add_real(struct worker_phones *phones, struct cli_context *cli,
                     const char *serial, bool programs, struct err *err)
{
    struct discover_config config;
    struct phone_lock lock = PHONE_LOCK_INIT;
    struct device *device = NULL;
    bool done;

    if (!cli_discover_config(cli, &config, err))
        return false;
    done = phone_lock_take_briefly(&lock, serial, err) &&
           discover_open(&config.discover, serial, deadline_in_ms(ANSWER_MS),
                         &device, err) &&
           read_identity(phones, device, err) &&
           ask(device, device_serial(device),
               add_phone(phones, serial, programs), err);
    device_close(device);
    phone_lock_release(&lock);
    discover_config_release(&config);
    return done || err_wrap(err, "phone %s", serial);
}

static bool add_pool_phone(struct worker_phones *phones,
                           const struct pool_phone *phone, bool programs,
                           struct err *err)
{
    const struct device_source_ops *ops = phone->source->ops;
    struct device_lease *lease;
    bool done;

    if (!ops->acquire(phone->source, phone->serial, deadline_in_ms(ANSWER_MS),
                      &lease, err))
        return err_wrap(err, "phone %s", phone->serial);
    done = (phone->disposable || read_identity(phones, lease->device, err)) &&
           ask(lease->device, phone->serial,
               add_phone(phones, phone->serial, programs), err);
    ops->release(phone->source, lease);
    return done || err_wrap(err, "phone %s", phone->serial);
}

/* They keep running for the runs that come. */
static bool add_pool(struct worker_phones *phones, struct cli_context *cli,
                     bool programs, struct err *err)
{
    if (!phone_pool_open(&phones->pool, cli, &phones->devices, err))
        return false;
    phone_pool_start(&phones->pool);
    for (size_t i = 0; i < phones->pool.count; i++) {
        if (!add_pool_phone(phones, &phones->pool.items[i], programs, err))
            return false;
    }
    return true;
}

/* Built-in phones come first, as in run_phones.h. */
static bool add_builtin(struct worker_phones *phones, bool programs,
                        struct err *err)
{
    size_t all = 0;
    size_t count;

    for (size_t i = 0; i < phones->devices.count; i++) {
        if (!run_phones_builtin(phones->devices.items[i], &count, err))
            return false;
        all += count;
    }
    for (size_t i = 0; i < all; i++) {
        char serial[32];

        snprintf(serial, sizeof(serial), "phone-%zu", i);
        farm_offer_builtin(add_phone(phones, serial, programs));
    }
    return true;
}

bool worker_phones_open(struct worker_phones *phones, struct cli_context *cli,
                        const struct option_texts *devices, bool programs,
                        struct err *err)
{
    size_t builtin;
    bool valid;

    *phones = (struct worker_phones){.offers = json_new_array()};
    for (size_t i = 0; i < devices->count; i++)
        text_list_add(&phones->devices, devices->items[i]);
    if (!devices->count)
        text_list_add(&phones->devices, "phone");
    if (!phone_pool_check(&phones->devices, err) ||
        !add_builtin(phones, programs, err))
        return false;
    for (size_t i = 0; i < phones->devices.count; i++) {
        const char *device = phones->devices.items[i];

        if (!run_phones_builtin(device, &builtin, err) ||
            (!builtin && !phone_pool_is_for(device, &valid) &&
             !add_real(phones, cli, device, programs, err)))
            return false;
    }
    return add_pool(phones, cli, programs, err);
}

void worker_phones_release(struct worker_phones *phones)
{
    phone_pool_release(&phones->pool);
    text_list_release(&phones->devices);
    text_list_release(&phones->identities);
    cJSON_Delete(phones->offers);
    *phones = (struct worker_phones){.offers = NULL};
}
