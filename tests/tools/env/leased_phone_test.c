/* Environments on phones over ADB: a built-in phone, by its address. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "adb/discover/discover.h"
#include "base/mem.h"
#include "tests/support/scratch_folder.h"
#include "tests/tools/env/env_desk.h"
#include "tools/phone/phone.h"

#define OUTPUT_MAX ((size_t)64 * 1024)

#define RESET(env)                                                             \
    "{\"method\":\"reset\",\"env\":\"" env "\",\"task\":\"settings.dark\"}"
#define STEP(action)                                                           \
    "{\"method\":\"step\",\"env\":\"e1\",\"action\":{\"action\":" action "}}"
#define CLOSE "{\"method\":\"close\",\"env\":\"e1\"}"

struct fixture {
    struct env_desk desk;
    struct phone *phone;
    char serial[32];
    struct discover discover;
    struct device_source *source;
    struct env_leased_maker maker;
};

/* As the tasks of a suite for phones that cannot be reset. */
static void keep_the_phone(struct suite *suite)
{
    for (size_t i = 0; i < suite->count; i++)
        suite->tasks[i].reset = TASK_RESET_NONE;
}

static int set_up(void **state)
{
    struct fixture *here = mem_new(1, sizeof(*here));
    struct device_session_options session = {.cache = NULL};
    const char *serials[] = {here->serial};
    struct err err = ERR_INIT;

    env_desk_init(&here->desk);
    keep_the_phone(&here->desk.suite);
    if (!phone_start(&(struct phone_options){.fonts = here->desk.fonts},
                     &here->phone, &err))
        fail_msg("%s", err.text);
    snprintf(here->serial, sizeof(here->serial), "127.0.0.1:%u",
             phone_port(here->phone));
    here->source = device_source_adb(&here->discover, serials, 1);
    session.source = here->source;
    session.prepare.folder = scratch_folder_path();
    session.prepare.disable_animations = true;
    env_leased_maker_init(&here->maker, &session);
    here->desk.world.maker = &here->maker.maker;
    env_desk_open(&here->desk, &(struct env_hub_options){.threads = 2});
    *state = here;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *here = *state;

    env_desk_release(&here->desk);
    here->source->ops->close(here->source);
    phone_stop(here->phone);
    free(here);
    return 0;
}

static void assert_has(const char *answer, const char *words)
{
    if (!strstr(answer, words))
        fail_msg("no %s in %.2000s", words, answer);
}

/* The output of a command on the phone; the caller frees it. */
static char *run(struct fixture *here, const char *command)
{
    struct buf out = BUF_INIT(OUTPUT_MAX);
    struct buf errors = BUF_INIT(OUTPUT_MAX);
    char *text;

    (void)phone_run(here->phone, command, &out, &errors);
    text = mem_dup(buf_cstr(&out));
    buf_release(&out);
    buf_release(&errors);
    return text;
}

static void assert_says(struct fixture *here, const char *command,
                        const char *expected)
{
    char *text = run(here, command);

    assert_string_equal(text, expected);
    free(text);
}

/* ---- episodes ---- */

static void an_episode_is_scored_by_its_needs(void **state)
{
    struct fixture *here = *state;
    struct env_desk *desk = &here->desk;
    const char *answer = env_desk_expect(desk, RESET("e1"));

    assert_has(answer, "\"package\":\"com.android.settings\"");
    assert_has(answer, "\"width\":1080,\"height\":2400");
    assert_has(answer, "\"done\":false");
    (void)env_desk_tap(desk, "e1", "Display");
    (void)env_desk_tap(desk, "e1", "Dark");
    answer = env_desk_expect(desk, STEP("\"complete\""));
    assert_has(answer, "\"done\":true,\"terminated\":true");
    assert_has(answer, "\"met\":true,\"score\":1");
    assert_says(here, "settings get secure ui_night_mode", "2\n");
    env_desk_expect_error(desk, STEP("\"back\""), "the episode is over");
}

static void a_screen_and_a_tree_are_of_the_same_moment(void **state)
{
    struct fixture *here = *state;
    const char *answer;

    (void)env_desk_expect(&here->desk, RESET("e1"));
    answer = env_desk_expect(&here->desk,
                             "{\"method\":\"step\",\"env\":\"e1\",\"action\":{"
                             "\"action\":\"home\"},\"screen\":\"base64\","
                             "\"tree\":\"xml\"}");
    assert_has(answer, "\"screen\":\"iVBORw0KGgo"); /* a PNG */
    assert_has(answer, "<hierarchy rotation=");
    assert_has(answer, "Search apps");
    assert_has(answer, "\"package\":\"com.android.launcher3\"");
}

static void a_reset_starts_a_second_episode(void **state)
{
    struct fixture *here = *state;
    struct env_desk *desk = &here->desk;
    const char *answer;

    (void)env_desk_expect(desk, RESET("e1"));
    (void)env_desk_expect(desk, STEP("\"home\""));
    answer = env_desk_expect(desk, RESET("e1"));
    assert_has(answer, "\"step\":0,");
    assert_has(answer, "\"package\":\"com.android.settings\"");
    (void)env_desk_expect(desk, STEP("\"back\""));
}

/* The phone's own language stays. */
static void a_locale_is_that_of_the_instruction(void **state)
{
    struct fixture *here = *state;
    const char *answer = env_desk_expect(
        &here->desk, "{\"method\":\"reset\",\"env\":\"e1\",\"task\":"
                     "\"settings.dark\",\"locale\":\"zh\",\"tree\":"
                     "\"elements\"}");

    assert_has(answer, "深色主题");
    assert_has(answer, "Search settings");
}

/* ---- what only built-in phones can do ---- */

static void a_task_that_needs_a_new_phone_is_refused(void **state)
{
    struct fixture *here = *state;

    here->desk.suite.tasks[0].reset = TASK_RESET_SNAPSHOT;
    env_desk_expect_error(&here->desk, RESET("e1"), "cannot be reset");
}

static void a_phone_cannot_be_copied(void **state)
{
    struct fixture *here = *state;

    (void)env_desk_expect(&here->desk, RESET("e1"));
    env_desk_expect_error(&here->desk,
                          "{\"method\":\"fork\",\"env\":\"e1\",\"to\":\"e2\"}",
                          "\"unsupported\"");
}

static void a_truth_cannot_be_rewarded(void **state)
{
    struct fixture *here = *state;

    env_desk_expect_error(&here->desk,
                          "{\"method\":\"reset\",\"env\":\"e1\",\"task\":"
                          "\"settings.dark\",\"reward\":\"truth\"}",
                          "has no truth on this phone");
}

/* ---- leases ---- */

static void a_phone_has_one_environment_at_a_time(void **state)
{
    struct fixture *here = *state;
    struct env_desk *desk = &here->desk;

    (void)env_desk_expect(desk, RESET("e1"));
    env_desk_expect_error(desk, RESET("e2"), "no phone is free");
    (void)env_desk_expect(desk, CLOSE);
    (void)env_desk_expect(desk, RESET("e2"));
}

static void a_closed_environment_restores_the_settings(void **state)
{
    static const char scale[] = "settings get global window_animation_scale";
    struct fixture *here = *state;
    char *before = run(here, scale);

    (void)env_desk_expect(&here->desk, RESET("e1"));
    assert_says(here, scale, "0\n");
    (void)env_desk_expect(&here->desk, CLOSE);
    assert_says(here, scale, before);
    free(before);
}

static void a_lost_phone_fails_the_environment_alone(void **state)
{
    struct fixture *here = *state;
    struct env_desk *desk = &here->desk;
    const char *answer;

    (void)env_desk_expect(desk, RESET("e1"));
    phone_stop(here->phone);
    here->phone = NULL;
    answer = env_desk_ask(desk, STEP("\"back\""));
    assert_has(answer, "\"error\":");
    env_desk_expect_error(desk, STEP("\"back\""), "reset it");
    env_desk_expect_error(desk, RESET("e1"), "\"error\"");
    (void)env_desk_expect(desk, CLOSE);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(an_episode_is_scored_by_its_needs),
        TEST(a_screen_and_a_tree_are_of_the_same_moment),
        TEST(a_reset_starts_a_second_episode),
        TEST(a_locale_is_that_of_the_instruction),
        TEST(a_task_that_needs_a_new_phone_is_refused),
        TEST(a_phone_cannot_be_copied),
        TEST(a_truth_cannot_be_rewarded),
        TEST(a_phone_has_one_environment_at_a_time),
        TEST(a_closed_environment_restores_the_settings),
        TEST(a_lost_phone_fails_the_environment_alone),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
