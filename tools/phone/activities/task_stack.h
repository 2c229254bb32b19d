/*
 * The stack of tasks: each is an app with one of its activities; the launcher
 * is always one of them.
 *
 *     start ──> to the front (opened, if it does not exist yet)
 *     BACK that the app ignores, HOME, APP_SWITCH, POWER ──> handled here
 *     finish, force-stop, clear ──> closed; the task below comes to the front
 *
 * For the screen the stack is an app, which passes everything else to the app
 * in front. Every call is safe from any thread, and from within a call of an
 * app: an app that closes itself is freed when its call returns.
 */
#ifndef TOOLS_PHONE_ACTIVITIES_TASK_STACK_H
#define TOOLS_PHONE_ACTIVITIES_TASK_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/phone/core/clock.h"
#include "tools/phone/screen/app.h"
#include "tools/phone/system/component.h"
#include "tools/phone/system/intent.h"
#include "tools/phone/system/logs.h"
#include "tools/phone/system/packages.h"
#include "tools/phone/system/processes.h"
#include "tools/phone/system/settings.h"

#define TASK_STACK_TASKS_MAX 64U

/* Limit of starts that apps may cause within one call. */
#define TASK_STACK_REQUESTS_MAX 8U

/* The start time of an app that logs and am report. */
#define TASK_STACK_LAUNCH_MS 312

struct task_stack;

/* The arguments of an opener. All are borrowed for the call alone. */
struct task_stack_opening {
    struct task_stack *task_stack; /* exists as long as the app */
    const struct phone_package *package;
    const struct phone_intent
        *intent; /* its component is the activity to start */
};

/* Create an app. Never NULL. */
typedef struct phone_app *task_stack_open_fn(
    const struct task_stack_opening *opening, void *context);

/* The opener of a package's apps. */
struct task_stack_opener {
    const char *package;
    task_stack_open_fn *open;
    void *context; /* borrowed */
};

/* Everything is borrowed. */
struct task_stack_options {
    struct phone_packages *packages;
    struct phone_processes *processes;
    struct phone_logs *logs;
    struct phone_settings *settings;
    struct phone_time_source clock;
    const struct task_stack_opener *openers;
    size_t opener_count;
    task_stack_open_fn *open_other; /* for packages without an opener */
    const char *home; /* package of the launcher, which is installed */
    task_stack_open_fn *open_overview; /* opener of the recent apps */
    void *context;                     /* context of both openers */
};

/* A stack with the launcher on it. Closing its app frees the stack. */
struct task_stack *task_stack_open(const struct task_stack_options *options);

/* The app that the screen shows. */
struct phone_app *task_stack_app(struct task_stack *task_stack);

/* The installed packages, for apps that show them. */
struct phone_packages *task_stack_packages(struct task_stack *task_stack);

/* ---- starting ---- */

enum task_stack_outcome {
    TASK_STACK_STARTED,   /* a new task was opened */
    TASK_STACK_TO_FRONT,  /* a task below others came to the front */
    TASK_STACK_DELIVERED, /* it was in front: it got an APP_INTENT */
    TASK_STACK_NO_ANSWER, /* no activity handles the intent */
    TASK_STACK_NO_CLASS,  /* the activity does not exist */
    TASK_STACK_TOO_MANY,
};

/*
 * Start the intent's component, or else the activity that handles it. An app
 * that runs already gets an APP_INTENT. uid is the caller's. *component, if not
 * NULL, is set to the started one.
 *
 * Called from within an app, this only requests the start, which follows when
 * that app's call has returned; the outcome is TASK_STACK_STARTED if there is
 * such an activity. So apps that start each other, or themselves,
 * do not recurse; beyond TASK_STACK_REQUESTS_MAX starts within one call the
 * rest is dropped, and logged.
 */
enum task_stack_outcome task_stack_start(struct task_stack *task_stack,
                                         const struct phone_intent *intent,
                                         uint32_t uid,
                                         struct phone_component *component);

/* Start a package as launchers do. */
enum task_stack_outcome task_stack_launch(struct task_stack *task_stack,
                                          const char *package, uint32_t uid);

/* Bring a task to the front. False if it does not exist. */
bool task_stack_resume(struct task_stack *task_stack, int task);

void task_stack_home(struct task_stack *task_stack);
void task_stack_overview(struct task_stack *task_stack);

/* ---- closing ---- */

/* An app finishes: its task is closed, its process stays. */
void task_stack_finish(struct task_stack *task_stack, struct phone_app *app);

/* Dismiss a task from the recent apps. False if it does not exist. */
bool task_stack_dismiss(struct task_stack *task_stack, int task);

/* Force-stop a package's task and process; the reason is logged. */
void task_stack_stop(struct task_stack *task_stack, const char *package,
                     const char *reason);

/* am kill: closes only background tasks. */
void task_stack_kill(struct task_stack *task_stack, const char *package);

/* ---- queries ---- */

struct task_info {
    int id;
    struct phone_component component;
    uint32_t uid;
    unsigned pid;
    int64_t started; /* nanoseconds since 1970 */
    bool home;
};

/* Fill in at most count tasks from front to back; returns the number of all. */
size_t task_stack_tasks(struct task_stack *task_stack, struct task_info *tasks,
                        size_t count);

/* The task in front; the recent apps count as the launcher. */
struct task_info task_stack_front(struct task_stack *task_stack);

/* Is the screen off? Then only POWER and WAKEUP have an effect. */
bool task_stack_is_asleep(struct task_stack *task_stack);

/* Are the recent apps in front? */
bool task_stack_shows_overview(struct task_stack *task_stack);

#endif
