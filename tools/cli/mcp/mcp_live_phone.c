#include "tools/cli/mcp/mcp_live_phone.h"

#include <limits.h>

#include "base/file.h"
#include "base/user_folder.h"
#include "tools/cli/run/run_setup.h"

#define ACQUIRE_MS 30000

static bool acquire(struct mcp_live_phone *live, struct err *err)
{
    const struct run_phone *phone = &live->phones.items[0];

    return (phone->ours || phone_lock_take(&live->lock, phone->serial, err)) &&
           phone->source->ops->acquire(phone->source, phone->serial,
                                       deadline_in_ms(ACQUIRE_MS), &live->lease,
                                       err) &&
           (phone->ours || phone->disposable ||
            phone_lock_identify(&live->lock, live->lease->device,
                                deadline_in_ms(ACQUIRE_MS), err));
}

static bool open_session(struct mcp_live_phone *live, struct err *err)
{
    const struct run_phone *phone = &live->phones.items[0];
    struct err ignored; /* without a cache the phone is measured again */
    struct device_session_options options = {
        .source = phone->source,
        .cancel = &live->cancel,
        .log = live->cli.log,
    };

    (void)!user_folder_path(USER_FOLDER_CACHE, "phones", &live->cache);
    run_setup_journal_folder(&live->journals);
    if (live->cache.length &&
        file_make_folder(buf_cstr(&live->cache), 0777, &ignored))
        options.cache = buf_cstr(&live->cache);
    if (!phone->ours && !phone->disposable && live->journals.length)
        options.prepare.folder = buf_cstr(&live->journals);
    return device_session_open(&live->session, &options, live->lease, err);
}

static bool open_guard(struct mcp_live_phone *live, const struct run_plan *plan,
                       struct err *err)
{
    return !live->lease->user_owned || plan->unguarded ||
           guard_open(plan->guard, &live->guard, err);
}

bool mcp_live_phone_open(struct mcp_live_phone *live, struct cli_context *cli,
                         const struct run_plan *plan, struct err *err)
{
    *live = (struct mcp_live_phone){
        .cancel = CANCEL_INIT,
        .cli = *cli,
        .lock = PHONE_LOCK_INIT,
        .cache = BUF_INIT(PATH_MAX),
        .journals = BUF_INIT(PATH_MAX),
    };
    live->cli.cancel = &live->cancel;
    if (!cancel_init(&live->cancel, err) ||
        !run_phones_open(&live->phones, &live->cli, plan, NULL, err) ||
        !acquire(live, err) || !open_guard(live, plan, err) ||
        !open_session(live, err))
        return false;
    live->reader = picture_reader_open();
    live->phone = mcp_phone_live(&live->session, live->guard, live->reader);
    return true;
}

void mcp_live_phone_release(struct mcp_live_phone *live,
                            const struct cli_context *cli)
{
    struct err err = ERR_INIT;

    mcp_phone_close(live->phone);
    picture_reader_close(live->reader);
    if (!device_session_close(&live->session, &err))
        cli_message(cli, "%s", err.text);
    if (live->lease)
        live->phones.items[0].source->ops->release(live->phones.items[0].source,
                                                   live->lease);
    phone_lock_release(&live->lock);
    guard_close(live->guard);
    run_phones_release(&live->phones);
    buf_release(&live->cache);
    buf_release(&live->journals);
    cancel_release(&live->cancel);
}
