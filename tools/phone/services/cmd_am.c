/* am and monkey: start and stop apps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/name_table.h"
#include "tools/phone/screen/display_configuration.h"
#include "tools/phone/services/adb_keyboard.h"
#include "tools/phone/services/intent_args.h"
#include "tools/phone/services/service_dialect.h"

#define TEXT_MAX ((size_t)64 * 1024)
#define SHELL_UID 2000
#define FROM_SHELL 0x00400000U /* FLAG_RECEIVER_FROM_SHELL */

static void print_intent(struct subcommand_call *subcommand, const char *what,
                         const struct phone_intent *intent)
{
    struct buf text = BUF_INIT(TEXT_MAX);

    intent_print(intent, &text);
    call_print(subcommand->call, "%s: Intent %s\n", what, buf_cstr(&text));
    buf_release(&text);
}

/* ---- start ---- */

struct start {
    bool wait;
    bool stop;
};

/* Options of start. */
static bool start_option(struct subcommand_call *subcommand, const char *option,
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
            return subcommand_next(subcommand) != NULL;
    }
    return NAME_TABLE_HAS(without, option);
}

/* With -W everything is printed to the output. */
static void say(struct subcommand_call *subcommand, const struct start *start,
                const char *text)
{
    if (start->wait)
        call_print(subcommand->call, "%s\n", text);
    else
        call_error(subcommand->call, "%s\n", text);
}

static int fail_start(struct subcommand_call *subcommand,
                      const struct start *start,
                      const struct phone_intent *intent,
                      enum task_stack_outcome outcome)
{
    char component[COMPONENT_TEXT_SIZE];
    struct buf text = BUF_INIT(TEXT_MAX);

    if (outcome == TASK_STACK_NO_CLASS) {
        buf_printf(&text,
                   "Error type 3\nError: Activity class {%s} does not exist.",
                   component_long(&intent->component, component));
    } else if (outcome == TASK_STACK_NO_ANSWER) {
        struct phone_intent flagged = *intent;

        flagged.flags |= INTENT_NEW_TASK;
        buf_text(&text, "Error: Activity not started, unable to resolve "
                        "Intent ");
        intent_print(&flagged, &text);
    } else {
        buf_text(&text, "Error: Activity not started, unknown error code 102");
    }
    say(subcommand, start, buf_cstr(&text));
    buf_release(&text);
    return 1;
}

static void report_start(struct subcommand_call *subcommand,
                         const struct start *start,
                         const struct phone_component *component,
                         enum task_stack_outcome outcome)
{
    static const char *const states[] = {"COLD", "HOT", "UNKNOWN (0)"};
    const struct service_dialect *dialect =
        service_dialect(subcommand->phone->handset->android);
    char text[COMPONENT_TEXT_SIZE];
    int total = outcome == TASK_STACK_STARTED ? TASK_STACK_LAUNCH_MS : 0;

    if (outcome == TASK_STACK_DELIVERED)
        say(subcommand, start, dialect->delivered);
    else if (outcome == TASK_STACK_TO_FRONT)
        say(subcommand, start,
            "Warning: Activity not started, its current task has been "
            "brought to the front");
    if (!start->wait)
        return;
    component_short(component, text);
    if (dialect->this_time)
        call_print(subcommand->call,
                   "Status: ok\nActivity: %s\nThisTime: %d\nTotalTime: %d\n"
                   "Complete\n",
                   text, total, total);
    else
        call_print(subcommand->call,
                   "Status: ok\nLaunchState: %s\nActivity: %s\n"
                   "TotalTime: %d\nWaitTime: %d\nComplete\n",
                   states[outcome], text, total, total + 4);
}

/* -S: stop the app before it is started. */
static bool stop_before(struct subcommand_call *subcommand,
                        const struct phone_intent *intent)
{
    struct phone_component component = intent->component;
    struct buf text = BUF_INIT(TEXT_MAX);

    if (!component.package[0] &&
        !packages_resolve(&subcommand->phone->handset->packages, intent,
                          &component)) {
        intent_print(intent, &text);
        call_error(subcommand->call,
                   "Error: Intent does not match any activities: Intent "
                   "%.300s\n",
                   buf_cstr(&text));
        buf_release(&text);
        return false;
    }
    call_print(subcommand->call, "Stopping: %s\n", component.package);
    task_stack_stop(subcommand->phone->task_stack, component.package,
                    "from shell");
    return true;
}

static int run_start(struct subcommand_call *subcommand)
{
    struct start start = {.wait = false};
    struct phone_component component;
    enum task_stack_outcome outcome;
    struct phone_intent intent;
    int status;

    if (!intent_words(subcommand, start_option, &start, &intent, &status))
        return status;
    if (start.stop && !stop_before(subcommand, &intent))
        return 1;
    print_intent(subcommand, "Starting", &intent);
    outcome = task_stack_start(subcommand->phone->task_stack, &intent,
                               SHELL_UID, &component);
    if (outcome > TASK_STACK_DELIVERED)
        return fail_start(subcommand, &start, &intent, outcome);
    report_start(subcommand, &start, &component, outcome);
    return 0;
}

/* There are no services to start. */
static int run_service(struct subcommand_call *subcommand)
{
    struct start start;
    struct phone_intent intent;
    bool stops = !strncmp(subcommand->name, "stop", 4);
    int status;

    if (!intent_words(subcommand, start_option, &start, &intent, &status))
        return status;
    print_intent(subcommand, stops ? "Stopping service" : "Starting service",
                 &intent);
    call_error(subcommand->call,
               stops ? "Service not stopped: was not running.\n"
                     : "Error: Not found; no service started.\n");
    return SCREEN_COMMAND_FAILED;
}

/* ---- broadcasts ---- */

static int run_broadcast(struct subcommand_call *subcommand)
{
    struct start start;
    struct phone_intent intent;
    int status;

    if (!intent_words(subcommand, start_option, &start, &intent, &status))
        return status;
    if (!subcommand->phone->handset->android->toolbox)
        intent.flags |= FROM_SHELL;
    print_intent(subcommand, "Broadcasting", &intent);
    adb_keyboard_receive(subcommand->phone, &intent);
    call_print(subcommand->call, "Broadcast completed: result=0\n");
    return 0;
}

/* ---- stopping ---- */

static bool need_package(struct subcommand_call *subcommand,
                         const char **package, int *status)
{
    const char *option;

    while ((option = subcommand_option(subcommand))) {
        if (!strcmp(option, "--user"))
            (void)subcommand_next(subcommand);
    }
    return subcommand_need(subcommand, package, status);
}

static int run_force_stop(struct subcommand_call *subcommand)
{
    const char *package;
    int status;

    if (!need_package(subcommand, &package, &status))
        return status;
    task_stack_stop(subcommand->phone->task_stack, package, "from shell");
    return 0;
}

static int run_kill(struct subcommand_call *subcommand)
{
    const char *package;
    int status;

    if (!need_package(subcommand, &package, &status))
        return status;
    task_stack_kill(subcommand->phone->task_stack, package);
    return 0;
}

static int run_kill_all(struct subcommand_call *subcommand)
{
    struct task_info tasks[TASK_STACK_TASKS_MAX];
    size_t count = task_stack_tasks(subcommand->phone->task_stack, tasks,
                                    TASK_STACK_TASKS_MAX);

    for (size_t i = 0; i < count; i++)
        task_stack_kill(subcommand->phone->task_stack,
                        tasks[i].component.package);
    return 0;
}

/* ---- stack and task lists ---- */

static void print_task(struct subcommand_call *subcommand,
                       const struct task_info *task, const char *configuration,
                       const char *bounds, bool visible)
{
    char name[COMPONENT_TEXT_SIZE];

    component_long(&task->component, name);
    call_print(subcommand->call,
               "RootTask id=%d bounds=%s displayId=0 userId=0\n"
               " configuration=%s\n"
               "  taskId=%d: %s bounds=%s userId=0 visible=%s "
               "topActivity=ComponentInfo{%s}\n\n",
               task->id, bounds, configuration, task->id, name, bounds,
               visible ? "true" : "false", name);
}

static int run_stack(struct subcommand_call *subcommand)
{
    struct screen_display display = screen_display(subcommand->phone->screen);
    struct phone_size size = display_configuration_size(&display);
    struct task_info tasks[TASK_STACK_TASKS_MAX];
    size_t count = task_stack_tasks(subcommand->phone->task_stack, tasks,
                                    TASK_STACK_TASKS_MAX);
    struct buf text = BUF_INIT(TEXT_MAX);
    const char *word;
    char bounds[64];
    int status;

    if (!subcommand_need(subcommand, &word, &status))
        return status;
    if (strcmp(word, "list") != 0 && strcmp(word, "info") != 0) {
        call_error(subcommand->call, "Error: unknown command '%.100s'\n", word);
        return SCREEN_COMMAND_FAILED;
    }
    snprintf(bounds, sizeof(bounds), "[0,0][%d,%d]", size.width, size.height);
    for (size_t i = 0; i < count; i++) {
        buf_clear(&text);
        display_configuration_print(&display,
                                    tasks[i].home ? "home" : "standard", &text);
        print_task(subcommand, &tasks[i], buf_cstr(&text), bounds, i == 0);
    }
    buf_release(&text);
    return 0;
}

static int run_current_user(struct subcommand_call *subcommand)
{
    call_print(subcommand->call, "0\n");
    return 0;
}

static int run_idle(struct subcommand_call *subcommand)
{
    call_print(subcommand->call, "All broadcast queues are idle!\n");
    return 0;
}

/* There is no instrumentation to run. */
static int run_instrument(struct subcommand_call *subcommand)
{
    const char *name = subcommand->call->argv[subcommand->call->argc - 1];

    call_print(subcommand->call,
               "INSTRUMENTATION_STATUS: Error=Unable to find instrumentation "
               "info for: ComponentInfo{%s}\n"
               "INSTRUMENTATION_STATUS: id=ActivityManagerService\n"
               "INSTRUMENTATION_STATUS_CODE: -1\n",
               name);
    call_error(subcommand->call,
               "android.util.AndroidException: INSTRUMENTATION_FAILED: "
               "%.200s\n",
               name);
    return 1;
}

static int run_am(struct command_call *call)
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
    static const struct subcommand verbs[] = {
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

    return subcommand_run(call, verbs, ARRAY_LEN(verbs), usage);
}

/* ---- monkey ---- */

#define NO_ACTIVITIES 252 /* -4 */

/* monkey prints its arguments first. */
static void repeat_arguments(struct command_call *call)
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

/* On exit monkey releases the rotation, which switches auto-rotate on. */
static void free_rotation(struct phone_settings *settings)
{
    (void)!settings_put(settings, SETTINGS_SYSTEM, "accelerometer_rotation",
                        "1"); /* ignored when the store is full */
}

/* Starts the package; the random events are left out. */
static int run_monkey(struct command_call *call)
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
    if (!phone->handset->android->toolbox)
        repeat_arguments(call);
    if (count <= 0) {
        call_error(call, "** Error: Count not a number: \"%.100s\"\n",
                   call->argv[call->argc - 1]);
        return SCREEN_COMMAND_FAILED;
    }
    if (!package || task_stack_launch(phone->task_stack, package, SHELL_UID) >
                        TASK_STACK_DELIVERED) {
        call_error(call, "** No activities found to run, monkey aborted.\n");
        return NO_ACTIVITIES;
    }
    free_rotation(&phone->handset->settings);
    call_print(call,
               "Events injected: %ld\n"
               "## Network stats: elapsed time=%dms (0ms mobile, 0ms wifi, "
               "%dms not connected)\n",
               count, TASK_STACK_LAUNCH_MS, TASK_STACK_LAUNCH_MS);
    return 0;
}

static const struct phone_command commands[] = {
    {"am", run_am, "COMMAND [ARGUMENT...]"},
    {"monkey", run_monkey, "-p PACKAGE [-c CATEGORY] COUNT"},
};

const struct command_set activity_commands = {commands, ARRAY_LEN(commands)};
