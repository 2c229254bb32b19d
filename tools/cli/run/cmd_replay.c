/* proctor replay: repeat a recorded episode. */
#include "runner/replay/replay_task.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "base/picture/picture_file.h"
#include "tasks/task/episode_task.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/run/one_phone.h"
#include "tools/cli/run/replay_update.h"
#include "tools/cli/terminal/text_page.h"

#define TIMES_MAX 1000
#define ENDS_OTHERWISE 1
#define COMMAND_MAX 40
#define ANSWER_MAX 100
#define SIDE_MAX 99999 /* pixels */

struct replay_args {
    const char *times;
    const char *picture;
    const char *seed;
    const char *skin;
    const char *device;
    const char *size;
    const char *popups;
    const char *faults;
    int locale; /* of locales */
    bool update;
};

static const char *const locales[] = {"recorded", "en", "zh", NULL};

/* The episode and the phone. */
struct show {
    struct cli_context *cli;
    const struct replay_args *args;
    struct trajectory recorded;
    bool has_asked;
    struct task asked; /* as it was recorded */
    bool has_suite;
    struct suite suite; /* of the run */
    struct popup_handlers *popups;
    struct run_plan plan;
    struct one_phone phone;
    struct replay_edit *edits; /* owned; NULL: none */
    struct cJSON *passes;      /* owned: an array of the results */
    int64_t times;
    int passed;
};

/* ---- what it was recorded with ---- */

/* The run's folder is four above the episode's: episodes/task/repeat/attempt.
 */
static void name_in_run(const char *episode, const char *name, struct buf *path)
{
    buf_printf(path, "%s/../../../..%s", episode, name);
}

static bool load_run(const char *episode, struct run_file *file)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct err ignored;
    bool done;

    name_in_run(episode, "", &path);
    done = run_file_load(buf_cstr(&path), file, &ignored);
    buf_release(&path);
    return done;
}

/* The task as it was asked, and the suite of the run; both may be missing. */
static void load_task(struct show *show, const char *episode)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct err ignored;

    show->has_asked = episode_task_load(episode, &show->asked, &ignored);
    name_in_run(episode, "/suite.json", &path);
    show->has_suite = suite_load(buf_cstr(&path), &show->suite, &ignored);
    buf_release(&path);
}

static bool was_builtin(const struct run_file *file, const char *serial)
{
    for (size_t i = 0; serial && i < file->device_count; i++) {
        if (!strcmp(file->devices[i].serial, serial))
            return file->devices[i].builtin;
    }
    return false;
}

/* The same phone as recorded, unless an option names another. */
static bool make_plan(struct show *show, const char *episode, struct err *err)
{
    const struct replay_args *args = show->args;
    struct run_plan *plan = &show->plan;
    const char *device = args->device;
    struct run_file file = {.id = NULL};
    int64_t skin;

    if (load_run(episode, &file)) {
        plan->seed = file.plan.seed;
        plan->skin = file.plan.skin;
        if (!device && was_builtin(&file, show->recorded.head.phone))
            device = "phone";
        run_file_release(&file);
    } else if (show->recorded.head.builtin) {
        plan->seed = show->recorded.head.seed;
        plan->skin = show->recorded.head.skin;
        if (!device && !show->cli->shared.device)
            device = "phone";
    }
    if (!device)
        device = show->cli->shared.device ? show->cli->shared.device : "";
    text_list_add(&plan->devices, device);
    if (args->locale)
        plan->locale = mem_dup(locales[args->locale]);
    else if (show->recorded.head.locale)
        plan->locale = mem_dup(show->recorded.head.locale);
    if (args->faults)
        plan->faults = mem_dup(args->faults);
    skin = plan->skin;
    show->times = 1;
    if (!run_phones_number("times", args->times, 1, TIMES_MAX, &show->times,
                           err) ||
        !run_phones_number("seed", args->seed, 0, JSON_INT_MAX, &plan->seed,
                           err) ||
        !run_phones_number("skin", args->skin, 0, INT_MAX, &skin, err))
        return false;
    plan->skin = (int)skin;
    return true;
}

/* ---- one pass ---- */

static bool save_picture(const struct show *show, const struct picture *picture,
                         struct buf *path, struct err *err)
{
    buf_text(path, show->args->picture ? show->args->picture : "replay.png");
    return picture_file_save(buf_cstr(path), picture, err);
}

static void note_steps(const struct replay_end *end, struct cJSON *pass)
{
    struct cJSON *steps = json_add_array(pass, "done_steps");

    for (size_t i = 0; i < end->log_count; i++) {
        const struct replay_step *step = &end->log[i];
        struct cJSON *made = json_add_object(steps, NULL);

        json_add_int(made, "step", step->step);
        if (step->skipped)
            json_add_bool(made, "skipped", true);
        if (step->has_target)
            json_add_number(made, "confidence", step->confidence);
        if (step->reason[0])
            json_add_string(made, "reason", step->reason);
        if (step->similarity >= 0)
            json_add_number(made, "similarity", step->similarity);
    }
}

static void note(struct show *show, const struct replay_end *end,
                 enum replay_truth truth, const char *picture)
{
    struct cJSON *pass = json_add_object(show->passes, NULL);

    json_add_bool(pass, "done", end->done);
    json_add_int(pass, "steps", end->steps);
    json_add_int(pass, "of", end->all);
    json_add_number(pass, "like", end->like);
    if (!end->done) {
        json_add_int(pass, "stopped_at", end->step);
        json_add_string(pass, "stopped_by", replay_stop_name(end->stop));
        json_add_string(pass, "why", end->why);
    }
    if (truth != REPLAY_TRUTH_UNKNOWN)
        json_add_bool(pass, "truth", truth == REPLAY_TRUTH_MET);
    if (end->popups)
        json_add_int(pass, "popups", end->popups);
    note_steps(end, pass);
    if (end->has_picture)
        json_add_string(pass, "picture", picture);
    show->passed += end->done && truth != REPLAY_TRUTH_MISSED;
}

static bool print_pass(struct show *show, int64_t number,
                       const struct replay_end *end, enum replay_truth truth,
                       const char *picture, struct err *err)
{
    struct text_page page;
    bool done;

    if (show->cli->shared.json)
        return true;
    text_page_init(&page, show->cli->out.fd);
    text_page_printf(&page, "%3lld  ", (long long)number);
    text_page_add(&page, end->done ? TEXT_STYLE_GREEN : TEXT_STYLE_RED,
                  end->done ? "done   " : "stopped");
    text_page_printf(&page, "  %d of %d steps", end->steps, end->all);
    if (!end->done) {
        text_page_printf(&page, "; step %d: ", end->step);
        text_page_untrusted(&page, TEXT_STYLE_PLAIN, end->why);
    }
    if (truth == REPLAY_TRUTH_MISSED)
        text_page_add(&page, TEXT_STYLE_RED,
                      "; but the phone says that the task is not done");
    if (end->has_picture) {
        text_page_add(&page, TEXT_STYLE_DIM, "; expected and seen: ");
        text_page_untrusted(&page, TEXT_STYLE_DIM, picture);
    }
    text_page_add(&page, TEXT_STYLE_PLAIN, "\n");
    done = output_stream_buf(&show->cli->out, &page.text, err);
    text_page_release(&page);
    return done;
}

/* "1080x1920" */
static bool read_size(const char *text, unsigned long *width,
                      unsigned long *height)
{
    char *end;

    if (!isdigit((unsigned char)*text))
        return false;
    *width = strtoul(text, &end, 10);
    if (*end != 'x' || !isdigit((unsigned char)end[1]))
        return false;
    *height = strtoul(end + 1, &end, 10);
    return !*end && *width && *height && *width <= SIDE_MAX &&
           *height <= SIDE_MAX;
}

/* The command that gives a built-in phone another size; "": none. */
static bool size_command(const struct show *show, char *command, size_t size,
                         struct err *err)
{
    const char *text = show->args->size;
    unsigned long width, height;

    command[0] = '\0';
    if (!text)
        return true;
    if (!read_size(text, &width, &height))
        return err_set(err, ERR_INVALID, "--size: expected WIDTHxHEIGHT");
    if (!one_phone_is_ours(&show->phone))
        return err_set(err, ERR_INVALID, "--size is for built-in phones");
    snprintf(command, size, "wm size %lux%lu", width, height);
    return true;
}

static const struct task *task_of(const struct show *show)
{
    return show->has_suite ? suite_find(&show->suite, show->recorded.head.task)
                           : NULL;
}

/* A person must be there to confirm. */
static bool check_update(const struct show *show, struct err *err)
{
    if (!show->args->update)
        return true;
    if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
        return err_set(err, ERR_INVALID,
                       "--update asks before it rewrites a recording: use it "
                       "in a terminal");
    if (show->args->times)
        return err_set(err, ERR_INVALID,
                       "--update replays once: leave --times out");
    return true;
}

/* Print what is different, and ask. */
static bool confirms(const struct show *show, const struct replay_end *end)
{
    char line[ANSWER_MAX];

    for (size_t i = 0; i < end->log_count; i++) {
        const struct replay_step *step = &end->log[i];

        if (step->reason[0])
            cli_message(show->cli, "step %d: confidence %.2f, %s", step->step,
                        step->confidence, step->reason);
    }
    cli_message(show->cli,
                "rewrite %s with the screens and targets of this replay? [y/N]",
                show->recorded.folder);
    return fgets(line, sizeof(line), stdin) &&
           (!strcmp(line, "y\n") || !strcmp(line, "yes\n"));
}

/* Rewrite the recording if the replay was right and the person agrees. */
static bool finish_update(const struct show *show, struct replay_update *update,
                          const struct replay_end *end, enum replay_truth truth,
                          struct err *err)
{
    if (!show->args->update)
        return true;
    if (!end->done || truth == REPLAY_TRUTH_MISSED) {
        cli_message(show->cli, "the recording stays as it is");
        return true;
    }
    if (!confirms(show, end)) {
        cli_message(show->cli, "not confirmed: the recording stays as it is");
        return true;
    }
    if (!replay_update_commit(update, &show->recorded, end, err))
        return false;
    cli_message(show->cli, "rewrote %s", show->recorded.folder);
    return true;
}

static bool play_pass(struct show *show, struct replay_task *job,
                      int64_t number, struct replay_update *update,
                      struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct replay_end end;
    enum replay_truth truth;
    bool done;

    if (!replay_task_play(job, &end, &truth, err))
        return false;
    done = !end.has_picture || save_picture(show, job->picture, &path, err);
    note(show, &end, truth, buf_cstr(&path));
    done = done &&
           print_pass(show, number, &end, truth, buf_cstr(&path), err) &&
           finish_update(show, update, &end, truth, err);
    replay_end_release(&end);
    buf_release(&path);
    return done;
}

static bool pass(struct show *show, int64_t number, struct err *err)
{
    struct picture picture = PICTURE_INIT;
    struct replay_update update = REPLAY_UPDATE_INIT;
    char size[COMMAND_MAX];
    struct replay_task job = {.session = &show->phone.session,
                              .recorded = &show->recorded,
                              .task = task_of(show),
                              .asked = show->has_asked ? &show->asked : NULL,
                              .locale = show->plan.locale,
                              .edits = show->edits,
                              .popups = show->popups,
                              .picture = &picture};
    bool done;

    done = size_command(show, size, sizeof(size), err) &&
           (!show->args->update || replay_update_begin(&update, &show->recorded,
                                                       show->plan.locale, err));
    job.set_up = size[0] ? size : NULL;
    job.writer = update.writer;
    done = done && play_pass(show, &job, number, &update, err);
    replay_update_release(&update);
    picture_release(&picture);
    return done;
}

/* ---- all ---- */

static bool print_sum(struct show *show, struct err *err)
{
    double stability = (double)show->passed / (double)show->times;
    struct cJSON *sum;
    struct text_page page;
    bool done;

    if (show->cli->shared.json) {
        sum = json_new_object();
        json_add_int(sum, "times", show->times);
        json_add_int(sum, "passed", show->passed);
        json_add_number(sum, "stability", stability);
        cJSON_AddItemReferenceToObject(sum, "passes", show->passes);
        done = output_stream_json(&show->cli->out, sum, err);
        cJSON_Delete(sum);
        return done;
    }
    if (show->times == 1)
        return true;
    text_page_init(&page, show->cli->out.fd);
    text_page_printf(&page, "stability %.2f: %d of %lld\n", stability,
                     show->passed, (long long)show->times);
    done = output_stream_buf(&show->cli->out, &page.text, err);
    text_page_release(&page);
    return done;
}

static void release(struct show *show)
{
    one_phone_close(&show->phone);
    if (show->has_asked)
        task_release(&show->asked);
    if (show->has_suite)
        suite_release(&show->suite);
    popup_handlers_close(show->popups);
    run_plan_release(&show->plan);
    trajectory_release(&show->recorded);
    free(show->edits);
    cJSON_Delete(show->passes);
}

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    struct show show = {.cli = cli, .args = args, .phone = ONE_PHONE_INIT};
    bool done;

    if (!trajectory_load(words->items[0], &show.recorded, err))
        return false;
    show.passes = json_new_array();
    load_task(&show, words->items[0]);
    done = check_update(&show, err) &&
           replay_task_edits(words->items[0], &show.edits, err) &&
           popup_handlers_open(show.args->popups, &show.popups, err) &&
           make_plan(&show, words->items[0], err) &&
           one_phone_open(&show.phone, cli, &show.plan, err);
    for (int64_t i = 1; done && i <= show.times; i++)
        done = pass(&show, i, err);
    done = done && print_sum(&show, err);
    if (done && show.passed < show.times)
        *status = ENDS_OTHERWISE;
    release(&show);
    return done;
}

static const struct option options_table[] = {
    OPTION_TEXT(struct replay_args, device, "device", 's', "DEVICE",
                COMPLETE_DEVICE,
                "The phone: phone (a built-in one), or a serial (as recorded)"),
    OPTION_TEXT(struct replay_args, times, "times", 'n', "N", COMPLETE_NOTHING,
                "How often (1); with more than one, a score is printed"),
    OPTION_TEXT(struct replay_args, picture, "picture", 'o', "FILE",
                COMPLETE_FILE,
                "Where the expected and the actual screen are drawn when they "
                "differ (replay.png)"),
    OPTION_TEXT(struct replay_args, seed, "seed", 0, "NUMBER", COMPLETE_NOTHING,
                "The content of a built-in phone (as recorded)"),
    OPTION_TEXT(struct replay_args, skin, "skin", 0, "NUMBER", COMPLETE_NOTHING,
                "Its wording and layout (as recorded)"),
    OPTION_TEXT(struct replay_args, size, "size", 0, "WIDTHxHEIGHT",
                COMPLETE_NOTHING, "Its screen, in pixels (as recorded)"),
    OPTION_CHOICE(struct replay_args, locale, "locale", 0, "LANGUAGE", locales,
                  "Its language"),
    OPTION_TEXT(struct replay_args, faults, "faults", 0, "FAULTS",
                COMPLETE_NOTHING, "Its faults, as of proctor phone"),
    OPTION_TEXT(struct replay_args, popups, "popups", 0, "FILE", COMPLETE_FILE,
                "The pop-ups that are dismissed (the known ones)"),
    OPTION_FLAG(
        struct replay_args, update, "update", 0,
        "Rewrite the recording with what was found, after you confirmed "
        "it at the terminal"),
};

static const struct operand operands[] = {
    {.name = "EPISODE",
     .help = "The folder of a recorded episode",
     .min = 1,
     .max = 1,
     .completes = COMPLETE_FILE},
};

static const struct example examples[] = {
    {"proctor replay runs/gold/episodes/shop.cart/0/0 --times 10",
     "Repeat it ten times."},
};

const struct command cmd_replay = {
    .name = "replay",
    .section = "Recordings",
    .summary = "Repeat a recorded episode",
    .description =
        "Repeats the steps of a recorded episode. Each target is found again "
        "on the current screen, and after each step the screen is compared "
        "with the recorded one. Where they differ, the replay stops and draws "
        "both. The exit code is then 1.",
    COMMAND_OPTIONS(options_table),
    COMMAND_OPERANDS(operands),
    COMMAND_EXAMPLES(examples),
    .args_size = sizeof(struct replay_args),
    .takes = TAKES_JSON,
    .run = run,
};
