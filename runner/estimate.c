#include "runner/estimate.h"

#include <math.h>
#include <string.h>

#define BYTES_PER_TOKEN 4 /* of English and JSON */
#define TASK_TOKENS 60
#define LINE_TOKENS 20   /* of a step that is told in a line */
#define REPLY_TOKENS 150 /* a sentence or two, and the action */

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

int64_t estimate_picture(const char *service, struct extent size)
{
    double width = size.width;
    double height = size.height;

    if (!strcmp(service, "anthropic"))
        return (int64_t)ceil(width * height / 750);
    if (!strcmp(service, "gemini"))
        return 258 * tiles(width, 768) * tiles(height, 768);
    return openai_picture(width, height);
}

static int64_t text_tokens(const char *text)
{
    return text ? (int64_t)strlen(text) / BYTES_PER_TOKEN + 1 : 0;
}

static int64_t constant_tokens(const struct profile *profile)
{
    int64_t tokens = TASK_TOKENS + text_tokens(profile->system) +
                     text_tokens(profile->prompt) + text_tokens(profile->tools);

    for (int i = 0; i < ACTION_KINDS; i++)
        tokens += text_tokens(profile->actions[i]);
    return tokens;
}

static int lesser(int a, int b)
{
    return a < b ? a : b;
}

void estimate_episode(const struct profile *profile, const char *service,
                      struct extent screen, int steps,
                      struct model_usage *usage)
{
    const struct profile_history *history = &profile->history;
    int64_t picture =
        estimate_picture(service, profile_size(&profile->picture, screen));
    int64_t input = 0;

    for (int past = 0; past < steps; past++) {
        int turns =
            history->layout == PROFILE_TURNS ? lesser(past, history->turns) : 0;
        int lines = past - turns;

        if (history->lines >= 0)
            lines = lesser(lines, history->lines);
        input += constant_tokens(profile) + picture + lines * LINE_TOKENS +
                 turns * REPLY_TOKENS +
                 lesser(past, history->screens) * picture;
    }
    usage->input_tokens = input;
    usage->output_tokens = (int64_t)steps * REPLY_TOKENS;
    usage->cached_tokens = -1;
}
