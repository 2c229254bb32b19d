#include "runner/reply.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- finding words, whatever their case ---- */

/* Where the word stands at or after from; the length if it does not. */
static size_t find_word(struct span in, size_t from, const char *word)
{
    size_t length = strlen(word);

    for (size_t i = from; i + length <= in.length; i++) {
        if (!strncasecmp(in.text + i, word, length))
            return i;
    }
    return in.length;
}

/* A word in quotes is somebody else's. */
static bool is_quoted(struct span in, size_t at)
{
    return at > 0 && (in.text[at - 1] == '"' || in.text[at - 1] == '\'');
}

static size_t find_last_word(struct span in, const char *word)
{
    size_t found = in.length;
    size_t next = find_word(in, 0, word);

    while (next < in.length) {
        found = is_quoted(in, next) ? found : next;
        next = find_word(in, next + 1, word);
    }
    return found;
}

static struct span body_of(const struct reply *reply)
{
    return (struct span){buf_cstr(&reply->body), reply->body.length};
}

static void strike(struct reply *reply, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        if (reply->body.data[i] != '\n')
            reply->body.data[i] = ' ';
    }
}

static void strike_thought(struct reply *reply, size_t from, size_t to)
{
    struct span struck = {reply->body.data + from, to - from};

    reply->thought = reply->thought || span_trim(struck).length > 0;
    strike(reply, from, to);
}

/* ---- thoughts in tags ---- */

static const char *const thought_tags[] = {
    "think",     "thinking",   "thought",  "thoughts",
    "reasoning", "reflection", "analysis", "grounding_think",
};

/* A thought that nobody closed ends where one of these begins. */
static const char *const thought_ends[] = {
    "<answer>",         "<action>",  "<tool_call>",
    "<function_calls>", "\nAction:", "\n### Action",
};

static size_t end_of_open_thought(struct span body, size_t from)
{
    size_t end = body.length;

    for (size_t i = 0; i < ARRAY_LEN(thought_ends); i++) {
        size_t found = find_word(body, from, thought_ends[i]);

        end = found < end ? found : end;
    }
    return end;
}

static void strike_tag(struct reply *reply, const char *tag)
{
    struct span body = body_of(reply);
    char open[32];
    char close[32];
    size_t at = 0;
    size_t end;

    snprintf(open, sizeof(open), "<%s>", tag);
    snprintf(close, sizeof(close), "</%s>", tag);
    while ((end = find_word(body, at, close)) < body.length) {
        size_t start = find_word((struct span){body.text, end}, at, open);

        /* A bare "</think>" closes all that stands before it. */
        at = end + strlen(close);
        strike_thought(reply, start < end ? start : 0, end);
        strike(reply, end, at);
    }
    at = find_word(body, at, open);
    if (at < body.length)
        strike_thought(reply, at, end_of_open_thought(body, at));
}

/* ---- thoughts in lines and sections ---- */

static const char *const thought_lines[] = {
    "Thought:",    "Thoughts:", "Reason:",   "Reasoning:", "Observation:",
    "Reflection:", "Analysis:", "思考：",    "思考:",      "分析：",
    "Thought：",   "分析:",     "Thinking:",
};

static bool begins_line(struct span body, size_t at)
{
    while (at > 0 && (body.text[at - 1] == ' ' || body.text[at - 1] == '*'))
        at--;
    return at == 0 || body.text[at - 1] == '\n';
}

static size_t end_of_line(struct span body, size_t at)
{
    const char *end = memchr(body.text + at, '\n', body.length - at);

    return end ? (size_t)(end - body.text) : body.length;
}

/* A thought's line, up to an action that stands in the same line. */
static void strike_lines(struct reply *reply, const char *mark)
{
    struct span body = body_of(reply);
    size_t at = find_word(body, 0, mark);

    while (at < body.length) {
        struct span line = {body.text, end_of_line(body, at)};

        if (begins_line(body, at))
            strike_thought(reply, at, find_word(line, at, "Action:"));
        at = find_word(body, at + 1, mark);
    }
}

/* "### Thought ###" up to the next heading. */
static void strike_sections(struct reply *reply)
{
    struct span body = body_of(reply);
    size_t at = find_word(body, 0, "### Thought");

    while (at < body.length) {
        size_t line = end_of_line(body, at);

        strike_thought(reply, at, find_word(body, line, "###"));
        at = find_word(body, line, "### Thought");
    }
}

/* ---- what is only packing ---- */

static const char *const packing[] = {
    "<|im_end|>", "<|im_start|>", "<|endoftext|>", "<|eot_id|>",   "</s>",
    "```json",    "```python",    "```xml",        "```tool_code", "```",
};

static void strike_packing(struct reply *reply)
{
    struct span body = body_of(reply);

    for (size_t i = 0; i < ARRAY_LEN(packing); i++) {
        size_t at = find_word(body, 0, packing[i]);

        while (at < body.length) {
            strike(reply, at, at + strlen(packing[i]));
            at = find_word(body, at, packing[i]);
        }
    }
}

/* ---- parts ---- */

static void add_part(struct reply *reply, struct reply_part part)
{
    part.text = span_trim(part.text);
    if (part.text.length && reply->count < REPLY_PARTS_MAX)
        reply->parts[reply->count++] = part;
}

struct tag {
    const char *open;
    const char *close;
};

/* The better first. */
static const struct tag answer_tags[] = {
    {"<tool_call>", "</tool_call>"}, {"<function_calls>", "</function_calls>"},
    {"<answer>", "</answer>"},       {"<action>", "</action>"},
    {"<actions>", "</actions>"},     {"<|begin_of_box|>", "<|end_of_box|>"},
};

/* A place and nothing else, as models answer that only find things. */
static const struct tag grounding_tag = {"<|box_start|>", "<|box_end|>"};

/* What stands in the last of these tags, closed or not. */
static void add_tagged(struct reply *reply, const struct tag *tag)
{
    struct span body = body_of(reply);
    size_t at = find_last_word(body, tag->open);
    size_t end;

    if (at == body.length)
        return;
    at += strlen(tag->open);
    end = find_word(body, at, tag->close);
    add_part(reply, (struct reply_part){REPLY_TAG,
                                        tag->open,
                                        end < body.length,
                                        {body.text + at, end - at}});
}

struct marker {
    const char *word;
    const char *end; /* of what it marks, if that comes */
};

static const struct marker markers[] = {
    {"### Action ###", "\n###"}, {"### Action", "\n###"},
    {"Action:", "\nThought:"},   {"Action：", "\nThought："},
    {"Actions:", "\nThoughts:"}, {"动作：", "\n思考"},
    {"动作:", "\n思考"},         {"操作：", "\n思考"},
    {"操作:", "\n思考"},
};

static void add_marked(struct reply *reply, const struct marker *marker)
{
    struct span body = body_of(reply);
    size_t at = find_last_word(body, marker->word);
    size_t end;

    if (at == body.length)
        return;
    at += strlen(marker->word);
    end = find_word(body, at, marker->end);
    add_part(reply, (struct reply_part){REPLY_MARKER,
                                        marker->word,
                                        end < body.length,
                                        {body.text + at, end - at}});
}

static void find_parts(struct reply *reply)
{
    struct span body = span_trim(body_of(reply));

    if (body.length && strchr("{[", body.text[0]))
        add_part(reply, (struct reply_part){REPLY_DATA, "data", false, body});
    for (size_t i = 0; i < ARRAY_LEN(answer_tags); i++)
        add_tagged(reply, &answer_tags[i]);
    for (size_t i = 0; i < ARRAY_LEN(markers); i++)
        add_marked(reply, &markers[i]);
    if (reply->count > REPLY_PARTS_MAX - 2)
        reply->count = REPLY_PARTS_MAX - 2;
    add_part(reply, (struct reply_part){REPLY_BARE, "text", false, body});
    add_tagged(reply, &grounding_tag);
}

void reply_init(struct reply *reply, struct span text)
{
    *reply = (struct reply){.body = BUF_INIT(REPLY_MAX)};
    if (text.length > REPLY_MAX) {
        text.text += text.length - REPLY_MAX;
        text.length = REPLY_MAX;
    }
    buf_append(&reply->body, text.text, text.length);
    for (size_t i = 0; i < ARRAY_LEN(thought_tags); i++)
        strike_tag(reply, thought_tags[i]);
    strike_sections(reply);
    for (size_t i = 0; i < ARRAY_LEN(thought_lines); i++)
        strike_lines(reply, thought_lines[i]);
    strike_packing(reply);
    find_parts(reply);
}

void reply_release(struct reply *reply)
{
    buf_release(&reply->body);
    reply->count = 0;
}
