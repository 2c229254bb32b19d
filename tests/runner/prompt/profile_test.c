#include "runner/prompt/profile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/macros.h"
#include "runner/embedded_files.h"
#include "runner/parse/reply_parser.h"
#include "runner/prompt/prompt.h"
#include "runner/prompt/token_estimate.h"

static const struct extent phone = {1080, 2400};

static void parse(const char *text, struct profile *profile)
{
    struct err err = ERR_INIT;

    if (!profile_parse(text, strlen(text), "/nowhere", profile, &err))
        fail_msg("%s", err.text);
}

static void refuse(const char *text, const char *says)
{
    struct profile profile;
    struct err err = ERR_INIT;

    assert_false(profile_parse(text, strlen(text), "/nowhere", &profile, &err));
    assert_int_equal(err.code, ERR_INVALID);
    if (!strstr(err.text, says))
        fail_msg("\"%s\" has no \"%s\"", err.text, says);
}

static bool replaces(const char *text, const char *reply)
{
    const struct model_family *family;
    struct profile profile;
    struct action action;
    struct err err = ERR_INIT;
    bool replace;

    parse(text, &profile);
    if (!reply_parse(reply, strlen(reply),
                     &(struct reply_parse_options){.family = profile.family,
                                                   .typing = profile.typing,
                                                   .picture = phone,
                                                   .screen = phone},
                     &action, &family, &err))
        fail_msg("%s", err.text);
    replace = action.replace;
    action_release(&action);
    profile_release(&profile);
    return replace;
}

static void a_profile_says_whether_typing_replaces(void **state)
{
    static const char autoglm[] = "{\"extends\":\"autoglm\"}";
    static const char appends[] =
        "{\"extends\":\"autoglm\",\"typing\":\"appends\"}";
    static const char generic[] = "{\"extends\":\"generic\"}";
    static const char other[] =
        "{\"extends\":\"generic\",\"typing\":\"replaces\"}";
    static const char call[] = "Type(text=\"a\", clear=False)";

    (void)state;
    assert_true(replaces(autoglm, "do(action=\"Type\", text=\"a\")"));
    assert_false(replaces(appends, "do(action=\"Type\", text=\"a\")"));
    assert_false(replaces(generic, "Type(\"a\")"));
    assert_true(replaces(other, "Type(\"a\")"));
    assert_false(replaces(other, call));
}

static void every_built_in_profile_loads(void **state)
{
    size_t count = 0;
    size_t files = 0;

    (void)state;
    for (; profile_name(count); count++) {
        struct profile profile;
        struct err err = ERR_INIT;

        if (!profile_load(profile_name(count), &profile, &err))
            fail_msg("%s", err.text);
        assert_string_equal(profile.name, profile_name(count));
        assert_non_null(profile.about);
        assert_non_null(strstr(profile.prompt, "{instruction}"));
        assert_non_null(profile.actions[ACTION_CLICK]);
        assert_non_null(profile.actions[ACTION_COMPLETE]);
        profile_release(&profile);
    }
    /* No file is missing in the list of names. */
    for (size_t i = 0; i < runner_files.count; i++)
        files += !strncmp(runner_files.files[i].name, "prompt/profiles/", 16);
    assert_int_equal(files, count);
}

static void families_get_pictures_of_their_sizes(void **state)
{
    static const struct {
        const char *profile;
        struct extent screen;
        struct extent size;
    } cases[] = {
        {"generic", {1080, 2400}, {900, 2000}},
        {"generic", {720, 1600}, {720, 1600}},
        {"ui-tars", {1080, 2400}, {1092, 2408}},
        {"qwen-vl", {1080, 2400}, {1092, 2408}},
        {"qwen-vl", {1440, 3120}, {1428, 3108}},
        {"qwen3-vl", {1080, 2400}, {1088, 2400}},
        {"claude-computer", {1080, 2400}, {706, 1568}},
        {"claude-computer", {2400, 1080}, {1568, 706}},
        {"claude-computer", {1000, 1000}, {1000, 1000}},
        {"claude-computer", {2000, 2000}, {1092, 1092}},
        {"autoglm", {1080, 2400}, {1080, 2400}},
        {"holo", {1080, 2400}, {1092, 2408}},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct profile profile;
        struct extent size;
        struct err err = ERR_INIT;

        assert_true(profile_load(cases[i].profile, &profile, &err));
        size = profile_picture_size(&profile.picture, cases[i].screen);
        if (size.width != cases[i].size.width ||
            size.height != cases[i].size.height)
            fail_msg("%s: %d x %d becomes %d x %d", cases[i].profile,
                     cases[i].screen.width, cases[i].screen.height, size.width,
                     size.height);
        profile_release(&profile);
    }
}

/* The table in numbers.md: at most 1280 * 28 * 28 pixels. */
static void limit_of_pixels_is_kept(void **state)
{
    const struct profile_picture picture = {
        .multiple = 28, .min_pixels = 3136, .max_pixels = 1280 * 28 * 28};
    struct extent size = profile_picture_size(&picture, phone);

    (void)state;
    assert_int_equal(size.width, 672);
    assert_int_equal(size.height, 1484);
}

static void profile_inherits_from_the_one_it_extends(void **state)
{
    struct profile base;
    struct profile profile;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(profile_load("generic", &base, &err));
    parse("{\"extends\":\"generic\",\"name\":\"mine\",\"coords\":\"unit\","
          "\"sampling\":{\"temperature\":0.5},\"actions\":{\"home\":null}}",
          &profile);
    assert_string_equal(profile.name, "mine");
    assert_int_equal(profile.coords, COORDS_UNIT);
    assert_true(profile.sampling.temperature == 0.5);
    assert_int_equal(profile.sampling.max_tokens, base.sampling.max_tokens);
    assert_string_equal(profile.prompt, base.prompt);
    assert_null(profile.actions[ACTION_HOME]);
    assert_non_null(profile.actions[ACTION_BACK]);
    assert_string_not_equal(profile.hash, base.hash);
    profile_release(&profile);
    profile_release(&base);
}

static void prompt_is_read_from_a_file_unchanged(void **state)
{
    static const char words[] = "Do {instruction}.\n{\"a\": {b}} {{x}} {\n";
    char folder[] = "/tmp/profile_test.XXXXXX";
    char path[64];
    char file[64];
    struct profile profile;
    struct err err = ERR_INIT;
    const char text[] =
        "{\"extends\":\"generic\",\"name\":\"p\",\"prompt_file\":\"p.txt\"}";

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/p.json", folder);
    snprintf(file, sizeof(file), "%s/p.txt", folder);
    assert_true(file_save(path, 0600, text, strlen(text), &err));
    assert_false(profile_load(path, &profile, &err));
    assert_non_null(strstr(err.text, "prompt_file"));
    assert_true(file_save(file, 0600, words, strlen(words), &err));
    assert_true(profile_load(path, &profile, &err));
    assert_string_equal(profile.prompt, words);
    profile_release(&profile);
    unlink(path);
    unlink(file);
    rmdir(folder);
}

static void mistakes_are_reported_with_a_suggestion(void **state)
{
    (void)state;
    refuse("[]", "object");
    refuse("{\"name\":\"x\"}", "family");
    refuse("{\"name\":\"x\",\"family\":\"generic\",\"prompt\":\"a\","
           "\"typing\":\"sometimes\"}",
           "typing");
    refuse("{\"name\":\"x\",\"family\":\"generic\",\"promt\":\"a\"}", "prompt");
    refuse("{\"name\":\"x\",\"family\":\"klingon\",\"prompt\":\"a\"}",
           "klingon");
    refuse("{\"extends\":\"generic\",\"coords\":\"2000\"}", "smart3");
    refuse("{\"extends\":\"generic\",\"picture\":{\"max_sides\":1}}",
           "max_side");
    refuse("{\"extends\":\"generic\",\"picture\":{\"format\":\"gif\"}}", "png");
    refuse("{\"extends\":\"generic\",\"api\":\"closedai\"}", "openai");
    refuse("{\"extends\":\"generic\",\"actions\":{\"clik\":\"a\"}}", "click");
    refuse("{\"extends\":\"generic\",\"headers\":[\"x-api-key: 1\"]}",
           "environment");
    refuse("{\"extends\":\"generic\",\"headers\":[\"a: b\\r\\nc: d\"]}",
           "header");
    refuse("{\"extends\":\"generic\",\"sampling\":{\"temperature\":3}}",
           "temperature");
}

static void unknown_profile_is_reported_with_the_nearest(void **state)
{
    struct profile profile;
    struct err err = ERR_INIT;

    (void)state;
    assert_false(profile_load("uitars", &profile, &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
    assert_non_null(strstr(err.text, "\"ui-tars\""));
    assert_false(profile_load("zzzzzzzz", &profile, &err));
    assert_non_null(strstr(err.text, "claude-computer"));
}

static void models_have_their_profiles(void **state)
{
    static const char *const cases[][3] = {
        {"openai", "gpt-4o", "generic"},
        {"openai", "ByteDance-Seed/UI-TARS-1.5-7B", "ui-tars"},
        {"openai", "Qwen/Qwen2.5-VL-72B-Instruct", "qwen-vl"},
        {"openai", "qwen3-vl:32b", "qwen3-vl"},
        {"openai", "AutoGLM-Phone-9B", "autoglm"},
        {"openai", "zai-org/GLM-4.5V", "glm"},
        {"openai", "Hcompany/Holo1.5-7B", "holo"},
        {"openai", "ritzzai/GUI-R1-3B", "gui-r1"},
        {"openai", "LZXzju/UI-R1-E-3B", "ui-r1"},
        {"openai", "OpenGVLab/InternVL3-8B", "generic-1000"},
        {"responses", "computer-use-preview", "openai-computer"},
        {"anthropic", "claude-sonnet-4-5", "claude-computer"},
        {"gemini", "gemini-2.5-pro", "generic-1000"},
        {"gemini", "gemini-2.5-computer-use-preview-10-2025",
         "gemini-computer"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_string_equal(profile_for_model(cases[i][0], cases[i][1]),
                            cases[i][2]);
}

static void placeholders_of_tools_become_numbers(void **state)
{
    struct profile profile;
    struct err err = ERR_INIT;
    char *tools;

    (void)state;
    assert_true(profile_load("claude-computer", &profile, &err));
    tools = prompt_tools(&profile, (struct extent){706, 1568});
    assert_non_null(strstr(tools, "\"display_width_px\":706,"));
    assert_non_null(strstr(tools, "\"display_height_px\":1568}"));
    free(tools);
    profile_release(&profile);
}

static void estimates_count_pictures_as_services_do(void **state)
{
    struct profile profile;
    struct agent_estimate episode = {
        .screen = phone, .steps = 1, .requests_per_step = 1};
    struct model_usage few = {.input_tokens = 0};
    struct model_usage many = {.input_tokens = 0};
    struct model_usage twice = {.input_tokens = 0};
    struct err err = ERR_INIT;

    (void)state;
    assert_int_equal(
        token_estimate_picture("openai", (struct extent){1024, 1024}), 765);
    assert_int_equal(
        token_estimate_picture("gemini", (struct extent){1080, 2400}), 258 * 8);
    assert_int_equal(
        token_estimate_picture("anthropic", (struct extent){750, 1000}), 1000);
    assert_true(profile_load("claude-computer", &profile, &err));
    token_estimate_episode(&profile, "anthropic", &episode, &few);
    episode.steps = 15;
    token_estimate_episode(&profile, "anthropic", &episode, &many);
    assert_true(many.input_tokens > 15 * few.input_tokens);
    assert_int_equal(many.output_tokens,
                     15 * (int64_t)profile.sampling.max_tokens);
    episode.requests_per_step = 2;
    token_estimate_episode(&profile, "anthropic", &episode, &twice);
    assert_int_equal(twice.input_tokens, 2 * many.input_tokens);
    assert_int_equal(twice.output_tokens, 2 * many.output_tokens);
    profile.sampling.max_tokens = 0; /* replies may have any length */
    token_estimate_episode(&profile, "anthropic", &episode, &twice);
    assert_int_equal(twice.output_tokens, -1);
    profile_release(&profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_profile_says_whether_typing_replaces),
        cmocka_unit_test(every_built_in_profile_loads),
        cmocka_unit_test(families_get_pictures_of_their_sizes),
        cmocka_unit_test(limit_of_pixels_is_kept),
        cmocka_unit_test(profile_inherits_from_the_one_it_extends),
        cmocka_unit_test(prompt_is_read_from_a_file_unchanged),
        cmocka_unit_test(mistakes_are_reported_with_a_suggestion),
        cmocka_unit_test(unknown_profile_is_reported_with_the_nearest),
        cmocka_unit_test(models_have_their_profiles),
        cmocka_unit_test(placeholders_of_tools_become_numbers),
        cmocka_unit_test(estimates_count_pictures_as_services_do),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
