/* The inside of a stage, for stage*.c only. All of it is under its lock. */
#ifndef PHONE_STAGE_PRIVATE_H
#define PHONE_STAGE_PRIVATE_H

#include "tools/phone/stage.h"

#include <pthread.h>

struct task {
    struct stage_task facts;
    struct app *app; /* owned */
};

struct leaving;

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

/* ---- stage.c ---- */

/* Around every call: take the lock; on leaving, close whom nobody is in. */
void stage_enter(struct stage *stage);
void stage_leave(struct stage *stage);

/* Close an app when nobody is inside of it. */
void stage_let_go(struct stage *stage, struct app *app);

/* Write to the log as the system does. */
void stage_log(struct stage *stage, const char *tag, const char *text);

struct task *stage_front_task(struct stage *stage);

/* NULL: there is no such task. */
struct task *stage_find_task(struct stage *stage, int id);
struct task *stage_find_package(struct stage *stage, const char *package);

/* The launcher's, which is always there. */
struct task *stage_find_home(struct stage *stage);

void stage_close_overview(struct stage *stage);

/* Move a task to this place of the stack. */
void stage_move_task(struct stage *stage, struct task *task, size_t to);

/* To the front; the overview goes. */
void stage_raise(struct stage *stage, struct task *task);

/* End a task. The launcher stays, whoever wants it gone. */
void stage_drop(struct stage *stage, struct task *task);

/* ---- stage_start.c ---- */

/* Make the app of a package, by its opener. */
struct app *stage_make_app(struct stage *stage, const struct package *package,
                           const struct intent *intent);

/* ---- stage_screen.c: being the screen's app ---- */

void stage_build(struct app *app, const struct surroundings *around,
                 struct widget_tree *tree);
bool stage_handle(struct app *app, const struct app_event *event);
bool stage_changed(struct app *app);
void stage_calls(struct app *app, int action, int64_t argument,
                 struct buf *out);

/* ---- stage_save.c: snapshots ---- */

void stage_save(struct app *app, struct buf *out);
void stage_load(struct app *app, struct parcel *in);

#endif
