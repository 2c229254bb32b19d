#include "tools/cli/run/phone_pool.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/thread_group.h"
#include "runner/farm_phones/device_source_avd.h"
#include "runner/farm_phones/device_source_stf.h"
#include "runner/farm_phones/sdk_emulator.h"
#include "runner/farm_phones/stf_client.h"

#define STF_IDLE_SECONDS 1800
#define STF_TOKEN_MAX ((size_t)4096)

static const char avd_prefix[] = "avd:";
static const char stf_prefix[] = "stf:";

/* ---- names ---- */

/* "avd:NAME" or "avd:NAME:N" into its parts; false: it is neither. */
static bool parse_avd(const char *device, size_t *name_length, size_t *count)
{
    const char *name = device + strlen(avd_prefix);
    const char *colon = strchr(name, ':');
    char *end = NULL;
    unsigned long number = 1;

    *name_length = colon ? (size_t)(colon - name) : strlen(name);
    if (!sdk_emulator_is_name(name, *name_length))
        return false;
    if (colon && (colon[1] < '0' || colon[1] > '9'))
        return false;
    if (colon)
        number = strtoul(colon + 1, &end, 10);
    *count = number;
    return (!end || !*end) && number >= 1 && number <= DEVICE_SOURCE_AVD_MAX;
}

/*
 * The parts of "stf:URL", "stf:URL#N" and "stf:URL#SERIAL"; *serial is NULL or
 * a part of device.
 */
static bool parse_stf(const char *device, size_t *url_length,
                      const char **serial, size_t *count)
{
    const char *url = device + strlen(stf_prefix);
    const char *chosen = strchr(url, '#');
    char *end = NULL;
    unsigned long number = 1;

    *url_length = chosen ? (size_t)(chosen - url) : strlen(url);
    *serial = NULL;
    *count = 1;
    if (!*url_length || !chosen)
        return *url_length > 0;
    chosen++;
    /* No phone has a serial of one or two digits. */
    if (strlen(chosen) > 2 || strspn(chosen, "0123456789") < strlen(chosen)) {
        *serial = chosen;
        return stf_client_is_serial(chosen);
    }
    number = strtoul(chosen, &end, 10);
    *count = number;
    return end != chosen && number >= 1 && number <= DEVICE_SOURCE_STF_MAX;
}

static bool begins_with(const char *device, const char *prefix)
{
    return !strncmp(device, prefix, strlen(prefix));
}

bool phone_pool_is_for(const char *device, bool *valid)
{
    const char *serial;
    size_t length;
    size_t count;

    if (begins_with(device, avd_prefix))
        *valid = parse_avd(device, &length, &count);
    else if (begins_with(device, stf_prefix))
        *valid = parse_stf(device, &length, &serial, &count);
    else
        return false;
    return true;
}

bool phone_pool_check(const struct text_list *devices, struct err *err)
{
    bool valid;

    for (size_t i = 0; i < devices->count; i++) {
        if (!phone_pool_is_for(devices->items[i], &valid) || valid)
            continue;
        if (begins_with(devices->items[i], stf_prefix))
            return err_set(err, ERR_INVALID,
                           "--device %.80s: write stf:URL, stf:URL#N with N "
                           "from 1 to %d, or stf:URL#SERIAL",
                           devices->items[i], DEVICE_SOURCE_STF_MAX);
        return err_set(err, ERR_INVALID,
                       "--device %.80s: write avd:NAME or avd:NAME:N, with "
                       "N from 1 to %d",
                       devices->items[i], DEVICE_SOURCE_AVD_MAX);
    }
    return true;
}

/* ---- open ---- */

static bool add_source(struct phone_pool *pool, struct device_source *source,
                       bool disposable, struct err *err)
{
    char **serials;
    size_t count;

    pool->sources = mem_resize(pool->sources, pool->source_count + 1,
                               sizeof(*pool->sources));
    pool->sources[pool->source_count++] = source;
    if (!source->ops->list(source, DEADLINE_NEVER, &serials, &count, err))
        return false;
    pool->items =
        mem_resize(pool->items, pool->count + count, sizeof(*pool->items));
    for (size_t i = 0; i < count; i++)
        pool->items[pool->count++] =
            (struct pool_phone){source, serials[i], disposable};
    free(serials);
    return true;
}

static bool open_avd(struct phone_pool *pool, const struct cli_context *cli,
                     const char *device, struct err *err)
{
    struct device_source_avd_options options = {
        .discover = &pool->discover_config.discover};
    struct device_source *source;
    size_t length = 0;
    char *name;
    bool done;

    if (!parse_avd(device, &length, &options.count))
        return err_set(err, ERR_INVALID, "%.80s is not avd:NAME:N", device);
    name = mem_dup(device + strlen(avd_prefix));
    name[length] = '\0';
    options.avd = name;
    done = device_source_avd_open(&options, &source, err) &&
           add_source(pool, source, true, err);
    if (done)
        cli_message(cli, "%zu emulator%s of AVD %s: starting takes a moment",
                    options.count, options.count == 1 ? "" : "s", name);
    free(name);
    return done || err_wrap(err, "%.80s", device);
}

/* From PROCTOR_STF_TOKEN, or the file that PROCTOR_STF_TOKEN_FILE names. */
static bool read_token(struct buf *token, struct err *err)
{
    const char *given = getenv("PROCTOR_STF_TOKEN");
    const char *path = getenv("PROCTOR_STF_TOKEN_FILE");

    if (given && *given) {
        buf_text(token, given);
        return true;
    }
    if (!path || !*path)
        return err_set(err, ERR_INVALID,
                       "an STF needs a token, from its settings: put it into a "
                       "file that PROCTOR_STF_TOKEN_FILE names, or into "
                       "PROCTOR_STF_TOKEN");
    if (!file_load(path, token, err))
        return err_wrap(err, "PROCTOR_STF_TOKEN_FILE");
    buf_truncate(token, strcspn(buf_cstr(token), " \t\r\n"));
    return true;
}

static bool read_idle_time(int64_t *milliseconds, struct err *err)
{
    int64_t seconds = STF_IDLE_SECONDS;
    const char *given = getenv("PROCTOR_STF_IDLE_SECONDS");
    char *end;

    if (given && *given) {
        errno = 0;
        seconds = strtoll(given, &end, 10);
        if (errno || end == given || *end || seconds < 60 || seconds > 86400)
            return err_set(err, ERR_INVALID,
                           "PROCTOR_STF_IDLE_SECONDS=%.40s: give a number from "
                           "60 to 86400",
                           given);
    }
    *milliseconds = seconds * 1000;
    return true;
}

static bool open_stf(struct phone_pool *pool, const struct cli_context *cli,
                     const char *device, struct err *err)
{
    struct device_source_stf_options options = {
        .discover = &pool->discover_config.discover};
    struct buf token = BUF_INIT(STF_TOKEN_MAX);
    struct device_source *source;
    size_t length = 0;
    char *url = mem_dup(device + strlen(stf_prefix));
    bool done;

    (void)parse_stf(device, &length, &options.serial, &options.count);
    url[length] = '\0';
    options.url = url;
    done = read_token(&token, err) && read_idle_time(&options.idle_ms, err);
    options.token = buf_cstr(&token);
    done = done && device_source_stf_open(&options, &source, err) &&
           add_source(pool, source, false, err);
    if (done)
        cli_message(cli, "%zu phone%s of the STF at %s", options.count,
                    options.count == 1 ? "" : "s", url);
    if (token.data)
        explicit_bzero(token.data, token.length);
    buf_release(&token);
    free(url);
    return done || err_wrap(err, "%.80s", device);
}

bool phone_pool_open(struct phone_pool *pool, const struct cli_context *cli,
                     const struct text_list *devices, struct err *err)
{
    bool valid;

    *pool = (struct phone_pool){.items = NULL};
    if (!phone_pool_check(devices, err))
        return false;
    for (size_t i = 0; i < devices->count; i++) {
        if (!phone_pool_is_for(devices->items[i], &valid))
            continue;
        if (!pool->has_config) {
            pool->has_config = true;
            if (!cli_discover_config(cli, &pool->discover_config, err))
                return false;
        }
        if (!(begins_with(devices->items[i], avd_prefix)
                  ? open_avd(pool, cli, devices->items[i], err)
                  : open_stf(pool, cli, devices->items[i], err)))
            return false;
    }
    return true;
}

void phone_pool_release(struct phone_pool *pool)
{
    for (size_t i = 0; i < pool->source_count; i++)
        pool->sources[i]->ops->close(pool->sources[i]);
    for (size_t i = 0; i < pool->count; i++)
        free(pool->items[i].serial);
    if (pool->has_config)
        discover_config_release(&pool->discover_config);
    free(pool->sources);
    free(pool->items);
    *pool = (struct phone_pool){.items = NULL};
}

/* ---- start ---- */

static void start_one(void *context)
{
    const struct pool_phone *phone = context;
    const struct device_source_ops *ops = phone->source->ops;
    struct device_lease *lease;
    struct err ignored;

    if (ops->acquire(phone->source, phone->serial, DEADLINE_NEVER, &lease,
                     &ignored))
        ops->release(phone->source, lease);
}

void phone_pool_start(const struct phone_pool *pool)
{
    struct thread_group group;

    thread_group_init(&group, pool->count ? pool->count : 1);
    for (size_t i = 0; i < pool->count; i++)
        (void)!thread_group_start(&group, start_one, &pool->items[i]);
    thread_group_wait(&group);
    thread_group_release(&group);
}
