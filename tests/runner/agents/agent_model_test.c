/* Agents that ask a model: the request, and how the reply is used.
 */
#include "runner/agents/agent_factory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/json_write.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/picture/picture_file.h"
#include "base/picture/png.h"
#include "runner/prompt/profile.h"
#include "tests/runner/models/models_fixture.h"

#define WIDTH 108 /* small, to be fast */
#define HEIGHT 240

/* An episode with an agent behind a profile. */
struct model_episode {
    struct models_fixture fixture;
    struct agent_factory agents;
    struct agent *agent;
    struct observation seen;
    struct agent_past past[8];
    size_t past_count;
    struct agent_reply reply;
    struct task task;
    const char *notice;
    struct element_list elements;
    enum agent_mode mode;
};

static void make_screen(struct buf *png, uint8_t shade)
{
    struct picture picture = PICTURE_INIT;
    struct err err = ERR_INIT;

    assert_true(picture_resize(&picture, WIDTH, HEIGHT, &err));
    for (uint32_t y = 0; y < HEIGHT; y++)
        memset(picture_row(&picture, y), shade, (size_t)WIDTH * 4);
    buf_clear(png);
    assert_true(png_encode(&picture, PNG_FAST, png, &err));
    picture_release(&picture);
}

static void start(struct model_episode *episode, const char *service,
                  const char *profile)
{
    const struct agent_factory_options options = {
        .profile = profile, .cache = NULL, .spending = NULL};
    char name[64];
    struct err err = ERR_INIT;

    memset(episode, 0, sizeof(*episode));
    fixture_start(&episode->fixture, service, NULL);
    snprintf(name, sizeof(name), "%s:test-1", service);
    if (!agent_factory_init(&episode->agents, name, &options, &err))
        fail_msg("%s", err.text);
    assert_true(episode->agents.maker.make(&episode->agents.maker,
                                           &episode->agent, &err));
    assert_true(
        episode->agent->ops->begin(episode->agent, &episode->task, 0, &err));
    agent_reply_init(&episode->reply);
    observation_init(&episode->seen);
    episode->seen.screen = (struct extent){WIDTH, HEIGHT};
    snprintf(episode->seen.package, sizeof(episode->seen.package),
             "com.example.shop");
    make_screen(&episode->seen.png, 10);
}

static void stop(struct model_episode *episode)
{
    agent_close(episode->agent);
    agent_factory_release(&episode->agents);
    agent_reply_release(&episode->reply);
    observation_release(&episode->seen);
    for (size_t i = 0; i < episode->past_count; i++) {
        action_release(&episode->past[i].action);
        free(episode->past[i].reply);
    }
    fixture_stop(&episode->fixture);
}

/* Ask for the next step, and add it to the history. */
static bool step(struct model_episode *episode, struct err *err)
{
    const struct agent_view view = {
        .task = &episode->task,
        .instruction = "Sort by \"price\"",
        .mode = episode->mode,
        .seen = &episode->seen,
        .elements = episode->mode == AGENT_SCREEN ? NULL : &episode->elements,
        .past = episode->past,
        .past_count = episode->past_count,
        .notice = episode->notice,
        .actions = UINT32_MAX,
        .step = (int)episode->past_count,
        .steps_left = 15 - (int)episode->past_count,
    };
    struct agent_past *past = &episode->past[episode->past_count];

    agent_reply_release(&episode->reply);
    if (!episode->agent->ops->decide(episode->agent, &view,
                                     deadline_in_ms(60000), NULL,
                                     &episode->reply, err))
        return false;
    if (!episode->reply.has_action)
        return true;
    past->reply = mem_dup(buf_cstr(&episode->reply.text));
    past->action = episode->reply.action;
    if (past->action.text)
        past->action.text = mem_dup(past->action.text);
    episode->past_count++;
    return true;
}

static void expect_step(struct model_episode *episode)
{
    struct err err = ERR_INIT;

    if (!step(episode, &err))
        fail_msg("%s", err.text);
    if (!episode->reply.has_action)
        fail_msg("%s", episode->reply.error.text);
}

static void expect_asked(struct model_episode *episode, const char *part)
{
    if (!strstr(buf_cstr(&episode->fixture.asked), part))
        fail_msg("no %s in %s", part, buf_cstr(&episode->fixture.asked));
}

static void expect_unasked(struct model_episode *episode, const char *part)
{
    if (strstr(buf_cstr(&episode->fixture.asked), part))
        fail_msg("%s in %s", part, buf_cstr(&episode->fixture.asked));
}

static size_t count_asked(const struct model_episode *episode, const char *part)
{
    const char *at = buf_cstr(&episode->fixture.asked);
    size_t count = 0;

    while ((at = strstr(at, part))) {
        at += strlen(part);
        count++;
    }
    return count;
}

static void say(struct model_episode *episode, const char *service,
                const char *text)
{
    char *body = fixture_saying(service, text);

    fixture_answer(&episode->fixture, 200, body);
    free(body);
}

/* A tap on the center of the screen, as each family writes it. */
static const struct {
    const char *service;
    const char *profile;
    const char *answer; /* the reply, or a whole body if it begins with '{' */
} middles[] = {
    {"openai", "generic", "I see a list.\\nAction: Click(54, 120)"},
    {"openai", "generic-1000", "Action: Click(500, 500)"},
    {"openai", "think-answer",
     "<think>Click(1,1)?</think><answer>Click(54, 120)</answer>"},
    {"openai", "gui-r1",
     "<think>x</think><answer>[{'action': 'click', 'point': [56, 126], "
     "'input_text': 'no input text'}]</answer>"},
    {"openai", "ui-r1",
     "<answer>[{'action': 'click', 'coordinate': [56, 126]}]</answer>"},
    {"openai", "ui-tars", "Thought: x\\nAction: click(start_box='(98,210)')"},
    {"openai", "qwen-vl",
     "<tool_call>\\n{\\\"name\\\": \\\"mobile_use\\\", \\\"arguments\\\": "
     "{\\\"action\\\": \\\"click\\\", \\\"coordinate\\\": [56, 126]}}\\n"
     "</tool_call>"},
    {"openai", "qwen3-vl",
     "Thought: x\\nAction: \\\"tap\\\"\\n<tool_call>\\n{\\\"name\\\": "
     "\\\"mobile_use\\\", \\\"arguments\\\": {\\\"action\\\": \\\"click\\\", "
     "\\\"coordinate\\\": [500, 500]}}\\n</tool_call>"},
    {"openai", "autoglm",
     "<think>x</think><answer>do(action=\\\"Tap\\\", element=[500,500])"
     "</answer>"},
    {"openai", "glm",
     "<|begin_of_box|>{\\\"action_type\\\": \\\"click\\\", \\\"box_2d\\\": "
     "[[490, 490, 510, 510]]}<|end_of_box|>"},
    {"openai", "holo",
     "Note first. {\\\"note\\\": \\\"\\\", \\\"thought\\\": \\\"x\\\", "
     "\\\"action\\\": {\\\"action\\\": \\\"click_element\\\", "
     "\\\"element\\\": \\\"the middle\\\", \\\"x\\\": 56, \\\"y\\\": 126}}"},
    {"anthropic", "claude-computer",
     "{\"content\":[{\"type\":\"text\",\"text\":\"ok\"},{\"type\":"
     "\"tool_use\",\"id\":\"t1\",\"name\":\"computer\",\"input\":{\"action\":"
     "\"left_click\",\"coordinate\":[54,120]}}],\"stop_reason\":\"tool_use\"}"},
    {"gemini", "gemini-computer",
     "{\"candidates\":[{\"content\":{\"role\":\"model\",\"parts\":[{"
     "\"functionCall\":{\"name\":\"click_at\",\"args\":{\"x\":500,\"y\":500}}}]"
     "},\"finishReason\":\"STOP\"}]}"},
    {"responses", "openai-computer",
     "{\"output\":[{\"type\":\"computer_call\",\"call_id\":\"c\",\"action\":{"
     "\"type\":\"click\",\"button\":\"left\",\"x\":54,\"y\":120},"
     "\"pending_safety_checks\":[]}]}"},
};

static void every_profile_taps_the_middle(void **state)
{
    size_t count = 0;

    (void)state;
    for (; count < ARRAY_LEN(middles); count++) {
        struct model_episode episode;

        start(&episode, middles[count].service, middles[count].profile);
        if (middles[count].answer[0] == '{')
            fixture_answer(&episode.fixture, 200, middles[count].answer);
        else
            say(&episode, middles[count].service, middles[count].answer);
        expect_step(&episode);
        assert_int_equal(episode.reply.action.kind, ACTION_CLICK);
        if (abs(episode.reply.action.from.x - 54) > 1 ||
            abs(episode.reply.action.from.y - 120) > 1)
            fail_msg("%s: %d, %d", middles[count].profile,
                     episode.reply.action.from.x, episode.reply.action.from.y);
        expect_asked(&episode, "Sort by \\\"price\\\"");
        assert_true(episode.reply.request_bytes > 100);
        assert_true(episode.reply.picture.width > 0);

        /* Again, with a history. */
        make_screen(&episode.seen.png, 20);
        expect_step(&episode);
        stop(&episode);
    }
    assert_null(profile_name(count)); /* one for each profile */
}

static void history_uses_the_models_coordinates(void **state)
{
    struct model_episode episode;

    (void)state;
    start(&episode, "openai", "generic-1000");
    say(&episode, "openai", "Action: Click(250, 750)");
    say(&episode, "openai", "Action: Type(\\\"head phones\\\")");
    expect_step(&episode);
    expect_asked(&episode, "(none yet)");
    expect_step(&episode);
    expect_asked(&episode, "1. Click(250, 750)");
    assert_string_equal(episode.reply.action.text, "head phones");
    expect_step(&episode);
    expect_asked(&episode, "1. Click(250, 750)\\n2. Type(\\\"head phones\\\")");
    expect_asked(&episode, "13 more steps");
    assert_int_equal(count_asked(&episode, "data:image/png"), 1);
    stop(&episode);
}

/* UI-R1 sees only the screen, as in the paper. */
static void ui_r1_gets_no_history(void **state)
{
    struct model_episode episode;

    (void)state;
    start(&episode, "openai", "ui-r1");
    say(&episode, "openai",
        "<answer>[{'action': 'click', 'coordinate': [56, 126]}]</answer>");
    expect_step(&episode);
    expect_step(&episode);
    expect_unasked(&episode, "Click(");
    assert_int_equal(count_asked(&episode, "\"role\""), 1);
    stop(&episode);
}

static void ui_tars_keeps_its_last_screens_and_replies(void **state)
{
    struct model_episode episode;

    (void)state;
    start(&episode, "openai", "ui-tars");
    say(&episode, "openai", "Thought: x\\nAction: click(start_box='(98,210)')");
    for (uint8_t i = 0; i < 7; i++) {
        make_screen(&episode.seen.png, (uint8_t)(i * 20));
        expect_step(&episode);
    }
    /* Four earlier screens and the current one; two steps are only lines. */
    assert_int_equal(count_asked(&episode, "data:image/png"), 5);
    assert_int_equal(count_asked(&episode, "\"role\":\"assistant\""), 4);
    expect_asked(&episode, "1. Click(98, 210)\\n2. Click(98, 210)\\n\\n");
    stop(&episode);
}

static void autoglm_keeps_replies_without_screens(void **state)
{
    struct model_episode episode;

    (void)state;
    start(&episode, "openai", "autoglm");
    say(&episode, "openai",
        "<think>x</think><answer>do(action=\\\"Tap\\\", element=[500,500])"
        "</answer>");
    for (int i = 0; i < 3; i++)
        expect_step(&episode);
    assert_int_equal(count_asked(&episode, "data:image/png"), 1);
    assert_int_equal(count_asked(&episode, "** Screenshot **"), 2);
    assert_int_equal(count_asked(&episode, "\"role\":\"assistant\""), 2);
    expect_asked(&episode, "front: com.example.shop");
    stop(&episode);
}

static void calls_are_answered_with_the_next_screen(void **state)
{
    struct model_episode episode;

    (void)state;
    start(&episode, "anthropic", "claude-computer");
    fixture_answer(
        &episode.fixture, 200,
        "{\"content\":[{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":"
        "\"computer\",\"input\":{\"action\":\"left_click\",\"coordinate\":[54,"
        "120]}},{\"type\":\"tool_use\",\"id\":\"t2\",\"name\":\"computer\","
        "\"input\":{\"action\":\"type\",\"text\":\"a\"}}],\"stop_reason\":"
        "\"tool_use\"}");
    expect_step(&episode);
    expect_asked(&episode, "\"display_width_px\":108");
    expect_step(&episode);
    expect_asked(&episode, "{\"type\":\"tool_result\",\"tool_use_id\":\"t1\","
                           "\"content\":[{\"type\":\"image\"");
    expect_asked(&episode,
                 "{\"type\":\"tool_result\",\"tool_use_id\":\"t2\",\"content\":"
                 "[{\"type\":\"text\",\"text\":\"Not carried out");
    stop(&episode);
}

static void notice_is_in_the_prompt(void **state)
{
    struct model_episode episode;
    struct err err = ERR_INIT;
    struct err why;

    (void)state;
    start(&episode, "openai", "ui-tars");
    say(&episode, "openai", "I do not know.");
    say(&episode, "openai", "Action: press_back()");
    assert_true(step(&episode, &err));
    assert_false(episode.reply.has_action);
    why = episode.reply.error;
    episode.notice = why.text;
    assert_true(step(&episode, &err));
    expect_asked(&episode, "Your last reply had no effect: there is no "
                           "action");
    stop(&episode);
}

static void the_models_own_failures_are_replies_without_action(void **state)
{
    static const struct {
        unsigned status;
        const char *body;
        const char *says;
    } cases[] = {
        {200, "{\"choices\":[{\"message\":{\"refusal\":\"I will not\"}}]}",
         "refuses: I will not"},
        {200,
         "{\"choices\":[{\"message\":{\"content\":\"Action: "
         "Click(10,10)\"},\"finish_reason\":\"content_filter\"}]}",
         "filters"},
        {400, "{\"error\":{\"code\":\"context_length_exceeded\"}}", "longer"},
        {200,
         "{\"choices\":[{\"message\":{\"content\":\"Action: "
         "Click(10\"},\"finish_reason\":\"length\"}]}",
         "tokens"},
        {200,
         "{\"choices\":[{\"message\":{\"content\":\"Action: "
         "Click(999,999)\"},\"finish_reason\":\"stop\"}]}",
         "outside"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct model_episode episode;
        struct err err = ERR_INIT;

        start(&episode, "openai", "generic");
        fixture_answer(&episode.fixture, cases[i].status, cases[i].body);
        assert_true(step(&episode, &err));
        assert_false(episode.reply.has_action);
        if (!strstr(episode.reply.error.text, cases[i].says))
            fail_msg("%s", episode.reply.error.text);
        stop(&episode);
    }
}

static void failed_service_is_an_error_of_the_step(void **state)
{
    struct model_episode episode;
    struct err err = ERR_INIT;

    (void)state;
    start(&episode, "openai", "generic");
    fixture_answer(&episode.fixture, 401, "{}");
    assert_false(step(&episode, &err));
    assert_int_equal(err.code, ERR_UNAUTHORIZED);
    stop(&episode);
}

static void marks_and_elements_are_in_the_prompt(void **state)
{
    struct model_episode episode;
    struct screen_element element = {.box = {10, 20, 50, 60}, .role = "button"};

    (void)state;
    start(&episode, "openai", "generic");
    snprintf(element.name.text, sizeof(element.name.text), "Sort");
    element.acts = true;
    episode.elements = (struct element_list){&element, 1};
    episode.mode = AGENT_MARKS;
    say(&episode, "openai", "Action: Click(1)");
    expect_step(&episode);
    expect_asked(&episode, "1 button 'Sort' (10, 20)-(50, 60)");
    assert_true(episode.reply.action.has_index);
    assert_int_equal(episode.reply.action.index, 1);
    stop(&episode);
}

static void run_file_describes_the_model(void **state)
{
    struct model_episode episode;
    struct cJSON *said = json_new_object();
    struct profile profile;
    struct err err = ERR_INIT;
    char *text;

    (void)state;
    start(&episode, "openai", "ui-tars");
    say(&episode, "openai", "Action: press_back()");
    expect_step(&episode);
    agent_factory_describe(&episode.agents, said);
    assert_true(profile_load("ui-tars", &profile, &err));
    text = cJSON_PrintUnformatted(said);
    assert_non_null(strstr(text, "\"name\":\"openai:test-1\""));
    assert_non_null(strstr(text, "\"served\":\"test-1-served\""));
    assert_non_null(strstr(text, profile.hash));
    assert_non_null(strstr(text, "\"temperature\":0"));
    assert_non_null(strstr(text, "\"picture\":{\"width\":196,\"height\":420}"));
    assert_null(strstr(text, TEST_KEY));
    assert_true(
        agent_factory_estimate(&episode.agents,
                               &(struct agent_estimate){.screen = {1080, 2400},
                                                        .steps = 15,
                                                        .requests_per_step = 1})
            .input_tokens > 10000);
    cJSON_free(text);
    cJSON_Delete(said);
    profile_release(&profile);
    stop(&episode);
}

static void incompatible_options_are_reported_before_a_run(void **state)
{
    struct spending spending;
    struct agent_factory_options options = {.profile = "claude-computer"};
    struct agent_factory agents = {.name = NULL};
    struct err err = ERR_INIT;

    (void)state;
    setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1", 1);
    assert_false(agent_factory_init(&agents, "openai:x", &options, &err));
    assert_non_null(strstr(err.text, "anthropic:MODEL"));
    spending_init(&spending, 1, -1);
    options.profile = NULL;
    options.spending = &spending;
    assert_false(agent_factory_init(&agents, "openai:x", &options, &err));
    assert_non_null(strstr(err.text, "--prices"));
    spending_release(&spending);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_profile_taps_the_middle),
        cmocka_unit_test(history_uses_the_models_coordinates),
        cmocka_unit_test(ui_r1_gets_no_history),
        cmocka_unit_test(ui_tars_keeps_its_last_screens_and_replies),
        cmocka_unit_test(autoglm_keeps_replies_without_screens),
        cmocka_unit_test(calls_are_answered_with_the_next_screen),
        cmocka_unit_test(notice_is_in_the_prompt),
        cmocka_unit_test(the_models_own_failures_are_replies_without_action),
        cmocka_unit_test(failed_service_is_an_error_of_the_step),
        cmocka_unit_test(marks_and_elements_are_in_the_prompt),
        cmocka_unit_test(run_file_describes_the_model),
        cmocka_unit_test(incompatible_options_are_reported_before_a_run),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
