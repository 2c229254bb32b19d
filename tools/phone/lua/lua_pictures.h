/*
 * Documents of the picture editor (tools/phone/pictures) as apps in Lua use
 * them: shown in widgets, and saved as PNG to the phone's storage.
 *
 * picture(document, width)        the name of its picture, as wide at most, for
 *                                 the attribute "picture" of a widget
 * save_picture(document, path)    true, or nil and why not
 * save_data(value, path)          the same for plain data, as JSON
 * spots(seed, count)              the dust on such a photo: x, y and radius
 *
 * An app may only write below /sdcard/Pictures, and below its own folder in
 * /sdcard/Android/data.
 */
#ifndef TOOLS_PHONE_LUA_LUA_PICTURES_H
#define TOOLS_PHONE_LUA_LUA_PICTURES_H

#include <lua.h>

#include "base/picture/picture.h"
#include "tools/phone/files/files.h"

struct lua_pictures;

/* For an app of that package. files is borrowed. Owned by the caller. */
struct lua_pictures *lua_pictures_new(struct phone_files *files,
                                      const char *package);
void lua_pictures_free(struct lua_pictures *pictures); /* NULL is fine */

/* spots(seed, count), which needs no pictures. */
int lua_pictures_spots(lua_State *lua);

/* Add the functions above to the table at the top of the stack. */
void lua_pictures_add(lua_State *lua, struct lua_pictures *pictures);

/* A screen is built: pictures of the one before the last are freed. */
void lua_pictures_begin(struct lua_pictures *pictures);

/* The picture of that name, NULL if there is none; valid for two builds. The
 * context is a struct lua_pictures. */
const struct picture *lua_pictures_find(void *context, const char *name);

#endif
