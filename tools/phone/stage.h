/*
 * What runs, and what is in front: a stack of tasks, each an app at one of its
 * activities, with the launcher among them and always there.
 *
 *     start ──> to the top (opened, if it is not there)
 *     BACK that the app has no use for, HOME, APP_SWITCH, POWER ──> here
 *     finish, force-stop, clear ──> closed; the one below is in front
 *
 * Toward the screen the stage is an app, which leaves everything else to the
 * one in front. Every call is safe from any thread, and from within an app
 * that is being used: an app that ends itself is closed when it returns.
 */
#ifndef PHONE_STAGE_H
#define PHONE_STAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/phone/app.h"
#include "tools/phone/clock.h"
#include "tools/phone/component.h"
#include "tools/phone/intent.h"
#include "tools/phone/logs.h"
#include "tools/phone/packages.h"
#include "tools/phone/processes.h"

#define STAGE_TASKS_MAX 64U

/* How long an app takes to show itself, as logs and am tell it. */
#define STAGE_LAUNCH_MS 312

struct stage;

/* What an app is opened for. All of it is borrowed for the call alone. */
struct stage_opening {
    struct stage *stage; /* stays as long as the app does */
    const struct package *package;
    const struct intent *intent; /* its component is where to begin */
};

/* Make an app. Never NULL. */
typedef struct app *stage_open_fn(const struct stage_opening *opening,
                                  void *context);

/* How a package's apps are opened. */
struct stage_opener {
    const char *package;
    stage_open_fn *open;
    void *context; /* borrowed */
};

/* Everything is borrowed. */
struct stage_options {
    struct packages *packages;
    struct processes *processes;
    struct logs *logs;
    struct phone_clock clock;
    const struct stage_opener *openers;
    size_t opener_count;
    stage_open_fn *open_other; /* a package that has no opener */
    const char *home;          /* the launcher's package, which is installed */
    stage_open_fn *open_overview; /* what APP_SWITCH shows */
    void *context;                /* of these two */
};

/* A stage with the launcher on it. Closing its app ends it. */
struct stage *stage_open(const struct stage_options *options);

/* What the screen is to show. */
struct app *stage_app(struct stage *stage);

/* For apps that show what is installed. */
struct packages *stage_packages(struct stage *stage);

/* ---- starting ---- */

enum stage_outcome {
    STAGE_STARTED,   /* opened */
    STAGE_TO_FRONT,  /* it was there, below others */
    STAGE_DELIVERED, /* it was in front: it has only been told */
    STAGE_NO_ANSWER, /* nobody does that */
    STAGE_NO_CLASS,  /* there is no such activity */
    STAGE_TOO_MANY,
};

/*
 * Start what intent names: its component, else whoever answers it. Where that
 * runs already it is told by APP_INTENT. uid is who wants it. *component, if
 * not NULL, becomes what was started.
 */
enum stage_outcome stage_start(struct stage *stage, const struct intent *intent,
                               uint32_t uid, struct component *component);

/* Start a package as launchers do. */
enum stage_outcome stage_launch(struct stage *stage, const char *package,
                                uint32_t uid);

/* Bring a task to the front. False when there is no such one. */
bool stage_resume(struct stage *stage, int task);

void stage_home(struct stage *stage);
void stage_overview(struct stage *stage);

/* ---- ending ---- */

/* An app has done its work: its task ends, its process stays. */
void stage_finish(struct stage *stage, struct app *app);

/* A card is swept off the overview. False when there is no such task. */
bool stage_dismiss(struct stage *stage, int task);

/* Force-stop: a package's task and process end, for a reason of the log's. */
void stage_stop(struct stage *stage, const char *package, const char *reason);

/* am kill: only what nobody sees. */
void stage_kill(struct stage *stage, const char *package);

/* ---- looking ---- */

struct stage_task {
    int id;
    struct component component;
    uint32_t uid;
    unsigned pid;
    int64_t started; /* nanoseconds since 1970 */
    bool home;
};

/* Fill in at most count tasks, the front one first, and tell how many. */
size_t stage_tasks(struct stage *stage, struct stage_task *tasks, size_t count);

/* What is in front; the overview is the launcher's. */
struct stage_task stage_front(struct stage *stage);

/* The screen is dark, and nothing but POWER and WAKEUP is heard. */
bool stage_is_asleep(struct stage *stage);

/* Is the overview in front? */
bool stage_shows_overview(struct stage *stage);

#endif
