#include "tools/phone/stage.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/phone/keycode.h"
#include "tools/phone/parcel.h"

#define LOG_TEXT_MAX 512
#define UID_TEXT_SIZE 16
#define APP_UID_FIRST 10000U

struct task {
    struct stage_task facts;
    struct app *app; /* owned */
};

/* An app that is closed when nobody is inside of it. */
struct leaving {
    struct leaving *next;
    struct app *app; /* owned */
};

struct stage {
    struct app app;
    pthread_mutex_t lock; /* recursive: apps call back; guards all below */
    int inside;           /* calls under way */
    struct stage_options options;
    struct task tasks[STAGE_TASKS_MAX]; /* the front one last */
    size_t count;
    struct app *overview; /* owned; NULL while it is not shown */
    struct leaving *leaving;
    int next_id;
    bool asleep;
    bool changed; /* since the screen last asked */
};

/* How the activity manager writes an app's number: "u0a100". */
static const char *uid_text(uint32_t uid, char text[static UID_TEXT_SIZE])
{
    if (uid >= APP_UID_FIRST)
        snprintf(text, UID_TEXT_SIZE, "u0a%u", (unsigned)(uid - APP_UID_FIRST));
    else
        snprintf(text, UID_TEXT_SIZE, "%u", (unsigned)uid);
    return text;
}

/* ---- coming and going ---- */

static void enter(struct stage *stage)
{
    pthread_mutex_lock(&stage->lock);
    stage->inside++;
}

static void leave(struct stage *stage)
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

static void let_go(struct stage *stage, struct app *app)
{
    struct leaving *node = mem_new(1, sizeof(*node));

    *node = (struct leaving){stage->leaving, app};
    stage->leaving = node;
}

static void write_log(struct stage *stage, const char *tag, const char *text)
{
    logs_write(stage->options.logs, phone_now(&stage->options.clock),
               PROCESS_SERVER, 'I', tag, "%s", text);
}

/* ---- tasks ---- */

static struct task *front(struct stage *stage)
{
    return &stage->tasks[stage->count - 1];
}

static struct task *find_task(struct stage *stage, int id)
{
    for (size_t i = 0; i < stage->count; i++) {
        if (stage->tasks[i].facts.id == id)
            return &stage->tasks[i];
    }
    return NULL;
}

static struct task *find_package(struct stage *stage, const char *package)
{
    for (size_t i = 0; i < stage->count; i++) {
        if (!strcmp(stage->tasks[i].facts.component.package, package))
            return &stage->tasks[i];
    }
    return NULL;
}

static struct task *find_home(struct stage *stage)
{
    return find_package(stage, stage->options.home);
}

static void close_overview(struct stage *stage)
{
    if (!stage->overview)
        return;
    let_go(stage, stage->overview);
    stage->overview = NULL;
    stage->changed = true;
}

/* Move a task to this place of the stack. */
static void move_task(struct stage *stage, struct task *task, size_t to)
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

static void raise_task(struct stage *stage, struct task *task)
{
    close_overview(stage);
    if (task != front(stage))
        move_task(stage, task, stage->count - 1);
}

/* The launcher stays, whoever wants it gone. */
static void drop_task(struct stage *stage, struct task *task)
{
    if (task->facts.home)
        return;
    let_go(stage, task->app);
    move_task(stage, task, stage->count - 1);
    stage->count--;
}

/* ---- starting ---- */

static void log_start(struct stage *stage, const struct intent *intent,
                      uint32_t uid)
{
    struct buf text = BUF_INIT(LOG_TEXT_MAX);

    buf_text(&text, "START u0 ");
    intent_print(intent, &text);
    buf_printf(&text, " from uid %u", (unsigned)uid);
    write_log(stage, "ActivityTaskManager", buf_cstr(&text));
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
        write_log(stage, "ActivityManager", buf_cstr(&text));
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
    write_log(stage, "ActivityTaskManager", buf_cstr(&text));
    buf_release(&text);
}

static struct app *make_app(struct stage *stage, const struct package *package,
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
    task.app = make_app(stage, package, intent);
    stage->tasks[stage->count++] = task;
    close_overview(stage);
    stage->changed = true;
    log_displayed(stage, &intent->component);
    return STAGE_STARTED;
}

/* What runs is told; it may look different now. */
static enum stage_outcome tell_task(struct stage *stage, struct task *task,
                                    const struct intent *intent)
{
    const struct app_event event = {.kind = APP_INTENT, .intent = intent};
    bool was_front = task == front(stage) && !stage->overview;
    struct app *app = task->app;

    task->facts.component = intent->component;
    raise_task(stage, task);
    if (app->ops->handle(app, &event))
        stage->changed = true;
    return was_front ? STAGE_DELIVERED : STAGE_TO_FRONT;
}

static enum stage_outcome start(struct stage *stage,
                                const struct intent *intent, uint32_t uid)
{
    struct package *package = mem_new(1, sizeof(*package));
    struct task *task = find_package(stage, intent->component.package);
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
    enter(stage);
    if (exact.component.package[0] ||
        packages_resolve(stage->options.packages, intent, &exact.component))
        outcome = start(stage, &exact, uid);
    leave(stage);
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

    enter(stage);
    task = find_task(stage, id);
    if (task)
        raise_task(stage, task);
    leave(stage);
    return task != NULL;
}

/* The launcher is told too: it leaves whatever it shows. */
void stage_home(struct stage *stage)
{
    const struct app_event event = {.kind = APP_KEY, .key = KEY_HOME};
    struct app *app;

    enter(stage);
    raise_task(stage, find_home(stage));
    app = front(stage)->app;
    if (app->ops->handle(app, &event))
        stage->changed = true;
    leave(stage);
}

void stage_overview(struct stage *stage)
{
    const struct stage_opening opening = {.stage = stage};

    enter(stage);
    if (!stage->overview)
        stage->overview =
            stage->options.open_overview(&opening, stage->options.context);
    stage->changed = true;
    leave(stage);
}

/* ---- ending ---- */

void stage_finish(struct stage *stage, struct app *app)
{
    enter(stage);
    for (size_t i = 0; i < stage->count; i++) {
        if (stage->tasks[i].app == app) {
            drop_task(stage, &stage->tasks[i]);
            break;
        }
    }
    leave(stage);
}

bool stage_dismiss(struct stage *stage, int id)
{
    struct task *task;
    bool found;

    enter(stage);
    task = find_task(stage, id);
    found = task && !task->facts.home;
    if (found)
        drop_task(stage, task);
    leave(stage);
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
        write_log(stage, "ActivityManager", buf_cstr(&text));
    }
    buf_release(&text);
    free(package);
}

void stage_stop(struct stage *stage, const char *package, const char *reason)
{
    struct buf text = BUF_INIT(LOG_TEXT_MAX);
    struct task *task;

    enter(stage);
    buf_printf(&text, "Force stopping %s user=0: %s", package, reason);
    write_log(stage, "ActivityManager", buf_cstr(&text));
    task = find_package(stage, package);
    if (!task || !task->facts.home)
        end_process(stage, package, task == front(stage) ? 0 : 900, reason);
    if (task)
        drop_task(stage, task);
    leave(stage);
    buf_release(&text);
}

void stage_kill(struct stage *stage, const char *package)
{
    const struct task *task;

    enter(stage);
    task = find_package(stage, package);
    if (!task || (task != front(stage) && !task->facts.home)) {
        end_process(stage, package, 900, "kill background");
        if (task)
            drop_task(stage, find_package(stage, package));
    }
    leave(stage);
}

/* ---- looking ---- */

size_t stage_tasks(struct stage *stage, struct stage_task *tasks, size_t count)
{
    size_t filled = 0;

    enter(stage);
    for (size_t i = stage->count; i > 0 && filled < count; i--)
        tasks[filled++] = stage->tasks[i - 1].facts;
    leave(stage);
    return filled;
}

struct stage_task stage_front(struct stage *stage)
{
    struct stage_task facts;

    enter(stage);
    facts = (stage->overview ? find_home(stage) : front(stage))->facts;
    leave(stage);
    return facts;
}

bool stage_shows_overview(struct stage *stage)
{
    bool shown;

    enter(stage);
    shown = stage->overview != NULL;
    leave(stage);
    return shown;
}

bool stage_is_asleep(struct stage *stage)
{
    bool asleep;

    enter(stage);
    asleep = stage->asleep;
    leave(stage);
    return asleep;
}

/* ---- being the screen's app ---- */

static struct app *front_app(struct stage *stage)
{
    return stage->overview ? stage->overview : front(stage)->app;
}

static void build_darkness(struct widget_tree *tree)
{
    struct widget *window = widget_window(tree, "com.android.systemui");

    window->look.background = 0xff000000;
}

static void build(struct app *app, const struct surroundings *around,
                  struct widget_tree *tree)
{
    struct stage *stage = (struct stage *)app;
    struct app *shown;

    enter(stage);
    shown = front_app(stage);
    tree->run = (uint32_t)front(stage)->facts.id;
    if (stage->asleep)
        build_darkness(tree);
    else
        shown->ops->build(shown, around, tree);
    leave(stage);
}

/* What the app in front has no use for: out of it. */
static void go_back(struct stage *stage)
{
    if (stage->overview)
        close_overview(stage);
    else if (!front(stage)->facts.home)
        move_task(stage, front(stage), 0);
}

/* Whose timer it is need not be in front. */
static bool fire(struct stage *stage, const struct app_event *event)
{
    struct task *task = find_package(stage, event->text);

    return task && task->app->ops->handle(task->app, event);
}

/* True for what has to do with sleep. */
static bool handle_power(struct stage *stage, int key)
{
    bool asleep = stage->asleep;

    if (key == KEY_POWER)
        stage->asleep = !asleep;
    else if (key == KEY_SLEEP)
        stage->asleep = true;
    else if (key == KEY_WAKEUP)
        stage->asleep = false;
    if (stage->asleep != asleep) {
        stage->changed = true;
        write_log(stage, "PowerManagerService",
                  asleep ? "Waking up from Asleep (uid=1000, "
                           "reason=WAKE_REASON_POWER_BUTTON, "
                           "details=android.policy:POWER)..."
                         : "Going to sleep due to power_button "
                           "(uid 1000, screenOffReason=power)...");
    }
    return asleep || key == KEY_POWER || key == KEY_SLEEP || key == KEY_WAKEUP;
}

static bool handle_awake(struct stage *stage, const struct app_event *event)
{
    int key = event->kind == APP_KEY ? event->key : 0;
    struct app *shown = front_app(stage);
    bool used = false;

    if (key == KEY_HOME)
        stage_home(stage);
    else if (key == KEY_APP_SWITCH && !stage->overview)
        stage_overview(stage);
    else if (key == KEY_APP_SWITCH)
        close_overview(stage);
    else
        used = shown->ops->handle(shown, event);
    if (!used && (key == KEY_BACK || key == KEY_ESCAPE))
        go_back(stage);
    return used;
}

static bool handle(struct app *app, const struct app_event *event)
{
    struct stage *stage = (struct stage *)app;
    int key = event->kind == APP_KEY ? event->key : 0;
    bool used = false;

    enter(stage);
    if (event->kind == APP_TIMER)
        used = fire(stage, event);
    else if (!handle_power(stage, key))
        used = handle_awake(stage, event);
    used = used || stage->changed;
    leave(stage);
    return used;
}

static bool changed(struct app *app)
{
    struct stage *stage = (struct stage *)app;
    struct app *shown;
    bool was;

    enter(stage);
    shown = front_app(stage);
    was = stage->changed;
    if (shown->ops->changed && shown->ops->changed(shown))
        was = true;
    stage->changed = false;
    leave(stage);
    return was;
}

static void calls(struct app *app, int action, int64_t argument,
                  struct buf *out)
{
    struct stage *stage = (struct stage *)app;
    struct app *shown;

    enter(stage);
    shown = front_app(stage);
    if (shown->ops->calls)
        shown->ops->calls(shown, action, argument, out);
    leave(stage);
}

/* ---- snapshots ---- */

static void save_app(struct app *app, struct buf *out)
{
    if (app->ops->save)
        app->ops->save(app, out);
}

static void save(struct app *app, struct buf *out)
{
    struct stage *stage = (struct stage *)app;

    enter(stage);
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
    leave(stage);
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
    app = make_app(stage, package, &intent);
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
        let_go(stage, stage->tasks[--stage->count].app);
    memcpy(stage->tasks, tasks, count * sizeof(*tasks));
    stage->count = count;
    close_overview(stage);
    stage->changed = true;
}

static void load(struct app *app, struct parcel *in)
{
    struct stage *stage = (struct stage *)app;
    int next_id = (int)parcel_i64(in, 1, INT32_MAX);
    bool overview = parcel_bool(in);
    bool asleep = parcel_bool(in);
    size_t count = parcel_count(in, STAGE_TASKS_MAX);
    struct task *tasks = mem_new(STAGE_TASKS_MAX, sizeof(*tasks));
    size_t read = 0;

    enter(stage);
    while (read < count && !in->broken)
        tasks[read++] = load_task(stage, in);
    if (!are_sound(tasks, read))
        parcel_break(in);
    if (in->trial || in->broken) {
        while (read)
            let_go(stage, tasks[--read].app);
    } else {
        take_over(stage, tasks, count);
        stage->next_id = next_id;
        stage->asleep = asleep;
        if (overview)
            stage_overview(stage);
    }
    leave(stage);
    free(tasks);
}

static void close_stage(struct app *app)
{
    struct stage *stage = (struct stage *)app;

    enter(stage);
    close_overview(stage);
    while (stage->count)
        let_go(stage, stage->tasks[--stage->count].app);
    leave(stage);
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
        .build = build,
        .handle = handle,
        .save = save,
        .load = load,
        .close = close_stage,
        .changed = changed,
        .calls = calls,
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
