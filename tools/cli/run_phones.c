#include "tools/cli/run_phones.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/phone_source/phone_source.h"

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

static bool open_builtin(struct run_phones *phones, const struct cli *cli,
                         const struct run_plan *plan, struct err *err)
{
    const struct phone_source_options options = {
        .count = phones->builtin_count,
        .seed = (uint64_t)plan->seed,
        .skin = (unsigned)plan->skin,
        .locale =
            plan->locale && !strcmp(plan->locale, "zh") ? LOCALE_ZH : LOCALE_EN,
        .adb_keyboard = true,
        .faults = plan->faults,
        .snapshots = plan->snapshots,
        .way = plan->via_server ? PHONE_SOURCE_SERVER : PHONE_SOURCE_DIRECT,
        .cancel = cli->cancel,
        .log = cli->log,
    };

    return phone_source_open(&options, &phones->builtin, err);
}

/* The serial of the only phone there is. */
static bool find_only(const struct run_phones *phones, const struct cli *cli,
                      char **serial, struct err *err)
{
    struct device *device;

    if (!discover_open(&phones->places.discover, NULL, cli_soon(cli), &device,
                       err))
        return false;
    *serial = mem_dup(device_serial(device));
    device_close(device);
    return true;
}

static bool open_adb(struct run_phones *phones, const struct cli *cli,
                     struct err *err)
{
    const size_t first = phones->builtin_count;
    struct texts *serials = &phones->serials;

    phones->has_places = true;
    if (!cli_places(cli, &phones->places, err))
        return false;
    for (size_t i = first; i < serials->count; i++) {
        char *only;

        if (serials->items[i][0])
            continue;
        if (!find_only(phones, cli, &only, err))
            return false;
        free(serials->items[i]);
        serials->items[i] = only;
    }
    phones->adb = source_adb(&phones->places.discover,
                             (const char *const *)(serials->items + first),
                             serials->count - first);
    return true;
}

/* Built-in ones come first, whatever the order they were named in. */
static bool name_phones(struct run_phones *phones, const struct texts *devices,
                        struct err *err)
{
    size_t count;

    for (size_t i = 0; i < devices->count; i++) {
        if (!run_phones_builtin(devices->items[i], &count, err))
            return false;
        phones->builtin_count += count;
    }
    for (size_t i = 0; i < phones->builtin_count; i++) {
        char serial[32];

        snprintf(serial, sizeof(serial), "phone-%zu", i);
        texts_add(&phones->serials, serial);
    }
    for (size_t i = 0; i < devices->count; i++) {
        if (run_phones_builtin(devices->items[i], &count, err) && !count)
            texts_add(&phones->serials, devices->items[i]);
    }
    return phones->serials.count > 0 ||
           err_set(err, ERR_INVALID, "no phone is named");
}

bool run_phones_open(struct run_phones *phones, struct cli *cli,
                     const struct run_plan *plan, struct err *err)
{
    *phones = (struct run_phones){.items = NULL};
    if (!name_phones(phones, &plan->devices, err) ||
        (phones->builtin_count && !open_builtin(phones, cli, plan, err)) ||
        (phones->serials.count > phones->builtin_count &&
         !open_adb(phones, cli, err)))
        return false;
    phones->count = phones->serials.count;
    phones->items = mem_new(phones->count, sizeof(*phones->items));
    for (size_t i = 0; i < phones->count; i++)
        phones->items[i] = (struct run_phone){
            .source = i < phones->builtin_count ? phones->builtin : phones->adb,
            .serial = phones->serials.items[i],
            .ours = i < phones->builtin_count,
        };
    return true;
}

void run_phones_release(struct run_phones *phones)
{
    if (phones->builtin)
        phones->builtin->ops->close(phones->builtin);
    if (phones->adb)
        phones->adb->ops->close(phones->adb);
    if (phones->has_places)
        places_release(&phones->places);
    free(phones->items);
    texts_release(&phones->serials);
    *phones = (struct run_phones){.items = NULL};
}
