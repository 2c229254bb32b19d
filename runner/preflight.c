#include "runner/preflight.h"

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/shell.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "runner/app_facts.h"
#include "runner/app_start.h"
#include "runner/emulator.h"
#include "runner/facts.h"
#include "runner/find.h"
#include "runner/observe.h"
#include "runner/type_text.h"
#include "tasks/action_set.h"
#include "tasks/trajectory.h"

#define KEYBOARDS_MAX ((size_t)64 * 1024)
#define FIRST_CJK 0x2e80U

/* An app, of which the phone was asked once. */
struct app {
    char *package;
    struct app_facts facts;
};

struct inspection {
    const struct preflight_options *options;
    struct deadline by;
    struct facts phone;
    bool keyboard; /* the one that types any text */
    struct app *apps;
    size_t app_count;
    struct observer *observer; /* NULL until something is looked for */
    struct observation seen;
    const char *shown; /* the app on it; borrowed from a task; NULL: none */
    struct preflight found;
};

/* ---- what is missing ---- */

static struct preflight_lack *add_lack(struct inspection *inspection,
                                       const struct task *task)
{
    struct preflight *found = &inspection->found;

    found->lacks =
        mem_resize(found->lacks, found->count + 1, sizeof(*found->lacks));
    found->lacks[found->count] = (struct preflight_lack){.task = task};
    return &found->lacks[found->count++];
}

PRINTF_LIKE(3, 4)
static struct preflight_lack *lacks(struct inspection *inspection,
                                    const struct task *task, const char *fmt,
                                    ...)
{
    struct preflight_lack *lack = add_lack(inspection, task);
    va_list args;

    va_start(args, fmt);
    vsnprintf(lack->what, sizeof(lack->what), fmt, args);
    va_end(args);
    return lack;
}

PRINTF_LIKE(2, 3)
static void advise(struct preflight_lack *lack, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    vsnprintf(lack->advice, sizeof(lack->advice), fmt, args);
    va_end(args);
}

/* ---- apps ---- */

static bool know_app(struct inspection *inspection, const char *package,
                     const struct app_facts **facts, struct err *err)
{
    struct app *app;

    for (size_t i = 0; i < inspection->app_count; i++) {
        *facts = &inspection->apps[i].facts;
        if (!strcmp(inspection->apps[i].package, package))
            return true;
    }
    inspection->apps = mem_resize(inspection->apps, inspection->app_count + 1,
                                  sizeof(*inspection->apps));
    app = &inspection->apps[inspection->app_count];
    if (!app_facts_read(inspection->options->device, package, inspection->by,
                        &app->facts, err))
        return false;
    app->package = mem_dup(package);
    inspection->app_count++;
    *facts = &app->facts;
    return true;
}

static void check_permissions(struct inspection *inspection,
                              const struct task *task,
                              const struct app_facts *facts)
{
    const struct texts *wanted = &task->requires.permissions;
    const char *package = task->apps.items[0];

    for (size_t i = 0; i < wanted->count; i++) {
        const char *name = wanted->items[i];

        if (texts_have(&facts->granted, name))
            continue;
        if (texts_have(&facts->asks, name))
            advise(lacks(inspection, task, "%s has not the permission %s",
                         package, name),
                   "allow it in the phone's settings, or with: proctor shell "
                   "pm grant %s %s",
                   package, name);
        else
            advise(lacks(inspection, task, "%s does not know the permission %s",
                         package, name),
                   "use another version of the app, or mend the task");
    }
}

static bool check_apps(struct inspection *inspection, const struct task *task,
                       bool *complete, struct err *err)
{
    const struct app_facts *facts = NULL;

    *complete = true;
    for (size_t i = 0; i < task->apps.count; i++) {
        if (!know_app(inspection, task->apps.items[i], &facts, err))
            return false;
        if (facts->installed)
            continue;
        *complete = false;
        advise(
            lacks(inspection, task, "%s is not installed", task->apps.items[i]),
            "install it from a store, or with: proctor install APK");
    }
    if (!*complete)
        return true;
    if (!know_app(inspection, task->apps.items[0], &facts, err))
        return false;
    if (task->requires.version &&
        strverscmp(facts->version, task->requires.version) < 0)
        advise(lacks(inspection, task, "%s is version %s, older than %s",
                     task->apps.items[0],
                     facts->version[0] ? facts->version : "unknown",
                     task->requires.version),
               "update the app");
    check_permissions(inspection, task, facts);
    return true;
}

/* ---- languages and keyboards ---- */

/* "en" is in "en-US"; both ways of writing it are the same. */
static bool locale_fits(const char *wanted, const char *actual)
{
    for (; *wanted; wanted++, actual++) {
        char a = *wanted == '_' ? '-' : *wanted;
        char b = *actual == '_' ? '-' : *actual;

        if (tolower((unsigned char)a) != tolower((unsigned char)b))
            return false;
    }
    return !*actual || *actual == '-' || *actual == '_';
}

static void check_locale(struct inspection *inspection, const struct task *task)
{
    const char *wanted = task->requires.locale;

    if (wanted && !locale_fits(wanted, inspection->phone.locale))
        advise(lacks(inspection, task, "the phone's language is %s, not %s",
                     inspection->phone.locale[0] ? inspection->phone.locale
                                                 : "unknown",
                     wanted),
               "choose it in the phone's settings");
}

static bool has_cjk(const char *text)
{
    size_t left = strlen(text);

    while (left) {
        size_t bytes;

        if (utf8_decode(text, left, &bytes) >= FIRST_CJK)
            return true;
        text += bytes;
        left -= bytes;
    }
    return false;
}

/* Will whoever does it have to type what no key of a plain keyboard types? */
static bool types_any_text(const struct task *task, const char *locale)
{
    const char *asked = phrasing_in(&task->instruction, locale);
    const char *why;

    if (!(task->actions & ACTION_BIT(ACTION_TYPE)))
        return false;
    for (size_t i = 0; i < task->gold.count; i++) {
        const struct gold_step *step = &task->gold.steps[i];
        const char *text = step->action.text ? step->action.text
                                             : phrasing_in(&step->text, locale);

        if (step->action.kind == ACTION_TYPE && text &&
            !type_text_is_plain(text, &why))
            return true;
    }
    return has_cjk(asked);
}

static void check_keyboard(struct inspection *inspection,
                           const struct task *task)
{
    const char *locale = inspection->options->locale
                             ? inspection->options->locale
                             : inspection->phone.locale;

    if (!inspection->keyboard && types_any_text(task, locale))
        advise(lacks(inspection, task,
                     "texts beyond ASCII cannot be typed without ADBKeyboard"),
               "get ADBKeyboard.apk, and then: proctor install "
               "ADBKeyboard.apk; or name it: proctor run --keyboard APK");
}

static bool find_keyboard(struct inspection *inspection, struct err *err)
{
    struct shell_result result;

    if (!shell_run(inspection->options->device, "ime list -a -s", KEYBOARDS_MAX,
                   inspection->by, &result, err))
        return false;
    inspection->keyboard = strstr(buf_cstr(&result.out), ADB_KEYBOARD);
    shell_result_release(&result);
    return true;
}

/* ---- clean starts ---- */

/* Built-in phones have every snapshot, and emulators those with a name. */
static bool has_snapshot(const struct preflight_options *options,
                         const struct task *task)
{
    uint16_t ignored;

    return options->renewable ||
           (task->snapshot &&
            emulator_console(device_serial(options->device), &ignored));
}

static void check_recording(struct inspection *inspection,
                            const struct task *task)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct trajectory recorded;
    struct err why;

    if (inspection->options->folder)
        buf_printf(&path, "%s/", inspection->options->folder);
    buf_text(&path, task->snapshot);
    if (trajectory_load(buf_cstr(&path), &recorded, &why))
        trajectory_release(&recorded);
    else
        advise(lacks(inspection, task, "its recorded beginning: %s", why.text),
               "put the episode beside the suite, as \"reset\" names it");
    buf_release(&path);
}

static void check_reset(struct inspection *inspection, const struct task *task)
{
    if (task->reset == TASK_RESET_SNAPSHOT &&
        !has_snapshot(inspection->options, task))
        advise(lacks(inspection, task,
                     "it begins with a snapshot, which only built-in phones "
                     "and emulators have"),
               "run it with --device phone, or give it another \"reset\"");
    if (task->reset == TASK_RESET_RECORDED)
        check_recording(inspection, task);
}

/* ---- the first screen ---- */

static bool look(struct inspection *inspection, const char *package,
                 struct err *err)
{
    const struct observer_options options = {
        .cancel = inspection->options->cancel,
        .log = inspection->options->log,
    };

    if (inspection->shown && !strcmp(inspection->shown, package))
        return true;
    if (!inspection->observer &&
        !observer_open(inspection->options->device, &options, inspection->by,
                       &inspection->observer, err))
        return false;
    inspection->shown = NULL;
    if (!app_start(inspection->options->device, package, inspection->by, err) ||
        !observer_see(inspection->observer, inspection->by, &inspection->seen,
                      err))
        return false;
    inspection->shown = package;
    return true;
}

static bool check_login(struct inspection *inspection, const struct task *task,
                        struct err *err)
{
    const struct find_place place = {
        .seen = &inspection->seen,
        .folder = inspection->options->folder,
    };
    const char *package = task->apps.items[0];
    struct err reason = ERR_INIT;
    struct found found;

    if (!task->requires.logged_in)
        return true;
    if (!look(inspection, package, err)) {
        if (err->code != ERR_INVALID)
            return false;
        advise(lacks(inspection, task, "%s", err->text),
               "start it by hand, and see what it says");
        return true;
    }
    if (!find_target(&place, task->requires.logged_in, &found, &reason))
        advise(lacks(inspection, task, "nobody is logged in to %s: %.160s",
                     package, reason.text),
               "log in by hand, so that the app's first screen shows it");
    return true;
}

/* ---- all of it ---- */

static bool check_task(struct inspection *inspection, const struct task *task,
                       struct err *err)
{
    bool complete = false;

    if (!check_apps(inspection, task, &complete, err))
        return false;
    check_locale(inspection, task);
    check_keyboard(inspection, task);
    check_reset(inspection, task);
    return !complete || check_login(inspection, task, err);
}

static void release(struct inspection *inspection)
{
    for (size_t i = 0; i < inspection->app_count; i++) {
        free(inspection->apps[i].package);
        app_facts_release(&inspection->apps[i].facts);
    }
    free(inspection->apps);
    observation_release(&inspection->seen);
    observer_close(inspection->observer);
    preflight_release(&inspection->found);
}

bool preflight_check(const struct preflight_options *options,
                     const struct task *const *tasks, size_t count,
                     struct deadline by, struct preflight *preflight,
                     struct err *err)
{
    struct inspection inspection = {.options = options, .by = by};
    bool done;

    observation_init(&inspection.seen);
    done = facts_read(options->device, by, &inspection.phone, err) &&
           find_keyboard(&inspection, err);
    for (size_t i = 0; done && i < count; i++) {
        done = check_task(&inspection, tasks[i], err);
        if (!done)
            err_wrap(err, "task %.64s", tasks[i]->id);
    }
    if (done) {
        *preflight = inspection.found;
        inspection.found = (struct preflight){.lacks = NULL};
    }
    release(&inspection);
    return done;
}

void preflight_release(struct preflight *preflight)
{
    free(preflight->lacks);
    *preflight = (struct preflight){.lacks = NULL};
}
