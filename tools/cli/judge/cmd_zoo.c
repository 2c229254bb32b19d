/* proctor zoo: how hard tasks are, by what scripted policies reach in them. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tasks/task/suite.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/judge/meter_setup.h"
#include "tools/cli/judge/zoo_page.h"
#include "tools/cli/run/run_phones.h"

struct zoo_args {
    struct option_texts seeds;
    struct option_texts skins;
    int locale; /* of meter_setup_locales */
    struct option_texts tasks;
    const char *sample;
    const char *phones;
    const char *out;
};

/* All that the command makes. */
struct zoo_work {
    const struct zoo_args *args;
    struct suite suite;
    struct task_ways ways;
    struct meter_cases cases; /* its tasks are those of the zoo */
    struct meter_config configs[METER_CONFIGS_MAX];
    size_t config_count;
    size_t phones;
    struct buf folder;
    struct policy_zoo zoo;
};

static bool load(struct zoo_work *work, const char *suite, struct err *err)
{
    const struct zoo_args *args = work->args;
    struct meter_cases_choice choice = {
        .ids = args->tasks.items,
        .id_count = args->tasks.count,
        .only = TASK_WAY_GOLD,
    };

    return meter_setup_sample(args->sample, &choice, err) &&
           suite_open(suite, &work->suite, err) &&
           task_ways_load(&work->suite, &work->ways, err) &&
           meter_cases_make(&work->suite, &work->ways, &choice, &work->cases,
                            err) &&
           meter_setup_configs(&args->seeds, &args->skins, args->locale,
                               work->configs, &work->config_count, err) &&
           meter_setup_folder(args->out, &work->folder, err);
}

static bool measure(const struct cli_context *cli, struct zoo_work *work,
                    struct err *err)
{
    struct policy_zoo_options options = {
        .configs = work->configs,
        .config_count = work->config_count,
        .suite_path = work->suite.path,
        .tasks = work->cases.tasks,
        .task_count = work->cases.task_count,
        .ways = &work->ways,
        .folder = buf_cstr(&work->folder),
        .phones = work->phones,
        .cancel = cli->cancel,
        .log = cli->log,
    };

    cli_message(cli,
                "%zu policies, %zu task%s, %zu phone%s: %zu episodes, in %s",
                zoo_policy_count, options.task_count,
                options.task_count == 1 ? "" : "s", options.config_count,
                options.config_count == 1 ? "" : "s",
                zoo_policy_count * options.task_count * options.config_count,
                options.folder);
    return policy_zoo_run(&options, &work->zoo, err);
}

static bool print(struct cli_context *cli, const struct policy_zoo *zoo,
                  struct err *err)
{
    struct zoo_table table;
    struct text_page page;
    bool done;

    zoo_table_make(zoo, &table);
    if (cli->shared.json) {
        struct cJSON *figures = zoo_page_json(&table);

        done = output_stream_json(&cli->out, figures, err);
        cJSON_Delete(figures);
    } else {
        text_page_init(&page, cli->out.fd);
        zoo_page_write(&page, &table);
        done = output_stream_buf(&cli->out, &page.text, err);
        text_page_release(&page);
    }
    zoo_table_release(&table);
    return done;
}

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    struct zoo_work *work = mem_new(1, sizeof(*work));
    int64_t phones = METER_PHONES_DEFAULT;
    bool done;

    (void)status;
    work->args = args;
    work->folder = (struct buf)BUF_INIT(PATH_MAX);
    done =
        run_phones_number("phones", work->args->phones, 1, 256, &phones, err);
    work->phones = (size_t)phones;
    done = done && load(work, words->count ? words->items[0] : "phone", err) &&
           measure(cli, work, err) && print(cli, &work->zoo, err);
    policy_zoo_release(&work->zoo);
    meter_cases_release(&work->cases);
    task_ways_release(&work->ways);
    suite_release(&work->suite);
    buf_release(&work->folder);
    free(work);
    return done;
}

static const struct option options_table[] = {
    OPTION_TEXTS(struct zoo_args, seeds, "seed", 0, "NUMBER", COMPLETE_NOTHING,
                 "The content of the phones (1); may be given several times"),
    OPTION_TEXTS(struct zoo_args, skins, "skin", 0, "NUMBER", COMPLETE_NOTHING,
                 "Their wording and layout (0); may be given several times"),
    OPTION_CHOICE(struct zoo_args, locale, "locale", 0, "LANGUAGE",
                  meter_setup_locales,
                  "The language of tasks and phones (both)"),
    OPTION_TEXTS(struct zoo_args, tasks, "task", 't', "ID", COMPLETE_TASK,
                 "Only this task; may be given several times"),
    OPTION_TEXT(struct zoo_args, sample, "sample", 0, "N[:HEX]",
                COMPLETE_NOTHING,
                "Only so many of the tasks; HEX chooses which (0)"),
    OPTION_TEXT(struct zoo_args, phones, "phones", 0, "N", COMPLETE_NOTHING,
                "How many built-in phones are used at once (4)"),
    OPTION_TEXT(struct zoo_args, out, "out", 'o', "DIRECTORY", COMPLETE_FILE,
                "Where the episodes are kept (a new folder in /tmp); episodes "
                "that exist are not run again"),
};

static const struct operand operands[] = {
    {.name = "SUITE",
     .help = "A file of tasks, or the name of one (phone)",
     .min = 0,
     .max = 1,
     .completes = COMPLETE_SUITE},
};

static const struct example examples[] = {
    {"proctor zoo", "Rank the policies on the tasks of phone."},
    {"proctor zoo world --sample 16:4f7a --locale en",
     "On 16 tasks of world, in English."},
};

const struct command cmd_zoo = {
    .name = "zoo",
    .section = "Benchmarks",
    .summary = "Measure how hard tasks are",
    .description =
        "Lets scripted policies do each task of the built-in phone: gold, gold "
        "with some taps on the wrong element, with a forgotten filter, without "
        "saying that it is done, giving up at pop-ups, typing the whole "
        "instruction into the search, and others. The phone knows the ground "
        "truth. Reported are the policies by success, and how well each task "
        "tells good policies from bad ones.\n\nA task with a discrimination "
        "below 0.2 adds nothing to a ranking of agents.",
    COMMAND_OPTIONS(options_table),
    COMMAND_OPERANDS(operands),
    COMMAND_EXAMPLES(examples),
    .args_size = sizeof(struct zoo_args),
    .takes = TAKES_JSON,
    .run = run,
};
