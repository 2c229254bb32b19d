#include "tools/phone/apps.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "tools/phone/catalog.h"
#include "tools/phone/launcher.h"
#include "tools/phone/lua_app.h"
#include "tools/phone/lua_files.h"
#include "tools/phone/overview.h"
#include "tools/phone/plain_app.h"

#define TARGET_SDK 34
#define KEYBOARD "com.android.inputmethod.latin"

/* A script is no longer than this. */
#define SCRIPT_MAX ((size_t)1 << 20)

static const struct stage_opener openers[] = {
    {LAUNCHER_PACKAGE, launcher_open, NULL},
};

/* Apps in Lua: apps/NAME.lua. */
static const struct script {
    const char *package;
    const char *name;
} scripts[] = {
    {"com.android.calculator2", "calculator"},
    {"com.android.deskclock", "clock"},
    {"com.android.settings", "settings"},
    {"org.proctor.eats", "eats"},
    {"org.proctor.shop", "shop"},
};

/* ---- what is installed ---- */

static void add_permissions(struct package *package,
                            const struct catalog_app *app)
{
    char name[96];

    for (size_t i = 0; i < CATALOG_PERMISSIONS && app->permissions[i]; i++) {
        snprintf(name, sizeof(name), "android.permission.%s",
                 app->permissions[i]);
        package_ask_permission(package, name);
    }
}

static void add_answers(struct package *package)
{
    for (size_t i = 0; i < catalog_answer_count; i++) {
        const struct catalog_answer *answer = &catalog_answers[i];

        if (!strcmp(answer->package, package->name))
            package_answer(package, answer->action, answer->scheme,
                           answer->activity);
    }
}

static struct package package_of(const struct catalog_app *app, int64_t now)
{
    struct package package = {
        .version_code = app->version_code,
        .target_sdk = TARGET_SDK,
        .uid = app->uid,
        .system = app->uid != 0,
        .docked = app->docked,
        .icon = app->icon,
        .installed = app->uid ? 0 : now,
        .updated = app->uid ? 0 : now,
    };

    snprintf(package.name, sizeof(package.name), "%s", app->package);
    for (size_t i = 0; i < ARRAY_LEN(package.labels); i++)
        snprintf(package.labels[i], sizeof(package.labels[i]), "%s",
                 app->names[i]);
    snprintf(package.version, sizeof(package.version), "%s", app->version);
    snprintf(package.apk, sizeof(package.apk), "%s", app->apk);
    if (app->activity)
        snprintf(package.activity, sizeof(package.activity), "%s",
                 component_of(app->package, app->activity).class);
    if (!strcmp(app->package, KEYBOARD))
        snprintf(package.ime, sizeof(package.ime), "%s",
                 component_of(app->package, ".LatinIME").class);
    add_permissions(&package, app);
    add_answers(&package);
    return package;
}

void apps_install(struct packages *packages, int64_t now)
{
    for (size_t i = 0; i < catalog_count; i++) {
        struct package package = package_of(&catalog[i], now);

        (void)!packages_put(packages, &package); /* ours all fit */
    }
}

/* ---- what they do ---- */

/* ---- opening ---- */

static const char *script_of(const char *package)
{
    for (size_t i = 0; i < ARRAY_LEN(scripts); i++) {
        if (!strcmp(scripts[i].package, package))
            return scripts[i].name;
    }
    return NULL;
}

/* The text of a script: the directory's, where it has one. */
static void read_script(const struct apps *apps, const char *name,
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

static struct app *open_app(const struct stage_opening *opening, void *context)
{
    const struct apps *apps = context;
    const char *name = script_of(opening->package->name);
    struct buf text = BUF_INIT(SCRIPT_MAX);
    struct app *app;

    if (!name)
        return plain_app_open(opening, NULL);
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
        .stage = opening->stage,
        .truth = apps->truth,
    });
    buf_release(&text);
    return app;
}

struct stage *apps_stage(struct apps *apps)
{
    struct handset *handset = apps->handset;
    const struct stage_options options = {
        .packages = &handset->packages,
        .processes = &handset->processes,
        .logs = &handset->logs,
        .clock = virtual_clock_view(&handset->clock),
        .openers = openers,
        .opener_count = ARRAY_LEN(openers),
        .open_other = open_app,
        .context = apps,
        .home = LAUNCHER_PACKAGE,
        .open_overview = overview_open,
    };

    return stage_open(&options);
}
