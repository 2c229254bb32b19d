/* An agent whose decisions come from another thread. */
#include "runner/agents/agent_channel.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "runner/agents/agent_factory.h"

#define WAIT_MS 60000

/* The thread of an episode: it asks for decisions until it has to stop. */
struct fake_episode {
    struct agent_channel *channel;
    struct agent_factory factory;
    struct agent *agent;
    struct cancel cancel;
    pthread_t thread;
    int64_t decide_ms; /* time for a decision */
    int asks;          /* decisions that it asks for */
    int decided;
    enum action_kind last;
    char reason[128];
    struct err err; /* of the decision that failed */
    bool failed;
};

static void *ask(void *context)
{
    struct fake_episode *episode = context;
    const struct agent_view view = {.instruction = "do it", .steps_left = 9};

    while (episode->decided < episode->asks) {
        struct agent_reply reply;

        agent_reply_init(&reply);
        episode->failed = !episode->agent->ops->decide(
            episode->agent, &view, deadline_in_ms(episode->decide_ms),
            &episode->cancel, &reply, &episode->err);
        if (!episode->failed) {
            episode->decided++;
            episode->last = reply.action.kind;
            snprintf(episode->reason, sizeof(episode->reason), "%s",
                     reply.action.text ? reply.action.text : "");
        }
        agent_reply_release(&reply);
        if (episode->failed)
            break;
    }
    agent_channel_finish(episode->channel, "it is over");
    return NULL;
}

static void begin(struct fake_episode *episode, int asks, int64_t decide_ms)
{
    struct agent_factory_options options = {.in = -1};
    struct err err = ERR_INIT;

    *episode = (struct fake_episode){
        .asks = asks, .decide_ms = decide_ms, .cancel = CANCEL_INIT};
    assert_true(agent_channel_open(&episode->channel, &err));
    assert_true(cancel_init(&episode->cancel, &err));
    options.channel = episode->channel;
    assert_true(agent_factory_init(&episode->factory, "mcp", &options, &err));
    assert_true(episode->factory.maker.make(&episode->factory.maker,
                                            &episode->agent, &err));
    assert_int_equal(pthread_create(&episode->thread, NULL, ask, episode), 0);
}

static void end(struct fake_episode *episode)
{
    pthread_join(episode->thread, NULL);
    agent_close(episode->agent);
    agent_factory_release(&episode->factory);
    cancel_release(&episode->cancel);
    agent_channel_close(episode->channel);
}

static const struct agent_view *wait_turn(struct fake_episode *episode)
{
    const struct agent_view *view = NULL;
    struct err err = ERR_INIT;

    if (!agent_channel_wait(episode->channel, deadline_in_ms(WAIT_MS), NULL,
                            &view, &err))
        fail_msg("%s", err.text);
    return view;
}

/* Decide nothing until the episode is over. */
static void wait_over(struct fake_episode *episode)
{
    while (wait_turn(episode))
        agent_channel_release(episode->channel);
    assert_string_equal(agent_channel_result(episode->channel), "it is over");
}

static void decisions_go_from_one_thread_to_the_other(void **state)
{
    struct fake_episode episode;

    (void)state;
    begin(&episode, 3, WAIT_MS);
    for (int i = 0; i < 3; i++) {
        const struct agent_view *view = wait_turn(&episode);
        struct action action = {.kind = ACTION_BACK, .text = mem_dup("why")};

        assert_non_null(view);
        assert_string_equal(view->instruction, "do it");
        assert_true(agent_channel_reply(episode.channel, &action, "press_key"));
    }
    wait_over(&episode);
    end(&episode);
    assert_int_equal(episode.decided, 3);
    assert_int_equal(episode.last, ACTION_BACK);
}

static void a_client_that_leaves_gives_up(void **state)
{
    struct fake_episode episode;

    (void)state;
    begin(&episode, 1, WAIT_MS);
    agent_channel_leave(episode.channel, "the client is gone");
    wait_over(&episode);
    end(&episode);
    assert_int_equal(episode.last, ACTION_FAIL);
    assert_string_equal(episode.reason, "the client is gone");
}

static void a_decision_that_takes_too_long_is_not_made(void **state)
{
    struct action late = {.kind = ACTION_HOME};
    struct fake_episode episode;

    (void)state;
    begin(&episode, 1, 20);
    wait_over(&episode);
    assert_false(agent_channel_reply(episode.channel, &late, "late"));
    end(&episode);
    assert_true(episode.failed);
    assert_int_equal(episode.err.code, ERR_TIMEOUT);
}

static void a_view_stays_valid_while_the_client_uses_it(void **state)
{
    const struct agent_view *view;
    struct fake_episode episode;

    (void)state;
    begin(&episode, 1, WAIT_MS);
    view = wait_turn(&episode);
    assert_non_null(view);
    cancel_fire(&episode.cancel);
    /* decide cannot return yet: its view is in use. */
    assert_string_equal(view->instruction, "do it");
    agent_channel_release(episode.channel);
    wait_over(&episode);
    end(&episode);
    assert_int_equal(episode.err.code, ERR_CANCELLED);
}

static void a_waiting_client_can_be_cancelled(void **state)
{
    struct agent_channel *channel = NULL;
    const struct agent_view *view;
    struct cancel cancel = CANCEL_INIT;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(agent_channel_open(&channel, &err));
    assert_true(cancel_init(&cancel, &err));
    cancel_fire(&cancel);
    assert_false(
        agent_channel_wait(channel, DEADLINE_NEVER, &cancel, &view, &err));
    assert_int_equal(err.code, ERR_CANCELLED);
    cancel_release(&cancel);
    agent_channel_close(channel);
}

static void an_interrupt_ends_the_episode(void **state)
{
    struct fake_episode episode;

    (void)state;
    begin(&episode, 1, WAIT_MS);
    cancel_fire(&episode.cancel);
    wait_over(&episode);
    end(&episode);
    assert_true(episode.failed);
    assert_int_equal(episode.err.code, ERR_CANCELLED);
}

static void it_cannot_be_chosen_without_a_channel(void **state)
{
    const struct agent_factory_options options = {.in = -1};
    struct agent_factory factory;
    struct text_list names = {.items = NULL};
    struct err err = ERR_INIT;

    (void)state;
    assert_false(agent_factory_init(&factory, "mcp", &options, &err));
    assert_non_null(strstr(err.text, "proctor mcp --task"));
    agent_factory_list(&names);
    assert_false(text_list_have(&names, "mcp"));
    text_list_release(&names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decisions_go_from_one_thread_to_the_other),
        cmocka_unit_test(a_client_that_leaves_gives_up),
        cmocka_unit_test(a_decision_that_takes_too_long_is_not_made),
        cmocka_unit_test(a_view_stays_valid_while_the_client_uses_it),
        cmocka_unit_test(a_waiting_client_can_be_cancelled),
        cmocka_unit_test(an_interrupt_ends_the_episode),
        cmocka_unit_test(it_cannot_be_chosen_without_a_channel),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
