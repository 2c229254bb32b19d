#include "runner/agents/agent_channel.h"

#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/deadline.h"
#include "base/mem.h"
#include "runner/agents/agent_factory.h"
#include "runner/agents/agent_reply.h"

/*
 * Whose turn it is:
 *
 *     EPISODE ──decide──▶ CLIENT ──agent_channel_reply──▶ REPLIED ──decide──▶
 *     EPISODE … ──agent_channel_finish──▶ OVER
 */
enum turn { TURN_EPISODE, TURN_CLIENT, TURN_REPLIED, TURN_OVER };

struct agent_channel {
    int to_client; /* owned eventfds: something changed for that side */
    int to_episode;
    pthread_mutex_t lock; /* guards all below */
    enum turn turn;
    const struct agent_view *view; /* borrowed; in turn CLIENT */
    bool held;                     /* the client uses the view */
    pthread_cond_t released;       /* it does not any more */
    struct action action;          /* owned; in turn REPLIED */
    char *said;                    /* owned; in turn REPLIED */
    char *left;                    /* owned; why the client is gone; or NULL */
    char *result;                  /* owned; in turn OVER */
};

bool agent_channel_open(struct agent_channel **channel, struct err *err)
{
    struct agent_channel *made = mem_new(1, sizeof(*made));

    *made = (struct agent_channel){
        .to_client = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
        .to_episode = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
    };
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->released, NULL);
    if (made->to_client < 0 || made->to_episode < 0) {
        agent_channel_close(made);
        return err_set(err, ERR_IO, "cannot create an eventfd");
    }
    *channel = made;
    return true;
}

void agent_channel_close(struct agent_channel *channel)
{
    if (!channel)
        return;
    if (channel->to_client >= 0)
        close(channel->to_client);
    if (channel->to_episode >= 0)
        close(channel->to_episode);
    pthread_cond_destroy(&channel->released);
    pthread_mutex_destroy(&channel->lock);
    action_release(&channel->action);
    free(channel->said);
    free(channel->left);
    free(channel->result);
    free(channel);
}

static void signal_fd(int fd)
{
    const uint64_t one = 1;
    ssize_t ignored = write(fd, &one, sizeof(one));

    (void)ignored;
}

/* Block until fd is signalled, and reset it. */
static bool wait_fd(int fd, struct deadline by, const struct cancel *cancel,
                    struct err *err)
{
    struct pollfd fds[] = {
        {.fd = fd, .events = POLLIN},
        {.fd = cancel_fd(cancel), .events = POLLIN},
    };
    uint64_t count;
    ssize_t ignored;

    (void)poll(fds, 2, deadline_left_ms(by));
    if (cancel_fired(cancel))
        return err_set(err, ERR_CANCELLED, "interrupted");
    ignored = read(fd, &count, sizeof(count));
    (void)ignored;
    return !deadline_passed(by) ||
           err_set(err, ERR_TIMEOUT, "the client made no decision in time");
}

/* ---- the client's side ---- */

bool agent_channel_wait(struct agent_channel *channel, struct deadline by,
                        const struct cancel *cancel,
                        const struct agent_view **view, struct err *err)
{
    enum turn turn;

    for (;;) {
        pthread_mutex_lock(&channel->lock);
        turn = channel->turn;
        *view = turn == TURN_CLIENT ? channel->view : NULL;
        channel->held = *view != NULL;
        pthread_mutex_unlock(&channel->lock);
        if (turn == TURN_CLIENT || turn == TURN_OVER)
            return true;
        if (!wait_fd(channel->to_client, by, cancel, err))
            return false;
    }
}

void agent_channel_release(struct agent_channel *channel)
{
    pthread_mutex_lock(&channel->lock);
    channel->held = false;
    pthread_cond_signal(&channel->released);
    pthread_mutex_unlock(&channel->lock);
}

bool agent_channel_reply(struct agent_channel *channel, struct action *action,
                         const char *said)
{
    bool due;

    pthread_mutex_lock(&channel->lock);
    due = channel->turn == TURN_CLIENT;
    if (due) {
        channel->turn = TURN_REPLIED;
        channel->view = NULL;
        channel->action = *action;
        channel->said = mem_dup(said);
        *action = (struct action){.kind = ACTION_WAIT};
    }
    channel->held = false;
    pthread_cond_signal(&channel->released);
    pthread_mutex_unlock(&channel->lock);
    action_release(action);
    signal_fd(channel->to_episode);
    return due;
}

void agent_channel_leave(struct agent_channel *channel, const char *reason)
{
    pthread_mutex_lock(&channel->lock);
    if (!channel->left)
        channel->left = mem_dup(reason);
    pthread_mutex_unlock(&channel->lock);
    signal_fd(channel->to_episode);
}

const char *agent_channel_result(const struct agent_channel *channel)
{
    return channel->result ? channel->result : "";
}

/* ---- the episode's side ---- */

void agent_channel_finish(struct agent_channel *channel, const char *result)
{
    pthread_mutex_lock(&channel->lock);
    channel->turn = TURN_OVER;
    channel->view = NULL;
    free(channel->result);
    channel->result = mem_dup(result);
    pthread_mutex_unlock(&channel->lock);
    signal_fd(channel->to_client);
}

struct channel_agent {
    struct agent agent;
    struct agent_channel *channel; /* borrowed */
};

/* Take the decision, if there is one. */
static bool take_reply(struct agent_channel *channel, struct agent_reply *reply)
{
    bool taken = true;

    pthread_mutex_lock(&channel->lock);
    if (channel->turn == TURN_REPLIED) {
        reply->has_action = true;
        reply->action = channel->action;
        channel->action = (struct action){.kind = ACTION_WAIT};
        buf_text(&reply->text, channel->said);
        free(channel->said);
        channel->said = NULL;
        channel->turn = TURN_EPISODE;
    } else if (channel->left) {
        agent_reply_set(ACTION_FAIL, channel->left, reply);
        channel->turn = TURN_EPISODE;
        channel->view = NULL;
        while (channel->held)
            pthread_cond_wait(&channel->released, &channel->lock);
    } else {
        taken = false;
    }
    pthread_mutex_unlock(&channel->lock);
    return taken;
}

/* The view must not be used any more when decide returns. */
static void take_back(struct agent_channel *channel)
{
    pthread_mutex_lock(&channel->lock);
    if (channel->turn == TURN_CLIENT)
        channel->turn = TURN_EPISODE;
    channel->view = NULL;
    while (channel->held)
        pthread_cond_wait(&channel->released, &channel->lock);
    pthread_mutex_unlock(&channel->lock);
}

static bool agent_channel_decide(struct agent *agent,
                                 const struct agent_view *view,
                                 struct deadline by,
                                 const struct cancel *cancel,
                                 struct agent_reply *reply, struct err *err)
{
    struct agent_channel *channel = ((struct channel_agent *)agent)->channel;

    pthread_mutex_lock(&channel->lock);
    channel->turn = TURN_CLIENT;
    channel->view = view;
    pthread_mutex_unlock(&channel->lock);
    signal_fd(channel->to_client);
    while (!take_reply(channel, reply)) {
        if (!wait_fd(channel->to_episode, by, cancel, err)) {
            take_back(channel);
            return false;
        }
    }
    return true;
}

static void agent_channel_close_agent(struct agent *agent)
{
    free(agent);
}

static bool agent_channel_open_kind(const char *argument,
                                    const struct agent_factory_options *options,
                                    void **shared, struct err *err)
{
    (void)argument;
    *shared = options->channel;
    return options->channel ||
           err_set(err, ERR_INVALID,
                   "its decisions come from a client: start it with: proctor "
                   "mcp --task ID");
}

static bool agent_channel_make(void *shared, struct agent **agent,
                               struct err *err)
{
    static const struct agent_ops ops = {.decide = agent_channel_decide,
                                         .close = agent_channel_close_agent};
    struct channel_agent *made = mem_new(1, sizeof(*made));

    (void)err;
    *made = (struct channel_agent){
        .agent = {.ops = &ops, .actor = ACTOR_AGENT, .needs_tree = true},
        .channel = shared,
    };
    *agent = &made->agent;
    return true;
}

const struct agent_kind agent_mcp = {
    .name = "mcp",
    .summary = "a client of proctor mcp",
    .hidden = true,
    .open = agent_channel_open_kind,
    .make = agent_channel_make,
};
