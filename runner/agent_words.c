#include "runner/agent_words.h"

#include "base/mem.h"
#include "runner/parse.h"

void agent_words(const char *text, size_t length, struct extent screen,
                 struct agent_reply *reply)
{
    const struct parse_options options = {
        .coords_told = true,
        .coords = COORDS_PX,
        .picture = screen,
        .screen = screen,
    };
    const struct family *family;

    buf_clear(&reply->text);
    buf_append(&reply->text, text, length);
    reply->has_action = parse_reply(text, length, &options, &reply->action,
                                    &family, &reply->error);
}

void agent_says(enum action_kind kind, const char *text,
                struct agent_reply *reply)
{
    reply->has_action = true;
    reply->action =
        (struct action){.kind = kind, .text = text ? mem_dup(text) : NULL};
}
