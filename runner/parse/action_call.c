#include "runner/parse/action_call.h"

#include <ctype.h>
#include <string.h>

#include "base/clean_text.h"
#include "runner/parse/action_call_private.h"

#define NAME_SIZE ACTION_CALL_KEY_SIZE
#define DESCENT_MAX 8

/* Members whose value names the verb, the surest first. */
static const char *const verb_keys[] = {
    "action", "actiontype", "actionname", "operation", "function", "command",
    "tool",   "toolname",   "name",       "method",    "type",     NULL,
};

/* Members within which the verb or its arguments stand. */
static const char *const wrapper_keys[] = {
    "toolcalls",   "functioncall", "function",   "computercall", "tooluse",
    "action",      "actions",      "call",       "arguments",    "args",
    "input",       "parameters",   "params",     "actioninputs", "inputs",
    "actioninput", "actionparams", "actionargs", "output",       "content",
    "parts",       "message",      "choices",    "candidates",   NULL,
};

/* Members that hold the arguments of a verb beside them. */
static const char *const argument_keys[] = {
    "arguments",    "args",         "input",  "parameters",
    "params",       "actioninputs", "inputs", "actioninput",
    "actionparams", "actionargs",   "value",  NULL,
};

/* Members that hold a place; one of them alone is a click there. */
static const char *const place_keys[] = {
    "coordinate", "coordinates", "point", "position", "bbox2d",
    "box2d",      "point2d",     "bbox",  NULL,
};

/* Boxes and points that only models write which find things. */
static const char *const grounding_keys[] = {
    "bbox2d",
    "box2d",
    "point2d",
    NULL,
};

/* Members that say why, and may quote what is not done. */
static const char *const thought_keys[] = {
    "thought",   "thoughts",    "thinking",    "reason",
    "reasoning", "note",        "observation", "summary",
    "analysis",  "description", "plan",        "explanation",
    "label",     "text",        "reflection",  NULL,
};

/* The action when there is only a duration. */
static const struct action_verb duration_verb = {
    "duration",
    ACTION_VERB_PLAIN,
    ACTION_WAIT,
    DIRECTION_NONE,
};

/* AutoGLM's notes to itself, which leave the phone alone. */
static const struct action_verb note_verb = {"note", ACTION_VERB_PLAIN,
                                             ACTION_WAIT, DIRECTION_NONE};

static bool key_is(const struct cJSON *member, const char *normalised)
{
    char name[NAME_SIZE];

    if (!member->string)
        return false;
    action_verb_normalise(text_span_of(member->string), name, sizeof(name));
    return !strcmp(name, normalised);
}

static struct cJSON *find_member(const struct cJSON *object, const char *key)
{
    struct cJSON *member = NULL;

    if (!cJSON_IsObject(object))
        return NULL;
    cJSON_ArrayForEach(member, object)
    {
        if (key_is(member, key))
            return member;
    }
    return NULL;
}

static void add_scope(struct action_call *call, const struct cJSON *object)
{
    if (cJSON_IsObject(object) && call->scope_count < ACTION_CALL_SCOPES_MAX)
        call->scopes[call->scope_count++] = object;
}

/* The text after its last "Action:", or all of it. */
static struct text_span action_text(const char *text)
{
    static const char marker[] = "Action:";
    const char *found = NULL;
    const char *next = text;

    while ((next = strcasestr(next, marker))) {
        found = next + sizeof(marker) - 1;
        next = found;
    }
    return text_span_trim(text_span_of(found ? found : text));
}

/* The object or call that a string holds; NULL if it holds none. */
static struct cJSON *read_packed(const struct cJSON *value)
{
    struct cJSON *inner = NULL;
    struct loose_value_reader reader;

    if (!cJSON_IsString(value) ||
        (!strchr(value->valuestring, '{') && !strchr(value->valuestring, '(')))
        return NULL;
    loose_value_init(&reader, action_text(value->valuestring), NULL);
    if (loose_value_read(&reader, &inner) == LOOSE_VALUE_FOUND &&
        cJSON_IsObject(inner))
        return inner;
    cJSON_Delete(inner);
    return NULL;
}

/* A string of JSON or of a call in place of the thing itself. */
static struct cJSON *unpack(struct cJSON *object, struct cJSON *member)
{
    struct cJSON *inner = read_packed(member);

    if (!inner)
        return member;
    cJSON_ReplaceItemInObjectCaseSensitive(object, member->string, inner);
    return inner;
}

/* The same for an item of a list. */
static struct cJSON *unpack_item(struct cJSON *list, struct cJSON *item)
{
    struct cJSON *inner = read_packed(item);

    if (!inner)
        return item;
    cJSON_ReplaceItemViaPointer(list, item, inner);
    return inner;
}

static bool has_one_of(const struct cJSON *object, const char *const *keys)
{
    for (size_t i = 0; keys[i]; i++) {
        if (find_member(object, keys[i]))
            return true;
    }
    return false;
}

static bool is_one_of(const struct cJSON *member, const char *const *keys)
{
    for (size_t i = 0; keys[i]; i++) {
        if (key_is(member, keys[i]))
            return true;
    }
    return false;
}

/* type({"text": "a"}): an object in place of arguments with names. */
static void add_only_object(struct action_call *call)
{
    const struct cJSON *only =
        cJSON_IsArray(call->unnamed) ? call->unnamed->child : NULL;

    if (!only || !cJSON_IsObject(only) || only->next ||
        call->scope_count == ACTION_CALL_SCOPES_MAX)
        return;
    memmove(&call->scopes[1], &call->scopes[0],
            call->scope_count * sizeof(call->scopes[0]));
    call->scopes[0] = only;
    call->scope_count++;
    call->unnamed = NULL;
}

/* Found: its arguments stand in object, or in what object holds. */
static void found(struct action_call *call, const struct action_verb *verb,
                  struct cJSON *object)
{
    const struct cJSON *unnamed;
    const struct cJSON *raw = find_member(object, "raw");

    call->verb = verb;
    for (size_t i = 0; argument_keys[i]; i++) {
        struct cJSON *member = find_member(object, argument_keys[i]);

        if (cJSON_IsString(member) && member->valuestring[0] == '{')
            member = unpack(object, member);
        if (cJSON_IsArray(member) && (strcmp(argument_keys[i], "value") != 0 ||
                                      cJSON_IsNumber(member->child)))
            call->unnamed = member;
        add_scope(call, member);
    }
    add_scope(call, object);
    unnamed =
        cJSON_GetObjectItemCaseSensitive(call->scopes[0], LOOSE_VALUE_UNNAMED);
    call->unnamed = unnamed ? unnamed : call->unnamed;
    add_only_object(call);
    call->raw = cJSON_IsString(raw) ? raw->valuestring : call->raw;
}

/* The state of one search in values. */
struct value_search {
    bool strict;
    int depth;
    char *unknown; /* gets the name of an unknown verb */
    struct action_call *call;
};

static bool look_into(struct value_search *look, struct cJSON *value);

/* "type": "text" is what an API calls a block of text, not an action. */
static bool names_a_block(const struct cJSON *member,
                          const struct action_verb *verb)
{
    return key_is(member, "type") &&
           (!strcmp(verb->name, "text") || !strcmp(verb->name, "input") ||
            !strcmp(verb->name, "answer"));
}

/* The verb that an action's member names. */
static const struct action_verb *named_verb(const struct cJSON *member)
{
    const struct action_verb *verb =
        action_verb_find(text_span_of(member->valuestring));
    char name[NAME_SIZE];

    if (verb || !key_is(member, "action"))
        return verb;
    action_verb_normalise(text_span_of(member->valuestring), name,
                          sizeof(name));
    return !strcmp(name, "note") || !strcmp(name, "callapi") ? &note_verb
                                                             : NULL;
}

/* {"action": ["click", 540, 600]} */
static bool look_for_verb_list(struct value_search *look, struct cJSON *object,
                               const struct cJSON *member)
{
    const struct cJSON *first = cJSON_IsArray(member) ? member->child : NULL;
    const struct action_verb *verb =
        first && cJSON_IsString(first)
            ? action_verb_find(text_span_of(first->valuestring))
            : NULL;

    if (!verb)
        return false;
    found(look->call, verb, object);
    look->call->unnamed = member;
    return true;
}

static bool look_for_verb(struct value_search *look, struct cJSON *object)
{
    for (size_t i = 0; verb_keys[i]; i++) {
        struct cJSON *member = find_member(object, verb_keys[i]);
        const struct action_verb *verb;

        if (look_for_verb_list(look, object, member))
            return true;
        if (!cJSON_IsString(member))
            continue;
        verb = named_verb(member);
        if (verb && !names_a_block(member, verb)) {
            found(look->call, verb, object);
            return true;
        }
        if (i < 2 && !strchr(member->valuestring, '('))
            clean_text_copy(look->unknown, ACTION_CALL_NAME_SIZE,
                            member->valuestring, strlen(member->valuestring));
    }
    return false;
}

static bool look_into_wrappers(struct value_search *look, struct cJSON *object)
{
    for (size_t i = 0; wrapper_keys[i]; i++) {
        struct cJSON *member = find_member(object, wrapper_keys[i]);

        if (member && look_into(look, unpack(object, member)))
            return true;
    }
    return false;
}

static bool is_upper(const char *text)
{
    for (; *text; text++) {
        if (!isupper((unsigned char)*text) && *text != '_')
            return false;
    }
    return true;
}

/* "STATUS": "continue" may accompany any action, and has no meaning. */
static bool continues(const struct cJSON *member)
{
    return key_is(member, "status") && cJSON_IsString(member) &&
           !strcmp(member->valuestring, "continue");
}

static const struct action_verb *key_verb(const struct cJSON *member)
{
    const struct action_verb *verb;

    if (!member->string || cJSON_IsNull(member) || continues(member))
        return NULL;
    verb = action_verb_find(text_span_of(member->string));
    return verb && (is_upper(member->string) ||
                    verb->form == ACTION_VERB_POINT ||
                    verb->form == ACTION_VERB_PATH ||
                    verb->form == ACTION_VERB_SCROLL)
               ? verb
               : NULL;
}

/* {"POINT": [1, 2]}: the verb is a key, and its value what it is done to. */
static bool look_for_verb_key(struct value_search *look, struct cJSON *object)
{
    struct cJSON *member = NULL;
    struct cJSON *best = NULL;

    /* An end wins over what is done besides. */
    cJSON_ArrayForEach(member, object)
    {
        const struct action_verb *verb = key_verb(member);

        if (verb && (!best || verb->form == ACTION_VERB_STATUS))
            best = member;
    }
    if (!best)
        return false;
    found(look->call, key_verb(best), object);
    if (cJSON_IsObject(best)) {
        look->call->scopes[1] = look->call->scopes[0];
        look->call->scopes[0] = best;
        look->call->scope_count = 2;
    } else {
        look->call->unnamed = best;
    }
    return true;
}

/* {"thought": "it loads", "duration": 2000} */
static bool look_for_duration(struct value_search *look, struct cJSON *object)
{
    const struct cJSON *member = NULL;

    if (!cJSON_IsNumber(find_member(object, "duration")))
        return false;
    cJSON_ArrayForEach(member, object)
    {
        if (!key_is(member, "duration") && !continues(member) &&
            !is_one_of(member, thought_keys))
            return false;
    }
    found(look->call, &duration_verb, object);
    return true;
}

static bool holds_objects(const struct cJSON *value)
{
    return cJSON_IsObject(value) ||
           (value && cJSON_IsArray(value) && cJSON_IsObject(value->child));
}

/* Search objects, and calls in strings, in members of any name. */
static bool look_into_members(struct value_search *look, struct cJSON *object)
{
    struct cJSON *member = look->unknown[0] ? NULL : object->child;

    while (member) {
        struct cJSON *next = member->next;
        bool thought = !member->string || is_one_of(member, thought_keys);
        struct cJSON *inner = thought ? NULL : unpack(object, member);

        if (holds_objects(inner) && look_into(look, inner))
            return true;
        member = next;
    }
    return false;
}

/* {"x": 540, "y": 600} and nothing that is done there. */
static bool is_bare_point(const struct value_search *look,
                          const struct cJSON *object)
{
    return look->depth == 1 && !has_one_of(object, verb_keys) &&
           cJSON_IsNumber(find_member(object, "x")) &&
           cJSON_IsNumber(find_member(object, "y"));
}

static bool look_for_place(struct value_search *look, struct cJSON *object)
{
    if ((!look->strict && !has_one_of(object, grounding_keys)) ||
        find_member(object, "action") || find_member(object, "actiontype"))
        return false;
    if (!has_one_of(object, place_keys) && !is_bare_point(look, object))
        return false;
    found(look->call, action_verb_find(text_span_of("click")), object);
    return true;
}

/* Two or four numbers alone. */
static bool is_place(const struct cJSON *list)
{
    int count = cJSON_GetArraySize(list);
    const struct cJSON *item = NULL;

    cJSON_ArrayForEach(item, list)
    {
        if (!cJSON_IsNumber(item))
            return false;
    }
    return count == 2 || count == 4;
}

static bool look_into_list(struct value_search *look, struct cJSON *list)
{
    struct cJSON *item = list->child;

    while (item) {
        struct cJSON *next = item->next;

        if (look_into(look, unpack_item(list, item)))
            return true;
        item = next;
    }
    if (!look->strict || !is_place(list))
        return false;
    look->call->verb = action_verb_find(text_span_of("click"));
    look->call->unnamed = list;
    return true;
}

static bool look_into(struct value_search *look, struct cJSON *value)
{
    bool seen;

    if (look->depth == DESCENT_MAX)
        return false;
    look->depth++;
    if (cJSON_IsArray(value))
        seen = look_into_list(look, value);
    else
        seen =
            cJSON_IsObject(value) &&
            (look_for_verb(look, value) || look_into_wrappers(look, value) ||
             look_for_verb_key(look, value) || look_for_place(look, value) ||
             look_for_duration(look, value) || look_into_members(look, value));
    look->depth--;
    return seen;
}

bool action_call_in_value(struct cJSON *value, bool strict,
                          struct action_call *call,
                          char unknown[ACTION_CALL_NAME_SIZE])
{
    struct value_search look = {strict, 0, unknown, call};

    return look_into(&look, value);
}

void action_call_release(struct action_call *call)
{
    cJSON_Delete(call->value);
    *call = (struct action_call){.value = NULL};
}

const struct cJSON *action_call_argument(const struct action_call *call,
                                         const char *const *names)
{
    for (size_t i = 0; names[i]; i++) {
        for (size_t scope = 0; scope < call->scope_count; scope++) {
            const struct cJSON *member =
                find_member(call->scopes[scope], names[i]);

            if (member && !cJSON_IsNull(member))
                return member;
        }
    }
    return NULL;
}
