#include "tools/phone/apps/app_registry.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "tools/phone/apps/launcher.h"
#include "tools/phone/apps/placeholder_app.h"
#include "tools/phone/apps/recent_apps.h"
#include "tools/phone/lua/lua_app.h"
#include "tools/phone/lua/lua_files.h"

/* Length limit of a script. */
#define SCRIPT_MAX ((size_t)1 << 20)

static const struct task_stack_opener openers[] = {
    {LAUNCHER_PACKAGE, launcher_open, NULL},
};

/* Apps in Lua: apps/NAME.lua. */
static const struct lua_app_file {
    const char *package;
    const char *name;
} scripts[] = {
    {"com.android.calculator2", "calculator"},
    {"com.android.deskclock", "clock"},
    {"com.android.dialer", "dialer"},
    {"com.android.settings", "settings"},
    {"org.proctor.browser", "web"},
    {"org.proctor.chat", "chat"},
    {"org.proctor.darkroom", "darkroom"},
    {"org.proctor.dictionary", "dictionary"},
    {"org.proctor.eats", "eats"},
    {"org.proctor.mail", "mail"},
    {"org.proctor.maps", "maps"},
    {"org.proctor.music", "music"},
    {"org.proctor.news", "news"},
    {"org.proctor.notes", "notes"},
    {"org.proctor.pay", "pay"},
    {"org.proctor.shop", "shop"},
    {"org.proctor.sports", "sports"},
    {"org.proctor.stays", "stays"},
    {"org.proctor.store", "store"},
    {"org.proctor.video", "video"},
};

/* ---- opening ---- */

static const char *script_of(const char *package)
{
    for (size_t i = 0; i < ARRAY_LEN(scripts); i++) {
        if (!strcmp(scripts[i].package, package))
            return scripts[i].name;
    }
    return NULL;
}

/* The text of a script: from the directory, if it has one. */
static void read_script(const struct app_registry *apps, const char *name,
                        struct buf *text)
{
    const struct embedded_file *file;
    struct err err = ERR_INIT;
    char path[4096];

    snprintf(path, sizeof(path), "%s/%s.lua", apps->directory, name);
    if (apps->directory && file_load(path, text, &err))
        return;
    snprintf(path, sizeof(path), "apps/%s.lua", name);
    file = embedded_find(&lua_files, path);
    if (file)
        buf_append(text, file->text, file->length);
}

static struct phone_app *open_app(const struct task_stack_opening *opening,
                                  void *context)
{
    const struct app_registry *apps = context;
    const char *name = script_of(opening->package->name);
    struct buf text = BUF_INIT(SCRIPT_MAX);
    struct phone_app *app;

    if (!name)
        return placeholder_app_open(opening, NULL);
    read_script(apps, name, &text);
    app = lua_app_open(&(struct lua_app_options){
        .name = name,
        .text = buf_cstr(&text),
        .length = text.length,
        .package = opening->package,
        .intent = opening->intent,
        .seed = apps->seed,
        .skin = apps->skin,
        .handset = apps->handset,
        .task_stack = opening->task_stack,
        .truth = apps->truth,
    });
    buf_release(&text);
    return app;
}

struct task_stack *app_registry_task_stack(struct app_registry *apps)
{
    struct handset *handset = apps->handset;
    const struct task_stack_options options = {
        .packages = &handset->packages,
        .settings = &handset->settings,
        .processes = &handset->processes,
        .logs = &handset->logs,
        .clock = virtual_clock_view(&handset->clock),
        .openers = openers,
        .opener_count = ARRAY_LEN(openers),
        .open_other = open_app,
        .context = apps,
        .home = LAUNCHER_PACKAGE,
        .open_overview = recent_apps_open,
    };

    return task_stack_open(&options);
}
