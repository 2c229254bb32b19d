#include "tools/cli/run/one_phone.h"

#include "tools/cli/run/run_setup.h"

#define ACQUIRE_MS 30000

bool one_phone_is_ours(const struct one_phone *phone)
{
    return phone->phones.count == 1 && phone->phones.items[0].ours;
}

bool one_phone_open(struct one_phone *phone, struct cli_context *cli,
                    const struct run_plan *plan, struct err *err)
{
    struct device_session_options options = {.cancel = cli->cancel,
                                             .log = cli->log};
    const struct run_phone *item;

    phone->cli = cli;
    if (!run_phones_open(&phone->phones, cli, plan, NULL, err))
        return false;
    if (phone->phones.count != 1)
        return err_set(err, ERR_INVALID, "name one phone");
    item = &phone->phones.items[0];
    options.source = item->source;
    run_setup_journal_folder(&phone->journals);
    if (!item->ours && !item->disposable && phone->journals.length)
        options.prepare.folder = buf_cstr(&phone->journals);
    return (item->ours || phone_lock_take(&phone->lock, item->serial, err)) &&
           item->source->ops->acquire(item->source, item->serial,
                                      deadline_in_ms(ACQUIRE_MS), &phone->lease,
                                      err) &&
           (item->ours || item->disposable ||
            phone_lock_identify(&phone->lock, phone->lease->device,
                                deadline_in_ms(ACQUIRE_MS), err)) &&
           device_session_open(&phone->session, &options, phone->lease, err);
}

void one_phone_close(struct one_phone *phone)
{
    struct err err = ERR_INIT;

    if (phone->lease) {
        struct device_source *source = phone->phones.items[0].source;

        if (!device_session_close(&phone->session, &err))
            cli_message(phone->cli, "%s", err.text);
        source->ops->release(source, phone->lease);
    }
    phone_lock_release(&phone->lock);
    run_phones_release(&phone->phones);
    buf_release(&phone->journals);
}
