#include "tools/phone/lua/lua_widgets.h"

#include <assert.h>
#include <lauxlib.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/name_table.h"
#include "tools/phone/lua/lua_sandbox.h"
#include "tools/phone/lua/lua_widget_kinds.h"
#include "tools/phone/widgets/widget_attribute.h"

/* In Lua's registry: what a name in a widget means. */
#define REGISTERED_NAMES "proctor.names"

/* The steps that a widget costs its app. */
#define STEPS_PER_WIDGET 20
#define STEPS_PER_LIST 2

/* ---- names in a widget ---- */

/* Attributes have their numbers. */
enum name_meaning {
    NAME_UNKNOWN = -1,
    NAME_ATTRIBUTES_MAX = 64,
    NAME_CLICK,
    NAME_LONG_CLICK,
    NAME_CHANGE,
    NAME_OTHER_EVENT,
    NAME_WINDOW, /* of the window */
};

static void put_name(lua_State *lua, const char *name, int meaning)
{
    lua_pushinteger(lua, meaning);
    lua_setfield(lua, -2, name);
    if (meaning < NAME_ATTRIBUTES_MAX) {
        lua_pushstring(lua, name);
        lua_rawseti(lua, -2, meaning + 1);
    }
}

/*
 * Push a table of meanings by name. Its list has the names of attributes: the
 * number of an attribute is its place minus 1.
 */
static void push_names(lua_State *lua)
{
    const char *name;

    if (luaL_getsubtable(lua, LUA_REGISTRYINDEX, REGISTERED_NAMES))
        return;
    for (size_t i = 0; (name = widget_attribute_name(i)); i++) {
        assert(i < NAME_ATTRIBUTES_MAX);
        put_name(lua, name, (int)i);
    }
    put_name(lua, "on_click", NAME_CLICK);
    put_name(lua, "on_long_click", NAME_LONG_CLICK);
    put_name(lua, "on_change", NAME_CHANGE);
    put_name(lua, "on_submit", NAME_OTHER_EVENT);
    put_name(lua, "on_scroll", NAME_OTHER_EVENT);
    put_name(lua, "window", NAME_WINDOW);
    put_name(lua, "modal", NAME_WINDOW);
}

static void find_attributes(struct lua_widgets *widgets)
{
    static const char *const texts[] = {"text", "detail", "description",
                                        "hint"};
    const char *name;

    widgets->texts = 0;
    for (size_t i = 0; (name = widget_attribute_name(i)); i++) {
        if (NAME_TABLE_HAS(texts, name))
            widgets->texts |= UINT64_C(1) << i;
        if (!strcmp(name, "text"))
            widgets->text = i;
        if (!strcmp(name, "id"))
            widgets->id = i;
    }
}

void lua_widgets_begin(lua_State *lua, struct lua_widgets *widgets)
{
    widgets->toolkit = lua_gettop(lua);
    lua_getfield(lua, -1, "actions");
    widgets->actions = lua_gettop(lua);
    push_names(lua);
    widgets->names = lua_gettop(lua);
    widgets->action_count = 0;
    find_attributes(widgets);
}

/* ---- one widget ---- */

/* The widget's table is at the top of the stack. */
static void refuse(lua_State *lua, const char *why)
{
    lua_getfield(lua, -1, "line");
    lua_pushfstring(lua, "%s%s", luaL_optstring(lua, -1, ""), why);
    lua_error(lua);
}

/* Push a text that shows the value at the top; for messages. */
static const char *push_shown(lua_State *lua)
{
    if (lua_isnil(lua, -1) || lua_isboolean(lua, -1) || lua_isstring(lua, -1))
        return luaL_tolstring(lua, -1, NULL);
    return lua_pushstring(lua, luaL_typename(lua, -1));
}

/* The widget, the event, its handler and the handler's name are at the top. */
static void refuse_handler(lua_State *lua)
{
    const char *name = push_shown(lua);

    lua_pushfstring(lua, "%s: there is no handler %s", lua_tostring(lua, -4),
                    name);
    lua_pushvalue(lua, -6);
    refuse(lua, lua_tostring(lua, -2));
}

/*
 * The handler of an event is "name" or { "name", argument, ... }. The widget is
 * below the event's name, which is below the handler.
 */
static void check_handler(lua_State *lua, const struct lua_widgets *widgets)
{
    if (lua_istable(lua, -1))
        lua_rawgeti(lua, -1, 1);
    else if (lua_type(lua, -1) == LUA_TSTRING)
        lua_pushvalue(lua, -1);
    else
        lua_pushboolean(lua, false);
    lua_getfield(lua, widgets->toolkit, "handlers");
    lua_pushvalue(lua, -2);
    if (!lua_isnil(lua, -1) && lua_rawget(lua, -2) != LUA_TNIL) {
        lua_pop(lua, 3);
        return;
    }
    lua_pop(lua, 2);
    refuse_handler(lua);
}

/* A summary of the names in a widget's table. */
struct widget_names {
    uint64_t attributes; /* a bit for each number */
    bool handles_events;
    unsigned flags;       /* that its events give it */
    lua_Integer children; /* how many whole numbers there are */
    lua_Integer last;     /* the largest of them */
    bool sparse;          /* some are smaller than 1 */
};

static void refuse_name(lua_State *lua, const struct widget *widget,
                        const char *name)
{
    lua_pushfstring(lua, "a %s has no %s", widget->kind->name, name);
    lua_insert(lua, -4);
    lua_pop(lua, 2);
    refuse(lua, lua_tostring(lua, -2));
}

static int meaning_of(lua_State *lua, const struct lua_widgets *widgets)
{
    int meaning = NAME_UNKNOWN;

    lua_pushvalue(lua, -2);
    if (lua_rawget(lua, widgets->names) == LUA_TNUMBER)
        meaning = (int)lua_tointeger(lua, -1);
    lua_pop(lua, 1);
    return meaning;
}

static bool is_event(const char *name)
{
    return !strncmp(name, "on_", 3);
}

/* A name and its value are at the top, above the widget's table. */
static void read_name(lua_State *lua, const struct lua_widgets *widgets,
                      const struct widget *widget, struct widget_names *names)
{
    int meaning = meaning_of(lua, widgets);

    if (meaning >= 0 && meaning < NAME_ATTRIBUTES_MAX) {
        names->attributes |= UINT64_C(1) << (unsigned)meaning;
        return;
    }
    if (meaning == NAME_WINDOW)
        return;
    if (meaning == NAME_UNKNOWN && !is_event(lua_tostring(lua, -2)))
        refuse_name(lua, widget, lua_tostring(lua, -2));
    check_handler(lua, widgets);
    names->handles_events = true;
    if (meaning == NAME_CLICK || meaning == NAME_CHANGE)
        names->flags |= WIDGET_CLICKABLE | WIDGET_FOCUSABLE;
    if (meaning == NAME_LONG_CLICK)
        names->flags |= WIDGET_LONG_CLICKABLE;
}

static void read_place(lua_Integer place, struct widget_names *names)
{
    names->children++;
    if (place < 1)
        names->sparse = true;
    else if (place > names->last)
        names->last = place;
}

static void read_names(lua_State *lua, const struct lua_widgets *widgets,
                       const struct widget *widget, struct widget_names *names)
{
    *names = (struct widget_names){0};
    lua_pushnil(lua);
    while (lua_next(lua, -2)) {
        if (lua_type(lua, -2) == LUA_TSTRING)
            read_name(lua, widgets, widget, names);
        else if (lua_isinteger(lua, -2))
            read_place(lua_tointeger(lua, -2), names);
        lua_pop(lua, 1);
    }
}

/* ---- attributes ---- */

/* Replace the text at the top by the one that is shown. */
static void choose_text(lua_State *lua, const struct lua_widgets *widgets)
{
    if (lua_type(lua, -1) == LUA_TNUMBER)
        (void)lua_tostring(lua, -1);
    if (!lua_istable(lua, -1))
        return;
    if (lua_getfield(lua, -1, widgets->locale) == LUA_TNIL) {
        lua_pop(lua, 1);
        lua_getfield(lua, -1, "en");
    }
    lua_remove(lua, -2);
    if (!lua_istable(lua, -1))
        return;
    if (widgets->skinned) {
        lua_getfield(lua, widgets->toolkit, "synonym");
        lua_insert(lua, -2);
        lua_call(lua, 1, 1);
    } else {
        lua_rawgeti(lua, -1, 1);
        lua_remove(lua, -2);
    }
}

static void choose_id(lua_State *lua, const struct lua_widgets *widgets,
                      const struct widget *widget)
{
    if (!widgets->skinned)
        return;
    lua_getfield(lua, widgets->toolkit, "id");
    lua_insert(lua, -2);
    lua_pushstring(lua, widget->kind->name);
    lua_call(lua, 2, 1);
}

static struct widget_attribute_value value_of(lua_State *lua, int index)
{
    struct widget_attribute_value value = {.type = WIDGET_ATTRIBUTE_TEXT};

    switch (lua_type(lua, index)) {
    case LUA_TBOOLEAN:
        value.type = WIDGET_ATTRIBUTE_BOOL;
        value.yes = lua_toboolean(lua, index);
        break;
    case LUA_TNUMBER:
        value.type = WIDGET_ATTRIBUTE_NUMBER;
        value.number = lua_tonumber(lua, index);
        break;
    default:
        value.text = lua_tostring(lua, index);
    }
    return value;
}

/* Set it to the value at the top, which is above the widget's table. */
static void set_attribute(lua_State *lua, const struct lua_widgets *widgets,
                          struct widget *widget, size_t number)
{
    struct widget_attribute_value value;
    struct err err = ERR_INIT;

    if (widgets->texts >> number & 1U)
        choose_text(lua, widgets);
    else if (number == widgets->id)
        choose_id(lua, widgets, widget);
    value = value_of(lua, -1);
    if (value.type == WIDGET_ATTRIBUTE_TEXT && !value.text) {
        lua_pushfstring(lua, "%s is a %s", widget_attribute_name(number),
                        luaL_typename(lua, -1));
        lua_replace(lua, -2);
        lua_insert(lua, -2);
        refuse(lua, lua_tostring(lua, -2));
    }
    if (!widget_attribute_set_at(widget, number, &value, &err)) {
        lua_pop(lua, 1);
        refuse(lua, err.text);
    }
}

static bool is_text(lua_State *lua)
{
    bool found;

    if (!lua_istable(lua, -1))
        return lua_isstring(lua, -1);
    found = lua_getfield(lua, -1, "en") != LUA_TNIL;
    lua_pop(lua, 1);
    return found;
}

/* Push the value of an attribute, or of the text in place of it. */
static void push_value(lua_State *lua, const struct lua_widgets *widgets,
                       size_t number, bool has_text)
{
    if (has_text && number == widgets->text) {
        lua_rawgeti(lua, -1, 1);
        return;
    }
    lua_rawgeti(lua, widgets->names, (lua_Integer)number + 1);
    lua_rawget(lua, -2);
}

static void set_attributes(lua_State *lua, const struct lua_widgets *widgets,
                           struct widget *widget, uint64_t attributes,
                           bool has_text)
{
    if (has_text)
        attributes |= UINT64_C(1) << widgets->text;
    for (size_t number = 0; attributes; number++, attributes >>= 1U) {
        if (!(attributes & 1U))
            continue;
        push_value(lua, widgets, number, has_text);
        set_attribute(lua, widgets, widget, number);
        lua_pop(lua, 1);
    }
}

/* ---- a tree of widgets ---- */

/* A list of children. */
struct child_list {
    struct widget *parent;
    int table; /* index on the stack of the parent's table */
    int depth; /* lists that it is in */
};

static void add_child(lua_State *lua, struct lua_widgets *widgets,
                      const struct child_list *list);

static void refuse_child(lua_State *lua, const struct child_list *list,
                         const char *why)
{
    lua_pushvalue(lua, list->table);
    refuse(lua, why);
}

/* The elements of the list at the top, until one is missing. */
static void add_list(lua_State *lua, struct lua_widgets *widgets,
                     const struct child_list *list)
{
    const struct child_list inner = {list->parent, list->table,
                                     list->depth + 1};

    if (inner.depth > LUA_WIDGETS_DEPTH_MAX)
        refuse_child(lua, list, "lists within lists, too deep");
    lua_sandbox_charge(lua, STEPS_PER_LIST);
    luaL_checkstack(lua, 8, NULL);
    for (lua_Integer i = 1; lua_rawgeti(lua, -1, i) != LUA_TNIL; i++) {
        add_child(lua, widgets, &inner);
        lua_pop(lua, 1);
    }
    lua_pop(lua, 1);
}

/* A list stands for its elements, and false for nothing. */
static void add_child(lua_State *lua, struct lua_widgets *widgets,
                      const struct child_list *list)
{
    if (!lua_toboolean(lua, -1))
        return;
    if (!lua_istable(lua, -1))
        refuse_child(lua, list,
                     lua_pushfstring(lua, "expected a widget, found a %s",
                                     luaL_typename(lua, -1)));
    if (lua_widget_kind(lua))
        lua_widgets_add(lua, widgets, list->parent);
    else
        add_list(lua, widgets, list);
}

void lua_widgets_add(lua_State *lua, struct lua_widgets *widgets,
                     struct widget *parent)
{
    const struct widget_kind *kind = lua_widget_kind(lua);

    if (!kind)
        luaL_error(lua, "expected a widget, found a %s",
                   luaL_typename(lua, -1));
    if (parent->depth >= LUA_WIDGETS_DEPTH_MAX)
        refuse(lua, "widgets within widgets, too deep");
    if (parent->tree->count >= LUA_WIDGETS_MAX)
        refuse(lua, "there are too many widgets");
    lua_widgets_fill(lua, widgets, widget_new(parent, kind));
}

static int compare_places(const void *a, const void *b)
{
    lua_Integer first = *(const lua_Integer *)a;
    lua_Integer second = *(const lua_Integer *)b;

    return (first > second) - (first < second);
}

/* Push memory with the whole numbers among the keys, in order. */
static const lua_Integer *push_places(lua_State *lua, lua_Integer count)
{
    lua_Integer *places =
        lua_newuserdatauv(lua, (size_t)count * sizeof(*places), 0);
    lua_Integer filled = 0;

    lua_pushnil(lua);
    while (lua_next(lua, -3)) {
        lua_pop(lua, 1);
        if (lua_isinteger(lua, -1) && filled < count)
            places[filled++] = lua_tointeger(lua, -1);
    }
    qsort(places, (size_t)filled, sizeof(*places), compare_places);
    return places;
}

/* Children with other numbers than 1, 2, 3 and so on: some are missing. */
static void add_sparse_children(lua_State *lua, struct lua_widgets *widgets,
                                const struct child_list *list,
                                lua_Integer count, bool has_text)
{
    const lua_Integer *places = push_places(lua, count);

    for (lua_Integer i = 0; i < count; i++) {
        if (has_text && places[i] == 1)
            continue;
        lua_rawgeti(lua, -2, places[i]);
        add_child(lua, widgets, list);
        lua_pop(lua, 1);
    }
    lua_pop(lua, 1);
}

static void add_children(lua_State *lua, struct lua_widgets *widgets,
                         struct widget *widget,
                         const struct widget_names *names, bool has_text)
{
    const struct child_list list = {widget, lua_gettop(lua), 0};

    if (names->sparse || names->last != names->children) {
        add_sparse_children(lua, widgets, &list, names->children, has_text);
        return;
    }
    for (lua_Integer i = has_text ? 2 : 1; i <= names->last; i++) {
        lua_rawgeti(lua, -1, i);
        add_child(lua, widgets, &list);
        lua_pop(lua, 1);
    }
}

void lua_widgets_fill(lua_State *lua, struct lua_widgets *widgets,
                      struct widget *widget)
{
    struct widget_names names;
    bool has_text;

    luaL_checkstack(lua, 16, NULL);
    lua_sandbox_charge(lua, STEPS_PER_WIDGET);
    read_names(lua, widgets, widget, &names);
    lua_rawgeti(lua, -1, 1);
    has_text = is_text(lua);
    lua_pop(lua, 1);
    set_attributes(lua, widgets, widget, names.attributes, has_text);
    if (names.handles_events) {
        lua_pushvalue(lua, -1);
        lua_rawseti(lua, widgets->actions, ++widgets->action_count);
        widget->action = (int)widgets->action_count;
        widget->flags |= names.flags;
    }
    add_children(lua, widgets, widget, &names, has_text);
}
