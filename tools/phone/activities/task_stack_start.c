/* Starting and closing tasks, and the log lines about it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/keycode.h"
#include "base/mem.h"
#include "tools/phone/activities/task_stack_private.h"

#define LOG_TEXT_MAX 512
#define UID_TEXT_SIZE 16
#define APP_UID_FIRST 10000U

/* The user name of an app in the activity manager: "u0a100". */
static const char *uid_text(uint32_t uid, char text[static UID_TEXT_SIZE])
{
    if (uid >= APP_UID_FIRST)
        snprintf(text, UID_TEXT_SIZE, "u0a%u", (unsigned)(uid - APP_UID_FIRST));
    else
        snprintf(text, UID_TEXT_SIZE, "%u", (unsigned)uid);
    return text;
}

/* ---- starting ---- */

static void log_start(struct task_stack *task_stack,
                      const struct phone_intent *intent, uint32_t uid)
{
    struct buf text = BUF_INIT(LOG_TEXT_MAX);

    buf_text(&text, "START u0 ");
    intent_print(intent, &text);
    buf_printf(&text, " from uid %u", (unsigned)uid);
    task_stack_log(task_stack, "ActivityTaskManager", buf_cstr(&text));
    buf_release(&text);
}

static void begin_process(struct task_stack *task_stack,
                          const struct phone_package *package,
                          struct task_info *facts)
{
    char component[COMPONENT_TEXT_SIZE];
    char uid[UID_TEXT_SIZE];
    struct buf text = BUF_INIT(LOG_TEXT_MAX);

    if (processes_begin(task_stack->options.processes, package->name,
                        package->uid, &facts->pid)) {
        buf_printf(&text, "Start proc %u:%s/%s for next-top-activity {%s}",
                   facts->pid, package->name, uid_text(package->uid, uid),
                   component_long(&facts->component, component));
        task_stack_log(task_stack, "ActivityManager", buf_cstr(&text));
    }
    buf_release(&text);
}

static void log_displayed(struct task_stack *task_stack,
                          const struct phone_component *component)
{
    char name[COMPONENT_TEXT_SIZE];
    struct buf text = BUF_INIT(LOG_TEXT_MAX);

    buf_printf(&text, "Displayed %s: +%dms", component_short(component, name),
               TASK_STACK_LAUNCH_MS);
    task_stack_log(task_stack, "ActivityTaskManager", buf_cstr(&text));
    buf_release(&text);
}

struct phone_app *task_stack_make_app(struct task_stack *task_stack,
                                      const struct phone_package *package,
                                      const struct phone_intent *intent)
{
    const struct task_stack_options *options = &task_stack->options;
    const struct task_stack_opening opening = {task_stack, package, intent};

    for (size_t i = 0; i < options->opener_count; i++) {
        const struct task_stack_opener *opener = &options->openers[i];

        if (!strcmp(opener->package, package->name))
            return opener->open(&opening, opener->context);
    }
    return options->open_other(&opening, options->context);
}

static enum task_stack_outcome open_task(struct task_stack *task_stack,
                                         const struct phone_package *package,
                                         const struct phone_intent *intent)
{
    struct phone_task task = {
        .facts = {.id = task_stack->next_id,
                  .component = intent->component,
                  .uid = package->uid,
                  .started = phone_now(&task_stack->options.clock),
                  .home = !strcmp(package->name, task_stack->options.home)},
    };

    if (task_stack->count == TASK_STACK_TASKS_MAX)
        return TASK_STACK_TOO_MANY;
    task_stack->next_id++;
    begin_process(task_stack, package, &task.facts);
    task.app = task_stack_make_app(task_stack, package, intent);
    task_stack->tasks[task_stack->count++] = task;
    task_stack_close_overview(task_stack);
    task_stack->changed = true;
    log_displayed(task_stack, &intent->component);
    return TASK_STACK_STARTED;
}

/* Deliver the intent to a running app, which may change its screen. */
static enum task_stack_outcome tell_task(struct task_stack *task_stack,
                                         struct phone_task *task,
                                         const struct phone_intent *intent)
{
    const struct phone_app_event event = {.kind = APP_INTENT, .intent = intent};
    bool was_front =
        task == task_stack_front_task(task_stack) && !task_stack->overview;
    struct phone_app *app = task->app;

    task->facts.component = intent->component;
    task_stack_raise(task_stack, task);
    if (app->ops->handle(app, &event))
        task_stack->changed = true;
    return was_front ? TASK_STACK_DELIVERED : TASK_STACK_TO_FRONT;
}

/* Queue a start, because a call is inside the app that requests it. */
static enum task_stack_outcome request_start(struct task_stack *task_stack,
                                             const struct phone_intent *intent,
                                             uint32_t uid)
{
    if (task_stack->request_count == TASK_STACK_REQUESTS_MAX) {
        task_stack_log(
            task_stack, "ActivityTaskManager",
            "Dropped a start: apps start each other again and again");
        return TASK_STACK_TOO_MANY;
    }
    task_stack->requests[task_stack->request_count++] =
        (struct task_stack_request){intent_copy(intent), uid};
    return TASK_STACK_STARTED;
}

static enum task_stack_outcome start(struct task_stack *task_stack,
                                     const struct phone_intent *intent,
                                     uint32_t uid)
{
    struct phone_package *package = mem_new(1, sizeof(*package));
    struct phone_task *task =
        task_stack_find_package(task_stack, intent->component.package);
    enum task_stack_outcome outcome = TASK_STACK_NO_CLASS;

    if (packages_find(task_stack->options.packages, intent->component.package,
                      package) &&
        !package->disabled &&
        package_has_activity(package, intent->component.class)) {
        if (task_stack->inside > 1) {
            outcome = request_start(task_stack, intent, uid);
        } else {
            log_start(task_stack, intent, uid);
            outcome = task ? tell_task(task_stack, task, intent)
                           : open_task(task_stack, package, intent);
        }
    }
    free(package);
    return outcome;
}

/*
 * A start may cause more starts: these are appended to the queue, and count
 * toward the same limit.
 */
void task_stack_run_requests(struct task_stack *task_stack)
{
    if (task_stack->inside != 1)
        return;
    for (size_t i = 0; i < task_stack->request_count; i++) {
        struct task_stack_request request = task_stack->requests[i];

        start(task_stack, request.intent, request.uid);
        intent_free(request.intent);
    }
    task_stack->request_count = 0;
}

enum task_stack_outcome task_stack_start(struct task_stack *task_stack,
                                         const struct phone_intent *intent,
                                         uint32_t uid,
                                         struct phone_component *component)
{
    struct phone_intent exact = *intent;
    enum task_stack_outcome outcome = TASK_STACK_NO_ANSWER;

    exact.flags |= INTENT_NEW_TASK;
    task_stack_enter(task_stack);
    if (exact.component.package[0] ||
        packages_resolve(task_stack->options.packages, intent,
                         &exact.component))
        outcome = start(task_stack, &exact, uid);
    task_stack_leave(task_stack);
    if (component && outcome <= TASK_STACK_DELIVERED)
        *component = exact.component;
    return outcome;
}

enum task_stack_outcome task_stack_launch(struct task_stack *task_stack,
                                          const char *package, uint32_t uid)
{
    const struct phone_intent intent = {
        .action = INTENT_MAIN,
        .package = package,
        .flags = INTENT_NEW_TASK | INTENT_RESET_TASK,
        .categories = {INTENT_LAUNCHER},
        .category_count = 1,
    };

    return task_stack_start(task_stack, &intent, uid, NULL);
}

bool task_stack_resume(struct task_stack *task_stack, int id)
{
    struct phone_task *task;

    task_stack_enter(task_stack);
    task = task_stack_find_task(task_stack, id);
    if (task)
        task_stack_raise(task_stack, task);
    task_stack_leave(task_stack);
    return task != NULL;
}

/* The launcher gets the key, too, and leaves its search. */
void task_stack_home(struct task_stack *task_stack)
{
    const struct phone_app_event event = {.kind = APP_KEY, .key = KEY_HOME};
    struct phone_app *app;

    task_stack_enter(task_stack);
    task_stack_raise(task_stack, task_stack_find_home(task_stack));
    app = task_stack_front_task(task_stack)->app;
    if (app->ops->handle(app, &event))
        task_stack->changed = true;
    task_stack_leave(task_stack);
}

void task_stack_overview(struct task_stack *task_stack)
{
    const struct task_stack_opening opening = {.task_stack = task_stack};

    task_stack_enter(task_stack);
    if (!task_stack->overview)
        task_stack->overview = task_stack->options.open_overview(
            &opening, task_stack->options.context);
    task_stack->changed = true;
    task_stack_leave(task_stack);
}

/* ---- closing ---- */

void task_stack_finish(struct task_stack *task_stack, struct phone_app *app)
{
    task_stack_enter(task_stack);
    for (size_t i = 0; i < task_stack->count; i++) {
        if (task_stack->tasks[i].app == app) {
            task_stack_drop(task_stack, &task_stack->tasks[i]);
            break;
        }
    }
    task_stack_leave(task_stack);
}

bool task_stack_dismiss(struct task_stack *task_stack, int id)
{
    struct phone_task *task;
    bool found;

    task_stack_enter(task_stack);
    task = task_stack_find_task(task_stack, id);
    found = task && !task->facts.home;
    if (found)
        task_stack_drop(task_stack, task);
    task_stack_leave(task_stack);
    return found;
}

static void end_process(struct task_stack *task_stack, const char *name,
                        int priority, const char *reason)
{
    struct phone_package *package = mem_new(1, sizeof(*package));
    struct buf text = BUF_INIT(LOG_TEXT_MAX);
    unsigned pid = processes_end(task_stack->options.processes, name);
    char uid[UID_TEXT_SIZE];

    if (pid && packages_find(task_stack->options.packages, name, package)) {
        buf_printf(&text, "Killing %u:%s/%s (adj %d): %s", pid, name,
                   uid_text(package->uid, uid), priority, reason);
        task_stack_log(task_stack, "ActivityManager", buf_cstr(&text));
    }
    buf_release(&text);
    free(package);
}

void task_stack_stop(struct task_stack *task_stack, const char *package,
                     const char *reason)
{
    struct buf text = BUF_INIT(LOG_TEXT_MAX);
    struct phone_task *task;

    task_stack_enter(task_stack);
    buf_printf(&text, "Force stopping %s user=0: %s", package, reason);
    task_stack_log(task_stack, "ActivityManager", buf_cstr(&text));
    task = task_stack_find_package(task_stack, package);
    if (!task || !task->facts.home)
        end_process(task_stack, package,
                    task == task_stack_front_task(task_stack) ? 0 : 900,
                    reason);
    if (task)
        task_stack_drop(task_stack, task);
    task_stack_leave(task_stack);
    buf_release(&text);
}

void task_stack_kill(struct task_stack *task_stack, const char *package)
{
    const struct phone_task *task;

    task_stack_enter(task_stack);
    task = task_stack_find_package(task_stack, package);
    if (!task ||
        (task != task_stack_front_task(task_stack) && !task->facts.home)) {
        end_process(task_stack, package, 900, "kill background");
        if (task)
            task_stack_drop(task_stack,
                            task_stack_find_package(task_stack, package));
    }
    task_stack_leave(task_stack);
}
