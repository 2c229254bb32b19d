#include "tools/phone/lua/lua_packages.h"

#include <lauxlib.h>

static struct handset *handset_of(lua_State *lua)
{
    return lua_touserdata(lua, lua_upvalueindex(1));
}

static struct task_stack *task_stack_of(lua_State *lua)
{
    return lua_touserdata(lua, lua_upvalueindex(2));
}

static void set_text(lua_State *lua, const char *name, const char *text)
{
    lua_pushstring(lua, text);
    lua_setfield(lua, -2, name);
}

static void set_flag(lua_State *lua, const char *name, bool flag)
{
    lua_pushboolean(lua, flag);
    lua_setfield(lua, -2, name);
}

/* The run-time permissions: a list of names and flags. */
static void push_permissions(lua_State *lua,
                             const struct phone_package *package)
{
    lua_Integer count = 0;

    lua_newtable(lua);
    for (size_t i = 0; i < package->permission_count; i++) {
        const struct package_permission *permission = &package->permissions[i];

        if (!permission->runtime)
            continue;
        lua_newtable(lua);
        set_text(lua, "name", permission->name);
        set_flag(lua, "granted", permission->granted);
        lua_rawseti(lua, -2, ++count);
    }
}

static void push_package(lua_State *lua, const struct phone_package *package)
{
    struct phone_processes *processes = &handset_of(lua)->processes;

    lua_newtable(lua);
    set_text(lua, "name", package->name);
    set_text(lua, "version", package->version);
    set_text(lua, "icon", icon_name(package_icon(package)));
    set_flag(lua, "system", package->system);
    set_flag(lua, "launches", package->activity[0] != '\0');
    set_flag(lua, "runs", processes_find(processes, package->name) != 0);
    lua_newtable(lua);
    set_text(lua, "en", package_label(package, LOCALE_EN));
    set_text(lua, "zh", package_label(package, LOCALE_ZH));
    lua_setfield(lua, -2, "label");
    push_permissions(lua, package);
    lua_setfield(lua, -2, "permissions");
}

static int list_packages(lua_State *lua)
{
    struct phone_package package;

    lua_newtable(lua);
    for (size_t i = 0; packages_at(&handset_of(lua)->packages, i, &package);
         i++) {
        push_package(lua, &package);
        lua_rawseti(lua, -2, (lua_Integer)i + 1);
    }
    return 1;
}

static int permit(lua_State *lua)
{
    struct phone_packages *packages = &handset_of(lua)->packages;
    const struct package_permission *permission = NULL;
    struct phone_package package;

    if (packages_find(packages, luaL_checkstring(lua, 1), &package))
        permission = package_permission(&package, luaL_checkstring(lua, 2));
    if (!permission || !permission->runtime)
        return luaL_argerror(lua, 2, "the package does not ask for it");

    package_grant(&package, permission, lua_toboolean(lua, 3));
    (void)!packages_put(packages, &package); /* it exists */
    return 0;
}

static int force_stop(lua_State *lua)
{
    task_stack_stop(task_stack_of(lua), luaL_checkstring(lua, 1),
                    "from settings");
    return 0;
}

void lua_packages_add(lua_State *lua, struct handset *handset,
                      struct task_stack *task_stack)
{
    static const luaL_Reg services[] = {
        {"packages", list_packages},
        {"permit", permit},
        {"force_stop", force_stop},
        {NULL, NULL},
    };

    lua_pushlightuserdata(lua, handset);
    lua_pushlightuserdata(lua, task_stack);
    luaL_setfuncs(lua, services, 2);
}
