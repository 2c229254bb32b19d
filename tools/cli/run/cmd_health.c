/* proctor health: does the gold of a suite's tasks still work? */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "runner/device/app_info.h"
#include "runner/replay/gold_check.h"
#include "tasks/task/suite.h"
#include "tasks/task/suite_edit.h"
#include "tasks/task/suite_files.h"
#include "tasks/task/suite_folder_lock.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/run/one_phone.h"
#include "tools/cli/terminal/text_page.h"

#define BROKEN 1
#define DATE_MAX 16
#define DEVICE_MAX 300
#define INFO_MS 30000

struct health_args {
    const char *device;
    const char *seed;
    const char *skin;
    const char *popups;
    struct option_texts tasks;
    int locale; /* of locales */
    bool no_update;
};

static const char *const locales[] = {"phone", "en", "zh", NULL};

struct health {
    struct cli_context *cli;
    const struct health_args *args;
    struct suite suite;
    bool is_file; /* the suite was named by its file, which may be changed */
    char *folder; /* owned: of the suite */
    struct run_plan plan;
    struct one_phone phone;
    struct popup_handlers *popups;
    struct cJSON *list; /* owned: the result of each task */
    int working;
    int broken;
    int without; /* without gold */
};

/* ---- the suite's file ---- */

static void today(char date[DATE_MAX])
{
    time_t now = time(NULL);
    struct tm parts;

    if (!localtime_r(&now, &parts) ||
        !strftime(date, DATE_MAX, "%Y-%m-%d", &parts))
        date[0] = '\0';
}

/* ERR_NOT_FOUND: the task is in another file of the suite. */
static bool edit_file(const char *path, const struct task *task,
                      const struct task_validated *validated, struct err *err)
{
    struct buf text = BUF_INIT(TASK_FILE_MAX);
    struct buf made = BUF_INIT(TASK_FILE_MAX);
    bool done = file_load(path, &text, err) &&
                suite_edit_validated(&text, task->id, validated, &made, err) &&
                file_save_synced(path, 0666, made.data, made.length, err);

    buf_release(&text);
    buf_release(&made);
    return done;
}

/* With a lock, because others may change the suite meanwhile. */
static bool edit_suite(const struct health *health, const struct task *task,
                       const struct task_validated *validated, struct err *err)
{
    struct text_list files = {.items = NULL};
    bool done = false;
    int lock;

    if (!suite_files_list(health->suite.path, &files, err))
        return false;
    if (suite_folder_lock_take(health->folder, &lock, err)) {
        for (size_t i = 0; !done && i < files.count; i++) {
            done = edit_file(files.items[i], task, validated, err);
            if (!done && err->code != ERR_NOT_FOUND)
                break;
        }
        close(lock);
    }
    text_list_release(&files);
    return done;
}

/*
 * Write that a task works into the suite's file, at once. An app whose version
 * cannot be read has none there.
 */
static bool write_validated(const struct health *health,
                            const struct task *task, struct err *err)
{
    const struct device_info *info =
        observer_facts(health->phone.session.observer);
    struct app_info app = {.installed = false};
    struct task_validated validated = {.version = NULL};
    char date[DATE_MAX], device[DEVICE_MAX];
    struct err ignored;
    bool done;

    today(date);
    snprintf(device, sizeof(device), "%s, Android %s", info->model,
             info->android);
    if (task->apps.count &&
        app_info_read(health->phone.lease->device, task->apps.items[0],
                      deadline_in_ms(INFO_MS), &app, &ignored) &&
        app.version[0])
        validated.version = app.version;
    validated.date = date;
    validated.device = device;
    done = edit_suite(health, task, &validated, err);
    app_info_release(&app);
    return done || err_wrap(err, "update %s", health->suite.path);
}

/* ---- one task ---- */

static void note(struct health *health, const struct task *task,
                 const struct gold_check_end *end)
{
    struct cJSON *made = json_add_object(health->list, NULL);

    json_add_string(made, "task", task->id);
    json_add_bool(made, "works", end->works);
    json_add_int(made, "steps", end->steps);
    json_add_number(made, "confidence", end->confidence);
    if (!end->works)
        json_add_string(made, "why", end->why);
    if (task->validated.date)
        json_add_string(made, "worked_on", task->validated.date);
}

static bool print_task(const struct health *health, const struct task *task,
                       const struct gold_check_end *end, struct err *err)
{
    struct text_page page;
    bool done;

    if (health->cli->shared.json)
        return true;
    text_page_init(&page, health->cli->out.fd);
    text_page_printf(&page, "%-24s  ", task->id);
    text_page_add(&page, end->works ? TEXT_STYLE_GREEN : TEXT_STYLE_RED,
                  end->works ? "works " : "broken");
    if (end->works && end->confidence < 1)
        text_page_printf(&page, "  lowest confidence %.2f", end->confidence);
    if (!end->works) {
        text_page_add(&page, TEXT_STYLE_PLAIN, "  ");
        text_page_untrusted(&page, TEXT_STYLE_PLAIN, end->why);
        text_page_add(&page, TEXT_STYLE_DIM, "; worked last on ");
        text_page_untrusted(&page, TEXT_STYLE_DIM,
                            task->validated.date ? task->validated.date
                                                 : "no known day");
    }
    text_page_add(&page, TEXT_STYLE_PLAIN, "\n");
    done = output_stream_buf(&health->cli->out, &page.text, err);
    text_page_release(&page);
    return done;
}

static bool check_task(struct health *health, const struct task *task,
                       struct err *err)
{
    const struct gold_check check = {.session = &health->phone.session,
                                     .task = task,
                                     .locale = health->plan.locale,
                                     .folder = health->folder,
                                     .popups = health->popups};
    bool writes = health->is_file && !health->args->no_update;
    struct gold_check_end end;

    if (!task->gold.count && !task->gold.trajectory) {
        health->without++;
        return true;
    }
    if (!gold_check_run(&check, &end, err))
        return err_wrap(err, "task %s", task->id);
    health->working += end.works;
    health->broken += !end.works;
    note(health, task, &end);
    return print_task(health, task, &end, err) &&
           (!end.works || !writes || write_validated(health, task, err));
}

/* ---- all ---- */

static bool is_chosen(const struct health *health, const struct task *task)
{
    const struct option_texts *tasks = &health->args->tasks;

    for (size_t i = 0; i < tasks->count; i++) {
        if (!strcmp(tasks->items[i], task->id))
            return true;
    }
    return !tasks->count;
}

static bool check_all(struct health *health, struct err *err)
{
    const struct option_texts *tasks = &health->args->tasks;
    const struct task *task;

    for (size_t i = 0; i < tasks->count; i++) {
        if (!suite_choose(&health->suite, tasks->items[i], &task, err))
            return false;
    }
    for (size_t i = 0; i < health->suite.count; i++) {
        if (is_chosen(health, &health->suite.tasks[i]) &&
            !check_task(health, &health->suite.tasks[i], err))
            return false;
    }
    return true;
}

static bool print_sum(struct health *health, struct err *err)
{
    struct text_page page;
    struct cJSON *sum;
    bool done;

    if (health->cli->shared.json) {
        sum = json_new_object();
        json_add_string(sum, "suite", health->suite.name);
        json_add_int(sum, "working", health->working);
        json_add_int(sum, "broken", health->broken);
        json_add_int(sum, "without_gold", health->without);
        cJSON_AddItemReferenceToObject(sum, "tasks", health->list);
        done = output_stream_json(&health->cli->out, sum, err);
        cJSON_Delete(sum);
        return done;
    }
    text_page_init(&page, health->cli->out.fd);
    text_page_printf(&page, "%d of %d work", health->working,
                     health->working + health->broken);
    if (health->without)
        text_page_printf(&page, "; %d without gold", health->without);
    text_page_add(&page, TEXT_STYLE_PLAIN, "\n");
    done = output_stream_buf(&health->cli->out, &page.text, err);
    text_page_release(&page);
    return done;
}

/* The phone: the named one, or a built-in one if the tasks have a truth. */
static bool make_plan(struct health *health, struct err *err)
{
    const struct health_args *args = health->args;
    const char *device =
        args->device ? args->device : health->cli->shared.device;
    bool has_truth = health->suite.count && health->suite.tasks[0].truth;
    int64_t skin = 0;

    text_list_add(&health->plan.devices, device      ? device
                                         : has_truth ? "phone"
                                                     : "");
    if (args->locale)
        health->plan.locale = mem_dup(locales[args->locale]);
    if (!run_phones_number("seed", args->seed, 0, JSON_INT_MAX,
                           &health->plan.seed, err) ||
        !run_phones_number("skin", args->skin, 0, INT_MAX, &skin, err))
        return false;
    health->plan.skin = (int)skin;
    return true;
}

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    struct health health = {.cli = cli, .args = args, .phone = ONE_PHONE_INIT};
    bool done;

    if (!suite_open(words->items[0], &health.suite, err))
        return false;
    health.is_file = !strcmp(health.suite.path, words->items[0]);
    health.folder = suite_files_folder(health.suite.path);
    health.list = json_new_array();
    done = popup_handlers_open(health.args->popups, &health.popups, err) &&
           make_plan(&health, err) &&
           one_phone_open(&health.phone, cli, &health.plan, err) &&
           check_all(&health, err) && print_sum(&health, err);
    if (done && health.broken)
        *status = BROKEN;
    one_phone_close(&health.phone);
    run_plan_release(&health.plan);
    popup_handlers_close(health.popups);
    suite_release(&health.suite);
    cJSON_Delete(health.list);
    free(health.folder);
    return done;
}

static const struct option options_table[] = {
    OPTION_TEXT(struct health_args, device, "device", 's', "DEVICE",
                COMPLETE_DEVICE,
                "The phone: phone (a built-in one), or a serial"),
    OPTION_TEXTS(struct health_args, tasks, "task", 't', "ID", COMPLETE_TASK,
                 "Only this task; may be given several times"),
    OPTION_TEXT(struct health_args, seed, "seed", 0, "NUMBER", COMPLETE_NOTHING,
                "The content of a built-in phone"),
    OPTION_TEXT(struct health_args, skin, "skin", 0, "NUMBER", COMPLETE_NOTHING,
                "Its wording and layout"),
    OPTION_CHOICE(struct health_args, locale, "locale", 0, "LANGUAGE", locales,
                  "Its language"),
    OPTION_TEXT(struct health_args, popups, "popups", 0, "FILE", COMPLETE_FILE,
                "The pop-ups that are dismissed (the known ones)"),
    OPTION_FLAG(struct health_args, no_update, "no-update", 0,
                "Do not write to the suite's file"),
};

static const struct operand operands[] = {
    {.name = "SUITE",
     .help = "The suite: its file, or its name",
     .min = 1,
     .max = 1,
     .completes = COMPLETE_FILE},
};

static const struct example examples[] = {
    {"proctor health my.json --json >health.json",
     "For a nightly job: the exit code is 1 if a task no longer works."},
};

const struct command cmd_health = {
    .name = "health",
    .section = "Recordings",
    .summary = "Check whether the gold of a suite still works",
    .description =
        "Follows the gold of every task on a phone: recordings are replayed, "
        "written steps are carried out. On a built-in phone the end is "
        "compared with the truth. It says which tasks no longer work, why, and "
        "when they worked last. For each that works, \"validated\" in the "
        "suite's file is updated, if the suite was named by its file. The "
        "exit code is 1 if a task does not work.",
    COMMAND_OPTIONS(options_table),
    COMMAND_OPERANDS(operands),
    COMMAND_EXAMPLES(examples),
    .args_size = sizeof(struct health_args),
    .takes = TAKES_JSON,
    .run = run,
};
