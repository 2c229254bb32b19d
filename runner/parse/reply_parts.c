#include "runner/parse/reply_parts.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Calls in tags that follow one another. */
#define TAG_ROW_MAX 32

/* ---- case-insensitive search ---- */

/* Where the word stands at or after from; the length if it does not. */
static size_t find_word(struct text_span in, size_t from, const char *word)
{
    size_t length = strlen(word);
    int first = tolower((unsigned char)word[0]);

    for (size_t i = from; i + length <= in.length; i++) {
        if (tolower((unsigned char)in.text[i]) == first &&
            !strncasecmp(in.text + i, word, length))
            return i;
    }
    return in.length;
}

/* A word in quotes is quoted, not meant. */
static bool is_quoted(struct text_span in, size_t at)
{
    return at > 0 && (in.text[at - 1] == '"' || in.text[at - 1] == '\'');
}

static size_t find_last_word(struct text_span in, const char *word)
{
    size_t found = in.length;
    size_t next = find_word(in, 0, word);

    while (next < in.length) {
        found = is_quoted(in, next) ? found : next;
        next = find_word(in, next + 1, word);
    }
    return found;
}

static struct text_span body_of(const struct reply_parts *reply)
{
    return (struct text_span){buf_cstr(&reply->body), reply->body.length};
}

static void strike(struct reply_parts *reply, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        if (reply->body.data[i] != '\n')
            reply->body.data[i] = ' ';
    }
}

static void strike_thought(struct reply_parts *reply, size_t from, size_t to)
{
    struct text_span struck = {reply->body.data + from, to - from};

    reply->thought = reply->thought || text_span_trim(struck).length > 0;
    strike(reply, from, to);
}

/* ---- thoughts in tags ---- */

static const char *const thought_tags[] = {
    "think",      "thinking",   "thought",    "thoughts",
    "reasoning",  "reflection", "analysis",   "grounding_think",
    "seed:think", "tink",       "add_memory",
};

/* A thought without an end tag ends where one of these begins. */
static const char *const thought_ends[] = {
    "<answer>",         "<action>",  "<tool_call>",  "<seed:tool_call>",
    "<function_calls>", "\nAction:", "\n### Action",
};

static size_t end_of_open_thought(struct text_span body, size_t from)
{
    size_t end = body.length;

    for (size_t i = 0; i < ARRAY_LEN(thought_ends); i++) {
        size_t found = find_word(body, from, thought_ends[i]);

        end = found < end ? found : end;
    }
    return end;
}

static void strike_between(struct reply_parts *reply, const char *open,
                           const char *close)
{
    struct text_span body = body_of(reply);
    size_t struck = 0; /* all before it */
    size_t at = 0;
    size_t end;

    while ((end = find_word(body, at, close)) < body.length) {
        size_t start = find_word((struct text_span){body.text, end}, at, open);
        bool bare = start == end;

        /* A bare "</think>" closes all text before it. */
        at = end + strlen(close);
        strike_thought(reply, bare ? struck : start, end);
        strike(reply, end, at);
        struck = bare || start == struck ? at : struck;
    }
    at = find_word(body, at, open);
    if (at < body.length)
        strike_thought(reply, at, end_of_open_thought(body, at));
}

static void strike_tag(struct reply_parts *reply, const char *tag)
{
    char open[32];
    char close[32];

    snprintf(open, sizeof(open), "<%s>", tag);
    snprintf(close, sizeof(close), "</%s>", tag);
    strike_between(reply, open, close);
}

/* Kimi's and Mistral's own marks. */
static void strike_marks(struct reply_parts *reply)
{
    strike_between(reply, "◁think▷", "◁/think▷");
    strike_between(reply, "[THINK]", "[/THINK]");
}

/* ---- thoughts in lines and sections ---- */

static const char *const thought_lines[] = {
    "Thought:",    "Thoughts:", "Reason:",   "Reasoning:", "Observation:",
    "Reflection:", "Analysis:", "思考：",    "思考:",      "分析：",
    "Thought：",   "分析:",     "Thinking:",
};

static bool begins_line(struct text_span body, size_t at)
{
    while (at > 0 && (body.text[at - 1] == ' ' || body.text[at - 1] == '*'))
        at--;
    return at == 0 || body.text[at - 1] == '\n';
}

static size_t end_of_line(struct text_span body, size_t at)
{
    const char *end = memchr(body.text + at, '\n', body.length - at);

    return end ? (size_t)(end - body.text) : body.length;
}

/* A thought's line, up to an action that stands in the same line. */
static void strike_lines(struct reply_parts *reply, const char *mark)
{
    struct text_span body = body_of(reply);
    size_t at = find_word(body, 0, mark);

    while (at < body.length) {
        if (begins_line(body, at)) {
            struct text_span line = {body.text, end_of_line(body, at)};

            strike_thought(reply, at, find_word(line, at, "Action:"));
        }
        at = find_word(body, at + 1, mark);
    }
}

/* "### Thought ###" up to the next heading. */
static void strike_sections(struct reply_parts *reply)
{
    struct text_span body = body_of(reply);
    size_t at = find_word(body, 0, "### Thought");

    while (at < body.length) {
        size_t line = end_of_line(body, at);

        strike_thought(reply, at, find_word(body, line, "###"));
        at = find_word(body, line, "### Thought");
    }
}

/* ---- wrappers ---- */

static const char *const packing[] = {
    "<|im_end|>", "<|im_start|>", "<|endoftext|>", "<|eot_id|>",   "</s>",
    "```json",    "```python",    "```xml",        "```tool_code", "```",
};

static void strike_packing(struct reply_parts *reply)
{
    struct text_span body = body_of(reply);

    for (size_t i = 0; i < ARRAY_LEN(packing); i++) {
        size_t at = find_word(body, 0, packing[i]);

        while (at < body.length) {
            strike(reply, at, at + strlen(packing[i]));
            at = find_word(body, at, packing[i]);
        }
    }
}

/* ---- parts ---- */

static void add_part(struct reply_parts *reply, struct reply_part part)
{
    part.text = text_span_trim(part.text);
    if (part.text.length && reply->count < REPLY_PARTS_MAX)
        reply->parts[reply->count++] = part;
}

struct tag {
    const char *open;
    const char *close;
};

/* The better first. */
static const struct tag answer_tags[] = {
    {"<tool_call>", "</tool_call>"},
    {"<function_calls>", "</function_calls>"},
    {"<seed:tool_call>", "</seed:tool_call>"},
    {"<|FunctionCallBegin|>", "<|FunctionCallEnd|>"},
    {"<answer>", "</answer>"},
    {"<action>", "</action>"},
    {"<actions>", "</actions>"},
    {"<|begin_of_box|>", "<|end_of_box|>"},
};

/* A place and nothing else, as models answer that only find things. */
static const struct tag grounding_tags[] = {
    {"<|box_start|>", "<|box_end|>"},
    {"<box>", "</box>"},
    {"<point>", "</point>"},
};

/* Where the tag stands that ends right before at; at if none does. */
static size_t find_tag_before(struct text_span body, const struct tag *tag,
                              size_t at)
{
    struct text_span before =
        text_span_trim_end((struct text_span){body.text, at});
    size_t close = strlen(tag->close);
    size_t found;

    if (before.length < close ||
        strncasecmp(before.text + before.length - close, tag->close, close))
        return at;
    before.length -= close;
    found = find_last_word(before, tag->open);
    return found < before.length ? found : at;
}

/*
 * The text in the last of these tags, closed or not; of several in a row the
 * first.
 */
static void add_tagged(struct reply_parts *reply, const struct tag *tag)
{
    struct text_span body = body_of(reply);
    size_t at = find_last_word(body, tag->open);
    size_t before;
    size_t end;
    int left = TAG_ROW_MAX;

    if (at == body.length)
        return;
    while (left-- > 0 && (before = find_tag_before(body, tag, at)) < at)
        at = before;
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

static void add_marked(struct reply_parts *reply, const struct marker *marker)
{
    struct text_span body = body_of(reply);
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

static void find_parts(struct reply_parts *reply)
{
    struct text_span body = text_span_trim(body_of(reply));

    if (body.length && strchr("{[", body.text[0]))
        add_part(reply, (struct reply_part){REPLY_DATA, "data", false, body});
    for (size_t i = 0; i < ARRAY_LEN(answer_tags); i++)
        add_tagged(reply, &answer_tags[i]);
    for (size_t i = 0; i < ARRAY_LEN(markers); i++)
        add_marked(reply, &markers[i]);
    if (reply->count > REPLY_PARTS_MAX - 1 - ARRAY_LEN(grounding_tags))
        reply->count = REPLY_PARTS_MAX - 1 - ARRAY_LEN(grounding_tags);
    add_part(reply, (struct reply_part){REPLY_BARE, "text", false, body});
    for (size_t i = 0; i < ARRAY_LEN(grounding_tags); i++)
        add_tagged(reply, &grounding_tags[i]);
}

void reply_init(struct reply_parts *reply, struct text_span text)
{
    *reply = (struct reply_parts){.body = BUF_INIT(REPLY_MAX)};
    if (text.length > REPLY_MAX) {
        text.text += text.length - REPLY_MAX;
        text.length = REPLY_MAX;
    }
    buf_append(&reply->body, text.text, text.length);
    for (size_t i = 0; i < ARRAY_LEN(thought_tags); i++)
        strike_tag(reply, thought_tags[i]);
    strike_marks(reply);
    strike_sections(reply);
    for (size_t i = 0; i < ARRAY_LEN(thought_lines); i++)
        strike_lines(reply, thought_lines[i]);
    strike_packing(reply);
    find_parts(reply);
}

void reply_release(struct reply_parts *reply)
{
    buf_release(&reply->body);
    reply->count = 0;
}
