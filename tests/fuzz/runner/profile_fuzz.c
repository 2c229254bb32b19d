/* Profiles of users, and the sizes and texts derived from them. */
#include "runner/prompt/profile.h"
#include "tests/fuzz/fuzz.h"

#include "runner/prompt/prompt.h"

static void use(const struct profile *profile)
{
    const struct extent screen = {1080, 2400};
    const struct observation seen = {.screen = screen, .package = "a.b"};
    const struct agent_past past = {.action = {.kind = ACTION_CLICK,
                                               .has_from = true,
                                               .from = {540, 1200}}};
    const struct agent_view view = {.instruction = "Do it",
                                    .seen = &seen,
                                    .past = &past,
                                    .past_count = 1,
                                    .actions = UINT32_MAX};
    struct prompt prompt = {.profile = profile, .view = &view, .first = 1};
    struct buf text = BUF_INIT(PROMPT_MAX);
    char *tools;

    prompt.picture = profile_picture_size(&profile->picture, screen);
    fuzz_expect(prompt.picture.width > 0 && prompt.picture.height > 0);
    prompt_fill(&prompt, profile->system, &text);
    prompt_fill(&prompt, profile->prompt, &text);
    buf_release(&text);
    tools = prompt_tools(profile, prompt.picture);
    free(tools);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct profile profile;
    struct err err;

    if (!profile_parse((const char *)data, size, "/nowhere", &profile, &err))
        return 0;
    use(&profile);
    profile_release(&profile);
    return 0;
}
