#include <string.h>

#include "base/mem.h"
#include "base/nearest.h"
#include "tasks/shape_private.h"

/* ---- texts ---- */

bool shape_read_text(const struct json *json, const struct rule *rule,
                     const char **text, struct err *err)
{
    const char *found = NULL;

    if (!json_as_string(json, &found, err))
        return false;
    if (!rule_check(rule, found, err))
        return json_fail(json, err, "%s", err->text);
    *text = found;
    return true;
}

static bool read_text(const struct member *member, const struct json *json,
                      char **text, struct err *err)
{
    const char *found = NULL;

    if (!shape_read_text(json, member->rule, &found, err))
        return false;
    *text = mem_dup(found);
    return true;
}

static bool read_texts(const struct member *member, const struct json *json,
                       struct texts *texts, struct err *err)
{
    size_t most = member->max > 0 ? (size_t)member->max : SHAPE_TEXTS_MAX;
    struct json item = JSON_NONE;
    const char *found = NULL;

    if (texts->count)
        return json_fail(json, err, "another member says that already");
    if (most == 1 || (!member->array && cJSON_IsString(json->value))) {
        if (!shape_read_text(json, member->rule, &found, err))
            return false;
        texts_add(texts, found);
        return true;
    }
    if (!json_as_array(json, err))
        return false;
    while (json_next(json, &item)) {
        if (!shape_read_text(&item, member->rule, &found, err))
            return false;
        if (texts->count == most)
            return json_fail(json, err, "more than %zu", most);
        if (texts_have(texts, found))
            return json_fail(&item, err, "is there already");
        texts_add(texts, found);
    }
    return texts->count || json_fail(json, err, "is empty");
}

/* ---- languages ---- */

static char **language_of(struct phrasing *phrasing, const char *name)
{
    return !strcmp(name, "en")   ? &phrasing->en
           : !strcmp(name, "zh") ? &phrasing->zh
                                 : NULL;
}

static bool read_languages(const struct json *json, const struct rule *rule,
                           struct phrasing *phrasing, struct err *err)
{
    struct json child = JSON_NONE;
    const char *found = NULL;

    while (json_next(json, &child)) {
        char **into = language_of(phrasing, child.value->string);

        if (!into)
            return json_fail(&child, err, "expected en or zh");
        if (*into)
            return json_fail(&child, err, "given twice");
        if (!shape_read_text(&child, rule, &found, err))
            return false;
        *into = mem_dup(found);
    }
    return phrasing->en || phrasing->zh || json_fail(json, err, "is empty");
}

bool shape_read_phrasing(const struct json *json, const struct rule *rule,
                         struct phrasing *phrasing, struct err *err)
{
    struct phrasing read = {.any = NULL};
    const char *found = NULL;

    if (!cJSON_IsString(json->value) && !cJSON_IsObject(json->value))
        return json_fail_kind(json, "a string, or an object with en and zh",
                              err);
    if (cJSON_IsString(json->value)) {
        if (!shape_read_text(json, rule, &found, err))
            return false;
        read.any = mem_dup(found);
    } else if (!read_languages(json, rule, &read, err)) {
        phrasing_release(&read);
        return false;
    }
    *phrasing = read;
    return true;
}

/* ---- numbers and names ---- */

static bool read_int(const struct member *member, const struct json *json,
                     int *number, struct err *err)
{
    int64_t read = 0;

    if (!json_as_int(json, (int64_t)member->min, (int64_t)member->max, &read,
                     err))
        return false;
    *number = (int)read;
    return true;
}

static bool read_number(const struct member *member, const struct json *json,
                        double *number, struct err *err)
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
    struct nearest nearest;
    struct buf all = BUF_INIT(128);

    nearest_init(&nearest, found);
    for (size_t i = 0; i < count; i++) {
        if (names[i]) {
            nearest_offer(&nearest, names[i]);
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

bool shape_read_name(const struct json *json, const char *const *names,
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

/* Parts of a thing, which is made already. */
static bool fill(const struct shape *shape, const struct json *json,
                 void *thing, struct err *err);

static bool read_own(const struct member *member, const struct json *json,
                     void *field, struct err *err)
{
    void *own = mem_new(1, member->shape->size);

    shape_init(member->shape, own);
    memcpy(field, &own, sizeof(own)); /* the whole's, also if this fails */
    return fill(member->shape, json, own, err);
}

static bool read_list(const struct member *member, const struct json *json,
                      void *thing, struct err *err)
{
    size_t most = member->max > 0 ? (size_t)member->max : SHAPE_ITEMS_MAX;
    size_t *count = (void *)((char *)thing + member->count_offset);
    size_t size = member->shape->size;
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

        shape_init(member->shape, made);
        ++*count; /* the whole's, also if this fails */
        if (!fill(member->shape, &item, made, err))
            return false;
    }
    return true;
}

bool shape_read_member(const struct member *member, const struct json *json,
                       void *thing, struct err *err)
{
    void *field = field_of(member, thing);

    switch (member->kind) {
    case MEMBER_TEXT:
        return read_text(member, json, field, err);
    case MEMBER_TEXTS:
        return read_texts(member, json, field, err);
    case MEMBER_PHRASING:
        return shape_read_phrasing(json, member->rule, field, err);
    case MEMBER_INT:
        return read_int(member, json, field, err);
    case MEMBER_NUMBER:
        return read_number(member, json, field, err);
    case MEMBER_BOOL:
        return json_as_bool(json, field, err);
    case MEMBER_NAME:
        return shape_read_name(json, member->names, member->name_count, field,
                               err);
    case MEMBER_STATE:
        return read_state(json, field, err);
    case MEMBER_PART:
        return fill(member->shape, json, field, err);
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

static bool fail_unknown(const struct shape *shape, const struct json *json,
                         struct err *err)
{
    struct nearest nearest;

    nearest_init(&nearest, json->value->string);
    for (size_t i = 0; i < shape->count; i++)
        nearest_offer(&nearest, shape->members[i].name);
    if (nearest.best)
        return json_fail(json, err,
                         "there is no such member; did you mean \"%s\"?",
                         nearest.best);
    return json_fail(json, err, "there is no such member");
}

static bool read_object(const struct shape *shape, const struct json *json,
                        void *thing, struct err *err)
{
    bool seen[SHAPE_MEMBERS_MAX] = {false};
    struct json child = JSON_NONE;

    if (!json_as_object(json, err))
        return false;
    while (json_next(json, &child)) {
        size_t i = 0;

        while (i < shape->count &&
               strcmp(shape->members[i].name, child.value->string) != 0)
            i++;
        if (i == shape->count)
            return fail_unknown(shape, &child, err);
        if (seen[i])
            return json_fail(&child, err, "given twice");
        seen[i] = true;
        if (!shape_read_member(&shape->members[i], &child, thing, err))
            return false;
    }
    for (size_t i = 0; i < shape->count; i++) {
        if (shape->members[i].needed && !seen[i])
            return json_get(json, shape->members[i].name, &child, err);
    }
    return true;
}

/* No shape has members of these names. */
static bool is_phrasing(const struct cJSON *object)
{
    return cJSON_GetObjectItemCaseSensitive(object, "en") ||
           cJSON_GetObjectItemCaseSensitive(object, "zh");
}

/* What a value stands for that is no object of the shape's members. */
static const struct member *brief_of(const struct shape *shape,
                                     const struct cJSON *value)
{
    if (!shape->brief)
        return NULL;
    if (cJSON_IsNumber(value) && shape->brief_number)
        return shape->brief_number;
    if (cJSON_IsObject(value) &&
        (shape->brief->kind != MEMBER_PHRASING || !is_phrasing(value)))
        return NULL;
    return shape->brief;
}

static bool fill(const struct shape *shape, const struct json *json,
                 void *thing, struct err *err)
{
    const struct member *brief = brief_of(shape, json->value);

    if (!(brief ? shape_read_member(brief, json, thing, err)
                : read_object(shape, json, thing, err)))
        return false;
    return !shape->check || shape->check(json, thing, err);
}

bool shape_read(const struct shape *shape, const struct json *json, void *thing,
                struct err *err)
{
    shape_init(shape, thing);
    if (fill(shape, json, thing, err))
        return true;
    shape_release(shape, thing);
    return false;
}
