#include "tools/phone/stage.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/phone/stage_private.h"

/* An app that is closed when nobody is inside of it. */
struct leaving {
    struct leaving *next;
    struct app *app; /* owned */
};

/* ---- coming and going ---- */

void stage_enter(struct stage *stage)
{
    pthread_mutex_lock(&stage->lock);
    stage->inside++;
}

void stage_leave(struct stage *stage)
{
    while (stage->inside == 1 && stage->leaving) {
        struct leaving *first = stage->leaving;

        stage->leaving = first->next;
        first->app->ops->close(first->app);
        free(first);
    }
    stage->inside--;
    pthread_mutex_unlock(&stage->lock);
}

void stage_let_go(struct stage *stage, struct app *app)
{
    struct leaving *node = mem_new(1, sizeof(*node));

    *node = (struct leaving){stage->leaving, app};
    stage->leaving = node;
}

void stage_log(struct stage *stage, const char *tag, const char *text)
{
    logs_write(stage->options.logs, phone_now(&stage->options.clock),
               PROCESS_SERVER, 'I', tag, "%s", text);
}

/* ---- tasks ---- */

struct task *stage_front_task(struct stage *stage)
{
    return &stage->tasks[stage->count - 1];
}

struct task *stage_find_task(struct stage *stage, int id)
{
    for (size_t i = 0; i < stage->count; i++) {
        if (stage->tasks[i].facts.id == id)
            return &stage->tasks[i];
    }
    return NULL;
}

struct task *stage_find_package(struct stage *stage, const char *package)
{
    for (size_t i = 0; i < stage->count; i++) {
        if (!strcmp(stage->tasks[i].facts.component.package, package))
            return &stage->tasks[i];
    }
    return NULL;
}

struct task *stage_find_home(struct stage *stage)
{
    return stage_find_package(stage, stage->options.home);
}

void stage_close_overview(struct stage *stage)
{
    if (!stage->overview)
        return;
    stage_let_go(stage, stage->overview);
    stage->overview = NULL;
    stage->changed = true;
}

void stage_move_task(struct stage *stage, struct task *task, size_t to)
{
    size_t from = (size_t)(task - stage->tasks);
    struct task moved = *task;

    if (from < to)
        memmove(task, task + 1, (to - from) * sizeof(*task));
    else
        memmove(stage->tasks + to + 1, stage->tasks + to,
                (from - to) * sizeof(*task));
    stage->tasks[to] = moved;
    stage->changed = true;
}

void stage_raise(struct stage *stage, struct task *task)
{
    stage_close_overview(stage);
    if (task != stage_front_task(stage))
        stage_move_task(stage, task, stage->count - 1);
}

void stage_drop(struct stage *stage, struct task *task)
{
    if (task->facts.home)
        return;
    stage_let_go(stage, task->app);
    stage_move_task(stage, task, stage->count - 1);
    stage->count--;
}

/* ---- looking ---- */

size_t stage_tasks(struct stage *stage, struct stage_task *tasks, size_t count)
{
    size_t filled = 0;

    stage_enter(stage);
    for (size_t i = stage->count; i > 0 && filled < count; i--)
        tasks[filled++] = stage->tasks[i - 1].facts;
    stage_leave(stage);
    return filled;
}

struct stage_task stage_front(struct stage *stage)
{
    struct stage_task facts;

    stage_enter(stage);
    facts = (stage->overview ? stage_find_home(stage) : stage_front_task(stage))
                ->facts;
    stage_leave(stage);
    return facts;
}

bool stage_shows_overview(struct stage *stage)
{
    bool shown;

    stage_enter(stage);
    shown = stage->overview != NULL;
    stage_leave(stage);
    return shown;
}

bool stage_is_asleep(struct stage *stage)
{
    bool asleep;

    stage_enter(stage);
    asleep = stage->asleep;
    stage_leave(stage);
    return asleep;
}

/* ---- opening and closing ---- */

static void close_stage(struct app *app)
{
    struct stage *stage = (struct stage *)app;

    stage_enter(stage);
    stage_close_overview(stage);
    while (stage->count)
        stage_let_go(stage, stage->tasks[--stage->count].app);
    stage_leave(stage);
    pthread_mutex_destroy(&stage->lock);
    free(stage);
}

struct app *stage_app(struct stage *stage)
{
    return &stage->app;
}

struct packages *stage_packages(struct stage *stage)
{
    return stage->options.packages;
}

struct stage *stage_open(const struct stage_options *options)
{
    static const struct app_ops ops = {
        .build = stage_build,
        .handle = stage_handle,
        .save = stage_save,
        .load = stage_load,
        .close = close_stage,
        .changed = stage_changed,
        .calls = stage_calls,
    };
    const struct intent home = {
        .action = INTENT_MAIN,
        .flags = INTENT_NEW_TASK,
        .categories = {INTENT_HOME},
        .category_count = 1,
    };
    struct stage *stage = mem_new(1, sizeof(*stage));
    enum stage_outcome outcome;
    pthread_mutexattr_t recursive;

    stage->app.ops = &ops;
    stage->options = *options;
    stage->next_id = 1;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&stage->lock, &recursive);
    pthread_mutexattr_destroy(&recursive);
    outcome = stage_start(stage, &home, 0, NULL);
    assert(outcome == STAGE_STARTED); /* the launcher is installed */
    (void)outcome;
    return stage;
}
