#include "tools/cli/run/run_phones.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runner/agents/agent_factory.h"
#include "tools/phone_source/phone_source.h"

#define FAULTS_TEXT_MAX ((size_t)1 << 20)

bool run_phones_number(const char *option, const char *text, int64_t min,
                       int64_t max, int64_t *number, struct err *err)
{
    char *end;
    long long found;

    if (!text)
        return true;
    errno = 0;
    found = strtoll(text, &end, 10);
    if (errno || end == text || *end || found < min || found > max)
        return err_set(err, ERR_INVALID,
                       "--%s %.40s: give a number from %lld to %lld", option,
                       text, (long long)min, (long long)max);
    *number = found;
    return true;
}

bool run_phones_builtin(const char *device, size_t *count, struct err *err)
{
    int64_t number = 1;

    *count = 0;
    if (strcmp(device, "phone") != 0 && strncmp(device, "phone:", 6) != 0)
        return true;
    if (!run_phones_number("device phone", device[5] ? device + 6 : NULL, 1,
                           PHONE_SOURCE_MAX, &number, err))
        return false;
    *count = (size_t)number;
    return true;
}

/* The noise, then the faults that were asked for. */
static bool join_faults(const struct run_plan *plan, struct buf *faults,
                        struct err *err)
{
    *faults = (struct buf)BUF_INIT(FAULTS_TEXT_MAX);
    if (plan->noise != NOISE_NONE && plan->faults && *plan->faults == '[')
        return err_set(err, ERR_INVALID,
                       "--noise and --faults in JSON do not go together; write "
                       "the faults in the short form");
    buf_text(faults, noise_faults(plan->noise));
    if (plan->faults)
        buf_printf(faults, "%s%s", faults->length ? ";" : "", plan->faults);
    return !faults->overflow ||
           err_set(err, ERR_LIMIT, "the faults are longer than %zu bytes",
                   FAULTS_TEXT_MAX);
}

static bool open_builtin(struct run_phones *phones,
                         const struct cli_context *cli,
                         const struct run_plan *plan, struct err *err)
{
    struct phone_source_options options = {
        .count = phones->builtin_count,
        .seed = (uint64_t)plan->seed,
        .skin = (unsigned)plan->skin,
        .locale =
            plan->locale && !strcmp(plan->locale, "zh") ? LOCALE_ZH : LOCALE_EN,
        .realtime = plan->realtime,
        .adb_keyboard = true,
        .snapshots = plan->snapshots,
        .way = plan->via_server && !agent_factory_drives(plan->agent)
                   ? PHONE_SOURCE_SERVER
                   : PHONE_SOURCE_DIRECT,
        .cancel = cli->cancel,
        .log = cli->log,
    };
    if (!join_faults(plan, &phones->faults, err))
        return false;
    options.faults = buf_cstr(&phones->faults);
    return phone_source_open(&options, &phones->builtin, err);
}

/* Open the only phone there is, unless it is open. */
static bool find_only(const struct run_phones *phones,
                      const struct cli_context *cli, struct device **only,
                      struct err *err)
{
    if (*only || discover_open(&phones->discover_config.discover, NULL,
                               cli_short_deadline(cli), only, err))
        return true;
    return cli_suggest_builtin(err, "use the built-in one: --device phone");
}

static bool open_adb(struct run_phones *phones, const struct cli_context *cli,
                     struct err *err)
{
    const size_t first = phones->builtin_count;
    struct text_list *serials = &phones->serials;
    struct device *only = NULL;

    phones->has_places = true;
    if (!cli_discover_config(cli, &phones->discover_config, err))
        return false;
    for (size_t i = first; i < serials->count; i++) {
        if (serials->items[i][0])
            continue;
        if (!find_only(phones, cli, &only, err))
            return false;
        free(serials->items[i]);
        serials->items[i] = mem_dup(device_serial(only));
    }
    phones->adb = device_source_adb(
        &phones->discover_config.discover,
        (const char *const *)(serials->items + first), serials->count - first);
    if (only)
        device_source_adb_offer(phones->adb, only);
    return true;
}

/*
 * Built-in ones come first, whatever the order they were named in. Those of the
 * pool follow when all others are known.
 */
static bool name_phones(struct run_phones *phones,
                        const struct text_list *devices, struct err *err)
{
    size_t count;
    bool valid;

    for (size_t i = 0; i < devices->count; i++) {
        if (!run_phones_builtin(devices->items[i], &count, err))
            return false;
        phones->builtin_count += count;
    }
    for (size_t i = 0; i < phones->builtin_count; i++) {
        char serial[32];

        snprintf(serial, sizeof(serial), "phone-%zu", i);
        text_list_add(&phones->serials, serial);
    }
    for (size_t i = 0; i < devices->count; i++) {
        if (run_phones_builtin(devices->items[i], &count, err) && !count &&
            !phone_pool_is_for(devices->items[i], &valid))
            text_list_add(&phones->serials, devices->items[i]);
    }
    return devices->count > 0 || err_set(err, ERR_INVALID, "no phone is given");
}

static bool open_pool(struct run_phones *phones, const struct cli_context *cli,
                      const struct run_plan *plan,
                      const struct phone_pool *given, struct err *err)
{
    phones->pool = given ? given : &phones->own_pool;
    if (!given && !phone_pool_open(&phones->own_pool, cli, &plan->devices, err))
        return false;
    for (size_t i = 0; i < phones->pool->count; i++)
        text_list_add(&phones->serials, phones->pool->items[i].serial);
    return true;
}

static struct run_phone phone_at(const struct run_phones *phones, size_t at)
{
    const size_t pool_first = phones->serials.count - phones->pool->count;
    struct run_phone phone = {.source = phones->adb,
                              .serial = phones->serials.items[at],
                              .ours = at < phones->builtin_count};

    if (phone.ours)
        phone.source = phones->builtin;
    if (at >= pool_first) {
        phone.source = phones->pool->items[at - pool_first].source;
        phone.disposable = phones->pool->items[at - pool_first].disposable;
    }
    return phone;
}

bool run_phones_open(struct run_phones *phones, struct cli_context *cli,
                     const struct run_plan *plan, const struct phone_pool *pool,
                     struct err *err)
{
    *phones = (struct run_phones){.items = NULL};
    if (!name_phones(phones, &plan->devices, err) ||
        (phones->builtin_count && !open_builtin(phones, cli, plan, err)) ||
        (phones->serials.count > phones->builtin_count &&
         !open_adb(phones, cli, err)) ||
        !open_pool(phones, cli, plan, pool, err))
        return false;
    phones->count = phones->serials.count;
    phones->items = mem_new(phones->count, sizeof(*phones->items));
    for (size_t i = 0; i < phones->count; i++)
        phones->items[i] = phone_at(phones, i);
    return true;
}

void run_phones_release(struct run_phones *phones)
{
    if (phones->builtin)
        phones->builtin->ops->close(phones->builtin);
    if (phones->adb)
        phones->adb->ops->close(phones->adb);
    phone_pool_release(&phones->own_pool);
    if (phones->has_places)
        discover_config_release(&phones->discover_config);
    buf_release(&phones->faults);
    free(phones->items);
    text_list_release(&phones->serials);
    *phones = (struct run_phones){.items = NULL};
}
