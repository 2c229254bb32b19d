/* proctor tasks: what there is to do. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json_write.h"
#include "base/macros.h"
#include "base/mem.h"
#include "judge/report/judged_runs.h"
#include "tasks/task/suite.h"
#include "tasks/task/task_filter.h"
#include "tasks/task/task_way.h"
#include "tasks/task/task_wording.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/run/task_page.h"
#include "tools/meter/meter_run.h"
#include "tools/report_html/task_gallery.h"

#define SUITE_DEFAULT "phone"
#define GOLD_SEED 1
#define GOLD_PHONES 2

struct tasks_args {
    const char *app;
    int kind; /* 0: not given; otherwise one more than the enum */
    int level;
    const char *category;
    const char *tag;
    int locale;
    const char *gallery;
    struct option_texts runs;
    const char *zoo; /* a file */
    bool gold;
};

static const char *const kinds[] = {"any", "state", "process", NULL};
static const char *const levels[] = {"any", "1", "2", "3", "4", "5", NULL};
static const char *const locales[] = {"any", "en", "zh", NULL};

/* ---- tasks new ---- */

static const char beginning[] =
    "[\n"
    "  {\n"
    "    \"id\": \"settings.dark\",\n"
    "    \"app\": \"com.android.settings\",\n"
    "    \"kind\": \"state\",\n"
    "    \"instruction\": \"Switch the phone to the dark theme.\",\n"
    "    \"needs\": [\"the dark theme is on\"],\n"
    "    \"comment\": \"These five members make a task; docs/tasks.md has the "
    "others. \\\"kind\\\" is state where the last screen tells, and process "
    "where the way counts as well. Each need is a key point in plain words.\"\n"
    "  }\n"
    "]\n";

/* An existing file is not overwritten. */
static bool write_new(struct cli_context *cli, const char *path,
                      struct err *err)
{
    if (!path)
        return output_stream_write(&cli->out, beginning, strlen(beginning),
                                   err);
    if (!access(path, F_OK))
        return err_set(err, ERR_INVALID, "%s already exists", path);
    if (!file_save(path, 0666, beginning, strlen(beginning), err))
        return false;
    cli_message(cli, "created %s with one task; show it with: proctor tasks %s",
                path, path);
    return true;
}

/* ---- lists ---- */

/* The tasks that fit; the caller frees the array. */
static const struct task **choose(const struct suite *suite,
                                  const struct tasks_args *args, size_t *count)
{
    const struct task_filter filter = {
        .app = args->app,
        .kind = args->kind - 1,
        .level = args->level,
        .category = args->category,
        .tag = args->tag,
        .locale = args->locale ? locales[args->locale] : NULL,
    };
    const struct task **chosen = mem_new(suite->count, sizeof(*chosen));

    *count = 0;
    for (size_t i = 0; i < suite->count; i++) {
        if (task_filter_takes(&filter, &suite->tasks[i]))
            chosen[(*count)++] = &suite->tasks[i];
    }
    return chosen;
}

static bool print_json(struct cli_context *cli, const struct task *const *tasks,
                       size_t count, struct err *err)
{
    struct cJSON *array = json_new_array();
    bool done;

    for (size_t i = 0; i < count; i++) {
        if (!cJSON_AddItemToArray(array, task_to_json(tasks[i])))
            mem_out();
    }
    done = output_stream_json(&cli->out, array, err);
    cJSON_Delete(array);
    return done;
}

static bool print_list(struct cli_context *cli, const struct suite *suite,
                       const struct tasks_args *args, struct err *err)
{
    size_t count;
    const struct task **chosen = choose(suite, args, &count);
    struct text_page page;
    bool done;

    if (cli->shared.json) {
        done = print_json(cli, chosen, count, err);
    } else {
        text_page_init(&page, cli->out.fd);
        task_page_list(&page, chosen, count, locales[args->locale]);
        done = output_stream_buf(&cli->out, &page.text, err);
        text_page_release(&page);
    }
    free(chosen);
    return done;
}

/* A mistake in the wordings is one of the suite. */
static bool count_wordings(struct cli_context *cli, const struct suite *suite,
                           struct err *err)
{
    struct task_wordings wordings = {.items = NULL};

    if (!task_wordings_load(suite, &wordings, err))
        return false;
    if (wordings.count)
        cli_message(cli,
                    "%zu other wordings; give them to an agent with: "
                    "proctor run --rewording all",
                    wordings.count);
    task_wordings_release(&wordings);
    return true;
}

/* ---- gallery ---- */

/* Do gold in one language on built-in phones, and add that run. */
static bool add_gold_of(struct cli_context *cli, const struct suite *suite,
                        const struct task_gallery *gallery, const char *folder,
                        const char *language, struct judged_runs *judged,
                        struct err *err)
{
    const struct meter_config config = {.seed = GOLD_SEED, .locale = language};
    const struct task **tasks = mem_new(gallery->count + 1, sizeof(*tasks));
    struct meter_run run = {
        .config = &config,
        .folder = folder,
        .name = language,
        .agent = "gold",
        .suite = suite,
        .tasks = tasks,
        .phones = GOLD_PHONES,
        .cancel = cli->cancel,
        .log = cli->log,
    };
    struct buf path = BUF_INIT(PATH_MAX);
    bool done = true;

    for (size_t i = 0; i < gallery->count; i++) {
        if (gallery->tasks[i]->truth && gallery->tasks[i]->gold.count)
            tasks[run.task_count++] = gallery->tasks[i];
    }
    buf_printf(&path, "%s/%s", folder, language);
    if (run.task_count)
        done = meter_run_execute(&run, err) &&
               judged_runs_add(judged, buf_cstr(&path), NULL, err);
    buf_release(&path);
    free(tasks);
    return done;
}

/* The page is written while the folder exists, which is removed then. */
static bool save_with_gold(struct cli_context *cli, const struct suite *suite,
                           const struct task_gallery *gallery,
                           struct judged_runs *judged, const char *path,
                           struct err *err)
{
    char folder[] = "/tmp/proctor-gallery-XXXXXX";
    bool done;

    if (!mkdtemp(folder))
        return err_errno(err, errno, "make a folder in /tmp");
    done = add_gold_of(cli, suite, gallery, folder, "en", judged, err) &&
           add_gold_of(cli, suite, gallery, folder, "zh", judged, err) &&
           task_gallery_save(gallery, path, cli->cancel, err);
    file_remove_tree(folder);
    return done;
}

static bool save_gallery(struct cli_context *cli, const struct suite *suite,
                         const struct tasks_args *args, struct err *err)
{
    struct judged_runs judged = JUDGED_RUNS_INIT;
    struct task_ways ways = {.items = NULL};
    struct task_wordings wordings = {.items = NULL};
    struct zoo_figures zoo = {.items = NULL};
    struct task_gallery gallery = {.name = suite->name,
                                   .ways = &ways,
                                   .wordings = &wordings,
                                   .zoo = &zoo,
                                   .judged = &judged};
    const struct task **chosen = choose(suite, args, &gallery.count);
    bool done = task_ways_load(suite, &ways, err) &&
                task_wordings_load(suite, &wordings, err) &&
                (!args->zoo || zoo_figures_load(args->zoo, &zoo, err));

    gallery.tasks = chosen;
    for (size_t i = 0; done && i < args->runs.count; i++)
        done = judged_runs_add(&judged, args->runs.items[i], NULL, err);
    if (done)
        done = args->gold ? save_with_gold(cli, suite, &gallery, &judged,
                                           args->gallery, err)
                          : task_gallery_save(&gallery, args->gallery,
                                              cli->cancel, err);
    if (done)
        cli_message(cli, "wrote %s", args->gallery);
    zoo_figures_release(&zoo);
    task_wordings_release(&wordings);
    judged_runs_release(&judged);
    task_ways_release(&ways);
    free(chosen);
    return done;
}

/* ---- one task ---- */

static bool print_task(struct cli_context *cli, const struct suite *suite,
                       const char *id, struct err *err)
{
    const struct task *task;
    struct cJSON *json;
    struct text_page page;
    bool done;

    if (!suite_choose(suite, id, &task, err))
        return false;
    if (cli->shared.json) {
        json = task_to_json(task);
        done = output_stream_json(&cli->out, json, err);
        cJSON_Delete(json);
        return done;
    }
    text_page_init(&page, cli->out.fd);
    task_page_whole(&page, task);
    done = output_stream_buf(&cli->out, &page.text, err);
    text_page_release(&page);
    return done;
}

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    const struct tasks_args *tasks_args = args;
    const char *first = words->count ? words->items[0] : SUITE_DEFAULT;
    const char *second = words->count > 1 ? words->items[1] : NULL;
    struct suite suite;
    bool done;

    (void)status;
    if (!strcmp(first, "new"))
        return write_new(cli, second, err);
    if (!suite_open(first, &suite, err))
        return false;
    if (tasks_args->gallery && second)
        done = err_set(err, ERR_INVALID,
                       "--gallery shows the tasks of a suite; choose some with "
                       "--app, --kind, --level, --category or --tag");
    else if ((tasks_args->runs.count || tasks_args->zoo || tasks_args->gold) &&
             !tasks_args->gallery)
        done = err_set(err, ERR_INVALID, "%s needs --gallery FILE",
                       tasks_args->runs.count ? "--with"
                       : tasks_args->zoo      ? "--zoo"
                                              : "--gold");
    else if (tasks_args->gallery)
        done = save_gallery(cli, &suite, tasks_args, err);
    else
        done = second ? print_task(cli, &suite, second, err)
                      : count_wordings(cli, &suite, err) &&
                            print_list(cli, &suite, tasks_args, err);
    suite_release(&suite);
    return done;
}

static const struct option options_table[] = {
    OPTION_TEXT(struct tasks_args, app, "app", 'a', "PACKAGE", COMPLETE_NOTHING,
                "Only tasks with an app whose name contains this"),
    OPTION_CHOICE(struct tasks_args, kind, "kind", 0, "KIND", kinds,
                  "Only tasks of this kind"),
    OPTION_CHOICE(struct tasks_args, level, "level", 0, "LEVEL", levels,
                  "Only tasks of this level"),
    OPTION_TEXT(struct tasks_args, category, "category", 0, "NAME",
                COMPLETE_NOTHING, "Only tasks of this category"),
    OPTION_TEXT(struct tasks_args, tag, "tag", 0, "TAG", COMPLETE_NOTHING,
                "Only tasks with this tag"),
    OPTION_CHOICE(struct tasks_args, locale, "locale", 0, "LANGUAGE", locales,
                  "Only tasks in this language, shown in it"),
    OPTION_TEXT(
        struct tasks_args, gallery, "gallery", 0, "FILE", COMPLETE_FILE,
        "Write a page (HTML) with all tasks, their gold and their ways"),
    OPTION_TEXTS(struct tasks_args, runs, "with", 0, "RUN", COMPLETE_FILE,
                 "A run whose screens of gold and outcomes the page shows"),
    OPTION_FLAG(struct tasks_args, gold, "gold", 0,
                "Do gold on built-in phones, in both languages, for the "
                "screens of the page"),
    OPTION_TEXT(struct tasks_args, zoo, "zoo", 0, "FILE", COMPLETE_FILE,
                "What proctor zoo --json printed: the page shows it, too"),
};

static const struct operand operands[] = {
    {.name = "SUITE",
     .help = "A file of tasks, or the name of one (phone); new: create one",
     .max = 1,
     .completes = COMPLETE_SUITE},
    {.name = "TASK",
     .help = "Show this task in full; after new: the file to create",
     .completes = COMPLETE_TASK,
     .max = 1},
};

static const struct example examples[] = {
    {"proctor tasks", "The tasks of the built-in phone."},
    {"proctor tasks phone shop.cheapest", "One task in full."},
    {"proctor tasks phone --app shop --kind process --json",
     "Some of them, as JSON."},
    {"proctor tasks phone --gallery tasks.html --gold",
     "A page of them all, with screens."},
    {"proctor tasks new my.json", "Create a suite."},
    {"proctor tasks my.json", "Validate and list it."},
};

const struct command cmd_tasks = {
    .name = "tasks",
    .section = "Benchmarks",
    .summary = "List tasks, show one, or create a suite",
    .description =
        "Validates a suite and lists its tasks. A mistake is reported with its "
        "file, task and member, and nothing is listed.\n\nA suite is given by "
        "its file, or by its name if it is in the current folder or was "
        "installed with proctor. docs/tasks.md describes the file.",
    COMMAND_OPTIONS(options_table),
    COMMAND_OPERANDS(operands),
    COMMAND_EXAMPLES(examples),
    .args_size = sizeof(struct tasks_args),
    .takes = TAKES_JSON,
    .run = run,
};
