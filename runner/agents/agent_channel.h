/*
 * An agent whose decisions come from another thread of this program, such as
 * one that serves a client.
 *
 *     the episode's thread                 the client's thread
 *     decide ──── its view ─────────────▶ agent_channel_wait
 *     decide ◀─── an action ───────────── agent_channel_reply
 *     …                                   agent_channel_wait
 *     agent_channel_finish ── result ───▶ no view: the episode is over
 */
#ifndef RUNNER_AGENTS_AGENT_CHANNEL_H
#define RUNNER_AGENTS_AGENT_CHANNEL_H

#include <stdbool.h>

#include "base/cancel.h"
#include "base/err.h"
#include "runner/agent.h"

struct agent_channel;

MUST_USE bool agent_channel_open(struct agent_channel **channel,
                                 struct err *err);
/* When neither thread uses it any more; NULL is fine. */
void agent_channel_close(struct agent_channel *channel);

/*
 * Block until a decision is due: *view is what it is based on, valid until
 * agent_channel_release or agent_channel_reply; the episode cannot end before.
 * NULL: the episode is over, see agent_channel_result. Fails with ERR_CANCELLED
 * and ERR_TIMEOUT.
 */
MUST_USE bool agent_channel_wait(struct agent_channel *channel,
                                 struct deadline by,
                                 const struct cancel *cancel,
                                 const struct agent_view **view,
                                 struct err *err);

/* The view of agent_channel_wait is not used any more. */
void agent_channel_release(struct agent_channel *channel);

/*
 * Decide. action is taken over; said is recorded as the reply. False: no
 * decision is due any more, as time is over.
 */
bool agent_channel_reply(struct agent_channel *channel, struct action *action,
                         const char *said);

/* The client is gone: every decision is FAIL from now on, for this reason. */
void agent_channel_leave(struct agent_channel *channel, const char *reason);

/* The episode is over; result is what the client learns of it. */
void agent_channel_finish(struct agent_channel *channel, const char *result);

/* The result, once agent_channel_wait has reported the end. */
const char *agent_channel_result(const struct agent_channel *channel);

#endif
