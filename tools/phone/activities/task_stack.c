#include "tools/phone/activities/task_stack.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/phone/activities/task_stack_private.h"

/* An app to be closed when no call is inside it. */
struct leaving {
    struct leaving *next;
    struct phone_app *app; /* owned */
};

/* ---- locking ---- */

void task_stack_enter(struct task_stack *task_stack)
{
    pthread_mutex_lock(&task_stack->lock);
    task_stack->inside++;
}

void task_stack_leave(struct task_stack *task_stack)
{
    task_stack_run_requests(task_stack);
    while (task_stack->inside == 1 && task_stack->leaving) {
        struct leaving *first = task_stack->leaving;

        task_stack->leaving = first->next;
        first->app->ops->close(first->app);
        free(first);
    }
    task_stack->inside--;
    pthread_mutex_unlock(&task_stack->lock);
}

void task_stack_let_go(struct task_stack *task_stack, struct phone_app *app)
{
    struct leaving *node = mem_new(1, sizeof(*node));

    *node = (struct leaving){task_stack->leaving, app};
    task_stack->leaving = node;
}

void task_stack_log(struct task_stack *task_stack, const char *tag,
                    const char *text)
{
    logs_write(task_stack->options.logs, phone_now(&task_stack->options.clock),
               PROCESS_SERVER, 'I', tag, "%s", text);
}

/* ---- tasks ---- */

struct phone_task *task_stack_front_task(struct task_stack *task_stack)
{
    return &task_stack->tasks[task_stack->count - 1];
}

struct phone_task *task_stack_find_task(struct task_stack *task_stack, int id)
{
    for (size_t i = 0; i < task_stack->count; i++) {
        if (task_stack->tasks[i].facts.id == id)
            return &task_stack->tasks[i];
    }
    return NULL;
}

struct phone_task *task_stack_find_package(struct task_stack *task_stack,
                                           const char *package)
{
    for (size_t i = 0; i < task_stack->count; i++) {
        if (!strcmp(task_stack->tasks[i].facts.component.package, package))
            return &task_stack->tasks[i];
    }
    return NULL;
}

struct phone_task *task_stack_find_home(struct task_stack *task_stack)
{
    return task_stack_find_package(task_stack, task_stack->options.home);
}

void task_stack_close_overview(struct task_stack *task_stack)
{
    if (!task_stack->overview)
        return;
    task_stack_let_go(task_stack, task_stack->overview);
    task_stack->overview = NULL;
    task_stack->changed = true;
}

void task_stack_move_task(struct task_stack *task_stack,
                          struct phone_task *task, size_t to)
{
    size_t from = (size_t)(task - task_stack->tasks);
    struct phone_task moved = *task;

    if (from < to)
        memmove(task, task + 1, (to - from) * sizeof(*task));
    else
        memmove(task_stack->tasks + to + 1, task_stack->tasks + to,
                (from - to) * sizeof(*task));
    task_stack->tasks[to] = moved;
    task_stack->changed = true;
}

void task_stack_raise(struct task_stack *task_stack, struct phone_task *task)
{
    task_stack_close_overview(task_stack);
    if (task != task_stack_front_task(task_stack))
        task_stack_move_task(task_stack, task, task_stack->count - 1);
}

void task_stack_drop(struct task_stack *task_stack, struct phone_task *task)
{
    if (task->facts.home)
        return;
    task_stack_let_go(task_stack, task->app);
    task_stack_move_task(task_stack, task, task_stack->count - 1);
    task_stack->count--;
}

/* ---- queries ---- */

size_t task_stack_tasks(struct task_stack *task_stack, struct task_info *tasks,
                        size_t count)
{
    size_t filled = 0;

    task_stack_enter(task_stack);
    for (size_t i = task_stack->count; i > 0 && filled < count; i--)
        tasks[filled++] = task_stack->tasks[i - 1].facts;
    task_stack_leave(task_stack);
    return filled;
}

struct task_info task_stack_front(struct task_stack *task_stack)
{
    struct task_info facts;

    task_stack_enter(task_stack);
    facts = (task_stack->overview ? task_stack_find_home(task_stack)
                                  : task_stack_front_task(task_stack))
                ->facts;
    task_stack_leave(task_stack);
    return facts;
}

bool task_stack_shows_overview(struct task_stack *task_stack)
{
    bool shown;

    task_stack_enter(task_stack);
    shown = task_stack->overview != NULL;
    task_stack_leave(task_stack);
    return shown;
}

bool task_stack_is_asleep(struct task_stack *task_stack)
{
    bool asleep;

    task_stack_enter(task_stack);
    asleep = task_stack->asleep;
    task_stack_leave(task_stack);
    return asleep;
}

/* ---- opening and closing ---- */

static void task_stack_close(struct phone_app *app)
{
    struct task_stack *task_stack = (struct task_stack *)app;

    task_stack_enter(task_stack);
    task_stack_close_overview(task_stack);
    while (task_stack->count)
        task_stack_let_go(task_stack,
                          task_stack->tasks[--task_stack->count].app);
    task_stack_leave(task_stack);
    pthread_mutex_destroy(&task_stack->lock);
    free(task_stack);
}

struct phone_app *task_stack_app(struct task_stack *task_stack)
{
    return &task_stack->app;
}

struct phone_packages *task_stack_packages(struct task_stack *task_stack)
{
    return task_stack->options.packages;
}

struct task_stack *task_stack_open(const struct task_stack_options *options)
{
    static const struct phone_app_ops ops = {
        .build = task_stack_build,
        .handle = task_stack_handle,
        .save = task_stack_save,
        .load = task_stack_load,
        .close = task_stack_close,
        .changed = task_stack_changed,
        .calls = task_stack_calls,
    };
    const struct phone_intent home = {
        .action = INTENT_MAIN,
        .flags = INTENT_NEW_TASK,
        .categories = {INTENT_HOME},
        .category_count = 1,
    };
    struct task_stack *task_stack = mem_new(1, sizeof(*task_stack));
    enum task_stack_outcome outcome;
    pthread_mutexattr_t recursive;

    task_stack->app.ops = &ops;
    task_stack->options = *options;
    task_stack->next_id = 1;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&task_stack->lock, &recursive);
    pthread_mutexattr_destroy(&recursive);
    outcome = task_stack_start(task_stack, &home, 0, NULL);
    assert(outcome == TASK_STACK_STARTED); /* the launcher is installed */
    (void)outcome;
    return task_stack;
}
