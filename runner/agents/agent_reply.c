#include "runner/agents/agent_reply.h"

#include "base/mem.h"
#include "runner/parse/reply_parser.h"

void agent_reply_parse(const char *text, size_t length, struct extent screen,
                       struct agent_reply *reply)
{
    const struct reply_parse_options options = {
        .coords_given = true,
        .coords = COORDS_PX,
        .picture = screen,
        .screen = screen,
    };
    const struct model_family *family;

    buf_clear(&reply->text);
    buf_append(&reply->text, text, length);
    reply->has_action = reply_parse(text, length, &options, &reply->action,
                                    &family, &reply->error);
}

void agent_reply_set(enum action_kind kind, const char *text,
                     struct agent_reply *reply)
{
    reply->has_action = true;
    reply->action =
        (struct action){.kind = kind, .text = text ? mem_dup(text) : NULL};
}
