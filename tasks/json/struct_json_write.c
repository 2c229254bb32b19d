#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "tasks/json/struct_json_private.h"

static void write_text(const char *text, struct cJSON *into, const char *name)
{
    if (text)
        json_add_string(into, name, text);
}

static size_t most_of(const struct json_member *member)
{
    return member->max > 0 ? (size_t)member->max : STRUCT_JSON_TEXTS_MAX;
}

static void write_texts(const struct json_member *member,
                        const struct text_list *texts, struct cJSON *into,
                        const char *name)
{
    struct cJSON *array;

    if (!texts->count || texts->count > most_of(member))
        return;
    if (texts->count == 1 && !member->array) {
        json_add_string(into, name, texts->items[0]);
        return;
    }
    array = json_add_array(into, name);
    for (size_t i = 0; i < texts->count; i++)
        json_add_string(array, NULL, texts->items[i]);
}

static void add_item(struct cJSON *into, const char *name, struct cJSON *item)
{
    if (!(name ? cJSON_AddItemToObject(into, name, item)
               : cJSON_AddItemToArray(into, item)))
        mem_out();
}

static void write_items(const struct json_member *member, const void *thing,
                        struct cJSON *into, const char *name)
{
    char *items;
    size_t count = items_in(member, thing, &items);
    struct cJSON *array;

    if (!count)
        return;
    if (member->kind == MEMBER_OWN) {
        add_item(into, name, struct_json_write(member->struct_json, items));
        return;
    }
    array = json_add_array(into, name);
    for (size_t i = 0; i < count; i++)
        add_item(array, NULL,
                 struct_json_write(member->struct_json,
                                   items + i * member->struct_json->size));
}

/* A nested struct with only defaults is left out. */
static void write_part(const struct json_member *member, const void *part,
                       struct cJSON *into, const char *name)
{
    struct cJSON *written = struct_json_write(member->struct_json, part);

    if (cJSON_IsObject(written) && !written->child)
        cJSON_Delete(written);
    else
        add_item(into, name, written);
}

static void write_number(const struct json_member *member, double number,
                         struct cJSON *into, const char *name)
{
    if (number < member->default_value || number > member->default_value)
        json_add_number(into, name, number);
}

void struct_json_write_member(const struct json_member *member,
                              const void *thing, struct cJSON *into,
                              const char *name)
{
    const void *field = field_in(member, thing);

    switch (member->kind) {
    case MEMBER_TEXT:
        write_text(*(char *const *)field, into, name);
        break;
    case MEMBER_TEXTS:
        write_texts(member, field, into, name);
        break;
    case MEMBER_BILINGUAL_TEXT:
        bilingual_text_to_json(field, into, name);
        break;
    case MEMBER_INT:
        write_number(member, *(const int *)field, into, name);
        break;
    case MEMBER_NUMBER:
        write_number(member, *(const double *)field, into, name);
        break;
    case MEMBER_BOOL:
        if (*(const bool *)field)
            json_add_bool(into, name, true);
        break;
    case MEMBER_NAME:
        if (member->needed || *(const unsigned *)field != member->default_value)
            write_text(member->names[*(const unsigned *)field], into, name);
        break;
    case MEMBER_STATE:
        if (*(const unsigned *)field)
            json_add_bool(into, name, *(const unsigned *)field == 2);
        break;
    case MEMBER_PART:
        write_part(member, field, into, name);
        break;
    case MEMBER_OWN:
    case MEMBER_LIST:
        write_items(member, thing, into, name);
        break;
    case MEMBER_ODD:
        member->ops->write(member, thing, into);
        break;
    }
}

/* If only the short form's member is set, write the short form. */
static struct cJSON *shorten(const struct struct_json *struct_json,
                             struct cJSON *object)
{
    struct cJSON *only = object->child;

    if (!only || only->next ||
        !((struct_json->brief &&
           !strcmp(only->string, struct_json->brief->name)) ||
          (struct_json->brief_number && cJSON_IsNumber(only) &&
           !strcmp(only->string, struct_json->brief_number->name))))
        return object;
    only = cJSON_DetachItemViaPointer(object, only);
    cJSON_free(only->string);
    only->string = NULL;
    cJSON_Delete(object);
    return only;
}

/* If two members can hold the same texts, write the first that fits. */
static bool said_before(const struct struct_json *struct_json,
                        const struct json_member *member, const void *thing)
{
    const struct text_list *texts = field_in(member, thing);

    if (member->kind != MEMBER_TEXTS)
        return false;
    for (const struct json_member *at = struct_json->members; at < member;
         at++) {
        if (at->kind == MEMBER_TEXTS && at->offset == member->offset &&
            texts->count <= most_of(at))
            return true;
    }
    return false;
}

struct cJSON *struct_json_write(const struct struct_json *struct_json,
                                const void *thing)
{
    struct cJSON *object = json_new_object();

    for (size_t i = 0; i < struct_json->count; i++) {
        if (!said_before(struct_json, &struct_json->members[i], thing))
            struct_json_write_member(&struct_json->members[i], thing, object,
                                     struct_json->members[i].name);
    }
    return shorten(struct_json, object);
}
