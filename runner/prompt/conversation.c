#include "runner/prompt/conversation.h"

#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/mem.h"

/* ---- past turns ---- */

static void turn_release(struct conversation_turn *turn)
{
    model_image_release(&turn->image);
    buf_release(&turn->raw);
    buf_release(&turn->text);
    for (size_t i = 0; i < turn->call_count; i++) {
        free(turn->calls[i].id);
        free(turn->calls[i].name);
        free(turn->calls[i].json);
    }
    *turn = (struct conversation_turn){.image = MODEL_IMAGE_INIT,
                                       .raw = BUF_INIT(4 * MODEL_TEXT_MAX),
                                       .text = BUF_INIT(2 * MODEL_TEXT_MAX)};
}

void conversation_clear(struct conversation *turns)
{
    for (size_t i = 0; i < turns->count; i++)
        turn_release(&turns->items[i]);
    free(turns->items);
    *turns = (struct conversation){.items = NULL};
}

static struct conversation_turn *turn_at(struct conversation *turns,
                                         size_t step)
{
    if (step >= turns->count) {
        turns->items =
            mem_resize(turns->items, step + 1, sizeof(*turns->items));
        memset(&turns->items[turns->count], 0,
               (step + 1 - turns->count) * sizeof(*turns->items));
        while (turns->count <= step)
            turn_release(&turns->items[turns->count++]);
    }
    return &turns->items[step];
}

void conversation_add_turn(struct conversation *turns, size_t step, int screens,
                           struct model_image *image,
                           const struct model_reply *reply)
{
    struct conversation_turn *turn = turn_at(turns, step);

    turn_release(turn);
    turn->replied = true;
    buf_append(&turn->raw, buf_cstr(&reply->raw), reply->raw.length);
    model_reply_transcript(reply, &turn->text);
    for (size_t i = 0; i < reply->call_count; i++)
        turn->calls[turn->call_count++] =
            (struct model_call){.id = mem_dup(reply->calls[i].id),
                                .name = mem_dup(reply->calls[i].name),
                                .json = mem_dup(reply->calls[i].json)};
    if (screens > 0) {
        model_image_keep(image);
        turn->image = *image;
        *image = (struct model_image)MODEL_IMAGE_INIT;
    }
    if (step >= (size_t)screens)
        model_image_release(&turns->items[step - (size_t)screens].image);
}

/* ---- the request ---- */

void conversation_request_release(struct conversation_request *question)
{
    for (size_t i = 0; i < question->text_count; i++)
        free(question->texts[i]);
    free(question->texts);
    free(question->parts);
    free(question->messages);
    free(question->tools);
    free(question->headers);
    *question = (struct conversation_request){.messages = NULL};
}

size_t conversation_request_size(const struct conversation_request *question)
{
    size_t size = 0;

    for (size_t i = 0; i < question->part_count; i++) {
        const struct model_part *part = &question->parts[i];

        size += part->text ? strlen(part->text) : base64_size(part->image_size);
    }
    for (size_t i = 0; i < question->message_count; i++) {
        if (question->messages[i].raw)
            size += strlen(question->messages[i].raw);
    }
    return size;
}

/* Builds a request from messages and their parts. */
struct request_builder {
    const struct conversation *turns;
    const struct prompt *prompt;
    const struct model_image *image;
    struct conversation_request *question;
};

static void begin_message(struct request_builder *builder, enum model_role role)
{
    struct conversation_request *question = builder->question;

    question->messages =
        mem_resize(question->messages, question->message_count + 1,
                   sizeof(*question->messages));
    question->messages[question->message_count++] =
        (struct model_message){.role = role};
}

/* Parts may be moved in memory: messages get their pointers at the end. */
static struct model_part *add_part(struct request_builder *builder)
{
    struct conversation_request *question = builder->question;

    if (question->part_count == question->part_capacity) {
        question->part_capacity =
            question->part_capacity ? 2 * question->part_capacity : 16;
        question->parts = mem_resize(question->parts, question->part_capacity,
                                     sizeof(*question->parts));
    }
    question->messages[question->message_count - 1].part_count++;
    question->parts[question->part_count] = (struct model_part){.text = NULL};
    return &question->parts[question->part_count++];
}

/* Takes ownership of text; empty ones are dropped. */
static void add_text(struct request_builder *builder, struct buf *text,
                     const struct model_call *answers)
{
    struct conversation_request *question = builder->question;
    struct model_part *part;

    if (!text->length) {
        buf_release(text);
        return;
    }
    question->texts = mem_resize(question->texts, question->text_count + 1,
                                 sizeof(*question->texts));
    question->texts[question->text_count++] = text->data;
    part = add_part(builder);
    part->text = text->data;
    part->answers = answers;
}

static void add_filled(struct request_builder *builder, const char *template,
                       const struct model_call *answers)
{
    struct buf text = BUF_INIT(PROMPT_MAX);

    prompt_fill(builder->prompt, template, &text);
    add_text(builder, &text, answers);
}

static void add_plain(struct request_builder *builder, const char *plain,
                      const struct model_call *answers)
{
    struct buf text = BUF_INIT(PROMPT_MAX);

    buf_text(&text, plain);
    add_text(builder, &text, answers);
}

static void add_picture(struct request_builder *builder,
                        const struct model_image *image,
                        const struct model_call *answers)
{
    const char *omitted = builder->prompt->profile->history.omitted;
    struct model_part *part;

    if (!image->length && image == builder->image)
        return; /* there is none */
    if (!image->length) {
        add_plain(builder, omitted ? omitted : "(the picture is left out)",
                  answers);
        return;
    }
    part = add_part(builder);
    part->image = image->bytes;
    part->image_size = image->length;
    part->image_type = image->type;
    part->answers = answers;
}

/* ---- messages ---- */

static size_t steps(const struct request_builder *builder)
{
    return builder->prompt->view->past_count;
}

static const struct conversation_turn *turn_of(
    const struct request_builder *builder, size_t step)
{
    return step < builder->turns->count && builder->turns->items[step].replied
               ? &builder->turns->items[step]
               : NULL;
}

/* The picture before a step, or the current one. */
static const struct model_image *image_of(const struct request_builder *builder,
                                          size_t step)
{
    static const struct model_image none = MODEL_IMAGE_INIT;
    const struct conversation_turn *turn = turn_of(builder, step);

    if (step == steps(builder))
        return builder->image;
    return turn ? &turn->image : &none;
}

/*
 * Append elements and notice if the profile's template has no place for them.
 */
static void add_rest(struct request_builder *builder, const char *template)
{
    const struct prompt *prompt = builder->prompt;
    const struct agent_view *view = prompt->view;

    if (view->elements && !prompt_has(template, "elements")) {
        add_plain(builder,
                  "What is on the screen now, each with its number and its "
                  "box; the number may stand in place of a point:",
                  NULL);
        add_filled(builder, "{elements}", NULL);
    }
    if (view->notice && !prompt_has(template, "notice"))
        add_filled(builder,
                   prompt->profile->notice
                       ? prompt->profile->notice
                       : "Your last reply had no effect: {notice}.",
                   NULL);
}

static void add_system(struct request_builder *builder)
{
    if (!builder->prompt->profile->system)
        return;
    begin_message(builder, MODEL_SYSTEM);
    add_filled(builder, builder->prompt->profile->system, NULL);
}

/* One message, with past pictures before the current one. */
static void ask_once(struct request_builder *builder)
{
    const struct profile *profile = builder->prompt->profile;
    size_t kept = (size_t)profile->history.screens;
    size_t from = steps(builder) > kept ? steps(builder) - kept : 0;

    begin_message(builder, MODEL_USER);
    add_filled(builder, profile->prompt, NULL);
    for (size_t i = from; i < steps(builder); i++) {
        struct buf caption = BUF_INIT(64);

        buf_printf(&caption, "The screen before step %zu:", i + 1);
        add_text(builder, &caption, NULL);
        add_picture(builder, image_of(builder, i), NULL);
    }
    if (from < steps(builder))
        add_plain(builder, "The screen now:", NULL);
    add_picture(builder, builder->image, NULL);
    add_rest(builder, profile->prompt);
}

static void add_reply(struct request_builder *builder, size_t step)
{
    const struct conversation_turn *turn = turn_of(builder, step);
    const struct agent_past *past = &builder->prompt->view->past[step];
    struct buf text = BUF_INIT(PROMPT_MAX);

    begin_message(builder, MODEL_ASSISTANT);
    if (turn && turn->raw.length) {
        builder->question->messages[builder->question->message_count - 1].raw =
            buf_cstr(&turn->raw);
        return;
    }
    if (turn)
        buf_append(&text, buf_cstr(&turn->text), turn->text.length);
    else if (past->reply)
        buf_text(&text, past->reply);
    else
        prompt_action(builder->prompt, &past->action, &text);
    if (!text.length)
        buf_text(&text, "(nothing)");
    add_text(builder, &text, NULL);
}

/* The outcome of a step: results of its calls, and the next screen. */
static void add_outcome(struct request_builder *builder, size_t step)
{
    const struct profile *profile = builder->prompt->profile;
    const struct conversation_turn *turn = turn_of(builder, step);
    const struct agent_past *past = &builder->prompt->view->past[step];
    const struct model_call *call =
        turn && turn->call_count ? &turn->calls[0] : NULL;

    begin_message(builder, MODEL_USER);
    if (call)
        add_filled(builder, profile->result, call);
    if (past->notice)
        add_plain(builder, past->notice,
                  call && !profile->result ? call : NULL);
    add_picture(builder, image_of(builder, step + 1), call);
    for (size_t i = 1; turn && i < turn->call_count; i++)
        add_plain(builder,
                  profile->result ? profile->result
                                  : "Not carried out: one call at a time.",
                  &turn->calls[i]);
    add_filled(builder, profile->step, NULL);
}

static void ask_in_turns(struct request_builder *builder)
{
    const struct profile *profile = builder->prompt->profile;
    size_t first = builder->prompt->first;

    begin_message(builder, MODEL_USER);
    add_filled(builder, profile->prompt, NULL);
    add_picture(builder, image_of(builder, first), NULL);
    for (size_t i = first; i < steps(builder); i++) {
        add_reply(builder, i);
        add_outcome(builder, i);
    }
    add_rest(builder, first < steps(builder) ? profile->step : profile->prompt);
}

static void set_headers(const struct profile *profile,
                        struct conversation_request *question)
{
    size_t count = profile->headers.count;

    question->headers = mem_new(count + 1, sizeof(*question->headers));
    for (size_t i = 0; i < count; i++)
        question->headers[i] = profile->headers.items[i];
}

static void set_request(const struct profile *profile,
                        struct conversation_request *question)
{
    question->request = (struct model_request){
        .messages = question->messages,
        .message_count = question->message_count,
        .temperature = profile->sampling.temperature,
        .top_p = profile->sampling.top_p,
        .top_k = profile->sampling.top_k,
        .max_tokens = (uint32_t)profile->sampling.max_tokens,
        .has_seed = profile->sampling.seed >= 0,
        .seed = profile->sampling.seed,
        .detail = profile->picture.detail,
        .tools = question->tools,
        .extra = profile->extra,
        .headers = question->headers,
    };
}

void conversation_build_request(const struct conversation *turns,
                                const struct prompt *prompt,
                                const struct model_image *image,
                                struct conversation_request *question)
{
    struct request_builder builder = {turns, prompt, image, question};
    struct model_part *next;

    *question = (struct conversation_request){.messages = NULL};
    add_system(&builder);
    if (prompt->profile->history.layout == PROFILE_TURNS)
        ask_in_turns(&builder);
    else
        ask_once(&builder);
    next = question->parts;
    for (size_t i = 0; i < question->message_count; i++) {
        question->messages[i].parts = next;
        next += question->messages[i].part_count;
    }
    question->tools = prompt_tools(prompt->profile, image->size);
    set_headers(prompt->profile, question);
    set_request(prompt->profile, question);
}
