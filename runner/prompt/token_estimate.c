#include "runner/prompt/token_estimate.h"

#include <math.h>
#include <string.h>

#include "process_provider/text/phrase.h"
#include "runner/observe/element_list.h"

#define FRAME_TOKENS 100    /* roles and other marks around a message */
#define ERR_TEXT_TOKENS 256 /* the reason in a notice */

/* A number, a role, a name and two points. */
#define ELEMENT_LINE_TOKENS (PHRASE_MAX + 80)

static int64_t tiles(double side, double tile)
{
    return (int64_t)ceil(side / tile);
}

/* OpenAI: fit into 2048 x 2048, the short side to 768, tiles of 512. */
static int64_t openai_picture(double width, double height)
{
    double longest = width > height ? width : height;
    double shortest = width > height ? height : width;
    double scale = longest > 2048 ? 2048 / longest : 1;

    if (shortest * scale > 768)
        scale = 768 / shortest;
    return 85 + 170 * tiles(width * scale, 512) * tiles(height * scale, 512);
}

int64_t token_estimate_picture(const char *service, struct extent size)
{
    double width = size.width;
    double height = size.height;

    if (!strcmp(service, "anthropic"))
        return (int64_t)ceil(width * height / 750);
    if (!strcmp(service, "gemini"))
        return 258 * tiles(width, 768) * tiles(height, 768);
    return openai_picture(width, height);
}

/* Qwen's models and others: a token for each patch. */
static int64_t count_patches(const struct profile_picture *picture,
                             struct extent size)
{
    int patch = picture->multiple > 0 ? picture->multiple : picture->patch;

    return patch > 0 ? tiles(size.width, patch) * tiles(size.height, patch) : 0;
}

static int64_t picture_tokens(const struct profile *profile,
                              const char *service, struct extent screen)
{
    struct extent size = profile_picture_size(&profile->picture, screen);
    int64_t documented = token_estimate_picture(service, size);
    int64_t patches = count_patches(&profile->picture, size);

    return documented > patches ? documented : patches;
}

static int64_t text_tokens(const char *text)
{
    return text ? (int64_t)strlen(text) : 0;
}

/* The most tokens of a request without its history. */
static int64_t constant_tokens(const struct profile *profile,
                               const struct agent_estimate *episode)
{
    int64_t tokens = FRAME_TOKENS + (int64_t)episode->instruction_bytes +
                     text_tokens(profile->system) +
                     text_tokens(profile->prompt) + text_tokens(profile->step) +
                     text_tokens(profile->notice) + ERR_TEXT_TOKENS +
                     text_tokens(profile->history.none) +
                     text_tokens(profile->tools) + text_tokens(profile->extra);

    for (int i = 0; i < ACTION_KINDS; i++)
        tokens += text_tokens(profile->actions[i]);
    if (episode->mode != AGENT_SCREEN)
        tokens += ELEMENT_LIST_MAX * ELEMENT_LINE_TOKENS;
    return tokens;
}

/* The most tokens that a past step adds, without its picture. */
static int64_t past_tokens(const struct profile *profile, int64_t reply)
{
    const struct profile_history *history = &profile->history;

    return FRAME_TOKENS + 2 * reply + text_tokens(profile->step) +
           text_tokens(profile->notice) + ERR_TEXT_TOKENS +
           text_tokens(profile->result) + text_tokens(history->line) +
           text_tokens(history->omitted);
}

static int lesser(int a, int b)
{
    return a < b ? a : b;
}

void token_estimate_episode(const struct profile *profile, const char *service,
                            const struct agent_estimate *episode,
                            struct model_usage *usage)
{
    const struct profile_history *history = &profile->history;
    int64_t picture = picture_tokens(profile, service, episode->screen);
    int64_t reply = profile->sampling.max_tokens;
    int64_t input = 0;

    usage->cached_tokens = -1;
    usage->input_tokens = usage->output_tokens = -1;
    if (reply <= 0)
        return;
    for (int past = 0; past < episode->steps; past++) {
        int turns =
            history->layout == PROFILE_TURNS ? lesser(past, history->turns) : 0;
        int lines = past - turns;

        if (history->lines >= 0)
            lines = lesser(lines, history->lines);
        input += constant_tokens(profile, episode) + picture +
                 (turns + lines) * past_tokens(profile, reply) +
                 lesser(past, history->screens) * picture;
    }
    usage->input_tokens = input * episode->requests_per_step;
    usage->output_tokens =
        (int64_t)episode->steps * episode->requests_per_step * reply;
}
