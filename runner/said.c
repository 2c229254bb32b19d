#include "runner/said.h"

#include <ctype.h>
#include <string.h>

#include "base/text.h"
#include "runner/said_private.h"

#define NAME_SIZE SAID_KEY_SIZE
#define DESCENT_MAX 8

/* Members whose value names the verb, the surest first. */
static const char *const verb_keys[] = {
    "action", "actiontype", "actionname", "operation", "function", "command",
    "tool",   "toolname",   "name",       "method",    "type",     NULL,
};

/* Members within which the verb or its arguments stand. */
static const char *const wrapper_keys[] = {
    "toolcalls",  "functioncall", "function", "computercall", "tooluse",
    "action",     "actions",      "call",     "arguments",    "args",
    "input",      "parameters",   "params",   "actioninputs", "inputs",
    "output",     "content",      "parts",    "message",      "choices",
    "candidates", NULL,
};

/* Members that hold the arguments of a verb beside them. */
static const char *const argument_keys[] = {
    "arguments",    "args",   "input", "parameters", "params",
    "actioninputs", "inputs", "value", NULL,
};

/* Members that hold a place; one of them alone is a click there. */
static const char *const place_keys[] = {
    "coordinate", "coordinates", "point", "position", "bbox2d",
    "box2d",      "point2d",     "bbox",  NULL,
};

static bool key_is(const struct cJSON *member, const char *normalised)
{
    char name[NAME_SIZE];

    if (!member->string)
        return false;
    verb_normalise(span_text(member->string), name, sizeof(name));
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

static void add_scope(struct said *said, const struct cJSON *object)
{
    if (cJSON_IsObject(object) && said->scope_count < SAID_SCOPES_MAX)
        said->scopes[said->scope_count++] = object;
}

/* A string of JSON or of a call in place of the thing itself. */
static struct cJSON *unpack(struct cJSON *object, struct cJSON *member)
{
    struct cJSON *inner = NULL;
    struct reader reader;
    const char *key = member->string;

    if (!cJSON_IsString(member) || (!strchr(member->valuestring, '{') &&
                                    !strchr(member->valuestring, '(')))
        return member;
    reader_init(&reader, span_text(member->valuestring));
    if (reader_value(&reader, &inner) != READER_FOUND)
        return member;
    if (!cJSON_IsObject(inner)) {
        cJSON_Delete(inner);
        return member;
    }
    cJSON_ReplaceItemInObjectCaseSensitive(object, key, inner);
    return inner;
}

/* Found: its arguments stand in object, or in what object holds. */
static void found(struct said *said, const struct verb *verb,
                  struct cJSON *object)
{
    const struct cJSON *unnamed;
    const struct cJSON *raw = find_member(object, "raw");

    said->verb = verb;
    for (size_t i = 0; argument_keys[i]; i++) {
        struct cJSON *member = find_member(object, argument_keys[i]);

        if (cJSON_IsString(member) && member->valuestring[0] == '{')
            member = unpack(object, member);
        add_scope(said, member);
    }
    add_scope(said, object);
    unnamed = cJSON_GetObjectItemCaseSensitive(said->scopes[0], READER_UNNAMED);
    said->unnamed = unnamed ? unnamed : said->unnamed;
    said->raw = cJSON_IsString(raw) ? raw->valuestring : said->raw;
}

/* What one look into values remembers. */
struct look {
    bool strict;
    int depth;
    char *unknown; /* gets the name of a verb that nobody knows */
    struct said *said;
};

static bool look_into(struct look *look, struct cJSON *value);

/* "type": "text" is what an API calls a block of text, not a deed. */
static bool names_a_block(const struct cJSON *member, const struct verb *verb)
{
    return key_is(member, "type") &&
           (!strcmp(verb->name, "text") || !strcmp(verb->name, "input") ||
            !strcmp(verb->name, "answer"));
}

static bool look_for_verb(struct look *look, struct cJSON *object)
{
    for (size_t i = 0; verb_keys[i]; i++) {
        struct cJSON *member = find_member(object, verb_keys[i]);
        const struct verb *verb;

        if (!cJSON_IsString(member))
            continue;
        verb = verb_find(span_text(member->valuestring));
        if (verb && !names_a_block(member, verb)) {
            found(look->said, verb, object);
            return true;
        }
        if (i < 2 && !strchr(member->valuestring, '('))
            text_copy_clean(look->unknown, SAID_NAME_SIZE, member->valuestring,
                            strlen(member->valuestring));
    }
    return false;
}

static bool look_into_wrappers(struct look *look, struct cJSON *object)
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

/* {"POINT": [1, 2]}: the verb is a key, and its value what it is done to. */
static bool look_for_verb_key(struct look *look, struct cJSON *object)
{
    struct cJSON *member = NULL;

    cJSON_ArrayForEach(member, object)
    {
        const struct verb *verb = NULL;

        if (member->string && !cJSON_IsNull(member))
            verb = verb_find(span_text(member->string));
        if (!verb || (!is_upper(member->string) && verb->form != VERB_POINT &&
                      verb->form != VERB_PATH && verb->form != VERB_SCROLL))
            continue;
        found(look->said, verb, object);
        if (cJSON_IsObject(member)) {
            look->said->scopes[1] = look->said->scopes[0];
            look->said->scopes[0] = member;
            look->said->scope_count = 2;
        } else {
            look->said->unnamed = member;
        }
        return true;
    }
    return false;
}

static bool look_for_place(struct look *look, struct cJSON *object)
{
    if (!look->strict || find_member(object, "action") ||
        find_member(object, "actiontype"))
        return false;
    for (size_t i = 0; place_keys[i]; i++) {
        if (find_member(object, place_keys[i])) {
            found(look->said, verb_find(span_text("click")), object);
            return true;
        }
    }
    return false;
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

static bool look_into_list(struct look *look, struct cJSON *list)
{
    struct cJSON *item = NULL;

    cJSON_ArrayForEach(item, list)
    {
        if (look_into(look, item))
            return true;
    }
    if (!look->strict || !is_place(list))
        return false;
    look->said->verb = verb_find(span_text("click"));
    look->said->unnamed = list;
    return true;
}

static bool look_into(struct look *look, struct cJSON *value)
{
    bool seen;

    if (look->depth == DESCENT_MAX)
        return false;
    look->depth++;
    if (cJSON_IsArray(value))
        seen = look_into_list(look, value);
    else
        seen = cJSON_IsObject(value) &&
               (look_for_verb(look, value) || look_into_wrappers(look, value) ||
                look_for_verb_key(look, value) || look_for_place(look, value));
    look->depth--;
    return seen;
}

bool said_look(struct cJSON *value, bool strict, struct said *said,
               char unknown[SAID_NAME_SIZE])
{
    struct look look = {strict, 0, unknown, said};

    return look_into(&look, value);
}

void said_release(struct said *said)
{
    cJSON_Delete(said->value);
    *said = (struct said){.value = NULL};
}

const struct cJSON *said_argument(const struct said *said,
                                  const char *const *names)
{
    for (size_t i = 0; names[i]; i++) {
        for (size_t scope = 0; scope < said->scope_count; scope++) {
            const struct cJSON *member =
                find_member(said->scopes[scope], names[i]);

            if (member && !cJSON_IsNull(member))
                return member;
        }
    }
    return NULL;
}
