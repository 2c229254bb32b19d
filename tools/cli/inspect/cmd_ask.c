/* proctor ask: one picture, one prompt, one reply; for trying. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/json_write.h"
#include "base/picture/picture_file.h"
#include "base/picture/png.h"
#include "runner/models/models.h"
#include "runner/parse/reply_parser.h"
#include "runner/prompt/conversation.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/terminal/text_page.h"

#define PATIENCE_MS (10 * 60 * 1000)

struct ask_args {
    const char *model;
    const char *profile;
    const char *image;
    const char *cache;
    const char *prices;
    bool show_request;
};

/* One question, and all that it is made from. */
struct ask_request {
    struct models *models;
    struct model *model;
    bool has_profile;
    struct profile profile; /* or one that adds nothing */
    struct observation seen;
    struct model_image image;
    struct agent_view view;
    struct prompt prompt;
    struct conversation turns;
    struct conversation_request question;
    struct model_reply reply;
};

static void inquiry_init(struct ask_request *inquiry)
{
    *inquiry = (struct ask_request){.image = MODEL_IMAGE_INIT,
                                    .reply = MODEL_REPLY_INIT};
    observation_init(&inquiry->seen);
    inquiry->view.seen = &inquiry->seen;
    inquiry->view.actions = UINT32_MAX;
    inquiry->view.steps_left = TASK_STEPS_DEFAULT;
    inquiry->prompt.view = &inquiry->view;
    inquiry->prompt.profile = &inquiry->profile;
}

static void inquiry_release(struct ask_request *inquiry)
{
    conversation_request_release(&inquiry->question);
    conversation_clear(&inquiry->turns);
    model_reply_release(&inquiry->reply);
    model_image_release(&inquiry->image);
    observation_release(&inquiry->seen);
    profile_release(&inquiry->profile);
    model_close(inquiry->model);
    models_close(inquiry->models);
}

/* Without a profile: the prompt and the unchanged picture. */
static bool take_profile(const struct ask_args *args,
                         struct ask_request *inquiry, struct err *err)
{
    static const char plain[] =
        "{\"name\":\"none\",\"family\":\"generic\",\"prompt\":"
        "\"{instruction}\",\"picture\":{}}";

    inquiry->has_profile = args->profile != NULL;
    if (!args->profile)
        return profile_parse(plain, strlen(plain), NULL, &inquiry->profile,
                             err);
    if (!profile_load(args->profile, &inquiry->profile, err))
        return false;
    if (inquiry->profile.api &&
        strcmp(inquiry->profile.api, models_service(inquiry->model)) != 0)
        return err_set(err, ERR_INVALID, "the profile %s is for %s:MODEL",
                       inquiry->profile.name, inquiry->profile.api);
    return true;
}

/* A screenshot as a phone would have made it: a PNG. */
static bool load_screen(const char *path, struct observation *seen,
                        struct err *err)
{
    static const char png_begins[] = "\x89PNG";
    struct picture picture = PICTURE_INIT;
    struct buf bytes = BUF_INIT(PICTURE_FILE_MAX);
    bool done = file_load(path, &bytes, err) &&
                (picture_file_decode(bytes.data, bytes.length, &picture, err) ||
                 err_wrap(err, "%s", path));

    if (done) {
        seen->screen = (struct extent){(int)picture.width, (int)picture.height};
        if (bytes.length > 4 && !memcmp(bytes.data, png_begins, 4))
            buf_append(&seen->png, bytes.data, bytes.length);
        else
            done = png_encode(&picture, PNG_COMPACT, &seen->png, err);
    }
    buf_release(&bytes);
    picture_release(&picture);
    return done;
}

static bool compose(const struct ask_args *args, const char *words,
                    struct ask_request *inquiry, struct err *err)
{
    if (!words && !args->image)
        return err_set(err, ERR_INVALID, "give a PROMPT, an --image, or both");
    inquiry->view.instruction = words ? words : "";
    if (args->image &&
        (!load_screen(args->image, &inquiry->seen, err) ||
         !model_image_make(NULL, &inquiry->profile.picture, &inquiry->seen.png,
                           inquiry->seen.screen, NULL, &inquiry->image, err)))
        return false;
    inquiry->prompt.picture = inquiry->image.size;
    conversation_build_request(&inquiry->turns, &inquiry->prompt,
                               &inquiry->image, &inquiry->question);
    return true;
}

/* ---- output ---- */

static void add_usage(const struct model_reply *reply, struct cJSON *into)
{
    struct cJSON *usage = json_add_object(into, "usage");

    json_add_int(usage, "input_tokens", reply->usage.input_tokens);
    json_add_int(usage, "cached_tokens", reply->usage.cached_tokens);
    json_add_int(usage, "output_tokens", reply->usage.output_tokens);
    if (reply->usage.cost >= 0)
        json_add_number(usage, "cost", reply->usage.cost);
}

/* The action, as a run with this profile would read it. */
static void add_action(const struct ask_request *inquiry,
                       const struct buf *said, struct cJSON *into)
{
    const struct reply_parse_options options = {
        .family = inquiry->profile.family,
        .coords_given = true,
        .coords = inquiry->profile.coords,
        .typing = inquiry->profile.typing,
        .picture = inquiry->image.size,
        .screen = inquiry->seen.screen};
    const struct model_family *family;
    struct action action;
    struct err why = ERR_INIT;
    struct cJSON *object;

    if (!inquiry->has_profile)
        return;
    if (!reply_parse(buf_cstr(said), said->length, &options, &action, &family,
                     &why)) {
        json_add_string(into, "error", why.text);
        return;
    }
    object = json_add_object(into, "action");
    action_to_json(&action, object);
    action_release(&action);
}

static bool print_json(struct cli_context *cli,
                       const struct ask_request *inquiry,
                       const struct buf *said, struct err *err)
{
    const struct model_reply *reply = &inquiry->reply;
    struct cJSON *tree = json_new_object();
    bool done;

    json_add_string(tree, "text", buf_cstr(said));
    json_add_string(tree, "finish", model_finish_name(reply->finish));
    if (reply->reason.length)
        json_add_string(tree, "reason", buf_cstr(&reply->reason));
    if (reply->served)
        json_add_string(tree, "served", reply->served);
    json_add_int(tree, "tries", reply->tries);
    add_usage(reply, tree);
    add_action(inquiry, said, tree);
    done = output_stream_json(&cli->out, tree, err);
    cJSON_Delete(tree);
    return done;
}

static bool print_text(struct cli_context *cli,
                       const struct ask_request *inquiry,
                       const struct buf *said, struct err *err)
{
    struct cJSON *meant = json_new_object();
    struct buf text = BUF_INIT(MODEL_TEXT_MAX);
    struct text_page page;
    bool done;

    add_action(inquiry, said, meant);
    text_page_init(&page, cli->out.fd);
    text_page_untrusted_lines(&page, buf_cstr(said));
    if (inquiry->has_profile) {
        json_format(meant, &text);
        text_page_untrusted_lines(&page, buf_cstr(&text));
    }
    done = output_stream_buf(&cli->out, &page.text, err);
    text_page_release(&page);
    buf_release(&text);
    cJSON_Delete(meant);
    return done;
}

static void tell_usage(struct cli_context *cli, const struct model_reply *reply,
                       int64_t ms)
{
    char cost[32] = "";

    if (reply->usage.cost >= 0)
        snprintf(cost, sizeof(cost), ", $%.4f", reply->usage.cost);
    cli_message(cli, "%lld tokens in, %lld out%s, %.1f s%s",
                (long long)reply->usage.input_tokens,
                (long long)reply->usage.output_tokens, cost, (double)ms / 1000,
                reply->tries ? "" : ", from the cache");
}

static bool print_reply(struct cli_context *cli, struct ask_request *inquiry,
                        int64_t ms, int *status, struct err *err)
{
    const struct model_reply *reply = &inquiry->reply;
    struct buf said = BUF_INIT(2 * MODEL_TEXT_MAX);
    bool done;

    model_reply_transcript(reply, &said);
    if (cli->shared.json) {
        done = print_json(cli, inquiry, &said, err);
    } else {
        done = print_text(cli, inquiry, &said, err);
        tell_usage(cli, reply, ms);
    }
    buf_release(&said);
    if (done && reply->finish > MODEL_CUT) {
        *status = 1;
        cli_message(cli, "the reply is %s: %.200s",
                    model_finish_name(reply->finish), buf_cstr(&reply->reason));
    }
    return done;
}

/* ---- asking ---- */

static bool show(struct cli_context *cli, struct ask_request *inquiry,
                 struct err *err)
{
    struct cJSON *shown = NULL;
    struct buf text = BUF_INIT((size_t)128 << 20);
    bool done =
        models_show(inquiry->model, &inquiry->question.request, &shown, err);

    if (done) {
        json_format_indented(shown, &text);
        buf_byte(&text, '\n');
        done = output_stream_buf(&cli->out, &text, err);
    }
    buf_release(&text);
    cJSON_Delete(shown);
    return done;
}

static bool ask(struct cli_context *cli, struct ask_request *inquiry,
                int *status, struct err *err)
{
    struct deadline by = deadline_sooner(cli->by, deadline_in_ms(PATIENCE_MS));
    int64_t start = clock_ns();

    return model_ask(inquiry->model, &inquiry->question.request, by,
                     cli->cancel, &inquiry->reply, err) &&
           print_reply(cli, inquiry, (clock_ns() - start) / 1000000, status,
                       err);
}

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    const struct ask_args *given = args;
    const struct models_options options = {
        .cache = given->cache,
        .prices = given->prices,
        .nothing_is_sent = given->show_request,
        .retry = {.tries = 3, .first_ms = 500, .longest_ms = 5000},
        .log = cli->log};
    struct ask_request inquiry;
    bool done;

    if (!given->model)
        return err_set(err, ERR_INVALID,
                       "no model is given: use --model, such as openai:gpt-4o");
    inquiry_init(&inquiry);
    done =
        models_open(&options, &inquiry.models, err) &&
        models_open_model(inquiry.models, given->model, &inquiry.model, err) &&
        take_profile(given, &inquiry, err) &&
        compose(given, words->count ? words->items[0] : NULL, &inquiry, err) &&
        (given->show_request ? show(cli, &inquiry, err)
                             : ask(cli, &inquiry, status, err));
    inquiry_release(&inquiry);
    return done;
}

static const struct option options_table[] = {
    OPTION_TEXT(
        struct ask_args, model, "model", 'm', "SERVICE:MODEL", COMPLETE_NOTHING,
        "The model: openai:, responses:, anthropic: or gemini:, and its name"),
    OPTION_TEXT(struct ask_args, profile, "profile", 'p', "PROFILE",
                COMPLETE_PROFILE,
                "Ask with this profile, as a run does: a name, or a file"),
    OPTION_TEXT(struct ask_args, image, "image", 'i', "FILE", COMPLETE_FILE,
                "A picture, PNG or JPEG"),
    OPTION_TEXT(struct ask_args, cache, "cache", 0, "FILE", COMPLETE_FILE,
                "Cache replies in this file"),
    OPTION_TEXT(struct ask_args, prices, "prices", 0, "FILE", COMPLETE_FILE,
                "What tokens cost"),
    OPTION_FLAG(struct ask_args, show_request, "show-request", 0,
                "Print what would be sent, without key and pictures, and do "
                "not send it"),
};

static const struct operand operands[] = {
    {.name = "PROMPT",
     .help = "What is asked; with a profile, the instruction",
     .max = 1},
};

static const struct example examples[] = {
    {"proctor ask -m openai:gpt-4o -i screen.png 'What app is this?'",
     "One picture, one question."},
    {"proctor ask -m openai:ui-tars -p ui-tars -i screen.png 'Open the cart'",
     "The model's reply, and the action that proctor parses from it."},
};

const struct command cmd_ask = {
    .name = "ask",
    .section = "Agents",
    .summary = "Ask a model once",
    .description = "Sends one prompt and one picture to a model and prints its "
                   "reply; with a profile also the action that a run would "
                   "take from it, as one JSON object. Keys and addresses come "
                   "from the environment: OPENAI_API_KEY, OPENAI_BASE_URL, "
                   "ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL, GEMINI_API_KEY, "
                   "GEMINI_BASE_URL. Your own server may need no key.",
    COMMAND_OPTIONS(options_table),
    COMMAND_OPERANDS(operands),
    COMMAND_EXAMPLES(examples),
    .args_size = sizeof(struct ask_args),
    .takes = TAKES_JSON | TAKES_TIMEOUT,
    .run = run,
};
