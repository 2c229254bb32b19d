#include "tests/judge/model/scripted_model.h"

static void keep(struct scripted_model *scripted,
                 const struct model_request *request, struct buf *texts)
{
    for (size_t i = 0; i < request->message_count; i++) {
        const struct model_message *message = &request->messages[i];

        for (size_t k = 0; k < message->part_count; k++) {
            const struct model_part *part = &message->parts[k];

            if (part->text) {
                buf_text(texts, part->text);
                continue;
            }
            buf_clear(&scripted->image);
            buf_append(&scripted->image, part->image, part->image_size);
            scripted->images++;
        }
    }
}

static bool ask(struct model *model, const struct model_request *request,
                struct deadline by, const struct cancel *cancel,
                struct model_reply *reply, struct err *err)
{
    struct scripted_model *scripted = (struct scripted_model *)model;
    size_t number = scripted->asked++;
    size_t which = number < scripted->count ? number : scripted->count - 1;

    (void)by;
    (void)cancel;
    if (number < SCRIPTED_MAX)
        keep(scripted, request, &scripted->texts[number]);
    scripted->temperature = request->temperature;
    scripted->repeat = request->repeat;
    if (!scripted->replies[which])
        return err_set(err, ERR_UNREACHABLE, "no service answers");
    buf_text(&reply->text, scripted->replies[which]);
    reply->finish = scripted->finishes[which];
    reply->usage.input_tokens = 1000;
    reply->usage.output_tokens = 10;
    return true;
}

static const struct model_ops ops = {.ask = ask};

void scripted_init(struct scripted_model *scripted)
{
    *scripted = (struct scripted_model){.model = {&ops, "scripted"},
                                        .image = BUF_INIT(1 << 20)};
    for (size_t i = 0; i < SCRIPTED_MAX; i++)
        scripted->texts[i] = (struct buf)BUF_INIT(1 << 20);
}

void scripted_release(struct scripted_model *scripted)
{
    for (size_t i = 0; i < SCRIPTED_MAX; i++)
        buf_release(&scripted->texts[i]);
    buf_release(&scripted->image);
}

void scripted_say(struct scripted_model *scripted, const char *reply)
{
    scripted->replies[scripted->count++] = reply;
}
