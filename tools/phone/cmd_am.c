/* am and monkey: what starts and ends apps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "tools/phone/adb_keyboard.h"
#include "tools/phone/configuration.h"
#include "tools/phone/intent_words.h"

#define TEXT_MAX ((size_t)64 * 1024)
#define SHELL_UID 2000
#define FROM_SHELL 0x00400000U /* FLAG_RECEIVER_FROM_SHELL */

static void print_intent(struct verb_call *verb, const char *what,
                         const struct intent *intent)
{
    struct buf text = BUF_INIT(TEXT_MAX);

    intent_print(intent, &text);
    call_print(verb->call, "%s: Intent %s\n", what, buf_cstr(&text));
    buf_release(&text);
}

/* ---- start ---- */

struct start {
    bool wait;
    bool stop;
};

/* The options of start itself. */
static bool start_option(struct verb_call *verb, const char *option,
                         void *context)
{
    static const char *const with_value[] = {"-P",
                                             "-R",
                                             "--user",
                                             "--display",
                                             "--windowingMode",
                                             "--activityType",
                                             "--start-profiler",
                                             "--sampling",
                                             "--attach-agent",
                                             "--attach-agent-bind",
                                             "--task",
                                             "--splashscreen-icon"};
    static const char *const without[] = {"-D",
                                          "-N",
                                          "--streaming",
                                          "--track-allocation",
                                          "--lock-task",
                                          "--dismiss-keyguard",
                                          "--allow-background-activity-starts"};
    struct start *start = context;

    if (!strcmp(option, "-W") || !strcmp(option, "-S")) {
        start->wait = start->wait || option[1] == 'W';
        start->stop = start->stop || option[1] == 'S';
        return true;
    }
    for (size_t i = 0; i < ARRAY_LEN(with_value); i++) {
        if (!strcmp(with_value[i], option))
            return verb_next(verb) != NULL;
    }
    return NAMES_HAVE(without, option);
}

/* Those who wait read everything where the results are. */
static void say(struct verb_call *verb, const struct start *start,
                const char *text)
{
    if (start->wait)
        call_print(verb->call, "%s\n", text);
    else
        call_error(verb->call, "%s\n", text);
}

static int fail_start(struct verb_call *verb, const struct start *start,
                      const struct intent *intent, enum stage_outcome outcome)
{
    char component[COMPONENT_TEXT_SIZE];
    struct buf text = BUF_INIT(TEXT_MAX);

    if (outcome == STAGE_NO_CLASS) {
        buf_printf(&text,
                   "Error type 3\nError: Activity class {%s} does not exist.",
                   component_long(&intent->component, component));
    } else if (outcome == STAGE_NO_ANSWER) {
        struct intent flagged = *intent;

        flagged.flags |= INTENT_NEW_TASK;
        buf_text(&text, "Error: Activity not started, unable to resolve "
                        "Intent ");
        intent_print(&flagged, &text);
    } else {
        buf_text(&text, "Error: Activity not started, unknown error code 102");
    }
    say(verb, start, buf_cstr(&text));
    buf_release(&text);
    return 1;
}

static void report_start(struct verb_call *verb, const struct start *start,
                         const struct component *component,
                         enum stage_outcome outcome)
{
    static const char *const states[] = {"COLD", "HOT", "UNKNOWN (0)"};
    char text[COMPONENT_TEXT_SIZE];
    int total = outcome == STAGE_STARTED ? STAGE_LAUNCH_MS : 0;

    if (outcome == STAGE_DELIVERED)
        say(verb, start,
            "Warning: Activity not started, intent has been delivered to "
            "currently running top-most instance.");
    else if (outcome == STAGE_TO_FRONT)
        say(verb, start,
            "Warning: Activity not started, its current task has been "
            "brought to the front");
    if (!start->wait)
        return;
    call_print(verb->call,
               "Status: ok\nLaunchState: %s\nActivity: %s\nTotalTime: %d\n"
               "WaitTime: %d\nComplete\n",
               states[outcome], component_short(component, text), total,
               total + 4);
}

/* -S: whoever would be started is stopped before. */
static bool stop_before(struct verb_call *verb, const struct intent *intent)
{
    struct component component = intent->component;
    struct buf text = BUF_INIT(TEXT_MAX);

    if (!component.package[0] &&
        !packages_resolve(&verb->phone->handset->packages, intent,
                          &component)) {
        intent_print(intent, &text);
        call_error(verb->call,
                   "Error: Intent does not match any activities: Intent "
                   "%.300s\n",
                   buf_cstr(&text));
        buf_release(&text);
        return false;
    }
    call_print(verb->call, "Stopping: %s\n", component.package);
    stage_stop(verb->phone->stage, component.package, "from shell");
    return true;
}

static int run_start(struct verb_call *verb)
{
    struct start start = {.wait = false};
    struct component component;
    enum stage_outcome outcome;
    struct intent intent;
    int status;

    if (!intent_words(verb, start_option, &start, &intent, &status))
        return status;
    if (start.stop && !stop_before(verb, &intent))
        return 1;
    print_intent(verb, "Starting", &intent);
    outcome = stage_start(verb->phone->stage, &intent, SHELL_UID, &component);
    if (outcome > STAGE_DELIVERED)
        return fail_start(verb, &start, &intent, outcome);
    report_start(verb, &start, &component, outcome);
    return 0;
}

/* There are no services to start. */
static int run_service(struct verb_call *verb)
{
    struct start start;
    struct intent intent;
    bool stops = !strncmp(verb->name, "stop", 4);
    int status;

    if (!intent_words(verb, start_option, &start, &intent, &status))
        return status;
    print_intent(verb, stops ? "Stopping service" : "Starting service",
                 &intent);
    call_error(verb->call, stops ? "Service not stopped: was not running.\n"
                                 : "Error: Not found; no service started.\n");
    return SCREEN_COMMAND_FAILED;
}

/* ---- broadcasts ---- */

static int run_broadcast(struct verb_call *verb)
{
    struct start start;
    struct intent intent;
    int status;

    if (!intent_words(verb, start_option, &start, &intent, &status))
        return status;
    intent.flags |= FROM_SHELL;
    print_intent(verb, "Broadcasting", &intent);
    adb_keyboard_hear(verb->phone, &intent);
    call_print(verb->call, "Broadcast completed: result=0\n");
    return 0;
}

/* ---- ending ---- */

static bool need_package(struct verb_call *verb, const char **package,
                         int *status)
{
    const char *option;

    while ((option = verb_option(verb))) {
        if (!strcmp(option, "--user"))
            (void)verb_next(verb);
    }
    return verb_need(verb, package, status);
}

static int run_force_stop(struct verb_call *verb)
{
    const char *package;
    int status;

    if (!need_package(verb, &package, &status))
        return status;
    stage_stop(verb->phone->stage, package, "from shell");
    return 0;
}

static int run_kill(struct verb_call *verb)
{
    const char *package;
    int status;

    if (!need_package(verb, &package, &status))
        return status;
    stage_kill(verb->phone->stage, package);
    return 0;
}

static int run_kill_all(struct verb_call *verb)
{
    struct stage_task tasks[STAGE_TASKS_MAX];
    size_t count = stage_tasks(verb->phone->stage, tasks, STAGE_TASKS_MAX);

    for (size_t i = 0; i < count; i++)
        stage_kill(verb->phone->stage, tasks[i].component.package);
    return 0;
}

/* ---- looking ---- */

static void print_task(struct verb_call *verb, const struct stage_task *task,
                       const char *configuration, const char *bounds,
                       bool visible)
{
    char name[COMPONENT_TEXT_SIZE];

    component_long(&task->component, name);
    call_print(verb->call,
               "RootTask id=%d bounds=%s displayId=0 userId=0\n"
               " configuration=%s\n"
               "  taskId=%d: %s bounds=%s userId=0 visible=%s "
               "topActivity=ComponentInfo{%s}\n\n",
               task->id, bounds, configuration, task->id, name, bounds,
               visible ? "true" : "false", name);
}

static int run_stack(struct verb_call *verb)
{
    struct screen_display display = screen_display(verb->phone->screen);
    struct screen_size size = configuration_size(&display);
    struct stage_task tasks[STAGE_TASKS_MAX];
    size_t count = stage_tasks(verb->phone->stage, tasks, STAGE_TASKS_MAX);
    struct buf text = BUF_INIT(TEXT_MAX);
    const char *word;
    char bounds[64];
    int status;

    if (!verb_need(verb, &word, &status))
        return status;
    if (strcmp(word, "list") != 0 && strcmp(word, "info") != 0) {
        call_error(verb->call, "Error: unknown command '%.100s'\n", word);
        return SCREEN_COMMAND_FAILED;
    }
    snprintf(bounds, sizeof(bounds), "[0,0][%d,%d]", size.width, size.height);
    for (size_t i = 0; i < count; i++) {
        buf_clear(&text);
        configuration_print(&display, tasks[i].home ? "home" : "standard",
                            &text);
        print_task(verb, &tasks[i], buf_cstr(&text), bounds, i == 0);
    }
    buf_release(&text);
    return 0;
}

static int run_current_user(struct verb_call *verb)
{
    call_print(verb->call, "0\n");
    return 0;
}

static int run_idle(struct verb_call *verb)
{
    call_print(verb->call, "All broadcast queues are idle!\n");
    return 0;
}

/* There is nothing to be instrumented. */
static int run_instrument(struct verb_call *verb)
{
    const char *name = verb->call->argv[verb->call->argc - 1];

    call_print(verb->call,
               "INSTRUMENTATION_STATUS: Error=Unable to find instrumentation "
               "info for: ComponentInfo{%s}\n"
               "INSTRUMENTATION_STATUS: id=ActivityManagerService\n"
               "INSTRUMENTATION_STATUS_CODE: -1\n",
               name);
    call_error(verb->call,
               "android.util.AndroidException: INSTRUMENTATION_FAILED: "
               "%.200s\n",
               name);
    return 1;
}

static int run_am(struct call *call)
{
    static const char usage[] =
        "Activity manager (activity) commands:\n"
        "  start-activity [-W] [-S] <INTENT>\n"
        "  start-service <INTENT>\n"
        "  broadcast <INTENT>\n"
        "  force-stop <PACKAGE>\n"
        "  kill <PACKAGE>\n"
        "  kill-all\n"
        "  stack list\n"
        "  get-current-user\n"
        "\n"
        "<INTENT> specifications include these flags and arguments:\n"
        "    [-a <ACTION>] [-d <DATA_URI>] [-t <MIME_TYPE>]\n"
        "    [-c <CATEGORY> [-c <CATEGORY>] ...]\n"
        "    [-n <COMPONENT_NAME>] [-p <PACKAGE>] [-f <FLAG>]\n"
        "    [-e|--es <EXTRA_KEY> <EXTRA_STRING_VALUE> ...]\n"
        "    [--ez|--ei|--el|--ef|--eu|--eia <EXTRA_KEY> <EXTRA_VALUE> ...]\n"
        "    [<URI> | <PACKAGE> | <COMPONENT>]\n";
    static const struct verb verbs[] = {
        {"start", run_start},
        {"start-activity", run_start},
        {"startservice", run_service},
        {"start-service", run_service},
        {"startforegroundservice", run_service},
        {"start-foreground-service", run_service},
        {"stopservice", run_service},
        {"stop-service", run_service},
        {"broadcast", run_broadcast},
        {"force-stop", run_force_stop},
        {"stop-app", run_force_stop},
        {"crash", run_force_stop},
        {"kill", run_kill},
        {"kill-all", run_kill_all},
        {"stack", run_stack},
        {"get-current-user", run_current_user},
        {"wait-for-broadcast-idle", run_idle},
        {"instrument", run_instrument},
    };

    return verb_run(call, verbs, ARRAY_LEN(verbs), usage);
}

/* ---- monkey ---- */

#define NO_ACTIVITIES 252 /* -4 */

/* What monkey says of its own arguments before it begins. */
static void repeat_arguments(struct call *call)
{
    for (size_t i = 1; i < call->argc; i++)
        call_print(call, "  bash arg: %s\n", call->argv[i]);
    call_error(call, "args: [");
    for (size_t i = 1; i < call->argc; i++)
        call_error(call, "%s%.200s", i > 1 ? ", " : "", call->argv[i]);
    call_error(call, "]\n");
    for (size_t i = 1; i < call->argc; i++)
        call_error(call, " arg: \"%.200s\"\n", call->argv[i]);
}

/* It starts the package; what it would do at random afterwards, it leaves. */
static int run_monkey(struct call *call)
{
    struct screen_context *phone = call->context;
    const char *package = NULL;
    long count = 0;

    for (size_t i = 1; i < call->argc; i++) {
        if (!strcmp(call->argv[i], "-p") && i + 1 < call->argc)
            package = call->argv[++i];
        else if (call->argv[i][0] == '-' && i + 1 < call->argc &&
                 strcmp(call->argv[i], "-v") != 0)
            i += call->argv[i][1] != '-' ||
                 !strcmp(call->argv[i], "--throttle") ||
                 !strncmp(call->argv[i], "--pct", 5);
        else
            count = strtol(call->argv[i], NULL, 10);
    }
    repeat_arguments(call);
    if (count <= 0) {
        call_error(call, "** Error: Count not a number: \"%.100s\"\n",
                   call->argv[call->argc - 1]);
        return SCREEN_COMMAND_FAILED;
    }
    if (!package ||
        stage_launch(phone->stage, package, SHELL_UID) > STAGE_DELIVERED) {
        call_error(call, "** No activities found to run, monkey aborted.\n");
        return NO_ACTIVITIES;
    }
    call_print(call,
               "Events injected: %ld\n"
               "## Network stats: elapsed time=%dms (0ms mobile, 0ms wifi, "
               "%dms not connected)\n",
               count, STAGE_LAUNCH_MS, STAGE_LAUNCH_MS);
    return 0;
}

static const struct command commands[] = {
    {"am", run_am, "COMMAND [ARGUMENT...]"},
    {"monkey", run_monkey, "-p PACKAGE [-c CATEGORY] COUNT"},
};

const struct command_set activity_commands = {commands, ARRAY_LEN(commands)};
