/* What runs, in snapshots. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/phone/parcel.h"
#include "tools/phone/stage_private.h"

static void save_app(struct app *app, struct buf *out)
{
    if (app->ops->save)
        app->ops->save(app, out);
}

void stage_save(struct app *app, struct buf *out)
{
    struct stage *stage = (struct stage *)app;

    stage_enter(stage);
    parcel_put_i64(out, stage->next_id);
    parcel_put_bool(out, stage->overview != NULL);
    parcel_put_bool(out, stage->asleep);
    parcel_put_u64(out, stage->count);
    for (size_t i = 0; i < stage->count; i++) {
        const struct stage_task *facts = &stage->tasks[i].facts;

        parcel_put_i64(out, facts->id);
        parcel_put_text(out, facts->component.package);
        parcel_put_text(out, facts->component.class);
        parcel_put_u32(out, facts->uid);
        parcel_put_u32(out, facts->pid);
        parcel_put_i64(out, facts->started);
        save_app(stage->tasks[i].app, out);
    }
    stage_leave(stage);
}

/* An app as it was; in a trial its package may not be there yet. */
static struct app *load_app(struct stage *stage,
                            const struct component *component,
                            struct parcel *in)
{
    const struct intent intent = intent_main(component);
    struct package *package = mem_new(1, sizeof(*package));
    struct app *app;

    if (!packages_find(stage->options.packages, component->package, package))
        memcpy(package->name, component->package, sizeof(package->name));
    app = stage_make_app(stage, package, &intent);
    if (app->ops->load)
        app->ops->load(app, in);
    free(package);
    return app;
}

static struct task load_task(struct stage *stage, struct parcel *in)
{
    struct task task;
    struct stage_task *facts = &task.facts;

    *facts = (struct stage_task){.id = (int)parcel_i64(in, 1, INT32_MAX)};
    parcel_text(in, facts->component.package, sizeof(facts->component.package));
    parcel_text(in, facts->component.class, sizeof(facts->component.class));
    facts->uid = parcel_u32(in);
    facts->pid = parcel_u32(in);
    facts->started = parcel_i64(in, 0, INT64_MAX);
    facts->home = !strcmp(facts->component.package, stage->options.home);
    task.app = load_app(stage, &facts->component, in);
    return task;
}

/* There is one launcher, and no package twice. */
static bool are_sound(const struct task *tasks, size_t count)
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

static void take_over(struct stage *stage, const struct task *tasks,
                      size_t count)
{
    while (stage->count)
        stage_let_go(stage, stage->tasks[--stage->count].app);
    memcpy(stage->tasks, tasks, count * sizeof(*tasks));
    stage->count = count;
    stage_close_overview(stage);
    stage->changed = true;
}

void stage_load(struct app *app, struct parcel *in)
{
    struct stage *stage = (struct stage *)app;
    int next_id = (int)parcel_i64(in, 1, INT32_MAX);
    bool overview = parcel_bool(in);
    bool asleep = parcel_bool(in);
    size_t count = parcel_count(in, STAGE_TASKS_MAX);
    struct task *tasks = mem_new(STAGE_TASKS_MAX, sizeof(*tasks));
    size_t read = 0;

    stage_enter(stage);
    while (read < count && !in->broken)
        tasks[read++] = load_task(stage, in);
    if (!are_sound(tasks, read))
        parcel_break(in);
    if (in->trial || in->broken) {
        while (read)
            stage_let_go(stage, tasks[--read].app);
    } else {
        take_over(stage, tasks, count);
        stage->next_id = next_id;
        stage->asleep = asleep;
        if (overview)
            stage_overview(stage);
    }
    stage_leave(stage);
    free(tasks);
}
