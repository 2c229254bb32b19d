#include "tasks/shape.h"

#include <assert.h>
#include <stdlib.h>

#include "tasks/shape_private.h"

/* ---- init ---- */

static void init_members(const struct shape *shape, void *thing);

static void init_member(const struct member *member, void *thing)
{
    void *field = field_of(member, thing);

    if (member->kind == MEMBER_INT)
        *(int *)field = (int)member->usual;
    else if (member->kind == MEMBER_NUMBER)
        *(double *)field = member->usual;
    else if (member->kind == MEMBER_NAME)
        *(unsigned *)field = (unsigned)member->usual;
    else if (member->kind == MEMBER_PART)
        init_members(member->shape, field);
    else if (member->kind == MEMBER_ODD && member->ops->init)
        member->ops->init(member, thing);
}

static void init_members(const struct shape *shape, void *thing)
{
    assert(shape->count <= SHAPE_MEMBERS_MAX);
    for (size_t i = 0; i < shape->count; i++)
        init_member(&shape->members[i], thing);
}

void shape_init(const struct shape *shape, void *thing)
{
    memset(thing, 0, shape->size);
    init_members(shape, thing);
}

/* ---- release ---- */

static void release_members(const struct shape *shape, void *thing);

static void release_items(const struct member *member, void *thing)
{
    char *items;
    size_t count = items_in(member, thing, &items);

    for (size_t i = 0; i < count; i++)
        release_members(member->shape, items + i * member->shape->size);
    free(items);
}

void shape_release_member(const struct member *member, void *thing)
{
    void *field = field_of(member, thing);

    switch (member->kind) {
    case MEMBER_TEXT:
        free(*(char **)field);
        break;
    case MEMBER_TEXTS:
        texts_release(field);
        break;
    case MEMBER_PHRASING:
        phrasing_release(field);
        break;
    case MEMBER_PART:
        release_members(member->shape, field);
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

static void release_members(const struct shape *shape, void *thing)
{
    for (size_t i = 0; i < shape->count; i++)
        shape_release_member(&shape->members[i], thing);
}

void shape_release(const struct shape *shape, void *thing)
{
    release_members(shape, thing);
    shape_init(shape, thing);
}

/* ---- walk ---- */

static bool walk_members(struct shape_walk *walk, const struct shape *shape,
                         void *thing, struct err *err);

static bool walk_texts(struct shape_walk *walk, const struct rule *rule,
                       struct texts *texts, struct err *err)
{
    for (size_t i = 0; i < texts->count; i++) {
        if (!walk->text(walk, rule, &texts->items[i], err))
            return false;
    }
    return true;
}

static bool walk_items(struct shape_walk *walk, const struct member *member,
                       void *thing, struct err *err)
{
    size_t path = walk->path.length;
    char *items;
    size_t count = items_in(member, thing, &items);

    for (size_t i = 0; i < count; i++) {
        if (member->kind == MEMBER_LIST)
            buf_printf(&walk->path, "[%zu]", i);
        if (!walk_members(walk, member->shape, items + i * member->shape->size,
                          err))
            return false;
        buf_truncate(&walk->path, path);
    }
    return true;
}

bool shape_walk_member(struct shape_walk *walk, const struct member *member,
                       void *thing, struct err *err)
{
    void *field = field_of(member, thing);

    switch (member->kind) {
    case MEMBER_TEXT:
        return !*(char **)field || walk->text(walk, member->rule, field, err);
    case MEMBER_TEXTS:
        return walk_texts(walk, member->rule, field, err);
    case MEMBER_PHRASING:
        return walk->phrasing(walk, member->rule, field, err);
    case MEMBER_PART:
        return walk_members(walk, member->shape, field, err);
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

static bool walk_members(struct shape_walk *walk, const struct shape *shape,
                         void *thing, struct err *err)
{
    size_t path = walk->path.length;

    for (size_t i = 0; i < shape->count; i++) {
        buf_printf(&walk->path, "%s%s", path ? "." : "",
                   shape->members[i].name);
        if (!shape_walk_member(walk, &shape->members[i], thing, err))
            return false;
        buf_truncate(&walk->path, path);
    }
    return true;
}

bool shape_walk(struct shape_walk *walk, const struct shape *shape, void *thing,
                struct err *err)
{
    bool done = walk_members(walk, shape, thing, err);

    if (!done && walk->path.length)
        err_wrap(err, "%s", buf_cstr(&walk->path));
    buf_release(&walk->path);
    return done;
}
