#include "tasks/json/struct_json.h"

#include <assert.h>
#include <stdlib.h>

#include "tasks/json/struct_json_private.h"

/* ---- init ---- */

static void init_members(const struct struct_json *struct_json, void *thing);

static void init_member(const struct json_member *member, void *thing)
{
    void *field = field_of(member, thing);

    if (member->kind == MEMBER_INT)
        *(int *)field = (int)member->default_value;
    else if (member->kind == MEMBER_NUMBER)
        *(double *)field = member->default_value;
    else if (member->kind == MEMBER_NAME)
        *(unsigned *)field = (unsigned)member->default_value;
    else if (member->kind == MEMBER_PART)
        init_members(member->struct_json, field);
    else if (member->kind == MEMBER_ODD && member->ops->init)
        member->ops->init(member, thing);
}

static void init_members(const struct struct_json *struct_json, void *thing)
{
    assert(struct_json->count <= STRUCT_JSON_MEMBERS_MAX);
    for (size_t i = 0; i < struct_json->count; i++)
        init_member(&struct_json->members[i], thing);
}

void struct_json_init(const struct struct_json *struct_json, void *thing)
{
    memset(thing, 0, struct_json->size);
    init_members(struct_json, thing);
}

/* ---- release ---- */

static void release_members(const struct struct_json *struct_json, void *thing);

static void release_items(const struct json_member *member, void *thing)
{
    char *items;
    size_t count = items_in(member, thing, &items);

    for (size_t i = 0; i < count; i++)
        release_members(member->struct_json,
                        items + i * member->struct_json->size);
    free(items);
}

void struct_json_release_member(const struct json_member *member, void *thing)
{
    void *field = field_of(member, thing);

    switch (member->kind) {
    case MEMBER_TEXT:
        free(*(char **)field);
        break;
    case MEMBER_TEXTS:
        text_list_release(field);
        break;
    case MEMBER_BILINGUAL_TEXT:
        bilingual_text_release(field);
        break;
    case MEMBER_PART:
        release_members(member->struct_json, field);
        break;
    case MEMBER_OWN:
    case MEMBER_LIST:
        release_items(member, thing);
        break;
    case MEMBER_ODD:
        if (member->ops->release)
            member->ops->release(member, thing);
        break;
    case MEMBER_INT:
    case MEMBER_NUMBER:
    case MEMBER_BOOL:
    case MEMBER_NAME:
    case MEMBER_STATE:
        break;
    }
}

static void release_members(const struct struct_json *struct_json, void *thing)
{
    for (size_t i = 0; i < struct_json->count; i++)
        struct_json_release_member(&struct_json->members[i], thing);
}

void struct_json_release(const struct struct_json *struct_json, void *thing)
{
    release_members(struct_json, thing);
    struct_json_init(struct_json, thing);
}

/* ---- walk ---- */

static bool walk_members(struct struct_json_walk *walk,
                         const struct struct_json *struct_json, void *thing,
                         struct err *err);

static bool walk_texts(struct struct_json_walk *walk,
                       const struct text_rule *rule, struct text_list *texts,
                       struct err *err)
{
    for (size_t i = 0; i < texts->count; i++) {
        if (!walk->text(walk, rule, &texts->items[i], err))
            return false;
    }
    return true;
}

static bool walk_items(struct struct_json_walk *walk,
                       const struct json_member *member, void *thing,
                       struct err *err)
{
    size_t path = walk->path.length;
    char *items;
    size_t count = items_in(member, thing, &items);

    for (size_t i = 0; i < count; i++) {
        if (member->kind == MEMBER_LIST)
            buf_printf(&walk->path, "[%zu]", i);
        if (!walk_members(walk, member->struct_json,
                          items + i * member->struct_json->size, err))
            return false;
        buf_truncate(&walk->path, path);
    }
    return true;
}

bool struct_json_walk_member(struct struct_json_walk *walk,
                             const struct json_member *member, void *thing,
                             struct err *err)
{
    void *field = field_of(member, thing);

    switch (member->kind) {
    case MEMBER_TEXT:
        return !*(char **)field || walk->text(walk, member->rule, field, err);
    case MEMBER_TEXTS:
        return walk_texts(walk, member->rule, field, err);
    case MEMBER_BILINGUAL_TEXT:
        return walk->bilingual_text(walk, member->rule, field, err);
    case MEMBER_PART:
        return walk_members(walk, member->struct_json, field, err);
    case MEMBER_OWN:
    case MEMBER_LIST:
        return walk_items(walk, member, thing, err);
    case MEMBER_ODD:
        return !member->ops->walk ||
               member->ops->walk(member, walk, thing, err);
    case MEMBER_INT:
    case MEMBER_NUMBER:
    case MEMBER_BOOL:
    case MEMBER_NAME:
    case MEMBER_STATE:
        break;
    }
    return true;
}

static bool walk_members(struct struct_json_walk *walk,
                         const struct struct_json *struct_json, void *thing,
                         struct err *err)
{
    size_t path = walk->path.length;

    for (size_t i = 0; i < struct_json->count; i++) {
        buf_printf(&walk->path, "%s%s", path ? "." : "",
                   struct_json->members[i].name);
        if (!struct_json_walk_member(walk, &struct_json->members[i], thing,
                                     err))
            return false;
        buf_truncate(&walk->path, path);
    }
    return true;
}

bool struct_json_walk(struct struct_json_walk *walk,
                      const struct struct_json *struct_json, void *thing,
                      struct err *err)
{
    bool done = walk_members(walk, struct_json, thing, err);

    if (!done && walk->path.length)
        err_wrap(err, "%s", buf_cstr(&walk->path));
    buf_release(&walk->path);
    return done;
}
