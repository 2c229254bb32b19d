#include "base/model.h"

void model_reply_release(struct model_reply *reply)
{
    buf_release(&reply->text);
    reply->usage = (struct model_usage)MODEL_USAGE_UNKNOWN;
}

bool model_ask(struct model *model, const struct model_request *request,
               struct deadline by, const struct cancel *cancel,
               struct model_reply *reply, struct err *err)
{
    struct model_reply heard = MODEL_REPLY_INIT;

    if (cancel_fired(cancel))
        return err_set(err, ERR_CANCELLED, "%s: cancelled", model->name);
    if (!model->ops->ask(model, request, by, cancel, &heard, err)) {
        model_reply_release(&heard);
        return err_wrap(err, "%s", model->name);
    }
    if (heard.text.overflow) {
        model_reply_release(&heard);
        return err_set(err, ERR_LIMIT, "%s: a reply that is too long",
                       model->name);
    }
    model_reply_release(reply);
    *reply = heard;
    return true;
}

void model_close(struct model *model)
{
    if (model && model->ops->close)
        model->ops->close(model);
}
