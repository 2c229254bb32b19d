/* How tasks begin and end, and what the log says of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/phone/keycode.h"
#include "tools/phone/stage_private.h"

#define LOG_TEXT_MAX 512
#define UID_TEXT_SIZE 16
#define APP_UID_FIRST 10000U

/* How the activity manager writes an app's number: "u0a100". */
static const char *uid_text(uint32_t uid, char text[static UID_TEXT_SIZE])
{
    if (uid >= APP_UID_FIRST)
        snprintf(text, UID_TEXT_SIZE, "u0a%u", (unsigned)(uid - APP_UID_FIRST));
    else
        snprintf(text, UID_TEXT_SIZE, "%u", (unsigned)uid);
    return text;
}

/* ---- starting ---- */

static void log_start(struct stage *stage, const struct intent *intent,
                      uint32_t uid)
{
    struct buf text = BUF_INIT(LOG_TEXT_MAX);

    buf_text(&text, "START u0 ");
    intent_print(intent, &text);
    buf_printf(&text, " from uid %u", (unsigned)uid);
    stage_log(stage, "ActivityTaskManager", buf_cstr(&text));
    buf_release(&text);
}

static void begin_process(struct stage *stage, const struct package *package,
                          struct stage_task *facts)
{
    char component[COMPONENT_TEXT_SIZE];
    char uid[UID_TEXT_SIZE];
    struct buf text = BUF_INIT(LOG_TEXT_MAX);

    if (processes_begin(stage->options.processes, package->name, package->uid,
                        &facts->pid)) {
        buf_printf(&text, "Start proc %u:%s/%s for next-top-activity {%s}",
                   facts->pid, package->name, uid_text(package->uid, uid),
                   component_long(&facts->component, component));
        stage_log(stage, "ActivityManager", buf_cstr(&text));
    }
    buf_release(&text);
}

static void log_displayed(struct stage *stage,
                          const struct component *component)
{
    char name[COMPONENT_TEXT_SIZE];
    struct buf text = BUF_INIT(LOG_TEXT_MAX);

    buf_printf(&text, "Displayed %s: +%dms", component_short(component, name),
               STAGE_LAUNCH_MS);
    stage_log(stage, "ActivityTaskManager", buf_cstr(&text));
    buf_release(&text);
}

struct app *stage_make_app(struct stage *stage, const struct package *package,
                           const struct intent *intent)
{
    const struct stage_options *options = &stage->options;
    const struct stage_opening opening = {stage, package, intent};

    for (size_t i = 0; i < options->opener_count; i++) {
        const struct stage_opener *opener = &options->openers[i];

        if (!strcmp(opener->package, package->name))
            return opener->open(&opening, opener->context);
    }
    return options->open_other(&opening, options->context);
}

static enum stage_outcome open_task(struct stage *stage,
                                    const struct package *package,
                                    const struct intent *intent)
{
    struct task task = {
        .facts = {.id = stage->next_id,
                  .component = intent->component,
                  .uid = package->uid,
                  .started = phone_now(&stage->options.clock),
                  .home = !strcmp(package->name, stage->options.home)},
    };

    if (stage->count == STAGE_TASKS_MAX)
        return STAGE_TOO_MANY;
    stage->next_id++;
    begin_process(stage, package, &task.facts);
    task.app = stage_make_app(stage, package, intent);
    stage->tasks[stage->count++] = task;
    stage_close_overview(stage);
    stage->changed = true;
    log_displayed(stage, &intent->component);
    return STAGE_STARTED;
}

/* What runs is told; it may look different now. */
static enum stage_outcome tell_task(struct stage *stage, struct task *task,
                                    const struct intent *intent)
{
    const struct app_event event = {.kind = APP_INTENT, .intent = intent};
    bool was_front = task == stage_front_task(stage) && !stage->overview;
    struct app *app = task->app;

    task->facts.component = intent->component;
    stage_raise(stage, task);
    if (app->ops->handle(app, &event))
        stage->changed = true;
    return was_front ? STAGE_DELIVERED : STAGE_TO_FRONT;
}

static enum stage_outcome start(struct stage *stage,
                                const struct intent *intent, uint32_t uid)
{
    struct package *package = mem_new(1, sizeof(*package));
    struct task *task = stage_find_package(stage, intent->component.package);
    enum stage_outcome outcome = STAGE_NO_CLASS;

    if (packages_find(stage->options.packages, intent->component.package,
                      package) &&
        !package->disabled &&
        package_has_activity(package, intent->component.class)) {
        log_start(stage, intent, uid);
        outcome = task ? tell_task(stage, task, intent)
                       : open_task(stage, package, intent);
    }
    free(package);
    return outcome;
}

enum stage_outcome stage_start(struct stage *stage, const struct intent *intent,
                               uint32_t uid, struct component *component)
{
    struct intent exact = *intent;
    enum stage_outcome outcome = STAGE_NO_ANSWER;

    exact.flags |= INTENT_NEW_TASK;
    stage_enter(stage);
    if (exact.component.package[0] ||
        packages_resolve(stage->options.packages, intent, &exact.component))
        outcome = start(stage, &exact, uid);
    stage_leave(stage);
    if (component && outcome <= STAGE_DELIVERED)
        *component = exact.component;
    return outcome;
}

enum stage_outcome stage_launch(struct stage *stage, const char *package,
                                uint32_t uid)
{
    const struct intent intent = {
        .action = INTENT_MAIN,
        .package = package,
        .flags = INTENT_NEW_TASK | INTENT_RESET_TASK,
        .categories = {INTENT_LAUNCHER},
        .category_count = 1,
    };

    return stage_start(stage, &intent, uid, NULL);
}

bool stage_resume(struct stage *stage, int id)
{
    struct task *task;

    stage_enter(stage);
    task = stage_find_task(stage, id);
    if (task)
        stage_raise(stage, task);
    stage_leave(stage);
    return task != NULL;
}

/* The launcher is told too: it leaves whatever it shows. */
void stage_home(struct stage *stage)
{
    const struct app_event event = {.kind = APP_KEY, .key = KEY_HOME};
    struct app *app;

    stage_enter(stage);
    stage_raise(stage, stage_find_home(stage));
    app = stage_front_task(stage)->app;
    if (app->ops->handle(app, &event))
        stage->changed = true;
    stage_leave(stage);
}

void stage_overview(struct stage *stage)
{
    const struct stage_opening opening = {.stage = stage};

    stage_enter(stage);
    if (!stage->overview)
        stage->overview =
            stage->options.open_overview(&opening, stage->options.context);
    stage->changed = true;
    stage_leave(stage);
}

/* ---- ending ---- */

void stage_finish(struct stage *stage, struct app *app)
{
    stage_enter(stage);
    for (size_t i = 0; i < stage->count; i++) {
        if (stage->tasks[i].app == app) {
            stage_drop(stage, &stage->tasks[i]);
            break;
        }
    }
    stage_leave(stage);
}

bool stage_dismiss(struct stage *stage, int id)
{
    struct task *task;
    bool found;

    stage_enter(stage);
    task = stage_find_task(stage, id);
    found = task && !task->facts.home;
    if (found)
        stage_drop(stage, task);
    stage_leave(stage);
    return found;
}

static void end_process(struct stage *stage, const char *name, int priority,
                        const char *reason)
{
    struct package *package = mem_new(1, sizeof(*package));
    struct buf text = BUF_INIT(LOG_TEXT_MAX);
    unsigned pid = processes_end(stage->options.processes, name);
    char uid[UID_TEXT_SIZE];

    if (pid && packages_find(stage->options.packages, name, package)) {
        buf_printf(&text, "Killing %u:%s/%s (adj %d): %s", pid, name,
                   uid_text(package->uid, uid), priority, reason);
        stage_log(stage, "ActivityManager", buf_cstr(&text));
    }
    buf_release(&text);
    free(package);
}

void stage_stop(struct stage *stage, const char *package, const char *reason)
{
    struct buf text = BUF_INIT(LOG_TEXT_MAX);
    struct task *task;

    stage_enter(stage);
    buf_printf(&text, "Force stopping %s user=0: %s", package, reason);
    stage_log(stage, "ActivityManager", buf_cstr(&text));
    task = stage_find_package(stage, package);
    if (!task || !task->facts.home)
        end_process(stage, package, task == stage_front_task(stage) ? 0 : 900,
                    reason);
    if (task)
        stage_drop(stage, task);
    stage_leave(stage);
    buf_release(&text);
}

void stage_kill(struct stage *stage, const char *package)
{
    const struct task *task;

    stage_enter(stage);
    task = stage_find_package(stage, package);
    if (!task || (task != stage_front_task(stage) && !task->facts.home)) {
        end_process(stage, package, 900, "kill background");
        if (task)
            stage_drop(stage, stage_find_package(stage, package));
    }
    stage_leave(stage);
}
