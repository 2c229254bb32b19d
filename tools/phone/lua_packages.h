/*
 * What the app Settings may know of the other packages, and do to them:
 *
 *     packages()                        a list of tables, in order
 *     permit(package, name, granted)    a run-time permission
 *     force_stop(package)
 */
#ifndef PHONE_LUA_PACKAGES_H
#define PHONE_LUA_PACKAGES_H

#include <lua.h>

#include "tools/phone/handset.h"
#include "tools/phone/stage.h"

/* Add them to the table at the top of the stack. Both are borrowed. */
void lua_packages_add(lua_State *lua, struct handset *handset,
                      struct stage *stage);

#endif
