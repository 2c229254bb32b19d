/* The fields of a task stack, for task_stack*.c only. Its lock guards them. */
#ifndef TOOLS_PHONE_ACTIVITIES_TASK_STACK_PRIVATE_H
#define TOOLS_PHONE_ACTIVITIES_TASK_STACK_PRIVATE_H

#include "tools/phone/activities/task_stack.h"

#include <pthread.h>

struct phone_task {
    struct task_info facts;
    struct phone_app *app; /* owned */
};

struct leaving;

/* A start that an app requested while a call was inside it. */
struct task_stack_request {
    struct phone_intent *intent; /* owned */
    uint32_t uid;
};

struct task_stack {
    struct phone_app app;
    pthread_mutex_t
        lock;   /* recursive, because apps call back; guards everything below */
    int inside; /* nesting of calls */
    struct task_stack_options options;
    struct phone_task tasks[TASK_STACK_TASKS_MAX]; /* from back to front */
    size_t count;
    struct phone_app *overview; /* owned; NULL while not shown */
    struct leaving *leaving;
    struct task_stack_request
        requests[TASK_STACK_REQUESTS_MAX]; /* the oldest first */
    size_t request_count;
    int next_id;
    bool asleep;
    bool changed; /* since the screen last asked */
};

/* ---- task_stack.c ---- */

/*
 * Around every call: take and release the lock. At its end, the outermost call
 * performs the starts that apps requested, and closes ended apps.
 */
void task_stack_enter(struct task_stack *task_stack);
void task_stack_leave(struct task_stack *task_stack);

/* Close an app when no call is inside it. */
void task_stack_let_go(struct task_stack *task_stack, struct phone_app *app);

/* Write to the log as the system does. */
void task_stack_log(struct task_stack *task_stack, const char *tag,
                    const char *text);

struct phone_task *task_stack_front_task(struct task_stack *task_stack);

/* NULL if there is no such task. */
struct phone_task *task_stack_find_task(struct task_stack *task_stack, int id);
struct phone_task *task_stack_find_package(struct task_stack *task_stack,
                                           const char *package);

/* The launcher's task, which always exists. */
struct phone_task *task_stack_find_home(struct task_stack *task_stack);

void task_stack_close_overview(struct task_stack *task_stack);

/* Move a task to this index of the stack. */
void task_stack_move_task(struct task_stack *task_stack,
                          struct phone_task *task, size_t to);

/* Move a task to the front, and close the recent apps. */
void task_stack_raise(struct task_stack *task_stack, struct phone_task *task);

/* Close a task, unless it is the launcher's. */
void task_stack_drop(struct task_stack *task_stack, struct phone_task *task);

/* ---- task_stack_start.c ---- */

/* Create the app of a package with its opener. */
struct phone_app *task_stack_make_app(struct task_stack *task_stack,
                                      const struct phone_package *package,
                                      const struct phone_intent *intent);

/* Perform the starts that apps requested, if this is the outermost call. */
void task_stack_run_requests(struct task_stack *task_stack);

/* ---- task_stack_screen.c: the interface of the screen's app ---- */

void task_stack_build(struct phone_app *app,
                      const struct phone_surroundings *around,
                      struct widget_tree *tree);
bool task_stack_handle(struct phone_app *app,
                       const struct phone_app_event *event);
bool task_stack_changed(struct phone_app *app);
void task_stack_calls(struct phone_app *app, int action, int64_t argument,
                      struct buf *out);

/* ---- task_stack_save.c: snapshots ---- */

void task_stack_save(struct phone_app *app, struct buf *out);
void task_stack_load(struct phone_app *app, struct saved_state *in);

#endif
