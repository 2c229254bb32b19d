/*
 * Functions for the app Settings to read and change other packages:
 *
 *     packages()                        a list of tables, in order
 *     permit(package, name, granted)    a run-time permission
 *     force_stop(package)
 */
#ifndef TOOLS_PHONE_LUA_LUA_PACKAGES_H
#define TOOLS_PHONE_LUA_LUA_PACKAGES_H

#include <lua.h>

#include "tools/phone/activities/task_stack.h"
#include "tools/phone/system/handset.h"

/* Add them to the table at the top of the stack. Both are borrowed. */
void lua_packages_add(lua_State *lua, struct handset *handset,
                      struct task_stack *task_stack);

#endif
