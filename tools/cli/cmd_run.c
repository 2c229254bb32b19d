/* proctor run: let an agent do the tasks of a suite. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/deadline.h"
#include "base/file.h"
#include "base/macros.h"
#include "base/mem.h"
#include "tasks/task.h"
#include "tools/cli/cmd.h"
#include "tools/cli/run_setup.h"

#define NAME_TRIES 100

struct run_args {
    const char *agent;
    struct option_texts devices;
    struct option_texts tasks;
    const char *repeats;
    const char *out;
    const char *profile;
    int locale; /* of locales */
    const char *seed;
    const char *skin;
    int preset; /* an enum policy_preset */
    int mode;   /* an enum agent_mode */
    const char *steps;
    const char *retries;
    const char *faults;
    const char *snapshots;
    int via; /* of ways */
    const char *observe_cache;
    const char *model_cache;
    struct run_budget budget;
    bool dry_run;
    const char *keyboard;
    const char *guard;
    bool unguarded;
    bool awake;
    bool still;
    bool upright;
    bool aimless;
};

static const char *const locales[] = {"phone", "en", "zh", NULL};
static const char *const ways[] = {"direct", "server", NULL};
static const char *const presets[] = {"usual", "probench", NULL};
static const char *const modes[] = {"screen", "tree", "marks", NULL};

/* ---- the suite ---- */

/* It is read once: it may be a pipe, and it may change meanwhile. */
static bool read_suite(const char *name, struct buf *text, struct suite *suite,
                       struct err *err)
{
    char *path;
    bool done;

    if (!suite_locate(name, &path, err))
        return false;
    done = file_load(path, text, err) &&
           suite_parse(buf_cstr(text), text->length, path, suite, err);
    free(path);
    return done;
}

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
    for (size_t i = 0; i < args->tasks.count; i++) {
        const char *id = args->tasks.items[i];

        if (!suite_find(suite, id))
            return err_set(err, ERR_INVALID,
                           "suite %s has no task \"%.64s\" (see: proctor "
                           "tasks %s)",
                           suite->name, id, suite->path);
        if (!texts_have(&plan->tasks, id))
            texts_add(&plan->tasks, id);
    }
    for (size_t i = 0; !args->tasks.count && i < suite->count; i++)
        texts_add(&plan->tasks, suite->tasks[i].id);
    return plan->tasks.count > 0 ||
           err_set(err, ERR_INVALID, "suite %s has no tasks", suite->name);
}

/* Tasks whose truth the built-in phone knows are made for it. */
static bool is_for_builtin(const struct suite *suite,
                           const struct run_plan *plan)
{
    for (size_t i = 0; i < plan->tasks.count; i++) {
        if (!suite_find(suite, plan->tasks.items[i])->truth)
            return false;
    }
    return true;
}

static void choose_devices(const struct cli *cli, const struct run_args *args,
                           const struct suite *suite, struct run_plan *plan)
{
    for (size_t i = 0; i < args->devices.count; i++)
        texts_add(&plan->devices, args->devices.items[i]);
    if (plan->devices.count)
        return;
    if (is_for_builtin(suite, plan))
        texts_add(&plan->devices, "phone");
    else
        texts_add(&plan->devices, cli->shared.device ? cli->shared.device : "");
}

static bool make_plan(const struct cli *cli, const struct run_args *args,
                      const struct suite *suite, struct run_plan *plan,
                      struct err *err)
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
    plan->mode = (enum agent_mode)args->mode;
    plan->via_server = args->via == 1;
    plan->guard = copy(args->guard);
    plan->unguarded = args->unguarded;
    plan->awake = args->awake;
    plan->still = args->still;
    plan->upright = args->upright;
    plan->aimless = args->aimless;
    for (size_t i = 0; i < args->devices.count; i++) {
        if (!run_phones_builtin(args->devices.items[i], &ignored, err))
            return false;
    }
    if (!choose_tasks(args, suite, plan, err))
        return false;
    choose_devices(cli, args, suite, plan);
    return read_int("repeats", args->repeats, 1, RUN_REPEATS_MAX,
                    &plan->repeats, err) &&
           read_int("retries", args->retries, 0, 100, &plan->retries, err) &&
           read_int("steps", args->steps, 1, TRAJECTORY_STEPS_MAX, &plan->steps,
                    err) &&
           read_int("skin", args->skin, 0, INT_MAX, &plan->skin, err) &&
           run_phones_number("seed", args->seed, 0, JSON_INT_MAX, &plan->seed,
                             err);
}

/* ---- the folder ---- */

/* "20261116-131500-random-7": when, and who. */
static void name_run(const struct run_plan *plan, char name[64])
{
    time_t now = time(NULL);
    struct tm local;
    size_t at;

    localtime_r(&now, &local);
    at = strftime(name, 32, "%Y%m%d-%H%M%S-", &local);
    for (const char *c = plan->agent; *c && at < 48; c++)
        name[at++] = strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVW"
                            "XYZ0123456789.",
                            *c)
                         ? *c
                         : '-';
    name[at] = '\0';
}

/* A new folder of that name; a number is added where there is one. */
static bool make_folder(const struct run_args *args, const char *name,
                        struct buf *folder, struct err *err)
{
    if (args->out) {
        buf_text(folder, args->out);
        return file_make_folder(args->out, 0777, err);
    }
    if (!file_make_folder("runs", 0777, err))
        return false;
    for (int i = 1; i <= NAME_TRIES; i++) {
        buf_clear(folder);
        buf_printf(folder, "runs/%s", name);
        if (i > 1)
            buf_printf(folder, "-%d", i);
        if (!mkdir(buf_cstr(folder), 0777))
            return true;
        if (errno != EEXIST)
            break;
    }
    return err_errno(err, errno, "make %s", buf_cstr(folder));
}

static bool is_there(const char *folder, const char *name)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct stat found;
    bool there;

    buf_printf(&path, "%s/%s", folder, name);
    there = !lstat(buf_cstr(&path), &found);
    buf_release(&path);
    return there;
}

/* What is there is not written over. */
static bool check_new(const char *folder, struct err *err)
{
    if (is_there(folder, "run.json"))
        return err_set(err, ERR_INVALID,
                       "%s holds a run already; go on with: proctor resume %s",
                       folder, folder);
    return !is_there(folder, "suite.json") ||
           err_set(err, ERR_INVALID,
                   "%s has a suite.json, which would be written over; give "
                   "another folder",
                   folder);
}

/* A run that could not even begin leaves nothing that is in the way. */
static void forget_run(const char *folder)
{
    static const char *const names[] = {"run.json", "suite.json",
                                        "results.jsonl", ".lock"};
    struct buf path = BUF_INIT(PATH_MAX);

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        buf_clear(&path);
        buf_printf(&path, "%s/%s", folder, names[i]);
        (void)unlink(buf_cstr(&path));
    }
    buf_release(&path);
    (void)rmdir(folder); /* unless something else is there */
}

/* The suite as it was read, for when it is run again. */
static bool keep_suite(const char *folder, const struct buf *text,
                       struct run_plan *plan, struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    bool done;

    buf_printf(&path, "%s/suite.json", folder);
    done =
        file_save_synced(buf_cstr(&path), 0666, text->data, text->length, err);
    sha256_hex(text->data, text->length, plan->suite_sha256);
    buf_release(&path);
    return done;
}

static bool make_run(const struct run_args *args, const struct buf *suite,
                     struct run_file *file, struct buf *folder, struct err *err)
{
    char name[64];
    const char *slash;

    name_run(&file->plan, name);
    if (!make_folder(args, name, folder, err) ||
        !check_new(buf_cstr(folder), err) ||
        !keep_suite(buf_cstr(folder), suite, &file->plan, err))
        return false;
    slash = strrchr(buf_cstr(folder), '/');
    file->id = mem_dup(args->out ? name : slash + 1);
    file->created_ms = clock_wall_ms();
    file->proctor = mem_dup(PROCTOR_VERSION);
    return run_file_save(file, buf_cstr(folder), err);
}

/* ---- the command ---- */

static void say_begin(const struct cli *cli, const char *folder,
                      const struct run_plan *plan)
{
    char times[32] = "";

    if (plan->repeats > 1)
        snprintf(times, sizeof(times), ", %d times each", plan->repeats);
    cli_say(cli, "run %s: %zu task%s%s", folder, plan->tasks.count,
            plan->tasks.count == 1 ? "" : "s", times);
}

static bool run(struct cli *cli, const void *args, const struct words *words,
                int *status, struct err *err)
{
    const struct run_args *run_args = args;
    const struct run_setup_options options = {
        .observe_cache = run_args->observe_cache,
        .model_cache = run_args->model_cache,
        .budget = run_args->budget,
        .keyboard = run_args->keyboard,
    };
    struct run_file file = {.id = NULL};
    struct suite suite = {.path = NULL};
    struct buf text = BUF_INIT(SUITE_FILE_MAX);
    struct buf folder = BUF_INIT(PATH_MAX);
    bool done;

    if (!run_args->agent)
        return err_set(err, ERR_INVALID,
                       "say who is to do it, such as --agent gold (see: "
                       "proctor run --help)");
    done = run_budget_check(&run_args->budget, err) &&
           read_suite(words->items[0], &text, &suite, err) &&
           make_plan(cli, run_args, &suite, &file.plan, err) &&
           (run_args->dry_run ? run_budget_estimate(cli, &run_args->budget,
                                                    &file.plan, &suite, err)
                              : make_run(run_args, &text, &file, &folder, err));
    if (done && !run_args->dry_run) {
        say_begin(cli, buf_cstr(&folder), &file.plan);
        done =
            run_setup_do(cli, buf_cstr(&folder), &file, &options, status, err);
        if (!done && run_setup_is_vain(buf_cstr(&folder), err))
            forget_run(buf_cstr(&folder));
    }
    suite_release(&suite);
    run_file_release(&file);
    buf_release(&text);
    buf_release(&folder);
    return done;
}

static const struct option options_table[] = {
    OPTION_TEXT(struct run_args, agent, "agent", 'a', "AGENT", COMPLETE_NOTHING,
                "Who decides: gold, random:SEED, nothing, script:FILE, "
                "exec:COMMAND, human, or a model: openai:MODEL, "
                "responses:MODEL, anthropic:MODEL, gemini:MODEL"),
    OPTION_TEXTS(struct run_args, devices, "device", 's', "DEVICE",
                 "On what: phone, phone:N (built-in ones), or a serial; may "
                 "be given several times"),
    OPTION_TEXTS(struct run_args, tasks, "task", 't', "ID",
                 "Only this task; may be given several times"),
    OPTION_TEXT(struct run_args, repeats, "repeats", 'k', "N", COMPLETE_NOTHING,
                "How often each task is done (1)"),
    OPTION_TEXT(struct run_args, out, "out", 'o', "DIRECTORY", COMPLETE_FILE,
                "Where the run is recorded (a new one in runs/)"),
    OPTION_TEXT(struct run_args, profile, "profile", 'p', "PROFILE",
                COMPLETE_FILE, "How to talk to the model"),
    OPTION_CHOICE(struct run_args, locale, "locale", 0, "LANGUAGE", locales,
                  "The language of the tasks, and of built-in phones"),
    OPTION_TEXT(struct run_args, seed, "seed", 0, "NUMBER", COMPLETE_NOTHING,
                "What the built-in phones hold (0)"),
    OPTION_TEXT(struct run_args, skin, "skin", 0, "NUMBER", COMPLETE_NOTHING,
                "How they word and arrange it (0)"),
    OPTION_CHOICE(struct run_args, preset, "preset", 0, "PRESET", presets,
                  "The rules; probench has those of the paper"),
    OPTION_CHOICE(struct run_args, mode, "mode", 0, "MODE", modes,
                  "What the agent is shown: the screen, what is on it as "
                  "text too, or the screen with numbered marks"),
    OPTION_TEXT(struct run_args, steps, "steps", 0, "N", COMPLETE_NOTHING,
                "Steps that each task may take (as the task says)"),
    OPTION_TEXT(struct run_args, retries, "retries", 0, "N", COMPLETE_NOTHING,
                "How often what is void is tried again (2)"),
    OPTION_TEXT(struct run_args, keyboard, "keyboard", 0, "APK", COMPLETE_FILE,
                "ADBKeyboard, to be installed on phones that lack it"),
    OPTION_TEXT(struct run_args, faults, "faults", 0, "FAULTS",
                COMPLETE_NOTHING,
                "What goes wrong on built-in phones, as for proctor phone"),
    OPTION_TEXT(struct run_args, snapshots, "snapshots", 0, "DIRECTORY",
                COMPLETE_FILE,
                "Where built-in phones have the snapshots that tasks name, as "
                "for proctor phone"),
    OPTION_CHOICE(struct run_args, via, "via", 0, "WAY", ways,
                  "How built-in phones are reached: directly, or through the "
                  "adb server"),
    OPTION_TEXT(struct run_args, observe_cache, "observe-cache", 0, "DIRECTORY",
                COMPLETE_FILE,
                "Where the quickest way to take pictures of each phone is "
                "remembered; none: nowhere"),
    OPTION_TEXT(struct run_args, model_cache, "model-cache", 0, "DIRECTORY",
                COMPLETE_FILE,
                "Remember what models answer there, and ask equal questions "
                "once"),
    RUN_BUDGET_OPTIONS(struct run_args, budget),
    OPTION_FLAG(struct run_args, dry_run, "dry-run", 0,
                "Say what it may cost at most, and do nothing"),
    OPTION_TEXT(struct run_args, guard, "guard", 0, "FILE", COMPLETE_FILE,
                "What agents may not touch on your phone, in place of what "
                "comes with proctor"),
    OPTION_FLAG(struct run_args, unguarded, "no-guard", 0,
                "Let agents do what could do harm on your phone"),
    OPTION_FLAG(struct run_args, awake, "awake", 0,
                "Your phone stays awake meanwhile"),
    OPTION_FLAG(struct run_args, still, "still", 0,
                "Your phone shows no animations meanwhile"),
    OPTION_FLAG(struct run_args, upright, "upright", 0,
                "Your phone does not rotate meanwhile"),
    OPTION_FLAG(struct run_args, aimless, "on-my-phone", 0,
                "Let an agent that acts by chance use your phone"),
};

static const struct operand operands[] = {
    {.name = "SUITE",
     .help = "A file of tasks, or the name of one: phone",
     .min = 1,
     .max = 1,
     .completes = COMPLETE_FILE},
};

static const struct example examples[] = {
    {"proctor run phone --agent gold --device phone:4",
     "All tasks of the built-in phone, on four of them, as they should be "
     "done."},
    {"proctor run phone --agent 'exec:python3 agent.py' -t shop.cheapest",
     "One task, done by a program of yours."},
    {"proctor run mine.json --agent random:7 -s emulator-5554 -k 3 "
     "--on-my-phone",
     "Each task three times, by chance, on an emulator."},
};

const struct command cmd_run = {
    .name = "run",
    .section = "Benchmarks",
    .summary = "Let an agent do the tasks of a suite",
    .description =
        "Does each task of a suite, as often as asked for, on as many phones "
        "as there are, and records everything that was seen, said and done. "
        "What is not the agent's fault is void, and tried again.\n\n"
        "Without --device, tasks that are made for the built-in phone are "
        "done on one; all others on the only phone there is.\n\n"
        "Exit code 1 when something stays void, 5 when no phone is left, 130 "
        "when interrupted; proctor resume goes on from there.",
    COMMAND_OPTIONS(options_table),
    COMMAND_OPERANDS(operands),
    COMMAND_EXAMPLES(examples),
    .args_size = sizeof(struct run_args),
    .takes = TAKES_JSON,
    .run = run,
};
