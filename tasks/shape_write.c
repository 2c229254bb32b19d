#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "tasks/shape_private.h"

static void write_text(const char *text, struct cJSON *into, const char *name)
{
    if (text)
        json_add_string(into, name, text);
}

static size_t most_of(const struct member *member)
{
    return member->max > 0 ? (size_t)member->max : SHAPE_TEXTS_MAX;
}

static void write_texts(const struct member *member, const struct texts *texts,
                        struct cJSON *into, const char *name)
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

static void write_items(const struct member *member, const void *thing,
                        struct cJSON *into, const char *name)
{
    char *items;
    size_t count = items_in(member, thing, &items);
    struct cJSON *array;

    if (!count)
        return;
    if (member->kind == MEMBER_OWN) {
        add_item(into, name, shape_write(member->shape, items));
        return;
    }
    array = json_add_array(into, name);
    for (size_t i = 0; i < count; i++)
        add_item(array, NULL,
                 shape_write(member->shape, items + i * member->shape->size));
}

/* A part in which all is as usual is left out. */
static void write_part(const struct member *member, const void *part,
                       struct cJSON *into, const char *name)
{
    struct cJSON *written = shape_write(member->shape, part);

    if (cJSON_IsObject(written) && !written->child)
        cJSON_Delete(written);
    else
        add_item(into, name, written);
}

static void write_number(const struct member *member, double number,
                         struct cJSON *into, const char *name)
{
    if (number < member->usual || number > member->usual)
        json_add_number(into, name, number);
}

void shape_write_member(const struct member *member, const void *thing,
                        struct cJSON *into, const char *name)
{
    const void *field = field_in(member, thing);

    switch (member->kind) {
    case MEMBER_TEXT:
        write_text(*(char *const *)field, into, name);
        break;
    case MEMBER_TEXTS:
        write_texts(member, field, into, name);
        break;
    case MEMBER_PHRASING:
        phrasing_to_json(field, into, name);
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
        if (member->needed || *(const unsigned *)field != member->usual)
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

/* With nothing but what a brief value says, that value. */
static struct cJSON *shorten(const struct shape *shape, struct cJSON *object)
{
    struct cJSON *only = object->child;

    if (!only || only->next ||
        !((shape->brief && !strcmp(only->string, shape->brief->name)) ||
          (shape->brief_number && cJSON_IsNumber(only) &&
           !strcmp(only->string, shape->brief_number->name))))
        return object;
    only = cJSON_DetachItemViaPointer(object, only);
    cJSON_free(only->string);
    only->string = NULL;
    cJSON_Delete(object);
    return only;
}

/* Of two members for the same texts, the first that can say them does. */
static bool said_before(const struct shape *shape, const struct member *member,
                        const void *thing)
{
    const struct texts *texts = field_in(member, thing);

    if (member->kind != MEMBER_TEXTS)
        return false;
    for (const struct member *at = shape->members; at < member; at++) {
        if (at->kind == MEMBER_TEXTS && at->offset == member->offset &&
            texts->count <= most_of(at))
            return true;
    }
    return false;
}

struct cJSON *shape_write(const struct shape *shape, const void *thing)
{
    struct cJSON *object = json_new_object();

    for (size_t i = 0; i < shape->count; i++) {
        if (!said_before(shape, &shape->members[i], thing))
            shape_write_member(&shape->members[i], thing, object,
                               shape->members[i].name);
    }
    return shorten(shape, object);
}
