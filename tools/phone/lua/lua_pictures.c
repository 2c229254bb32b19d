#include "tools/phone/lua/lua_pictures.h"

#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/picture/picture_scale.h"
#include "base/picture/png.h"
#include "tools/phone/lua/lua_json.h"
#include "tools/phone/lua/lua_sandbox.h"
#include "tools/phone/pictures/picture_render.h"

#define SHOWN_MAX 48
#define JSON_MAX ((size_t)64 * 1024)
#define PNG_MAX ((size_t)4 << 20)
#define NAME_SIZE 32

/* The steps that a drawn layer costs its app. */
#define STEPS_PER_PICTURE 20000

struct shown_picture {
    char name[NAME_SIZE]; /* "": free */
    struct picture picture;
    unsigned build; /* the last that used it */
};

struct lua_pictures {
    struct phone_files *files;
    char *package; /* owned */
    struct shown_picture shown[SHOWN_MAX];
    unsigned build;

    /* Not on the stack, since errors of Lua leave functions early. */
    struct buf json;
    struct buf png;
};

struct lua_pictures *lua_pictures_new(struct phone_files *files,
                                      const char *package)
{
    struct lua_pictures *pictures = mem_new(1, sizeof(*pictures));

    pictures->files = files;
    pictures->package = mem_dup(package);
    pictures->json = (struct buf)BUF_INIT(JSON_MAX);
    pictures->png = (struct buf)BUF_INIT(PNG_MAX);
    return pictures;
}

static void forget(struct shown_picture *shown)
{
    picture_release(&shown->picture);
    shown->name[0] = '\0';
}

void lua_pictures_free(struct lua_pictures *pictures)
{
    if (!pictures)
        return;
    for (size_t i = 0; i < SHOWN_MAX; i++)
        forget(&pictures->shown[i]);
    buf_release(&pictures->json);
    buf_release(&pictures->png);
    free(pictures->package);
    free(pictures);
}

/* The screen before is still drawn while the next one is built. */
void lua_pictures_begin(struct lua_pictures *pictures)
{
    for (size_t i = 0; i < SHOWN_MAX; i++) {
        if (pictures->shown[i].build < pictures->build)
            forget(&pictures->shown[i]);
    }
    pictures->build++;
}

const struct picture *lua_pictures_find(void *context, const char *name)
{
    struct lua_pictures *pictures = context;

    for (size_t i = 0; i < SHOWN_MAX; i++) {
        if (*name && !strcmp(pictures->shown[i].name, name))
            return &pictures->shown[i].picture;
    }
    return NULL;
}

/* ---- drawing ---- */

static struct lua_pictures *pictures_of(lua_State *lua)
{
    return lua_touserdata(lua, lua_upvalueindex(1));
}

static void read_document(lua_State *lua, struct lua_pictures *pictures)
{
    lua_sandbox_charge(lua, STEPS_PER_PICTURE);
    buf_clear(&pictures->json);
    lua_json_write(lua, 1, "document", &pictures->json);
}

/* Draw the document that was read, at most as wide; 0: as it is. */
static bool draw(const struct lua_pictures *pictures, uint32_t width,
                 struct picture *picture, struct err *err)
{
    struct picture_document document;
    struct picture whole = PICTURE_INIT;
    bool done;

    if (!picture_document_parse(buf_cstr(&pictures->json),
                                pictures->json.length, &document, err))
        return false;
    done = picture_render(&document, &whole, err);
    if (done && width && width < whole.width)
        done = picture_shrink(&whole, width, whole.height, picture, err);
    else if (done) {
        *picture = whole;
        whole = (struct picture)PICTURE_INIT;
    }
    picture_release(&whole);
    picture_document_release(&document);
    return done;
}

static void name_of(const struct buf *json, unsigned width,
                    char name[NAME_SIZE])
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < json->length; i++)
        hash = (hash ^ (unsigned char)json->data[i]) * UINT64_C(0x100000001b3);
    snprintf(name, NAME_SIZE, "%016llx-%u", (unsigned long long)hash, width);
}

static struct shown_picture *room_for(struct lua_pictures *pictures,
                                      const char *name)
{
    struct shown_picture *room = NULL;

    for (size_t i = 0; i < SHOWN_MAX; i++) {
        struct shown_picture *shown = &pictures->shown[i];

        if (!strcmp(shown->name, name))
            return shown;
        if (!room && !shown->name[0])
            room = shown;
    }
    return room;
}

/* picture(document, width) */
static int show_picture(lua_State *lua)
{
    struct lua_pictures *pictures = pictures_of(lua);
    lua_Integer width = luaL_optinteger(lua, 2, 0);
    struct shown_picture *shown;
    struct err err = ERR_INIT;
    char name[NAME_SIZE];

    luaL_argcheck(lua, width >= 0 && width <= DOCUMENT_SIDE_MAX, 2,
                  "no such width");
    read_document(lua, pictures);
    name_of(&pictures->json, (unsigned)width, name);
    shown = room_for(pictures, name);
    if (!shown)
        return luaL_error(lua, "a screen has more than %d pictures", SHOWN_MAX);
    if (!shown->name[0]) {
        if (!draw(pictures, (uint32_t)width, &shown->picture, &err))
            return luaL_error(lua, "%s", err.text);
        snprintf(shown->name, sizeof(shown->name), "%s", name);
    }
    shown->build = pictures->build;
    lua_pushstring(lua, name);
    return 1;
}

/* ---- saving ---- */

static bool is_below(const char *path, const char *folder)
{
    size_t length = strlen(folder);

    return !strncmp(path, folder, length) && path[length] == '/';
}

static bool may_write(const struct lua_pictures *pictures, const char *path)
{
    char own[300];

    snprintf(own, sizeof(own), "/sdcard/Android/data/%s", pictures->package);
    return strlen(path) < FILES_PATH_MAX && !strstr(path, "/..") &&
           (is_below(path, "/sdcard/Pictures") || is_below(path, own));
}

static bool write_file(struct lua_pictures *pictures, const char *path,
                       const struct buf *content, int *number)
{
    struct shared_bytes_writer writer = files_writer(pictures->files);
    struct shared_bytes *bytes;
    char folder[FILES_PATH_MAX];
    bool done;

    snprintf(folder, sizeof(folder), "%.*s", (int)(strrchr(path, '/') - path),
             path);
    *number = 28; /* ENOSPC */
    if (!shared_bytes_append(&writer, content->data, content->length)) {
        shared_bytes_writer_release(&writer);
        return false;
    }
    bytes = shared_bytes_finish(&writer);
    done = files_make_directory(pictures->files, folder, 0771, true, number) &&
           files_install(pictures->files, path, bytes, 0660, number);
    shared_bytes_drop(bytes);
    return done;
}

/* Write what is in content, and push whether that was done. */
static int save(lua_State *lua, struct lua_pictures *pictures,
                const struct buf *content)
{
    const char *path = luaL_checkstring(lua, 2);
    int number = 0;

    if (!may_write(pictures, path))
        return luaL_error(lua, "an app may not write %s", path);
    if (write_file(pictures, path, content, &number)) {
        lua_pushboolean(lua, true);
        return 1;
    }
    lua_pushnil(lua);
    lua_pushstring(lua, files_reason(number));
    return 2;
}

/* save_picture(document, path) */
static int save_picture(lua_State *lua)
{
    struct lua_pictures *pictures = pictures_of(lua);
    struct picture picture = PICTURE_INIT;
    struct err err = ERR_INIT;
    bool done;

    luaL_checkstring(lua, 2);
    read_document(lua, pictures);
    buf_clear(&pictures->png);
    done = draw(pictures, 0, &picture, &err) &&
           png_encode(&picture, PNG_COMPACT, &pictures->png, &err);
    picture_release(&picture);
    if (!done)
        return luaL_error(lua, "%s", err.text);
    return save(lua, pictures, &pictures->png);
}

/* save_data(value, path) */
static int save_data(lua_State *lua)
{
    struct lua_pictures *pictures = pictures_of(lua);

    luaL_checkstring(lua, 2);
    buf_clear(&pictures->json);
    lua_json_write(lua, 1, "data", &pictures->json);
    return save(lua, pictures, &pictures->json);
}

int lua_pictures_spots(lua_State *lua)
{
    lua_Integer seed = luaL_checkinteger(lua, 1);
    lua_Integer count = luaL_checkinteger(lua, 2);
    struct scene_spot spots[SCENE_SPOTS_MAX];

    luaL_argcheck(lua, count >= 0 && count <= SCENE_SPOTS_MAX, 2,
                  "no such number of spots");
    scene_spots((uint32_t)seed, (size_t)count, spots);
    lua_createtable(lua, (int)count, 0);
    for (lua_Integer i = 0; i < count; i++) {
        lua_createtable(lua, 0, 3);
        lua_pushinteger(lua, spots[i].x);
        lua_setfield(lua, -2, "x");
        lua_pushinteger(lua, spots[i].y);
        lua_setfield(lua, -2, "y");
        lua_pushinteger(lua, spots[i].radius);
        lua_setfield(lua, -2, "radius");
        lua_rawseti(lua, -2, i + 1);
    }
    return 1;
}

void lua_pictures_add(lua_State *lua, struct lua_pictures *pictures)
{
    static const luaL_Reg functions[] = {
        {"picture", show_picture},
        {"save_picture", save_picture},
        {"save_data", save_data},
        {"spots", lua_pictures_spots},
        {NULL, NULL},
    };

    lua_pushlightuserdata(lua, pictures);
    luaL_setfuncs(lua, functions, 1);
}
