#include "runner/agent.h"

static const char *const mode_names[AGENT_MODES] = {
    [AGENT_SCREEN] = "screen",
    [AGENT_TREE] = "tree",
    [AGENT_MARKS] = "marks",
};

const char *agent_mode_name(enum agent_mode mode)
{
    return mode_names[mode];
}

void agent_reply_init(struct agent_reply *reply)
{
    *reply = (struct agent_reply){
        .text = BUF_INIT(MODEL_TEXT_MAX),
        .usage = MODEL_USAGE_UNKNOWN,
    };
}

void agent_reply_release(struct agent_reply *reply)
{
    buf_release(&reply->text);
    if (reply->has_action)
        action_release(&reply->action);
    agent_reply_init(reply);
}
