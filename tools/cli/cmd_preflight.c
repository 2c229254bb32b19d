/* proctor preflight: is a phone ready for a suite? */
#include <libgen.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/macros.h"
#include "base/mem.h"
#include "runner/preflight.h"
#include "tools/cli/cli.h"
#include "tools/cli/cmd.h"
#include "tools/cli/page.h"
#include "tools/cli/run_setup.h"
#include "tools/phone_source/phone_source.h"

/* A phone that takes longer for a task hangs. */
#define TASK_MS (30 * INT64_C(1000))

struct preflight_args {
    struct option_texts tasks;
    int locale;
};

static const char *const locales[] = {"any", "en", "zh", NULL};

/* What is looked at, and with what. */
struct survey {
    struct suite suite;
    const struct task **tasks; /* owned; what they point to is the suite's */
    size_t count;
    struct source *source; /* of a built-in phone; NULL: it is another */
    struct lease *lease;
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
        const struct task *task = suite_find(suite, args->tasks.items[i]);

        if (!task)
            return err_set(err, ERR_INVALID, "suite %s has no task %.64s",
                           suite->name, args->tasks.items[i]);
        survey->tasks[survey->count++] = task;
    }
    for (size_t i = 0; !args->tasks.count && i < suite->count; i++)
        survey->tasks[survey->count++] = &suite->tasks[i];
    return true;
}

/* A phone as run would have it. */
static bool open_builtin(const struct cli *cli, const char *locale,
                         struct survey *survey, struct err *err)
{
    const struct phone_source_options options = {
        .locale = locale && !strcmp(locale, "zh") ? LOCALE_ZH : LOCALE_EN,
        .adb_keyboard = true,
        .cancel = cli->cancel,
        .log = cli->log,
    };

    if (!phone_source_open(&options, &survey->source, err) ||
        !survey->source->ops->acquire(survey->source, "phone-0", cli_soon(cli),
                                      &survey->lease, err))
        return false;
    survey->device = survey->lease->device;
    return true;
}

static bool open_phone(const struct cli *cli, const char *locale,
                       struct survey *survey, struct err *err)
{
    size_t builtin = 0;

    if (cli->shared.device &&
        !run_phones_builtin(cli->shared.device, &builtin, err))
        return false;
    return builtin ? open_builtin(cli, locale, survey, err)
                   : cli_open_device(cli, &survey->device, err);
}

static bool inspect(const struct cli *cli, const char *locale,
                    struct survey *survey, struct err *err)
{
    char *path = mem_dup(survey->suite.path);
    const struct preflight_options options = {
        .device = survey->device,
        .renewable = survey->lease != NULL,
        .locale = locale,
        .folder = dirname(path),
        .cancel = cli->cancel,
        .log = cli->log,
    };
    struct deadline by = deadline_sooner(
        cli->by, deadline_in_ms(TASK_MS * (1 + (int64_t)survey->count)));
    bool done = preflight_check(&options, survey->tasks, survey->count, by,
                                &survey->found, err);

    free(path);
    return done;
}

/* ---- what is said ---- */

static const char *name_of(const struct survey *survey)
{
    return survey->lease ? survey->lease->serial
                         : device_serial(survey->device);
}

/* The lacks of a task, which follow each other; returns how many. */
static size_t lacks_of(const struct survey *survey, const struct task *task,
                       const struct preflight_lack **first)
{
    const struct preflight *found = &survey->found;
    size_t count = 0;
    size_t i = 0;

    while (i < found->count && found->lacks[i].task != task)
        i++;
    *first = found->lacks ? &found->lacks[i] : NULL;
    while (i + count < found->count && found->lacks[i + count].task == task)
        count++;
    return count;
}

static size_t count_ready(const struct survey *survey)
{
    const struct preflight_lack *first;
    size_t ready = 0;

    for (size_t i = 0; i < survey->count; i++)
        ready += !lacks_of(survey, survey->tasks[i], &first);
    return ready;
}

static void put_task(struct page *page, const struct task *task,
                     const struct preflight_lack *lacks, size_t count)
{
    if (!count)
        page_text(page, PAGE_GREEN, page->unicode ? "\xe2\x9c\x93 " : "+ ");
    else
        page_text(page, PAGE_RED, page->unicode ? "\xe2\x9c\x97 " : "x ");
    page_foreign(page, PAGE_BOLD, task->id);
    page_text(page, PAGE_PLAIN, "\n");
    for (size_t i = 0; i < count; i++) {
        page_text(page, PAGE_PLAIN, "    ");
        page_foreign(page, PAGE_PLAIN, lacks[i].what);
        page_text(page, PAGE_BOLD, "\n    do: ");
        page_foreign(page, PAGE_PLAIN, lacks[i].advice);
        page_text(page, PAGE_PLAIN, "\n");
    }
}

static bool print_text(struct cli *cli, const struct survey *survey,
                       struct err *err)
{
    const struct preflight_lack *first;
    struct page page;
    bool done;

    page_init(&page, cli->out.fd);
    for (size_t i = 0; i < survey->count; i++) {
        size_t count = lacks_of(survey, survey->tasks[i], &first);

        put_task(&page, survey->tasks[i], first, count);
    }
    page_printf(&page, "%zu of %zu tasks can begin on ", count_ready(survey),
                survey->count);
    page_foreign(&page, PAGE_PLAIN, name_of(survey));
    page_text(&page, PAGE_PLAIN, "\n");
    done = output_buf(&cli->out, &page.text, err);
    page_release(&page);
    return done;
}

static bool print_json(struct cli *cli, const struct survey *survey,
                       struct err *err)
{
    struct cJSON *tree = json_new_object();
    struct cJSON *tasks;
    bool done;

    json_add_string(tree, "device", name_of(survey));
    json_add_int(tree, "ready", (int64_t)count_ready(survey));
    tasks = json_add_array(tree, "tasks");
    for (size_t i = 0; i < survey->count; i++) {
        const struct preflight_lack *lacks;
        size_t count = lacks_of(survey, survey->tasks[i], &lacks);
        struct cJSON *task = json_add_object(tasks, NULL);
        struct cJSON *missing;

        json_add_string(task, "task", survey->tasks[i]->id);
        json_add_bool(task, "ready", !count);
        missing = json_add_array(task, "missing");
        for (size_t j = 0; j < count; j++) {
            struct cJSON *one = json_add_object(missing, NULL);

            json_add_string(one, "what", lacks[j].what);
            json_add_string(one, "do", lacks[j].advice);
        }
    }
    done = output_json(&cli->out, tree, err);
    cJSON_Delete(tree);
    return done;
}

static bool run(struct cli *cli, const void *args, const struct words *words,
                int *status, struct err *err)
{
    const struct preflight_args *given = args;
    const char *locale = given->locale ? locales[given->locale] : NULL;
    struct survey survey = {.count = 0};
    bool done;

    if (!suite_open(words->items[0], &survey.suite, err))
        return false;
    done = choose(given, &survey, err) &&
           open_phone(cli, locale, &survey, err) &&
           inspect(cli, locale, &survey, err) &&
           (cli->shared.json ? print_json(cli, &survey, err)
                             : print_text(cli, &survey, err));
    if (done && survey.found.count)
        *status = 1;
    release(&survey);
    return done;
}

static const struct option options_table[] = {
    OPTION_TEXTS(struct preflight_args, tasks, "task", 't', "ID",
                 "Only this task; may be given several times"),
    OPTION_CHOICE(struct preflight_args, locale, "locale", 0, "LANGUAGE",
                  locales, "The language that the tasks will be asked in"),
};

static const struct operand operands[] = {
    {.name = "SUITE",
     .help = "A file of tasks, or the name of one: phone",
     .min = 1,
     .max = 1,
     .completes = COMPLETE_FILE},
};

static const struct example examples[] = {
    {"proctor preflight my.json", "What is missing on the phone for my.json?"},
    {"proctor preflight phone -s phone",
     "The built-in phone has what its tasks require."},
};

const struct command cmd_preflight = {
    .name = "preflight",
    .section = "Benchmarks",
    .summary = "Check a phone against what tasks require",
    .description =
        "Looks whether the phone has what each task requires: its apps, their "
        "versions and permissions, the language, a keyboard for texts beyond "
        "ASCII, somebody who is logged in, and a clean start. Says what is "
        "missing and what to do about it, and ends with 1 if anything is.\n\n"
        "Nothing is changed. Only to see whether somebody is logged in, the "
        "app of such a task is brought to the front.",
    COMMAND_OPTIONS(options_table),
    COMMAND_OPERANDS(operands),
    COMMAND_EXAMPLES(examples),
    .args_size = sizeof(struct preflight_args),
    .takes = TAKES_DEVICE | TAKES_JSON | TAKES_TIMEOUT,
    .run = run,
};
