#include <string.h>

#include "base/mem.h"
#include "base/nearest_word.h"
#include "tasks/json/struct_json_private.h"

/* ---- texts ---- */

bool struct_json_read_text(const struct json *json,
                           const struct text_rule *rule, const char **text,
                           struct err *err)
{
    const char *found = NULL;

    if (!json_as_string(json, &found, err))
        return false;
    if (!text_rule_check(rule, found, err))
        return json_fail(json, err, "%s", err->text);
    *text = found;
    return true;
}

static bool read_text(const struct json_member *member, const struct json *json,
                      char **text, struct err *err)
{
    const char *found = NULL;

    if (!struct_json_read_text(json, member->rule, &found, err))
        return false;
    *text = mem_dup(found);
    return true;
}

static bool read_texts(const struct json_member *member,
                       const struct json *json, struct text_list *texts,
                       struct err *err)
{
    size_t most = member->max > 0 ? (size_t)member->max : STRUCT_JSON_TEXTS_MAX;
    struct json item = JSON_NONE;
    const char *found = NULL;

    if (texts->count)
        return json_fail(json, err, "conflicts with another member");
    if (most == 1 || (!member->array && cJSON_IsString(json->value))) {
        if (!struct_json_read_text(json, member->rule, &found, err))
            return false;
        text_list_add(texts, found);
        return true;
    }
    if (!json_as_array(json, err))
        return false;
    while (json_next(json, &item)) {
        if (!struct_json_read_text(&item, member->rule, &found, err))
            return false;
        if (texts->count == most)
            return json_fail(json, err, "more than %zu", most);
        if (text_list_have(texts, found))
            return json_fail(&item, err, "is there already");
        text_list_add(texts, found);
    }
    return texts->count || json_fail(json, err, "is empty");
}

/* ---- languages ---- */

static char **language_of(struct bilingual_text *bilingual_text,
                          const char *name)
{
    return !strcmp(name, "en")   ? &bilingual_text->en
           : !strcmp(name, "zh") ? &bilingual_text->zh
                                 : NULL;
}

static bool read_languages(const struct json *json,
                           const struct text_rule *rule,
                           struct bilingual_text *bilingual_text,
                           struct err *err)
{
    struct json child = JSON_NONE;
    const char *found = NULL;

    while (json_next(json, &child)) {
        char **into = language_of(bilingual_text, child.value->string);

        if (!into)
            return json_fail(&child, err, "expected en or zh");
        if (*into)
            return json_fail(&child, err, "given twice");
        if (!struct_json_read_text(&child, rule, &found, err))
            return false;
        *into = mem_dup(found);
    }
    return bilingual_text->en || bilingual_text->zh ||
           json_fail(json, err, "is empty");
}

bool struct_json_read_bilingual_text(const struct json *json,
                                     const struct text_rule *rule,
                                     struct bilingual_text *bilingual_text,
                                     struct err *err)
{
    struct bilingual_text read = {.any = NULL};
    const char *found = NULL;

    if (!cJSON_IsString(json->value) && !cJSON_IsObject(json->value))
        return json_fail_kind(json, "a string, or an object with en and zh",
                              err);
    if (cJSON_IsString(json->value)) {
        if (!struct_json_read_text(json, rule, &found, err))
            return false;
        read.any = mem_dup(found);
    } else if (!read_languages(json, rule, &read, err)) {
        bilingual_text_release(&read);
        return false;
    }
    *bilingual_text = read;
    return true;
}

/* ---- numbers and names ---- */

static bool read_int(const struct json_member *member, const struct json *json,
                     int *number, struct err *err)
{
    int64_t read = 0;

    if (!json_as_int(json, (int64_t)member->min, (int64_t)member->max, &read,
                     err))
        return false;
    *number = (int)read;
    return true;
}

static bool read_number(const struct json_member *member,
                        const struct json *json, double *number,
                        struct err *err)
{
    double read = 0;

    if (!json_as_number(json, &read, err))
        return false;
    if (read < member->min || read > member->max)
        return json_fail(json, err, "expected from %g to %g, found %g",
                         member->min, member->max, read);
    *number = read;
    return true;
}

static bool fail_name(const struct json *json, const char *const *names,
                      size_t count, const char *found, struct err *err)
{
    struct nearest_word nearest;
    struct buf all = BUF_INIT(128);

    nearest_word_init(&nearest, found);
    for (size_t i = 0; i < count; i++) {
        if (names[i]) {
            nearest_word_offer(&nearest, names[i]);
            buf_printf(&all, "%s%s", all.length ? ", " : "", names[i]);
        }
    }
    if (nearest.best)
        json_complain(json, err, "there is no \"%.40s\"; did you mean \"%s\"?",
                      found, nearest.best);
    else
        json_complain(json, err, "there is no \"%.40s\" among %s", found,
                      buf_cstr(&all));
    buf_release(&all);
    return false;
}

bool struct_json_read_name(const struct json *json, const char *const *names,
                           size_t count, unsigned *name, struct err *err)
{
    const char *found = NULL;

    if (!json_as_string(json, &found, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (names[i] && !strcmp(names[i], found)) {
            *name = (unsigned)i;
            return true;
        }
    }
    return fail_name(json, names, count, found, err);
}

static bool read_state(const struct json *json, unsigned *state,
                       struct err *err)
{
    bool truth = false;

    if (!json_as_bool(json, &truth, err))
        return false;
    *state = truth ? 2 : 1;
    return true;
}

/* ---- things ---- */

/* A nested struct, already allocated. */
static bool fill(const struct struct_json *struct_json, const struct json *json,
                 void *thing, struct err *err);

static bool read_own(const struct json_member *member, const struct json *json,
                     void *field, struct err *err)
{
    void *own = mem_new(1, member->struct_json->size);

    struct_json_init(member->struct_json, own);
    memcpy(field, &own, sizeof(own)); /* owned by the whole, also on failure */
    return fill(member->struct_json, json, own, err);
}

static bool read_list(const struct json_member *member, const struct json *json,
                      void *thing, struct err *err)
{
    size_t most = member->max > 0 ? (size_t)member->max : STRUCT_JSON_ITEMS_MAX;
    size_t *count = (void *)((char *)thing + member->count_offset);
    size_t size = member->struct_json->size;
    struct json item = JSON_NONE;
    size_t length;
    char *items;

    if (!json_as_array(json, err))
        return false;
    length = (size_t)cJSON_GetArraySize(json->value);
    if (!length)
        return json_fail(json, err, "is empty");
    if (length > most)
        return json_fail(json, err, "has more than %zu", most);
    items = mem_new(length, size);
    memcpy(field_of(member, thing), &items, sizeof(items));
    while (json_next(json, &item)) {
        void *made = items + *count * size;

        struct_json_init(member->struct_json, made);
        ++*count; /* owned by the whole, also on failure */
        if (!fill(member->struct_json, &item, made, err))
            return false;
    }
    return true;
}

bool struct_json_read_member(const struct json_member *member,
                             const struct json *json, void *thing,
                             struct err *err)
{
    void *field = field_of(member, thing);

    switch (member->kind) {
    case MEMBER_TEXT:
        return read_text(member, json, field, err);
    case MEMBER_TEXTS:
        return read_texts(member, json, field, err);
    case MEMBER_BILINGUAL_TEXT:
        return struct_json_read_bilingual_text(json, member->rule, field, err);
    case MEMBER_INT:
        return read_int(member, json, field, err);
    case MEMBER_NUMBER:
        return read_number(member, json, field, err);
    case MEMBER_BOOL:
        return json_as_bool(json, field, err);
    case MEMBER_NAME:
        return struct_json_read_name(json, member->names, member->name_count,
                                     field, err);
    case MEMBER_STATE:
        return read_state(json, field, err);
    case MEMBER_PART:
        return fill(member->struct_json, json, field, err);
    case MEMBER_OWN:
        return read_own(member, json, field, err);
    case MEMBER_LIST:
        return read_list(member, json, thing, err);
    case MEMBER_ODD:
        return member->ops->read(member, json, thing, err);
    }
    return false;
}

/* ---- objects ---- */

static bool fail_unknown(const struct struct_json *struct_json,
                         const struct json *json, struct err *err)
{
    struct nearest_word nearest;

    nearest_word_init(&nearest, json->value->string);
    for (size_t i = 0; i < struct_json->count; i++)
        nearest_word_offer(&nearest, struct_json->members[i].name);
    if (nearest.best)
        return json_fail(json, err,
                         "there is no such member; did you mean \"%s\"?",
                         nearest.best);
    return json_fail(json, err, "there is no such member");
}

bool json_member_is_called(const struct json_member *member, const char *name)
{
    return !strcmp(member->name, name) ||
           (member->old_name && !strcmp(member->old_name, name));
}

static bool read_object(const struct struct_json *struct_json,
                        const struct json *json, void *thing, struct err *err)
{
    bool seen[STRUCT_JSON_MEMBERS_MAX] = {false};
    struct json child = JSON_NONE;

    if (!json_as_object(json, err))
        return false;
    while (json_next(json, &child)) {
        size_t i = 0;

        while (i < struct_json->count &&
               !json_member_is_called(&struct_json->members[i],
                                      child.value->string))
            i++;
        if (i == struct_json->count)
            return fail_unknown(struct_json, &child, err);
        if (seen[i])
            return json_fail(&child, err, "given twice");
        seen[i] = true;
        if (!struct_json_read_member(&struct_json->members[i], &child, thing,
                                     err))
            return false;
    }
    for (size_t i = 0; i < struct_json->count; i++) {
        if (struct_json->members[i].needed && !seen[i])
            return json_get(json, struct_json->members[i].name, &child, err);
    }
    return true;
}

/* No struct has members of these names. */
static bool is_bilingual_text(const struct cJSON *object)
{
    return cJSON_GetObjectItemCaseSensitive(object, "en") ||
           cJSON_GetObjectItemCaseSensitive(object, "zh");
}

/* A plain value that stands for an object. */
static const struct json_member *brief_of(const struct struct_json *struct_json,
                                          const struct cJSON *value)
{
    if (!struct_json->brief)
        return NULL;
    if (cJSON_IsNumber(value) && struct_json->brief_number)
        return struct_json->brief_number;
    if (cJSON_IsObject(value) &&
        (struct_json->brief->kind != MEMBER_BILINGUAL_TEXT ||
         !is_bilingual_text(value)))
        return NULL;
    return struct_json->brief;
}

static bool fill(const struct struct_json *struct_json, const struct json *json,
                 void *thing, struct err *err)
{
    const struct json_member *brief = brief_of(struct_json, json->value);

    if (!(brief ? struct_json_read_member(brief, json, thing, err)
                : read_object(struct_json, json, thing, err)))
        return false;
    return !struct_json->check || struct_json->check(json, thing, err);
}

bool struct_json_read(const struct struct_json *struct_json,
                      const struct json *json, void *thing, struct err *err)
{
    struct_json_init(struct_json, thing);
    if (fill(struct_json, json, thing, err))
        return true;
    struct_json_release(struct_json, thing);
    return false;
}
