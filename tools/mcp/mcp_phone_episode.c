/*
 * The phone of an episode: looking takes what the episode observed, acting is
 * the decision of the episode's agent.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/services/shell.h"
#include "base/mem.h"
#include "runner/device/device_source.h"
#include "runner/observe/observed_step.h"
#include "tasks/task/action_set.h"
#include "tools/mcp/mcp_phone.h"

#define DESCRIBE_MS 10000
#define COMMAND_MS 30000
#define COMMAND_OUTPUT_MAX ((size_t)1 << 20)

struct episode_phone {
    struct mcp_phone phone;
    struct agent_channel *channel;       /* borrowed */
    const struct picture_reader *reader; /* borrowed; NULL: none */
    struct observation seen; /* a copy: the episode reuses its own */
    struct observation before;
    uint32_t actions; /* that the task allows; 0: not known yet */
};

static bool is_over(const struct episode_phone *phone, struct err *err)
{
    return err_set(err, ERR_CLOSED, "%.240s",
                   agent_channel_result(phone->channel));
}

/* Note what the view says of the phone, once. */
static void note_phone(struct episode_phone *phone,
                       const struct agent_view *view)
{
    struct err ignored; /* what the phone does not report is not known */

    phone->actions = view->actions;
    if (phone->phone.serial[0] || !view->lease)
        return;
    memcpy(phone->phone.serial, view->lease->serial,
           sizeof(phone->phone.serial));
    (void)!device_info_read(view->lease->device, deadline_in_ms(COMMAND_MS),
                            &phone->phone.facts, &ignored);
}

/* Wait for the agent's turn and copy what it sees. *over: there is none. */
static bool take_turn(struct episode_phone *phone, const struct cancel *cancel,
                      bool *over, struct err *err)
{
    const struct agent_view *view;

    if (!agent_channel_wait(phone->channel, DEADLINE_NEVER, cancel, &view, err))
        return false;
    *over = !view;
    if (!view)
        return true;
    note_phone(phone, view);
    observation_copy(view->seen, &phone->seen);
    agent_channel_release(phone->channel);
    return true;
}

static bool episode_look(struct mcp_phone *phone, const struct cancel *cancel,
                         const struct observation **seen, struct err *err)
{
    struct episode_phone *own = (struct episode_phone *)phone;
    bool over;

    if (!take_turn(own, cancel, &over, err))
        return false;
    if (over)
        return is_over(own, err);
    *seen = &own->seen;
    return true;
}

/* ---- acting ---- */

static void copy_action(const struct action *action, struct action *copy)
{
    *copy = *action;
    copy->text = action->text ? mem_dup(action->text) : NULL;
}

static void swap_observations(struct episode_phone *phone)
{
    struct observation last = phone->before;

    phone->before = phone->seen;
    phone->seen = last;
}

/* How the last step is to be described, from what the episode says of it. */
static void describe(struct episode_phone *phone, const struct action *action,
                     const struct agent_view *view, const struct cancel *cancel,
                     struct mcp_outcome *outcome)
{
    const char *why =
        view->past_count ? view->past[view->past_count - 1].notice : NULL;
    const struct observed_step step = {
        .action = action,
        .before = &phone->before,
        .after = &phone->seen,
        .access = {.reader = phone->reader,
                   .by = deadline_in_ms(DESCRIBE_MS),
                   .cancel = cancel},
    };
    struct description description;

    if (why) {
        outcome->refused = true;
        buf_printf(&outcome->text, "not carried out: %s", why);
    } else {
        observed_step_describe(&step, &description);
        buf_text(&outcome->text, description.line);
    }
    buf_printf(&outcome->text, "\nSteps left: %d.", view->steps_left);
}

/* The decision is made: wait for the next turn, or for the end. */
static bool follow(struct episode_phone *phone, const struct action *action,
                   const struct cancel *cancel, struct mcp_outcome *outcome,
                   struct err *err)
{
    const struct agent_view *view;

    if (!agent_channel_wait(phone->channel, DEADLINE_NEVER, cancel, &view, err))
        return false;
    if (!view) {
        outcome->over = true;
        buf_text(&outcome->text, agent_channel_result(phone->channel));
        return true;
    }
    swap_observations(phone);
    observation_copy(view->seen, &phone->seen);
    outcome->seen = &phone->seen;
    describe(phone, action, view, cancel, outcome);
    agent_channel_release(phone->channel);
    return true;
}

static bool episode_act(struct mcp_phone *phone, const struct action *action,
                        const char *said, const struct cancel *cancel,
                        struct mcp_outcome *outcome, struct err *err)
{
    struct episode_phone *own = (struct episode_phone *)phone;
    struct action copy;
    bool over;

    if (!take_turn(own, cancel, &over, err))
        return false;
    if (over)
        return is_over(own, err);
    copy_action(action, &copy);
    (void)agent_channel_reply(own->channel, &copy, said);
    return follow(own, action, cancel, outcome, err);
}

/* ---- other requests ---- */

static bool episode_command(struct mcp_phone *phone, const char *command,
                            const struct cancel *cancel, struct buf *output,
                            struct err *err)
{
    struct episode_phone *own = (struct episode_phone *)phone;
    const struct agent_view *view;
    struct shell_result result;
    bool done;

    if (!agent_channel_wait(own->channel, DEADLINE_NEVER, cancel, &view, err))
        return false;
    if (!view)
        return is_over(own, err);
    note_phone(own, view);
    done = view->lease
               ? shell_run(view->lease->device, command, COMMAND_OUTPUT_MAX,
                           deadline_in_ms(COMMAND_MS), &result, err)
               : err_set(err, ERR_UNSUPPORTED, "the phone takes no commands");
    agent_channel_release(own->channel);
    if (!done)
        return false;
    buf_append(output, buf_cstr(&result.out), result.out.length);
    shell_result_release(&result);
    return true;
}

static void add_actions(struct buf *text, uint32_t actions)
{
    const char *between = "";

    for (int i = 0; i < ACTION_KINDS; i++) {
        if (!(actions & ACTION_BIT(i)))
            continue;
        buf_printf(text, "%s%s", between,
                   action_kind_name((enum action_kind)i));
        between = ", ";
    }
}

static bool episode_task(struct mcp_phone *phone, const struct cancel *cancel,
                         struct buf *text, struct err *err)
{
    struct episode_phone *own = (struct episode_phone *)phone;
    const struct agent_view *view;

    if (!agent_channel_wait(own->channel, DEADLINE_NEVER, cancel, &view, err))
        return false;
    if (!view)
        return is_over(own, err);
    buf_printf(text,
               "Task: %s\nSteps left: %d\nAllowed actions: ", view->instruction,
               view->steps_left);
    add_actions(text, view->actions);
    if (view->task->apps.count)
        buf_printf(text, "\nApp: %s", view->task->apps.items[0]);
    agent_channel_release(own->channel);
    return true;
}

static bool episode_answers(struct mcp_phone *phone)
{
    return ((struct episode_phone *)phone)->actions & ACTION_BIT(ACTION_ANSWER);
}

static void episode_close(struct mcp_phone *phone)
{
    struct episode_phone *own = (struct episode_phone *)phone;

    observation_release(&own->seen);
    observation_release(&own->before);
    free(own);
}

struct mcp_phone *mcp_phone_episode(struct agent_channel *channel,
                                    const struct picture_reader *reader)
{
    static const struct mcp_phone_ops ops = {.look = episode_look,
                                             .act = episode_act,
                                             .command = episode_command,
                                             .task = episode_task,
                                             .answers = episode_answers,
                                             .close = episode_close};
    struct episode_phone *own = mem_new(1, sizeof(*own));

    *own = (struct episode_phone){
        .phone = {.ops = &ops},
        .channel = channel,
        .reader = reader,
    };
    observation_init(&own->seen);
    observation_init(&own->before);
    return &own->phone;
}
