/* proctor run: let an agent do the tasks of a suite. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "adb/scrcpy/scrcpy_server.h"
#include "base/deadline.h"
#include "base/file.h"
#include "base/macros.h"
#include "base/mem.h"
#include "tasks/task/suite.h"
#include "tasks/task/task.h"
#include "tasks/task/task_wording.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/run/run_folder.h"
#include "tools/cli/run/run_queue.h"
#include "tools/cli/run/run_setup.h"
#include "tools/cli/run/run_shard.h"

struct run_args {
    const char *agent;
    struct option_texts devices;
    struct option_texts tasks;
    const char *rewording; /* which wordings; NULL: the instructions */
    const char *repeats;
    const char *out;
    const char *profile;
    int locale; /* of locales */
    const char *seed;
    const char *skin;
    int preset; /* an enum policy_preset */
    int noise;  /* an enum noise_level */
    int mode;   /* of modes */
    const char *steps;
    const char *shard;
    const char *retries;
    const char *faults;
    const char *snapshots;
    int via; /* of ways */
    bool private_net;
    struct option_texts allow;
    bool realtime;
    bool fast_input;
    const char *scrcpy_server;
    const char *observe_cache;
    const char *model_cache;
    struct run_budget budget;
    bool dry_run;
    const char *keyboard;
    const char *guard;
    bool unguarded;
    bool awake;
    bool no_animations;
    bool no_rotation;
    bool on_my_phone;
    struct run_page_options page;
    struct run_queue_options queue;
};

static const char *const locales[] = {"phone", "en", "zh", NULL};
static const char *const ways[] = {"direct", "server", NULL};
static const char *const presets[] = {"default", "probench", NULL};
static const char *const noises[] = {"none", "light", "heavy", NULL};
/* The first leaves it to the agent; then in the order of enum agent_mode. */
static const char *const modes[] = {"auto", "screen", "tree", "marks", NULL};

/* ---- the plan ---- */

static char *copy(const char *text)
{
    return text ? mem_dup(text) : NULL;
}

static bool read_int(const char *option, const char *text, int min, int max,
                     int *number, struct err *err)
{
    int64_t found = *number;

    if (!run_phones_number(option, text, min, max, &found, err))
        return false;
    *number = (int)found;
    return true;
}

static bool choose_tasks(const struct run_args *args, const struct suite *suite,
                         struct run_plan *plan, struct err *err)
{
    /* a suite of wordings has only those of the chosen tasks */
    for (size_t i = 0; !args->rewording && i < args->tasks.count; i++) {
        const char *id = args->tasks.items[i];

        const struct task *ignored;

        if (!suite_choose(suite, id, &ignored, err))
            return false;
        if (!text_list_have(&plan->tasks, id))
            text_list_add(&plan->tasks, id);
    }
    for (size_t i = 0;
         (args->rewording || !args->tasks.count) && i < suite->count; i++)
        text_list_add(&plan->tasks, suite->tasks[i].id);
    return plan->tasks.count > 0 ||
           err_set(err, ERR_INVALID, "suite %s has no tasks", suite->name);
}

/* Tasks with a ground truth are for the built-in phone. */
static bool is_for_builtin(const struct suite *suite,
                           const struct run_plan *plan)
{
    for (size_t i = 0; i < plan->tasks.count; i++) {
        if (!suite_find(suite, plan->tasks.items[i])->truth)
            return false;
    }
    return true;
}

static void choose_devices(const struct cli_context *cli,
                           const struct run_args *args,
                           const struct suite *suite, struct run_plan *plan)
{
    for (size_t i = 0; i < args->devices.count; i++)
        text_list_add(&plan->devices, args->devices.items[i]);
    if (plan->devices.count)
        return;
    if (is_for_builtin(suite, plan))
        text_list_add(&plan->devices, "phone");
    else
        text_list_add(&plan->devices,
                      cli->shared.device ? cli->shared.device : "");
}

/* People find numbers on the picture easier than coordinates. */
static enum agent_mode choose_mode(const struct run_args *args)
{
    if (args->mode)
        return (enum agent_mode)(args->mode - 1);
    return strcmp(args->agent, "human") ? AGENT_SCREEN : AGENT_MARKS;
}

/* Only an agent that drives the phone has its own network. */
static bool check_network(const struct run_args *args, struct err *err)
{
    if (args->allow.count && !args->private_net)
        return err_set(err, ERR_INVALID, "--allow needs --private-net");
    if (!args->private_net)
        return true;
    if (!agent_factory_drives(args->agent))
        return err_set(err, ERR_INVALID,
                       "--private-net is for agents adb:COMMAND");
    return args->via != 1 ||
           err_set(err, ERR_INVALID,
                   "--private-net and --via server exclude each other: your "
                   "adb server is not in the private network");
}

/* A server that is not there is found out before the run. */
static bool choose_server(const struct run_args *args, struct run_plan *plan,
                          struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    bool done;

    if (!args->fast_input)
        return !args->scrcpy_server ||
               err_set(err, ERR_INVALID, "--scrcpy-server needs --fast-input");
    done = scrcpy_server_find(args->scrcpy_server, &path, err);
    if (done)
        plan->scrcpy_server = mem_dup(buf_cstr(&path));
    else
        err->code = ERR_INVALID;
    buf_release(&path);
    return done;
}

static bool make_plan(const struct cli_context *cli,
                      const struct run_args *args, const struct suite *suite,
                      struct run_plan *plan, struct err *err)
{
    size_t ignored;

    plan->repeats = 1;
    plan->retries = RUN_RETRIES_DEFAULT;
    plan->suite = mem_dup(suite->path);
    plan->agent = mem_dup(args->agent);
    plan->profile = copy(args->profile);
    plan->faults = copy(args->faults);
    plan->snapshots = copy(args->snapshots);
    plan->locale = args->locale ? mem_dup(locales[args->locale]) : NULL;
    plan->preset = (enum policy_preset)args->preset;
    plan->noise = (enum noise_level)args->noise;
    plan->mode = choose_mode(args);
    plan->via_server = args->via == 1;
    plan->private_net = args->private_net;
    for (size_t i = 0; i < args->allow.count; i++)
        text_list_add(&plan->allow, args->allow.items[i]);
    /* A person's hand needs real time. */
    plan->realtime = args->realtime || agent_factory_drives(args->agent) ||
                     run_page_is_wanted(&args->page);
    plan->fast_input = args->fast_input;
    plan->guard = copy(args->guard);
    plan->unguarded = args->unguarded;
    plan->awake = args->awake;
    plan->no_animations = args->no_animations;
    plan->no_rotation = args->no_rotation;
    plan->on_my_phone = args->on_my_phone;
    for (size_t i = 0; i < args->devices.count; i++) {
        if (!run_phones_builtin(args->devices.items[i], &ignored, err))
            return false;
    }
    if (!check_network(args, err) || !choose_server(args, plan, err) ||
        !choose_tasks(args, suite, plan, err))
        return false;
    choose_devices(cli, args, suite, plan);
    return phone_pool_check(&plan->devices, err) &&
           run_shard_set(args->shard, plan, err) &&
           read_int("repeats", args->repeats, 1, RUN_REPEATS_MAX,
                    &plan->repeats, err) &&
           read_int("retries", args->retries, 0, 100, &plan->retries, err) &&
           read_int("steps", args->steps, 1, TRAJECTORY_STEPS_MAX, &plan->steps,
                    err) &&
           read_int("skin", args->skin, 0, INT_MAX, &plan->skin, err) &&
           run_phones_number("seed", args->seed, 0, JSON_INT_MAX, &plan->seed,
                             err);
}

/* ---- the command ---- */

static void say_begin(const struct cli_context *cli, const char *folder,
                      const struct run_plan *plan)
{
    char times[32] = "";

    if (plan->repeats > 1)
        snprintf(times, sizeof(times), ", %d times each", plan->repeats);
    cli_message(cli, "run %s: %zu task%s%s", folder, plan->tasks.count,
                plan->tasks.count == 1 ? "" : "s", times);
}

/* Everything of a run that is made before it begins. */
struct new_run {
    struct run_file file;
    struct suite suite;
    struct buf text; /* of the suite */
    struct buf folder;
};

static void release(struct new_run *made)
{
    suite_release(&made->suite);
    run_file_release(&made->file);
    buf_release(&made->text);
    buf_release(&made->folder);
}

/* Replace the suite by one whose tasks are the chosen wordings. */
static bool reword(const struct run_args *args, struct new_run *made,
                   struct err *err)
{
    struct task_wordings_choice choice = {.ids = args->tasks.items,
                                          .id_count = args->tasks.count};
    struct task_wordings wordings = {.items = NULL};
    struct buf text = BUF_INIT(TASK_FILE_MAX);
    struct suite suite;
    bool done =
        task_wordings_choose(args->rewording, &choice, err) &&
        task_wordings_load(&made->suite, &wordings, err) &&
        task_wordings_expand(&made->suite, &wordings, &choice, &text, err) &&
        suite_parse(buf_cstr(&text), text.length, made->suite.path, &suite,
                    err);

    task_wordings_release(&wordings);
    if (!done) {
        buf_release(&text);
        return false;
    }
    suite_release(&made->suite);
    buf_release(&made->text);
    made->suite = suite;
    made->text = text;
    return true;
}

static bool plan_run(const struct cli_context *cli, const struct run_args *args,
                     const char *suite, struct new_run *made, struct err *err)
{
    const struct run_setup_options options = {
        .observe_cache = args->observe_cache,
        .model_cache = args->model_cache,
        .budget = args->budget,
        .keyboard = args->keyboard,
    };

    if (!args->agent)
        return err_set(err, ERR_INVALID,
                       "no agent is given: use --agent, such as --agent gold "
                       "(see: proctor run --help)");
    return run_setup_set(&options, &made->file.plan, err) &&
           run_folder_read_suite(suite, &made->text, &made->suite, err) &&
           (!args->rewording || reword(args, made, err)) &&
           make_plan(cli, args, &made->suite, &made->file.plan, err) &&
           run_queue_check(&args->queue, &made->file.plan, err);
}

static bool execute(struct cli_context *cli, const struct run_args *args,
                    struct new_run *made, int *status, struct err *err)
{
    const char *folder;
    struct run_setup_job job = {.file = &made->file, .page = &args->page};
    bool begun;
    bool done;

    if (!run_folder_make(args->out, run_queue_parent(&args->queue), &made->text,
                         &made->file, &made->folder, err))
        return false;
    folder = buf_cstr(&made->folder);
    job.folder = folder;
    say_begin(cli, folder, &made->file.plan);
    if (args->queue.url) {
        done = run_queue_start(cli, &args->queue, folder, &made->file,
                               &made->suite, &made->text, &begun, status, err);
    } else {
        done = run_setup_do(cli, &job, status, err);
        begun = done || !run_setup_nothing_started(folder, err);
    }
    if (!begun)
        run_folder_forget(folder);
    return done;
}

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    const struct run_args *run_args = args;
    struct new_run made = {.text = BUF_INIT(TASK_FILE_MAX),
                           .folder = BUF_INIT(PATH_MAX)};
    bool done = plan_run(cli, run_args, words->items[0], &made, err);

    if (done)
        done = run_args->dry_run
                   ? run_budget_estimate(cli, &made.file.plan, &made.suite, err)
                   : execute(cli, run_args, &made, status, err);
    release(&made);
    return done;
}

static const struct option options_table[] = {
    OPTION_TEXT(struct run_args, agent, "agent", 'a', "AGENT", COMPLETE_AGENT,
                "The agent: gold, random:SEED, nothing, script:FILE, "
                "exec:COMMAND, adb:COMMAND, human, or a model: openai:MODEL, "
                "responses:MODEL, anthropic:MODEL, gemini:MODEL"),
    OPTION_TEXTS(struct run_args, devices, "device", 's', "DEVICE",
                 COMPLETE_RUN_DEVICE,
                 "The phone: phone, phone:N (built-in ones), avd:NAME:N "
                 "(emulators that are started), stf:URL#N (reserved from an "
                 "STF), or a serial; may be given several times"),
    OPTION_TEXTS(struct run_args, tasks, "task", 't', "ID", COMPLETE_TASK,
                 "Only this task; may be given several times"),
    OPTION_TEXT(struct run_args, rewording, "rewording", 0, "STYLE|N|all",
                COMPLETE_NOTHING,
                "Put the instructions in other words, where the suite has "
                "them: in one style, by its name or number, or in all, and as "
                "they are"),
    OPTION_TEXT(struct run_args, repeats, "repeats", 'k', "N", COMPLETE_NOTHING,
                "How often each task is run (1)"),
    OPTION_TEXT(struct run_args, out, "out", 'o', "DIRECTORY", COMPLETE_FILE,
                "Where the run is recorded (a new folder in runs/)"),
    OPTION_TEXT(struct run_args, profile, "profile", 'p', "PROFILE",
                COMPLETE_PROFILE, "How to talk to the model"),
    OPTION_CHOICE(struct run_args, locale, "locale", 0, "LANGUAGE", locales,
                  "The language of the tasks, and of built-in phones"),
    OPTION_TEXT(struct run_args, seed, "seed", 0, "NUMBER", COMPLETE_NOTHING,
                "The content of built-in phones (0)"),
    OPTION_TEXT(struct run_args, skin, "skin", 0, "NUMBER", COMPLETE_NOTHING,
                "Their wording and layout (0)"),
    OPTION_CHOICE(struct run_args, preset, "preset", 0, "PRESET", presets,
                  "The rules of an episode; probench: those of the paper"),
    OPTION_CHOICE(struct run_args, noise, "noise", 0, "LEVEL", noises,
                  "What else happens on built-in phones: pop-ups, calls, slow "
                  "screens (none)"),
    OPTION_CHOICE(struct run_args, mode, "mode", 0, "MODE", modes,
                  "What the agent is shown: the screen, what is on it as "
                  "text too, or the screen with numbered marks (auto: marks "
                  "for human, otherwise screen)"),
    OPTION_TEXT(struct run_args, steps, "steps", 0, "N", COMPLETE_NOTHING,
                "Steps that each task may take (as in the task)"),
    OPTION_TEXT(struct run_args, shard, "shard", 0, "INDEX/COUNT",
                COMPLETE_NOTHING,
                "Only this part of the run, from 0/COUNT on; auto: by the "
                "array of Slurm or Kubernetes that this process is in; proctor "
                "merge joins the parts"),
    OPTION_TEXT(struct run_args, retries, "retries", 0, "N", COMPLETE_NOTHING,
                "How often a void attempt is repeated (2)"),
    OPTION_TEXT(struct run_args, keyboard, "keyboard", 0, "APK", COMPLETE_FILE,
                "ADBKeyboard, to be installed on phones that lack it"),
    OPTION_TEXT(struct run_args, faults, "faults", 0, "FAULTS",
                COMPLETE_NOTHING,
                "What goes wrong on built-in phones, as for proctor phone"),
    OPTION_TEXT(
        struct run_args, snapshots, "snapshots", 0, "DIRECTORY", COMPLETE_FILE,
        "The folder of the snapshots that tasks name, as for proctor phone"),
    OPTION_FLAG(
        struct run_args, realtime, "realtime", 0,
        "Built-in phones use this computer's clock instead of virtual time"),
    OPTION_FLAG(struct run_args, fast_input, "fast-input", 0,
                "Act through scrcpy's server instead of a command for each "
                "action; it is pushed to the phone"),
    OPTION_TEXT(struct run_args, scrcpy_server, "scrcpy-server", 0, "FILE",
                COMPLETE_FILE,
                "That server (SCRCPY_SERVER_PATH, or where scrcpy is "
                "installed)"),
    OPTION_CHOICE(struct run_args, via, "via", 0, "WAY", ways,
                  "How built-in phones are reached, or the phone by an agent "
                  "adb:COMMAND: directly, or through your adb server"),
    OPTION_FLAG(struct run_args, private_net, "private-net", 0,
                "An agent adb:COMMAND runs in its own network, where "
                "127.0.0.1:5037 is its phone's adb server"),
    OPTION_TEXTS(struct run_args, allow, "allow", 0, "HOST:PORT",
                 COMPLETE_NOTHING,
                 "What can be reached from that network, such as a model's "
                 "service"),
    OPTION_TEXT(struct run_args, observe_cache, "observe-cache", 0, "DIRECTORY",
                COMPLETE_FILE,
                "Where the fastest screenshot method of each phone is cached; "
                "none: nowhere"),
    OPTION_TEXT(struct run_args, model_cache, "model-cache", 0, "DIRECTORY",
                COMPLETE_FILE, "Cache model replies in this folder"),
    RUN_BUDGET_OPTIONS(struct run_args, budget),
    OPTION_FLAG(struct run_args, dry_run, "dry-run", 0,
                "Print an upper bound of the cost, and do nothing else"),
    OPTION_TEXT(struct run_args, guard, "guard", 0, "FILE", COMPLETE_FILE,
                "What agents may not touch on your phone, instead of the "
                "built-in list"),
    OPTION_FLAG(struct run_args, unguarded, "no-guard", 0,
                "Let agents touch everything on your phone"),
    OPTION_FLAG(struct run_args, awake, "awake", 0,
                "Keep your phone awake during the run"),
    OPTION_FLAG(struct run_args, no_animations, "no-animations", 0,
                "Switch animations off during the run"),
    OPTION_FLAG(struct run_args, no_rotation, "no-rotation", 0,
                "Switch rotation off during the run"),
    OPTION_FLAG(struct run_args, on_my_phone, "on-my-phone", 0,
                "Let an agent that acts at random use your phone"),
    OPTION_FLAG(struct run_args, page.serve, "serve", 0,
                "Show the phones live on a page, where people can take over; "
                "built-in phones use this computer's clock then"),
    OPTION_TEXT(struct run_args, page.port, "serve-port", 0, "PORT",
                COMPLETE_NOTHING, "Where the page is served (a free port)"),
    OPTION_FLAG(struct run_args, page.open, "open", 0,
                "The same, and show the page in your browser"),
    RUN_QUEUE_OPTIONS(struct run_args, queue),
};

static const struct operand operands[] = {
    {.name = "SUITE",
     .help = "A file of tasks, or the name of one: phone",
     .min = 1,
     .max = 1,
     .completes = COMPLETE_SUITE},
};

static const struct example examples[] = {
    {"proctor run phone --agent gold --device phone:4",
     "All tasks of the built-in phone, on four of them, by their gold steps."},
    {"proctor run phone --agent 'exec:python3 agent.py' -t shop.cheapest",
     "One task, done by your own program."},
    {"proctor run phone --agent openai:gpt-5 --open",
     "The same by a model, on a page where you can take over."},
    {"proctor run mine.json --agent random:7 -s emulator-5554 -k 3 "
     "--on-my-phone",
     "Each task three times, with random actions, on an emulator."},
};

const struct command cmd_run = {
    .name = "run",
    .section = "Benchmarks",
    .summary = "Let an agent do the tasks of a suite",
    .description =
        "Runs an agent on each task of a suite, on one or more phones, and "
        "records every observation, reply and action. An attempt that failed "
        "through no fault of the agent is void, and is repeated.\n\nWithout "
        "--device, tasks for the built-in phone run on one, and all others on "
        "the only connected phone.\n\nThe exit code is 1 when something stays "
        "void, 5 when no phone is left, and 130 after an interrupt; proctor "
        "resume continues the run.",
    COMMAND_OPTIONS(options_table),
    COMMAND_OPERANDS(operands),
    COMMAND_EXAMPLES(examples),
    .args_size = sizeof(struct run_args),
    .takes = TAKES_JSON,
    .run = run,
};
