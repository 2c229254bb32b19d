#include "tools/phone/lua/lua_json.h"

#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

#define NUMBER_MAX 40 /* length limit of a number */

/* ---- writing ---- */

/* The position of a value, for messages: "state.cart[2]". */
struct value_path {
    const struct value_path *outer; /* NULL: name is that of the whole value */
    const char *name;
    lua_Integer index; /* index in a list, if there is no name */
};

struct writer {
    lua_State *lua;
    struct buf *text;
};

static void put_place(luaL_Buffer *text, const struct value_path *place)
{
    char number[NUMBER_MAX];

    if (place->outer)
        put_place(text, place->outer);
    if (place->outer && place->name)
        luaL_addchar(text, '.');
    if (place->name) {
        luaL_addstring(text, place->name);
        return;
    }
    snprintf(number, sizeof(number), "[%lld]", (long long)place->index);
    luaL_addstring(text, number);
}

static void refuse(const struct writer *writer, const struct value_path *place,
                   const char *why)
{
    luaL_Buffer text;

    luaL_buffinit(writer->lua, &text);
    put_place(&text, place);
    luaL_addstring(&text, ": ");
    luaL_addstring(&text, why);
    luaL_pushresult(&text);
    lua_error(writer->lua);
}

static void write_text(const struct writer *writer,
                       const struct value_path *place, const char *text,
                       size_t length)
{
    buf_byte(writer->text, '"');
    for (size_t i = 0; i < length;) {
        size_t bytes = utf8_first(text + i, length - i);
        unsigned char c = (unsigned char)text[i];

        if (!bytes)
            refuse(writer, place, "the text is not UTF-8");
        if (c < ' ')
            buf_printf(writer->text, "\\u%04x", c);
        else if (c == '"' || c == '\\')
            buf_printf(writer->text, "\\%c", c);
        else
            buf_append(writer->text, text + i, bytes);
        i += bytes;
    }
    buf_byte(writer->text, '"');
}

/* A float is always written with '.' or an exponent. */
static void write_number(const struct writer *writer,
                         const struct value_path *place, int index)
{
    lua_Number number = lua_tonumber(writer->lua, index);
    char text[NUMBER_MAX];

    if (lua_isinteger(writer->lua, index)) {
        buf_printf(writer->text, "%lld",
                   (long long)lua_tointeger(writer->lua, index));
        return;
    }
    if (!isfinite(number))
        refuse(writer, place, "a number that is not finite is not plain data");
    snprintf(text, sizeof(text), "%.17g", number);
    buf_text(writer->text, text);
    if (!strpbrk(text, ".e"))
        buf_text(writer->text, ".0");
}

static void write_value(const struct writer *writer,
                        const struct value_path *place, int index, int depth);

static void write_list(const struct writer *writer,
                       const struct value_path *place, int index, int depth)
{
    lua_Integer length = (lua_Integer)lua_rawlen(writer->lua, index);

    buf_byte(writer->text, '[');
    for (lua_Integer i = 1; i <= length; i++) {
        const struct value_path inner = {.outer = place, .index = i};

        buf_text(writer->text, i > 1 ? "," : "");
        lua_rawgeti(writer->lua, index, i);
        write_value(writer, &inner, lua_gettop(writer->lua), depth + 1);
        lua_pop(writer->lua, 1);
    }
    buf_byte(writer->text, ']');
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The sorted keys of a table; borrowed from it, in an array owned by Lua. */
static const char **sorted_names(const struct writer *writer,
                                 const struct value_path *place, int index,
                                 size_t count)
{
    lua_State *lua = writer->lua;
    const char **names = lua_newuserdatauv(lua, count * sizeof(*names), 0);
    size_t at = 0;

    lua_pushnil(lua);
    while (lua_next(lua, index)) {
        size_t length;

        lua_pop(lua, 1);
        names[at] = lua_tolstring(lua, -1, &length);
        if (strlen(names[at]) != length)
            refuse(writer, place, "a name holds a zero");
        at++;
    }
    qsort(names, count, sizeof(*names), compare_names);
    return names;
}

static void write_names(const struct writer *writer,
                        const struct value_path *place, int index, size_t count,
                        int depth)
{
    const char **names = sorted_names(writer, place, index, count);

    buf_byte(writer->text, '{');
    for (size_t i = 0; i < count; i++) {
        const struct value_path inner = {.outer = place, .name = names[i]};

        buf_text(writer->text, i ? "," : "");
        write_text(writer, &inner, names[i], strlen(names[i]));
        buf_byte(writer->text, ':');
        lua_pushstring(writer->lua, names[i]);
        lua_rawget(writer->lua, index);
        write_value(writer, &inner, lua_gettop(writer->lua), depth + 1);
        lua_pop(writer->lua, 1);
    }
    lua_pop(writer->lua, 1);
    buf_byte(writer->text, '}');
}

/* A list has the keys 1 to n; otherwise all keys must be strings. */
static void write_table(const struct writer *writer,
                        const struct value_path *place, int index, int depth)
{
    lua_State *lua = writer->lua;
    size_t length = lua_rawlen(lua, index);
    size_t keys = 0, names = 0;

    if (depth > LUA_JSON_DEPTH_MAX)
        refuse(writer, place, "tables within tables, too deep");
    luaL_checkstack(lua, 8, NULL);
    lua_pushnil(lua);
    while (lua_next(lua, index)) {
        lua_pop(lua, 1);
        keys++;
        names += lua_type(lua, -1) == LUA_TSTRING;
    }
    if (names == keys && keys)
        write_names(writer, place, index, keys, depth);
    else if (!names && keys == length)
        write_list(writer, place, index, depth);
    else
        refuse(writer, place,
               "is neither a list without gaps nor a table "
               "with names");
}

static void write_value(const struct writer *writer,
                        const struct value_path *place, int index, int depth)
{
    lua_State *lua = writer->lua;
    int type = lua_type(lua, index);
    size_t length;
    const char *text;

    if (type == LUA_TTABLE) {
        write_table(writer, place, index, depth);
    } else if (type == LUA_TSTRING) {
        text = lua_tolstring(lua, index, &length);
        write_text(writer, place, text, length);
    } else if (type == LUA_TNUMBER) {
        write_number(writer, place, index);
    } else if (type == LUA_TBOOLEAN) {
        buf_text(writer->text, lua_toboolean(lua, index) ? "true" : "false");
    } else {
        lua_pushfstring(lua, "a %s is not plain data", lua_typename(lua, type));
        refuse(writer, place, lua_tostring(lua, -1));
    }
    if (writer->text->overflow)
        refuse(writer, place, "there is too much of it");
}

void lua_json_write(lua_State *lua, int index, const char *name,
                    struct buf *text)
{
    const struct writer writer = {lua, text};
    const struct value_path place = {.name = name};

    write_value(&writer, &place, lua_absindex(lua, index), 0);
}

/* ---- reading ---- */

struct lua_json_reader {
    lua_State *lua;
    const char *text;
    const char *at;
    const char *end;
};

static void wrong(const struct lua_json_reader *reader)
{
    luaL_error(reader->lua, "invalid JSON at byte %d",
               (int)(reader->at - reader->text));
}

static bool take(struct lua_json_reader *reader, char c)
{
    if (reader->at == reader->end || *reader->at != c)
        return false;
    reader->at++;
    return true;
}

static bool take_word(struct lua_json_reader *reader, const char *word)
{
    size_t length = strlen(word);

    if ((size_t)(reader->end - reader->at) < length ||
        memcmp(reader->at, word, length) != 0)
        return false;
    reader->at += length;
    return true;
}

/*
 * Only literal text and escapes of quotes, backslashes and control characters.
 */
static char read_escape(struct lua_json_reader *reader)
{
    char digits[5] = "";
    char *end;
    unsigned long code;

    if (take(reader, '"'))
        return '"';
    if (take(reader, '\\'))
        return '\\';
    if (!take(reader, 'u') || reader->end - reader->at < 4)
        wrong(reader);
    memcpy(digits, reader->at, 4);
    code = strtoul(digits, &end, 16);
    if (*end || strspn(digits, "0123456789abcdef") != 4 || code >= ' ')
        wrong(reader);
    reader->at += 4;
    return (char)code;
}

static void read_text(struct lua_json_reader *reader)
{
    luaL_Buffer text;

    luaL_buffinit(reader->lua, &text);
    while (!take(reader, '"')) {
        size_t bytes =
            utf8_first(reader->at, (size_t)(reader->end - reader->at));

        if (!bytes || (unsigned char)*reader->at < ' ')
            wrong(reader);
        if (take(reader, '\\')) {
            luaL_addchar(&text, read_escape(reader));
            continue;
        }
        luaL_addlstring(&text, reader->at, bytes);
        reader->at += bytes;
    }
    luaL_pushresult(&text);
}

static void read_number(struct lua_json_reader *reader)
{
    char text[NUMBER_MAX];
    size_t length = 0;
    size_t left = (size_t)(reader->end - reader->at);

    while (length < left && length < sizeof(text) - 1 &&
           strchr("+-.0123456789e", reader->at[length]) && reader->at[length]) {
        text[length] = reader->at[length];
        length++;
    }
    text[length] = '\0';
    if (!lua_stringtonumber(reader->lua, text) ||
        !isfinite(lua_tonumber(reader->lua, -1)))
        wrong(reader);
    reader->at += length;
}

static void read_value(struct lua_json_reader *reader, int depth);

static void read_list(struct lua_json_reader *reader, int depth)
{
    lua_newtable(reader->lua);
    if (take(reader, ']'))
        return;
    for (lua_Integer i = 1;; i++) {
        read_value(reader, depth + 1);
        lua_rawseti(reader->lua, -2, i);
        if (take(reader, ']'))
            return;
        if (!take(reader, ','))
            wrong(reader);
    }
}

static void read_names(struct lua_json_reader *reader, int depth)
{
    lua_newtable(reader->lua);
    do {
        if (!take(reader, '"'))
            wrong(reader);
        read_text(reader);
        if (!take(reader, ':'))
            wrong(reader);
        read_value(reader, depth + 1);
        lua_rawset(reader->lua, -3);
    } while (take(reader, ','));
    if (!take(reader, '}'))
        wrong(reader);
}

static void read_value(struct lua_json_reader *reader, int depth)
{
    if (depth > LUA_JSON_DEPTH_MAX)
        wrong(reader);
    luaL_checkstack(reader->lua, 8, NULL);
    if (take(reader, '{'))
        read_names(reader, depth);
    else if (take(reader, '['))
        read_list(reader, depth);
    else if (take(reader, '"'))
        read_text(reader);
    else if (take_word(reader, "true"))
        lua_pushboolean(reader->lua, true);
    else if (take_word(reader, "false"))
        lua_pushboolean(reader->lua, false);
    else
        read_number(reader);
}

void lua_json_read(lua_State *lua, const char *text, size_t length)
{
    struct lua_json_reader reader = {lua, text, text, text + length};

    read_value(&reader, 0);
    if (reader.at != reader.end)
        wrong(&reader);
}
