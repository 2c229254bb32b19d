/* Running tasks in snapshots. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/phone/activities/task_stack_private.h"
#include "tools/phone/core/saved_state.h"

static void save_app(struct phone_app *app, struct buf *out)
{
    if (app->ops->save)
        app->ops->save(app, out);
}

void task_stack_save(struct phone_app *app, struct buf *out)
{
    struct task_stack *task_stack = (struct task_stack *)app;

    task_stack_enter(task_stack);
    saved_state_put_i64(out, task_stack->next_id);
    saved_state_put_bool(out, task_stack->overview != NULL);
    saved_state_put_bool(out, task_stack->asleep);
    saved_state_put_u64(out, task_stack->count);
    for (size_t i = 0; i < task_stack->count; i++) {
        const struct task_info *facts = &task_stack->tasks[i].facts;

        saved_state_put_i64(out, facts->id);
        saved_state_put_text(out, facts->component.package);
        saved_state_put_text(out, facts->component.class);
        saved_state_put_u32(out, facts->uid);
        saved_state_put_u32(out, facts->pid);
        saved_state_put_i64(out, facts->started);
        save_app(task_stack->tasks[i].app, out);
    }
    task_stack_leave(task_stack);
}

/* Restore an app; in a trial its package may not exist yet. */
static struct phone_app *load_app(struct task_stack *task_stack,
                                  const struct phone_component *component,
                                  struct saved_state *in)
{
    const struct phone_intent intent = intent_main(component);
    struct phone_package *package = mem_new(1, sizeof(*package));
    struct phone_app *app;

    if (!packages_find(task_stack->options.packages, component->package,
                       package))
        memcpy(package->name, component->package, sizeof(package->name));
    app = task_stack_make_app(task_stack, package, &intent);
    if (app->ops->load)
        app->ops->load(app, in);
    free(package);
    return app;
}

static struct phone_task load_task(struct task_stack *task_stack,
                                   struct saved_state *in)
{
    struct phone_task task;
    struct task_info *facts = &task.facts;

    *facts = (struct task_info){.id = (int)saved_state_i64(in, 1, INT32_MAX)};
    saved_state_text(in, facts->component.package,
                     sizeof(facts->component.package));
    saved_state_text(in, facts->component.class,
                     sizeof(facts->component.class));
    facts->uid = saved_state_u32(in);
    facts->pid = saved_state_u32(in);
    facts->started = saved_state_i64(in, 0, INT64_MAX);
    facts->home = !strcmp(facts->component.package, task_stack->options.home);
    task.app = load_app(task_stack, &facts->component, in);
    return task;
}

/* There is one launcher, and one task per package. */
static bool are_sound(const struct phone_task *tasks, size_t count)
{
    size_t homes = 0;

    for (size_t i = 0; i < count; i++) {
        homes += tasks[i].facts.home;
        for (size_t j = 0; j < i; j++) {
            if (tasks[i].facts.id == tasks[j].facts.id ||
                !strcmp(tasks[i].facts.component.package,
                        tasks[j].facts.component.package))
                return false;
        }
    }
    return homes == 1;
}

static void take_over(struct task_stack *task_stack,
                      const struct phone_task *tasks, size_t count)
{
    while (task_stack->count)
        task_stack_let_go(task_stack,
                          task_stack->tasks[--task_stack->count].app);
    memcpy(task_stack->tasks, tasks, count * sizeof(*tasks));
    task_stack->count = count;
    task_stack_close_overview(task_stack);
    task_stack->changed = true;
}

void task_stack_load(struct phone_app *app, struct saved_state *in)
{
    struct task_stack *task_stack = (struct task_stack *)app;
    int next_id = (int)saved_state_i64(in, 1, INT32_MAX);
    bool overview = saved_state_bool(in);
    bool asleep = saved_state_bool(in);
    size_t count = saved_state_count(in, TASK_STACK_TASKS_MAX);
    struct phone_task *tasks = mem_new(TASK_STACK_TASKS_MAX, sizeof(*tasks));
    size_t read = 0;

    task_stack_enter(task_stack);
    while (read < count && !in->broken)
        tasks[read++] = load_task(task_stack, in);
    if (!are_sound(tasks, read))
        saved_state_break(in);
    if (in->trial || in->broken) {
        while (read)
            task_stack_let_go(task_stack, tasks[--read].app);
    } else {
        take_over(task_stack, tasks, count);
        task_stack->next_id = next_id;
        task_stack->asleep = asleep;
        if (overview)
            task_stack_overview(task_stack);
    }
    task_stack_leave(task_stack);
    free(tasks);
}
