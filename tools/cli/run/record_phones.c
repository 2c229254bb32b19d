#include "tools/cli/run/record_phones.h"

#include <limits.h>
#include <string.h>

#include "base/json.h"
#include "runner/session/record_session.h"
#include "tools/cli/run/run_setup.h"
#include "tools/phone_source/record_builtin.h"

#define ACQUIRE_MS 30000

/* In the order of enum phone_locale. */
const char *const record_phones_locales[3] = {"en", "zh", NULL};

/* ---- built-in ---- */

static bool open_builtin(struct record_phones *phones,
                         const struct record_phones_args *args, struct err *err)
{
    struct phone_options options = {
        .locale = (enum phone_locale)args->locale,
        .unreachable = true,
        .log = phones->cli->log,
    };
    struct record_builtin_options record = {.serial = "phone-0",
                                            .cancel = phones->cli->cancel,
                                            .log = phones->cli->log};
    int64_t seed = 0;
    int64_t skin = 0;

    if (!run_phones_number("seed", args->seed, 0, JSON_INT_MAX, &seed, err) ||
        !run_phones_number("skin", args->skin, 0, INT_MAX, &skin, err))
        return false;
    options.seed = (uint64_t)seed;
    options.skin = (unsigned)skin;
    if (!phone_start(&options, &phones->builtin, err))
        return false;
    phones->locale = record_phones_locales[args->locale];
    record.phone = phones->builtin;
    return record_builtin_open(&record, &phones->phone, err);
}

/* ---- over ADB ---- */

static bool open_session(struct record_phones *phones, struct err *err)
{
    const struct run_phone *phone;
    struct device_session_options options = {.cancel = phones->cli->cancel,
                                             .log = phones->cli->log};

    if (!run_phones_open(&phones->phones, phones->cli, &phones->plan, NULL,
                         err))
        return false;
    if (phones->phones.count != 1)
        return err_set(err, ERR_INVALID, "name one phone");
    phone = &phones->phones.items[0];
    options.source = phone->source;
    run_setup_journal_folder(&phones->journals);
    if (phones->journals.length && !phone->disposable)
        options.prepare.folder = buf_cstr(&phones->journals);
    if (!phone_lock_take(&phones->lock, phone->serial, err) ||
        !phone->source->ops->acquire(phone->source, phone->serial,
                                     deadline_in_ms(ACQUIRE_MS), &phones->lease,
                                     err) ||
        (!phone->disposable &&
         !phone_lock_identify(&phones->lock, phones->lease->device,
                              deadline_in_ms(ACQUIRE_MS), err)))
        return false;
    phones->has_session =
        device_session_open(&phones->session, &options, phones->lease, err);
    return phones->has_session &&
           record_session_open(&phones->session, &phones->phone, err);
}

/* ---- both ---- */

bool record_phones_open(struct record_phones *phones, struct cli_context *cli,
                        const struct record_phones_args *args, struct err *err)
{
    const char *device = args->device ? args->device : cli->shared.device;
    size_t builtin = 0;

    phones->cli = cli;
    if (device && !run_phones_builtin(device, &builtin, err))
        return false;
    if (builtin > 1)
        return err_set(err, ERR_INVALID, "name one phone");
    if (builtin)
        return open_builtin(phones, args, err);
    text_list_add(&phones->plan.devices, device ? device : "");
    return open_session(phones, err);
}

static void close_session(struct record_phones *phones)
{
    struct err err = ERR_INIT;

    if (phones->has_session && !device_session_close(&phones->session, &err))
        cli_message(phones->cli, "%s", err.text);
    if (phones->lease)
        phones->phones.items[0].source->ops->release(
            phones->phones.items[0].source, phones->lease);
    phone_lock_release(&phones->lock);
    run_phones_release(&phones->phones);
    run_plan_release(&phones->plan);
}

void record_phones_release(struct record_phones *phones)
{
    record_phone_close(phones->phone);
    phone_stop(phones->builtin);
    close_session(phones);
    buf_release(&phones->journals);
}

const char *record_phones_locale(const struct record_phones *phones)
{
    return phones->locale;
}
