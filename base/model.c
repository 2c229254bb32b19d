#include "base/model.h"

#include <stdlib.h>

#include "base/mem.h"

const char *model_finish_name(enum model_finish finish)
{
    static const char *const names[MODEL_FINISHES] = {
        [MODEL_FINISHED] = "finished", [MODEL_CUT] = "cut",
        [MODEL_REFUSED] = "refused",   [MODEL_FILTERED] = "filtered",
        [MODEL_OVERFLOW] = "overflow", [MODEL_EMPTY] = "empty",
    };

    return names[finish];
}

static void add_known(int64_t *sum, int64_t more)
{
    if (more >= 0)
        *sum = (*sum > 0 ? *sum : 0) + more;
}

void model_usage_add(struct model_usage *usage, const struct model_usage *more)
{
    add_known(&usage->input_tokens, more->input_tokens);
    add_known(&usage->output_tokens, more->output_tokens);
    add_known(&usage->cached_tokens, more->cached_tokens);
    if (more->cost >= 0)
        usage->cost = (usage->cost > 0 ? usage->cost : 0) + more->cost;
}

void model_reply_release(struct model_reply *reply)
{
    buf_release(&reply->text);
    buf_release(&reply->reason);
    buf_release(&reply->raw);
    for (size_t i = 0; i < reply->call_count; i++) {
        free(reply->calls[i].id);
        free(reply->calls[i].name);
        free(reply->calls[i].json);
    }
    free(reply->served);
    *reply = (struct model_reply)MODEL_REPLY_INIT;
}

bool model_reply_call(struct model_reply *reply, const char *id,
                      const char *name, const char *json)
{
    if (reply->call_count == MODEL_CALLS_MAX)
        return false;
    reply->calls[reply->call_count++] = (struct model_call){
        .id = mem_dup(id), .name = mem_dup(name), .json = mem_dup(json)};
    return true;
}

void model_reply_transcript(const struct model_reply *reply, struct buf *text)
{
    buf_append(text, buf_cstr(&reply->text), reply->text.length);
    if (!reply->call_count)
        return;
    if (reply->text.length)
        buf_byte(text, '\n');
    buf_text(text, "<tool_call>\n[");
    for (size_t i = 0; i < reply->call_count; i++) {
        if (i)
            buf_text(text, ",\n");
        buf_text(text, reply->calls[i].json);
    }
    buf_text(text, "]\n</tool_call>");
}

static bool overflows(const struct model_reply *reply)
{
    return reply->text.overflow || reply->reason.overflow ||
           reply->raw.overflow;
}

bool model_ask(struct model *model, const struct model_request *request,
               struct deadline by, const struct cancel *cancel,
               struct model_reply *reply, struct err *err)
{
    struct model_reply received = MODEL_REPLY_INIT;

    if (cancel_fired(cancel))
        return err_set(err, ERR_CANCELLED, "%s: cancelled", model->name);
    if (!model->ops->ask(model, request, by, cancel, &received, err)) {
        model_reply_release(&received);
        return err_wrap(err, "%s", model->name);
    }
    if (overflows(&received)) {
        model_reply_release(&received);
        return err_set(err, ERR_LIMIT, "%s: a reply that is too long",
                       model->name);
    }
    model_reply_release(reply);
    *reply = received;
    return true;
}

void model_close(struct model *model)
{
    if (model && model->ops->close)
        model->ops->close(model);
}
