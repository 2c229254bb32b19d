/* Actions with a text: what is typed, and how. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/macros.h"
#include "base/mem.h"
#include "runner/parse/action_builder.h"

/* GUI-R1 writes this for an empty text. */
#define NO_TEXT "no input text"

const char *const action_builder_text_names[] = {
    "text",   "content",  "inputtext", "typedtext",   "typecontent", "message",
    "value",  "appname",  "app",       "packagename", "package",     "question",
    "answer", "response", "query",     "input",       "keys",        "string",
    "return", "argument", "name",      "reason",      "info",        NULL,
};

static const char *const submit_names[] = {
    "pressenter", "enter", "submit", "andenter", NULL,
};

static const char *const replace_names[] = {
    "clear",   "cleartext", "clearbeforetyping", "clearfirst",
    "replace", "override",  "overwrite",         NULL,
};

/* ---- the text ---- */

/* A text that an argument holds: words, or a number or list of words. */
char *action_builder_text_of(const struct cJSON *value)
{
    struct buf text = BUF_INIT(ACTION_TEXT_MAX);
    const struct cJSON *item = NULL;
    char *copy;

    if (cJSON_IsString(value))
        return mem_dup(value->valuestring);
    if (cJSON_IsNumber(value))
        buf_printf(&text, "%.15g", value->valuedouble);
    if (cJSON_IsBool(value))
        buf_text(&text, cJSON_IsTrue(value) ? "true" : "false");
    cJSON_ArrayForEach(item, value)
    {
        if (cJSON_IsString(item))
            buf_printf(&text, "%s%s", text.length ? "+" : "",
                       item->valuestring);
    }
    copy = text.length ? mem_dup(buf_cstr(&text)) : NULL;
    buf_release(&text);
    return copy;
}

static bool is_no_text(const char *text)
{
    return !strcmp(text, NO_TEXT);
}

/* Has the call arguments with names, so that they are no plain text? */
static bool has_named(const struct action_call *call)
{
    return call->scope_count && cJSON_GetArraySize(call->scopes[0]) > 1;
}

/* The one string of a list, beside which there are only numbers. */
static const struct cJSON *only_string(const struct cJSON *list)
{
    const struct cJSON *found = NULL;
    const struct cJSON *item = NULL;

    cJSON_ArrayForEach(item, list)
    {
        if (!cJSON_IsNumber(item) && (found || !cJSON_IsString(item)))
            return NULL;
        found = cJSON_IsString(item) ? item : found;
    }
    return found;
}

/* Does an argument with a name belong to typing? Else it is typed itself. */
static bool has_known(const struct action_builder *builder)
{
    struct call_point place = {.known = false};

    call_point_find_named(builder->call, action_builder_axis_order(builder),
                          &place);
    return place.known ||
           action_call_argument(builder->call, action_builder_index_names) ||
           action_call_argument(builder->call, submit_names) ||
           action_call_argument(builder->call, replace_names);
}

static bool is_quoted(const char *raw)
{
    static const char *const quotes[] = {"\"", "'", "`", "“", "‘", "「", "『"};

    for (size_t i = 0; i < ARRAY_LEN(quotes); i++) {
        if (!strncmp(raw, quotes[i], strlen(quotes[i])))
            return true;
    }
    return false;
}

/* Type("a"), Type(a, b), TYPE [a b]: the argument without a name. */
char *action_builder_unnamed_text(const struct action_builder *builder)
{
    const struct action_call *call = builder->call;
    const struct cJSON *only = call->unnamed;
    bool plain = call->raw && call->raw[0] && !has_named(call);

    if (cJSON_IsArray(only)) {
        if (plain && cJSON_GetArraySize(only) == 1 && !is_quoted(call->raw))
            return mem_dup(call->raw);
        only = only_string(only);
    }
    if (cJSON_IsString(only))
        return mem_dup(only->valuestring);
    if (plain || (call->verb->form == ACTION_VERB_TEXT && call->raw &&
                  call->raw[0] && !has_known(builder)))
        return mem_dup(call->raw);
    return NULL;
}

/* A verb's own name is no text. */
static bool names_verb(const struct cJSON *value)
{
    return !strcmp(value->string, "name") && cJSON_IsString(value) &&
           action_verb_find(text_span_of(value->valuestring));
}

static void find_text(struct action_builder *builder)
{
    for (size_t i = 0; action_builder_text_names[i] && !builder->action.text;
         i++) {
        const char *const name[] = {action_builder_text_names[i], NULL};
        const struct cJSON *value = action_call_argument(builder->call, name);

        if (value && !names_verb(value))
            builder->action.text = action_builder_text_of(value);
    }
    if (!builder->action.text)
        builder->action.text = action_builder_unnamed_text(builder);
}

/* ---- how it is typed ---- */

static bool is_true(const struct cJSON *value)
{
    return cJSON_IsTrue(value) ||
           (cJSON_IsNumber(value) && value->valuedouble != 0) ||
           (cJSON_IsString(value) && (!strcmp(value->valuestring, "true") ||
                                      !strcmp(value->valuestring, "True")));
}

/* A newline at the end of what is typed means Enter, even if it is escaped. */
static void find_submit(struct action_builder *builder)
{
    static const char *const ends[] = {"\n", "\\n"};
    size_t length = strlen(builder->action.text);

    builder->action.submit =
        builder->family->typing_submits ||
        action_verb_submits(builder->call->verb) ||
        is_true(action_call_argument(builder->call, submit_names));
    for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
        size_t end = strlen(ends[i]);

        if (length < end ||
            strcmp(builder->action.text + length - end, ends[i]) != 0)
            continue;
        builder->action.text[length - end] = '\0';
        builder->action.submit = true;
        return;
    }
}

/* The call itself decides, then the profile, then what its family does. */
static void find_replace(struct action_builder *builder)
{
    const struct cJSON *value =
        action_call_argument(builder->call, replace_names);

    if (value)
        builder->action.replace = is_true(value);
    else if (builder->options->typing != MODEL_FAMILY_TYPING_DEFAULT)
        builder->action.replace =
            builder->options->typing == MODEL_FAMILY_REPLACES;
    else
        builder->action.replace = builder->family->typing_replaces ||
                                  action_verb_replaces(builder->call->verb);
}

/* ---- actions ---- */

bool action_build_text(struct action_builder *builder, struct err *err)
{
    struct call_point from = {.known = false};
    struct call_point to = {.known = false};

    find_text(builder);
    if (!builder->action.text || is_no_text(builder->action.text))
        return action_builder_lacks(builder, "its text", err);
    if (builder->action.kind != ACTION_TYPE)
        return true;
    find_submit(builder);
    find_replace(builder);
    /* Type(540, 600, "hello"): numbers beside the text are its place. */
    if (cJSON_GetArraySize(builder->call->unnamed) > 1 &&
        only_string(builder->call->unnamed))
        call_point_find_path(builder->call, action_builder_axis_order(builder),
                             false, &from, &to);
    else
        call_point_find_named(builder->call, action_builder_axis_order(builder),
                              &from);
    call_point_drop_placeholder(&from);
    if (!from.known &&
        action_call_argument(builder->call, action_builder_index_names))
        action_builder_find_index(builder);
    return action_builder_set_from(builder, from, err);
}

void action_build_words(struct action_builder *builder)
{
    find_text(builder);
    if (builder->action.text &&
        (is_no_text(builder->action.text) || !builder->action.text[0])) {
        free(builder->action.text);
        builder->action.text = NULL;
    }
}
