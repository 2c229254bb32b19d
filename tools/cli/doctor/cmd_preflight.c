/* proctor preflight: is a phone ready for a suite? */
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/macros.h"
#include "base/mem.h"
#include "runner/device/app_name.h"
#include "runner/run/preflight.h"
#include "tasks/task/suite.h"
#include "tasks/task/suite_files.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/run/run_setup.h"
#include "tools/cli/terminal/text_page.h"
#include "tools/phone_source/phone_source.h"

/* A phone that takes longer for a task hangs. */
#define TASK_MS (30 * INT64_C(1000))

struct preflight_args {
    struct option_texts tasks;
    int locale;
};

static const char *const locales[] = {"any", "en", "zh", NULL};

/* The suite, the phone, and the result. */
struct survey {
    struct suite suite;
    const struct task **tasks; /* owned; what they point to is the suite's */
    size_t count;
    struct device_source *source; /* of a built-in phone; NULL: it is another */
    struct device_lease *lease;
    struct device *device; /* ours, or the lease's */
    struct preflight found;
};

static void release(struct survey *survey)
{
    if (survey->lease)
        survey->source->ops->release(survey->source, survey->lease);
    else
        device_close(survey->device);
    if (survey->source)
        survey->source->ops->close(survey->source);
    preflight_release(&survey->found);
    free(survey->tasks);
    suite_release(&survey->suite);
}

static bool choose(const struct preflight_args *args, struct survey *survey,
                   struct err *err)
{
    const struct suite *suite = &survey->suite;

    survey->tasks =
        mem_new(suite->count + args->tasks.count, sizeof(*survey->tasks));
    for (size_t i = 0; i < args->tasks.count; i++) {
        if (!suite_choose(suite, args->tasks.items[i],
                          &survey->tasks[survey->count], err))
            return false;
        survey->count++;
    }
    for (size_t i = 0; !args->tasks.count && i < suite->count; i++)
        survey->tasks[survey->count++] = &suite->tasks[i];
    return true;
}

/* A phone as run would have it. */
static bool open_builtin(const struct cli_context *cli, const char *locale,
                         struct survey *survey, struct err *err)
{
    const struct phone_source_options options = {
        .locale = locale && !strcmp(locale, "zh") ? LOCALE_ZH : LOCALE_EN,
        .adb_keyboard = true,
        .cancel = cli->cancel,
        .log = cli->log,
    };

    if (!phone_source_open(&options, &survey->source, err) ||
        !survey->source->ops->acquire(survey->source, "phone-0",
                                      cli_short_deadline(cli), &survey->lease,
                                      err))
        return false;
    survey->device = survey->lease->device;
    return true;
}

static bool open_phone(const struct cli_context *cli, const char *locale,
                       struct survey *survey, struct err *err)
{
    size_t builtin = 0;

    if (cli->shared.device &&
        !run_phones_builtin(cli->shared.device, &builtin, err))
        return false;
    return builtin ? open_builtin(cli, locale, survey, err)
                   : cli_open_device(cli, &survey->device, err);
}

static bool inspect(const struct cli_context *cli, const char *locale,
                    struct survey *survey, struct err *err)
{
    char *folder = suite_files_folder(survey->suite.path);
    const struct preflight_options options = {
        .device = survey->device,
        .renewable = survey->lease != NULL,
        .locale = locale,
        .folder = folder,
        .cancel = cli->cancel,
        .log = cli->log,
    };
    struct deadline by = deadline_sooner(
        cli->by, deadline_in_ms(TASK_MS * (1 + (int64_t)survey->count)));
    bool done = preflight_check(&options, survey->tasks, survey->count, by,
                                &survey->found, err);

    free(folder);
    return done;
}

/* ---- output ---- */

static const char *name_of(const struct survey *survey)
{
    return survey->lease ? survey->lease->serial
                         : device_serial(survey->device);
}

/* The lacks of a task, which follow each other; returns how many. */
static size_t lacks_of(const struct survey *survey, const struct task *task,
                       const struct preflight_problem **first)
{
    const struct preflight *found = &survey->found;
    size_t count = 0;
    size_t i = 0;

    while (i < found->count && found->problems[i].task != task)
        i++;
    *first = found->problems ? &found->problems[i] : NULL;
    while (i + count < found->count && found->problems[i + count].task == task)
        count++;
    return count;
}

static size_t count_ready(const struct survey *survey)
{
    const struct preflight_problem *first;
    size_t ready = 0;

    for (size_t i = 0; i < survey->count; i++)
        ready += !lacks_of(survey, survey->tasks[i], &first);
    return ready;
}

static void put_task(struct text_page *page, const struct task *task,
                     const struct preflight_problem *problems, size_t count)
{
    if (!count)
        text_page_add(page, TEXT_STYLE_GREEN,
                      page->unicode ? "\xe2\x9c\x93 " : "+ ");
    else
        text_page_add(page, TEXT_STYLE_RED,
                      page->unicode ? "\xe2\x9c\x97 " : "x ");
    text_page_untrusted(page, TEXT_STYLE_BOLD, task->id);
    text_page_add(page, TEXT_STYLE_PLAIN, "\n");
    for (size_t i = 0; i < count; i++) {
        text_page_add(page, TEXT_STYLE_PLAIN, "    ");
        text_page_untrusted(page, TEXT_STYLE_PLAIN, problems[i].what);
        text_page_add(page, TEXT_STYLE_BOLD, "\n    do: ");
        text_page_untrusted(page, TEXT_STYLE_PLAIN, problems[i].advice);
        text_page_add(page, TEXT_STYLE_PLAIN, "\n");
    }
}

/* The apps that tasks need and the phone has not, each once. */
static void find_missing_apps(const struct survey *survey,
                              struct text_list *apps)
{
    for (size_t i = 0; i < survey->found.count; i++) {
        const char *app = survey->found.problems[i].missing_app;

        if (app && !text_list_have(apps, app))
            text_list_add(apps, app);
    }
}

static size_t count_tasks_of(const struct survey *survey, const char *app)
{
    size_t count = 0;

    for (size_t i = 0; i < survey->count; i++)
        count += text_list_have(&survey->tasks[i]->apps, app);
    return count;
}

/* A package, the name that people know the app by, and how many tasks wait. */
static void put_missing_app(struct text_page *page, const struct survey *survey,
                            const char *app, bool chinese)
{
    const char *name = app_name_known(app, chinese);
    size_t count = count_tasks_of(survey, app);

    text_page_add(page, TEXT_STYLE_PLAIN, "    ");
    text_page_untrusted(page, TEXT_STYLE_PLAIN, app);
    text_page_printf(page, "%s%s%s, for %zu task%s\n", name ? " (" : "",
                     name ? name : "", name ? ")" : "", count,
                     count == 1 ? "" : "s");
}

static void put_missing_apps(struct text_page *page,
                             const struct survey *survey, bool chinese)
{
    struct text_list apps = {.items = NULL};

    find_missing_apps(survey, &apps);
    if (apps.count)
        text_page_printf(page,
                         "%zu app%s to install, from a store or with: proctor "
                         "install APK\n",
                         apps.count, apps.count == 1 ? "" : "s");
    for (size_t i = 0; i < apps.count; i++)
        put_missing_app(page, survey, apps.items[i], chinese);
    text_list_release(&apps);
}

static bool print_text(struct cli_context *cli, const struct survey *survey,
                       bool chinese, struct err *err)
{
    const struct preflight_problem *first;
    struct text_page page;
    bool done;

    text_page_init(&page, cli->out.fd);
    for (size_t i = 0; i < survey->count; i++) {
        size_t count = lacks_of(survey, survey->tasks[i], &first);

        put_task(&page, survey->tasks[i], first, count);
    }
    put_missing_apps(&page, survey, chinese);
    text_page_printf(&page, "%zu of %zu tasks can begin on ",
                     count_ready(survey), survey->count);
    text_page_untrusted(&page, TEXT_STYLE_PLAIN, name_of(survey));
    text_page_add(&page, TEXT_STYLE_PLAIN, "\n");
    done = output_stream_buf(&cli->out, &page.text, err);
    text_page_release(&page);
    return done;
}

static bool print_json(struct cli_context *cli, const struct survey *survey,
                       struct err *err)
{
    struct cJSON *tree = json_new_object();
    struct text_list apps = {.items = NULL};
    struct cJSON *tasks, *missing;
    bool done;

    json_add_string(tree, "device", name_of(survey));
    json_add_int(tree, "ready", (int64_t)count_ready(survey));
    find_missing_apps(survey, &apps);
    missing = json_add_array(tree, "missing_apps");
    for (size_t i = 0; i < apps.count; i++)
        json_add_string(missing, NULL, apps.items[i]);
    text_list_release(&apps);
    tasks = json_add_array(tree, "tasks");
    for (size_t i = 0; i < survey->count; i++) {
        const struct preflight_problem *problems;
        size_t count = lacks_of(survey, survey->tasks[i], &problems);
        struct cJSON *task = json_add_object(tasks, NULL);

        json_add_string(task, "task", survey->tasks[i]->id);
        json_add_bool(task, "ready", !count);
        missing = json_add_array(task, "missing");
        for (size_t j = 0; j < count; j++) {
            struct cJSON *one = json_add_object(missing, NULL);

            json_add_string(one, "what", problems[j].what);
            json_add_string(one, "do", problems[j].advice);
        }
    }
    done = output_stream_json(&cli->out, tree, err);
    cJSON_Delete(tree);
    return done;
}

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    const struct preflight_args *given = args;
    const char *locale = given->locale ? locales[given->locale] : NULL;
    struct survey survey = {.count = 0};
    bool done;

    if (!suite_open(words->items[0], &survey.suite, err))
        return false;
    done =
        choose(given, &survey, err) && open_phone(cli, locale, &survey, err) &&
        inspect(cli, locale, &survey, err) &&
        (cli->shared.json
             ? print_json(cli, &survey, err)
             : print_text(cli, &survey, locale && !strcmp(locale, "zh"), err));
    if (done && survey.found.count)
        *status = 1;
    release(&survey);
    return done;
}

static const struct option options_table[] = {
    OPTION_TEXTS(struct preflight_args, tasks, "task", 't', "ID", COMPLETE_TASK,
                 "Only this task; may be given several times"),
    OPTION_CHOICE(struct preflight_args, locale, "locale", 0, "LANGUAGE",
                  locales, "The language of the tasks"),
};

static const struct operand operands[] = {
    {.name = "SUITE",
     .help = "A file of tasks, or the name of one: phone",
     .min = 1,
     .max = 1,
     .completes = COMPLETE_SUITE},
};

static const struct example examples[] = {
    {"proctor preflight my.json", "What the phone lacks for my.json."},
    {"proctor preflight phone -s phone",
     "The built-in phone has what its tasks require."},
};

const struct command cmd_preflight = {
    .name = "preflight",
    .section = "Benchmarks",
    .summary = "Check a phone against what tasks require",
    .description =
        "Checks whether the phone has what each task requires: its apps, their "
        "versions and permissions, the language, a keyboard for text beyond "
        "ASCII, a login, and a clean start. Reports what is missing and what "
        "to do about it; the exit code is then 1.\n\nNothing is changed, "
        "except that an app is brought to the front to check a login.",
    COMMAND_OPTIONS(options_table),
    COMMAND_OPERANDS(operands),
    COMMAND_EXAMPLES(examples),
    .args_size = sizeof(struct preflight_args),
    .takes = TAKES_DEVICE | TAKES_JSON | TAKES_TIMEOUT,
    .run = run,
};
