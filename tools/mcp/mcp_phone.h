/*
 * The phone that tool calls use: one that this server drives itself
 * (mcp_phone_live.c), or that of an episode (mcp_phone_episode.c).
 */
#ifndef TOOLS_MCP_MCP_PHONE_H
#define TOOLS_MCP_MCP_PHONE_H

#include <stdbool.h>

#include "base/cancel.h"
#include "process_provider/pictures/picture_reader.h"
#include "runner/agents/agent_channel.h"
#include "runner/device/device_info.h"
#include "runner/episode/guard.h"
#include "runner/observe/observer.h"
#include "runner/session/device_session.h"

#define MCP_PHONE_TEXT_MAX ((size_t)16 * 1024)

struct mcp_phone;

/* The result of an action. The caller releases text. */
struct mcp_outcome {
    struct buf text; /* what happened, in words */
    bool refused;    /* it was not carried out */
    bool over;       /* the episode is over; text has the result */
    /* the new screen, valid until the next call; NULL: not observed */
    const struct observation *seen;
};

struct mcp_phone_ops {
    /*
     * Observe the screen, with its tree. *seen is valid until the next call.
     * Fails with ERR_CLOSED when the episode is over; the text is its result.
     */
    bool (*look)(struct mcp_phone *phone, const struct cancel *cancel,
                 const struct observation **seen, struct err *err);
    /*
     * Carry out an action, of which said is the call as text, and observe the
     * new screen. What the agent did wrong is an outcome, no failure.
     */
    bool (*act)(struct mcp_phone *phone, const struct action *action,
                const char *said, const struct cancel *cancel,
                struct mcp_outcome *outcome, struct err *err);
    /*
     * Run a command on the phone and append its output. Text of the client is
     * quoted in it.
     */
    bool (*command)(struct mcp_phone *phone, const char *command,
                    const struct cancel *cancel, struct buf *output,
                    struct err *err);
    /* Append the task, for MCP_TOOL_GET_TASK; NULL: there is none. */
    bool (*task)(struct mcp_phone *phone, const struct cancel *cancel,
                 struct buf *text, struct err *err);
    /* Does the task take an answer? NULL: it does not. */
    bool (*answers)(struct mcp_phone *phone);
    void (*close)(struct mcp_phone *phone);
};

/* The first member of every implementation. One thread uses it at a time. */
struct mcp_phone {
    const struct mcp_phone_ops *ops;
    char serial[DEVICE_SERIAL_MAX]; /* "": not known yet */
    struct device_info facts;
    bool guarded; /* the user's own phone, with a guard */
};

/* NULL is fine. */
static inline void mcp_phone_close(struct mcp_phone *phone)
{
    if (phone)
        phone->ops->close(phone);
}

/*
 * A phone that is driven directly. session is open; all is borrowed. guard: of
 * the user's own phone; NULL: none. reader may be NULL.
 */
struct mcp_phone *mcp_phone_live(struct device_session *session,
                                 const struct guard *guard,
                                 const struct picture_reader *reader);

/* The phone of the episode whose decisions go through channel. Borrowed. */
struct mcp_phone *mcp_phone_episode(struct agent_channel *channel,
                                    const struct picture_reader *reader);

#endif
