#include "runner/turns.h"

#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/mem.h"

/* ---- what was ---- */

static void turn_release(struct turn *turn)
{
    sight_release(&turn->sight);
    buf_release(&turn->raw);
    buf_release(&turn->text);
    for (size_t i = 0; i < turn->call_count; i++) {
        free(turn->calls[i].id);
        free(turn->calls[i].name);
        free(turn->calls[i].json);
    }
    *turn = (struct turn){.sight = SIGHT_INIT,
                          .raw = BUF_INIT(4 * MODEL_TEXT_MAX),
                          .text = BUF_INIT(2 * MODEL_TEXT_MAX)};
}

void turns_clear(struct turns *turns)
{
    for (size_t i = 0; i < turns->count; i++)
        turn_release(&turns->items[i]);
    free(turns->items);
    *turns = (struct turns){.items = NULL};
}

static struct turn *turn_at(struct turns *turns, size_t step)
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

void turns_note(struct turns *turns, size_t step, int screens,
                struct sight *sight, const struct model_reply *reply)
{
    struct turn *turn = turn_at(turns, step);

    turn_release(turn);
    turn->said = true;
    buf_append(&turn->raw, buf_cstr(&reply->raw), reply->raw.length);
    model_reply_transcript(reply, &turn->text);
    for (size_t i = 0; i < reply->call_count; i++)
        turn->calls[turn->call_count++] =
            (struct model_call){.id = mem_dup(reply->calls[i].id),
                                .name = mem_dup(reply->calls[i].name),
                                .json = mem_dup(reply->calls[i].json)};
    if (screens > 0) {
        sight_keep(sight);
        turn->sight = *sight;
        *sight = (struct sight)SIGHT_INIT;
    }
    if (step >= (size_t)screens)
        sight_release(&turns->items[step - (size_t)screens].sight);
}

/* ---- the next question ---- */

void turns_question_release(struct turns_question *question)
{
    for (size_t i = 0; i < question->text_count; i++)
        free(question->texts[i]);
    free(question->texts);
    free(question->parts);
    free(question->messages);
    free(question->tools);
    free(question->headers);
    *question = (struct turns_question){.messages = NULL};
}

size_t turns_question_size(const struct turns_question *question)
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

/* Asks for a message's parts to be put behind each other. */
struct asking {
    const struct turns *turns;
    const struct prompt *prompt;
    const struct sight *sight;
    struct turns_question *question;
};

static void begin_message(struct asking *asking, enum model_role role)
{
    struct turns_question *question = asking->question;

    question->messages =
        mem_resize(question->messages, question->message_count + 1,
                   sizeof(*question->messages));
    question->messages[question->message_count++] =
        (struct model_message){.role = role};
}

/* The place of parts may still change: messages get theirs at the end. */
static struct model_part *add_part(struct asking *asking)
{
    struct turns_question *question = asking->question;

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

/* text is owned from now on; empty ones are left out. */
static void add_text(struct asking *asking, struct buf *text,
                     const struct model_call *answers)
{
    struct turns_question *question = asking->question;
    struct model_part *part;

    if (!text->length) {
        buf_release(text);
        return;
    }
    question->texts = mem_resize(question->texts, question->text_count + 1,
                                 sizeof(*question->texts));
    question->texts[question->text_count++] = text->data;
    part = add_part(asking);
    part->text = text->data;
    part->answers = answers;
}

static void add_filled(struct asking *asking, const char *template,
                       const struct model_call *answers)
{
    struct buf text = BUF_INIT(PROMPT_MAX);

    prompt_fill(asking->prompt, template, &text);
    add_text(asking, &text, answers);
}

static void add_plain(struct asking *asking, const char *plain,
                      const struct model_call *answers)
{
    struct buf text = BUF_INIT(PROMPT_MAX);

    buf_text(&text, plain);
    add_text(asking, &text, answers);
}

static void add_picture(struct asking *asking, const struct sight *sight,
                        const struct model_call *answers)
{
    const char *omitted = asking->prompt->profile->history.omitted;
    struct model_part *part;

    if (!sight->length && sight == asking->sight)
        return; /* there is none at all */
    if (!sight->length) {
        add_plain(asking, omitted ? omitted : "(the picture is left out)",
                  answers);
        return;
    }
    part = add_part(asking);
    part->image = sight->bytes;
    part->image_size = sight->length;
    part->image_type = sight->type;
    part->answers = answers;
}

/* ---- messages ---- */

static size_t steps(const struct asking *asking)
{
    return asking->prompt->view->past_count;
}

static const struct turn *turn_of(const struct asking *asking, size_t step)
{
    return step < asking->turns->count && asking->turns->items[step].said
               ? &asking->turns->items[step]
               : NULL;
}

/* What was seen before a step, or is seen now. */
static const struct sight *sight_of(const struct asking *asking, size_t step)
{
    static const struct sight none = SIGHT_INIT;
    const struct turn *turn = turn_of(asking, step);

    if (step == steps(asking))
        return asking->sight;
    return turn ? &turn->sight : &none;
}

/* What the profile's own texts have no place for. */
static void add_rest(struct asking *asking, const char *template)
{
    const struct prompt *prompt = asking->prompt;
    const struct agent_view *view = prompt->view;

    if (view->elements && !prompt_has(template, "elements")) {
        add_plain(asking,
                  "What is on the screen now, each with its number and its "
                  "box; the number may stand in place of a point:",
                  NULL);
        add_filled(asking, "{elements}", NULL);
    }
    if (view->notice && !prompt_has(template, "notice"))
        add_filled(asking,
                   prompt->profile->notice
                       ? prompt->profile->notice
                       : "Your last reply could not be used: {notice}.",
                   NULL);
}

static void add_system(struct asking *asking)
{
    if (!asking->prompt->profile->system)
        return;
    begin_message(asking, MODEL_SYSTEM);
    add_filled(asking, asking->prompt->profile->system, NULL);
}

/* All in one message, with pictures of the past before the one of now. */
static void ask_once(struct asking *asking)
{
    const struct profile *profile = asking->prompt->profile;
    size_t kept = (size_t)profile->history.screens;
    size_t from = steps(asking) > kept ? steps(asking) - kept : 0;

    begin_message(asking, MODEL_USER);
    add_filled(asking, profile->prompt, NULL);
    for (size_t i = from; i < steps(asking); i++) {
        struct buf caption = BUF_INIT(64);

        buf_printf(&caption, "The screen before step %zu:", i + 1);
        add_text(asking, &caption, NULL);
        add_picture(asking, sight_of(asking, i), NULL);
    }
    if (from < steps(asking))
        add_plain(asking, "The screen now:", NULL);
    add_picture(asking, asking->sight, NULL);
    add_rest(asking, profile->prompt);
}

static void add_reply(struct asking *asking, size_t step)
{
    const struct turn *turn = turn_of(asking, step);
    const struct agent_past *past = &asking->prompt->view->past[step];
    struct buf text = BUF_INIT(PROMPT_MAX);

    begin_message(asking, MODEL_ASSISTANT);
    if (turn && turn->raw.length) {
        asking->question->messages[asking->question->message_count - 1].raw =
            buf_cstr(&turn->raw);
        return;
    }
    if (turn)
        buf_append(&text, buf_cstr(&turn->text), turn->text.length);
    else if (past->reply)
        buf_text(&text, past->reply);
    else
        prompt_action(asking->prompt, &past->action, &text);
    if (!text.length)
        buf_text(&text, "(nothing)");
    add_text(asking, &text, NULL);
}

/* What came of a step: the answers to its calls, and the next screen. */
static void add_outcome(struct asking *asking, size_t step)
{
    const struct profile *profile = asking->prompt->profile;
    const struct turn *turn = turn_of(asking, step);
    const struct agent_past *past = &asking->prompt->view->past[step];
    const struct model_call *call =
        turn && turn->call_count ? &turn->calls[0] : NULL;

    begin_message(asking, MODEL_USER);
    if (call)
        add_filled(asking, profile->result, call);
    if (past->notice)
        add_plain(asking, past->notice, call && !profile->result ? call : NULL);
    add_picture(asking, sight_of(asking, step + 1), call);
    for (size_t i = 1; turn && i < turn->call_count; i++)
        add_plain(asking,
                  profile->result ? profile->result
                                  : "Not carried out: one call at a time.",
                  &turn->calls[i]);
    add_filled(asking, profile->step, NULL);
}

static void ask_in_turns(struct asking *asking)
{
    const struct profile *profile = asking->prompt->profile;
    size_t first = asking->prompt->first;

    begin_message(asking, MODEL_USER);
    add_filled(asking, profile->prompt, NULL);
    add_picture(asking, sight_of(asking, first), NULL);
    for (size_t i = first; i < steps(asking); i++) {
        add_reply(asking, i);
        add_outcome(asking, i);
    }
    add_rest(asking, first < steps(asking) ? profile->step : profile->prompt);
}

static void set_headers(const struct profile *profile,
                        struct turns_question *question)
{
    size_t count = profile->headers.count;

    question->headers = mem_new(count + 1, sizeof(*question->headers));
    for (size_t i = 0; i < count; i++)
        question->headers[i] = profile->headers.items[i];
}

static void set_request(const struct profile *profile,
                        struct turns_question *question)
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

void turns_ask(const struct turns *turns, const struct prompt *prompt,
               const struct sight *sight, struct turns_question *question)
{
    struct asking asking = {turns, prompt, sight, question};
    struct model_part *next;

    *question = (struct turns_question){.messages = NULL};
    add_system(&asking);
    if (prompt->profile->history.layout == PROFILE_TURNS)
        ask_in_turns(&asking);
    else
        ask_once(&asking);
    next = question->parts;
    for (size_t i = 0; i < question->message_count; i++) {
        question->messages[i].parts = next;
        next += question->messages[i].part_count;
    }
    question->tools = prompt_tools(prompt->profile, sight->size);
    set_headers(prompt->profile, question);
    set_request(prompt->profile, question);
}
