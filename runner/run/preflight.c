#include "runner/run/preflight.h"

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/services/shell.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "runner/device/app_info.h"
#include "runner/device/app_start.h"
#include "runner/device/device_info.h"
#include "runner/device/emulator.h"
#include "runner/device/settings_read.h"
#include "runner/device/type_text.h"
#include "runner/observe/observer.h"
#include "runner/observe/selector_find.h"
#include "tasks/task/action_set.h"
#include "tasks/trajectory/trajectory.h"

#define KEYBOARDS_MAX ((size_t)64 * 1024)
#define FIRST_CJK 0x2e80U

/* An app, read from the phone once. */
struct app {
    char *package;
    struct app_info facts;
};

struct inspection {
    const struct preflight_options *options;
    struct deadline by;
    struct device_info phone;
    bool keyboard; /* ADBKeyboard is installed */
    /* no keyboard is selected, and that is not reported yet */
    bool no_keyboard;
    struct app *apps;
    size_t app_count;
    struct observer *observer; /* NULL until an element is searched */
    struct observation seen;
    const char *shown; /* the app in front; borrowed from a task; NULL: none */
    struct preflight found;
};

/* ---- problems ---- */

static struct preflight_problem *add_problem(struct inspection *inspection,
                                             const struct task *task)
{
    struct preflight *found = &inspection->found;

    found->problems =
        mem_resize(found->problems, found->count + 1, sizeof(*found->problems));
    found->problems[found->count] = (struct preflight_problem){.task = task};
    return &found->problems[found->count++];
}

PRINTF_LIKE(3, 4)
static struct preflight_problem *report_problem(struct inspection *inspection,
                                                const struct task *task,
                                                const char *fmt, ...)
{
    struct preflight_problem *problem = add_problem(inspection, task);
    va_list args;

    va_start(args, fmt);
    vsnprintf(problem->what, sizeof(problem->what), fmt, args);
    va_end(args);
    return problem;
}

PRINTF_LIKE(2, 3)
static void advise(struct preflight_problem *problem, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    vsnprintf(problem->advice, sizeof(problem->advice), fmt, args);
    va_end(args);
}

/* ---- apps ---- */

static bool know_app(struct inspection *inspection, const char *package,
                     const struct app_info **facts, struct err *err)
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
    if (!app_info_read(inspection->options->device, package, inspection->by,
                       &app->facts, err))
        return false;
    app->package = mem_dup(package);
    inspection->app_count++;
    *facts = &app->facts;
    return true;
}

static void check_permissions(struct inspection *inspection,
                              const struct task *task,
                              const struct app_info *facts)
{
    const struct text_list *wanted = &task->requires.permissions;
    const char *package = task->apps.items[0];

    for (size_t i = 0; i < wanted->count; i++) {
        const char *name = wanted->items[i];

        if (text_list_have(&facts->granted, name))
            continue;
        if (text_list_have(&facts->asks, name))
            advise(report_problem(inspection, task,
                                  "%s does not have the permission %s", package,
                                  name),
                   "allow it in the phone's settings, or with: proctor shell "
                   "pm grant %s %s",
                   package, name);
        else
            advise(report_problem(inspection, task,
                                  "%s does not request the permission %s",
                                  package, name),
                   "use another version of the app, or fix the task");
    }
}

static bool check_apps(struct inspection *inspection, const struct task *task,
                       bool *complete, struct err *err)
{
    const struct app_info *facts = NULL;
    struct preflight_problem *problem;

    *complete = true;
    for (size_t i = 0; i < task->apps.count; i++) {
        if (!know_app(inspection, task->apps.items[i], &facts, err))
            return false;
        if (facts->installed)
            continue;
        *complete = false;
        problem = report_problem(inspection, task, "%s is not installed",
                                 task->apps.items[i]);
        problem->missing_app = task->apps.items[i];
        advise(problem,
               "install it from a store, or with: proctor install APK");
    }
    if (!*complete)
        return true;
    if (!know_app(inspection, task->apps.items[0], &facts, err))
        return false;
    if (task->requires.version &&
        strverscmp(facts->version, task->requires.version) < 0)
        advise(report_problem(inspection, task,
                              "%s is version %s, older than %s",
                              task->apps.items[0],
                              facts->version[0] ? facts->version : "unknown",
                              task->requires.version),
               "update the app");
    check_permissions(inspection, task, facts);
    return true;
}

/* ---- languages and keyboards ---- */

/* "en" matches "en-US"; '_' and '-' are equal. */
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
        advise(report_problem(
                   inspection, task, "the phone's language is %s, not %s",
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

/* Does the task need text that `input text` cannot type? */
static bool types_any_text(const struct task *task, const char *locale)
{
    const char *asked = bilingual_text_in(&task->instruction, locale);
    const char *why;

    if (!(task->actions & ACTION_BIT(ACTION_TYPE)))
        return false;
    for (size_t i = 0; i < task->gold.count; i++) {
        const struct task_gold_step *step = &task->gold.steps[i];
        const char *text = step->action.text
                               ? step->action.text
                               : bilingual_text_in(&step->text, locale);

        if (step->action.kind == ACTION_TYPE && text &&
            !type_text_is_plain(text, &why))
            return true;
    }
    return has_cjk(asked);
}

/* Reported once, for the first task that may type. */
static void check_selected_keyboard(struct inspection *inspection,
                                    const struct task *task)
{
    if (!inspection->no_keyboard || !(task->actions & ACTION_BIT(ACTION_TYPE)))
        return;
    inspection->no_keyboard = false;
    advise(report_problem(inspection, task,
                          "no keyboard is selected (default_input_method is "
                          "null): typed text may not arrive"),
           "choose one in the phone's settings, or with: proctor shell ime "
           "set ID, where proctor shell ime list -s shows the IDs");
}

static void check_keyboard(struct inspection *inspection,
                           const struct task *task)
{
    const char *locale = inspection->options->locale
                             ? inspection->options->locale
                             : inspection->phone.locale;

    if (!inspection->keyboard && types_any_text(task, locale))
        advise(report_problem(
                   inspection, task,
                   "texts beyond ASCII cannot be typed without ADBKeyboard"),
               "get ADBKeyboard.apk, and then: proctor install "
               "ADBKeyboard.apk; or name it: proctor run --keyboard APK");
}

static bool find_keyboard(struct inspection *inspection, struct err *err)
{
    static const char *const setting = "secure default_input_method";
    struct shell_result result;
    char *selected = NULL;
    bool known = false;

    if (!shell_run(inspection->options->device, "ime list -a -s", KEYBOARDS_MAX,
                   inspection->by, &result, err))
        return false;
    inspection->keyboard = strstr(buf_cstr(&result.out), ADB_KEYBOARD);
    shell_result_release(&result);
    if (!settings_read(inspection->options->device, &setting, 1, inspection->by,
                       &selected, &known, err))
        return false;
    inspection->no_keyboard = known && (!selected || !*selected);
    free(selected);
    return true;
}

/* ---- resets ---- */

/* Built-in phones have every snapshot, emulators named ones. */
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
        advise(report_problem(inspection, task,
                              "its recorded beginning cannot be used: %s",
                              why.text),
               "put the episode beside the suite, as \"reset\" names it");
    buf_release(&path);
}

static void check_reset(struct inspection *inspection, const struct task *task)
{
    if (task->reset == TASK_RESET_SNAPSHOT &&
        !has_snapshot(inspection->options, task))
        advise(report_problem(
                   inspection, task,
                   "it begins with a snapshot, which only built-in phones "
                   "and emulators have"),
               "run it with --device phone, or give it another \"reset\"");
    if (task->reset == TASK_RESET_RECORDED)
        check_recording(inspection, task);
}

/* ---- the first screen ---- */

static bool observe(struct inspection *inspection, const char *package,
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
        !observer_observe(inspection->observer, inspection->by,
                          &inspection->seen, err))
        return false;
    inspection->shown = package;
    return true;
}

static bool check_login(struct inspection *inspection, const struct task *task,
                        struct err *err)
{
    const struct selector_scope place = {
        .seen = &inspection->seen,
        .folder = inspection->options->folder,
    };
    const char *package = task->apps.items[0];
    struct err reason = ERR_INIT;
    struct selector_match found;

    if (!task->requires.logged_in)
        return true;
    if (!observe(inspection, package, err)) {
        if (err->code != ERR_INVALID)
            return false;
        advise(report_problem(inspection, task, "%s", err->text),
               "start the app by hand and see what it shows");
        return true;
    }
    if (!selector_find(&place, task->requires.logged_in, &found, &reason))
        advise(report_problem(inspection, task,
                              "no user is logged in to %s: %.160s", package,
                              reason.text),
               "log in by hand, so that the app's first screen shows it");
    return true;
}

/* ---- the check ---- */

static bool check_task(struct inspection *inspection, const struct task *task,
                       struct err *err)
{
    bool complete = false;

    if (!check_apps(inspection, task, &complete, err))
        return false;
    check_locale(inspection, task);
    check_keyboard(inspection, task);
    check_selected_keyboard(inspection, task);
    check_reset(inspection, task);
    return !complete || check_login(inspection, task, err);
}

static void release(struct inspection *inspection)
{
    for (size_t i = 0; i < inspection->app_count; i++) {
        free(inspection->apps[i].package);
        app_info_release(&inspection->apps[i].facts);
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
    done = device_info_read(options->device, by, &inspection.phone, err) &&
           find_keyboard(&inspection, err);
    for (size_t i = 0; done && i < count; i++) {
        done = check_task(&inspection, tasks[i], err);
        if (!done)
            err_wrap(err, "task %.64s", tasks[i]->id);
    }
    if (done) {
        *preflight = inspection.found;
        inspection.found = (struct preflight){.problems = NULL};
    }
    release(&inspection);
    return done;
}

void preflight_release(struct preflight *preflight)
{
    free(preflight->problems);
    *preflight = (struct preflight){.problems = NULL};
}
