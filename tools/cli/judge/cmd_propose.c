/* proctor propose: a task from recordings. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json_write.h"
#include "runner/recording/task_save.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/judge/propose_page.h"
#include "tools/cli/run/run_phones.h"

#define NOT_PROVED 1
#define PHONES 2

struct propose_args {
    const char *suite;
    const char *id;
    const char *instruction;
    const char *instruction_zh;
    const char *answer;
    const char *apps;
    const char *budget;
    int kind;  /* 0: not given; otherwise one more than the enum */
    int level; /* 0: not given */
    bool replace;
    const char *truth;
    const char *seed;
    const char *out;
};

static const char *const kinds[] = {"guessed", "state", "process", NULL};
static const char *const levels[] = {"guessed", "1", "2", "3", "4", "5", NULL};

/* runs is NULL when the twins were not carried out. */
static bool print_json(struct cli_context *cli,
                       const struct recording_task *made,
                       const struct twin_runs *runs, struct err *err)
{
    struct cJSON *json = recording_task_to_json(made);
    bool done;

    if (runs)
        cJSON_AddItemToObject(json, "carried_out", twin_runs_to_json(runs));
    done = output_stream_json(&cli->out, json, err);
    cJSON_Delete(json);
    return done;
}

static bool print(struct cli_context *cli, const struct recording_task *made,
                  const struct twin_runs *runs, struct err *err)
{
    struct text_page page;
    bool done;

    if (cli->shared.json)
        return print_json(cli, made, runs, err);
    text_page_init(&page, cli->out.fd);
    propose_page_task(&page, made);
    propose_page_proof(&page, &made->proof);
    if (runs)
        propose_page_runs(&page, runs);
    done = output_stream_buf(&cli->out, &page.text, err);
    text_page_release(&page);
    return done;
}

/* ---- twins on a built-in phone ---- */

static bool carry_out(struct cli_context *cli, const struct propose_args *args,
                      const struct recording_task *made, struct twin_runs *runs,
                      struct err *err)
{
    char made_folder[] = "/tmp/proctor-twins-XXXXXX";
    const char *folder = args->out ? args->out : made_folder;
    struct twin_runs_options options = {
        .truth = args->truth,
        .folder = folder,
        .config = twin_runs_config(made),
        .phones = PHONES,
        .cancel = cli->cancel,
        .log = cli->log,
    };

    if (args->seed && !run_phones_number("seed", args->seed, 0, JSON_INT_MAX,
                                         &options.config.seed, err))
        return false;
    if (args->out ? !file_make_folder(folder, 0777, err)
                  : !mkdtemp(made_folder) &&
                        !err_errno(err, errno, "make %s", folder))
        return false;
    if (!twin_runs_make(made, &options, runs, err))
        return false;
    cli_message(cli, "the twins' episodes are in %s", folder);
    return true;
}

static bool save(struct cli_context *cli, const struct propose_args *args,
                 const struct recording_task *made, struct err *err)
{
    const struct task_save_options options = {.suite = args->suite,
                                              .replace = args->replace};
    char *gold;

    if (!task_save(made, &options, &gold, err))
        return false;
    cli_message(cli,
                "saved task %s in %s and its gold in %s; try it with: proctor "
                "run %s --agent gold -t %s",
                made->task.id, args->suite, gold, args->suite, made->task.id);
    free(gold);
    return true;
}

static bool read_budget(const char *text, int *steps, struct err *err)
{
    long number;
    char *end;

    errno = 0;
    number = strtol(text, &end, 10);
    if (errno || end == text || *end || number < 1 || number > TASK_STEPS_MAX)
        return err_set(err, ERR_INVALID,
                       "expected 1 to %d steps for --budget, not %.40s",
                       TASK_STEPS_MAX, text);
    *steps = (int)number;
    return true;
}

static bool run(struct cli_context *cli, const void *args_,
                const struct operand_words *words, int *status, struct err *err)
{
    const struct propose_args *args = args_;
    struct recording_task_options options = {
        .folders = words->items,
        .count = words->count,
        .id = args->id,
        .instruction_en = args->instruction,
        .instruction_zh = args->instruction_zh,
        .answer = args->answer,
        .kind = args->kind - 1,
        .level = args->level,
        .apps = args->apps,
    };
    struct recording_task made;
    struct twin_runs runs = {.count = 0};
    bool done;

    if (args->budget && !read_budget(args->budget, &options.steps, err))
        return false;
    if (!recording_task_make(&options, &made, err))
        return false;
    done = (!args->truth || carry_out(cli, args, &made, &runs, err)) &&
           print(cli, &made, args->truth ? &runs : NULL, err) &&
           (!args->suite || save(cli, args, &made, err));
    if (!made.proof.accepted || made.proof.refused < made.proof.count ||
        runs.agreed < runs.count)
        *status = NOT_PROVED;
    twin_runs_release(&runs);
    recording_task_release(&made);
    return done;
}

static const struct option options_table[] = {
    OPTION_TEXT(struct propose_args, suite, "suite", 0, "FILE", COMPLETE_FILE,
                "Save the task in this suite, which is created if it is "
                "missing, and its gold in the folder gold beside it"),
    OPTION_TEXT(struct propose_args, id, "id", 0, "ID", COMPLETE_NOTHING,
                "The id of the task (that of the recording)"),
    OPTION_TEXT(struct propose_args, instruction, "instruction", 0, "TEXT",
                COMPLETE_NOTHING, "What an agent will be asked to do"),
    OPTION_TEXT(struct propose_args, instruction_zh, "instruction-zh", 0,
                "TEXT", COMPLETE_NOTHING, "The same in Chinese"),
    OPTION_TEXT(struct propose_args, answer, "answer", 0, "TEXT",
                COMPLETE_NOTHING,
                "What an agent must answer, as the last screen shows it"),
    OPTION_TEXT(struct propose_args, apps, "app", 0, "PACKAGE",
                COMPLETE_NOTHING,
                "The app, or several with commas (those that were in front)"),
    OPTION_TEXT(struct propose_args, budget, "budget", 0, "STEPS",
                COMPLETE_NOTHING,
                "How many steps an agent may take (15, or twice the recorded "
                "ones)"),
    OPTION_CHOICE(struct propose_args, kind, "kind", 0, "KIND", kinds,
                  "state: the last screen tells; process: the steps count"),
    OPTION_CHOICE(struct propose_args, level, "level", 0, "LEVEL", levels,
                  "How hard it is"),
    OPTION_TEXT(struct propose_args, truth, "truth", 0, "NAME",
                COMPLETE_NOTHING,
                "Carry the wrong twins out on built-in phones, and compare the "
                "checks with this truth of theirs, such as shop.cheapest"),
    OPTION_TEXT(struct propose_args, seed, "seed", 0, "NUMBER",
                COMPLETE_NOTHING,
                "The seed of these phones (that of the recording)"),
    OPTION_TEXT(struct propose_args, out, "out", 'o', "DIRECTORY",
                COMPLETE_FILE,
                "Where the twins' episodes are kept (a new folder in /tmp)"),
    OPTION_FLAG(struct propose_args, replace, "replace", 0,
                "Replace a task of the same id"),
};

static const struct operand operands[] = {
    {.name = "RECORDING",
     .help = "The folder of a recording; several of the same task are merged",
     .min = 1,
     .max = RECORDING_TASK_MAX,
     .completes = COMPLETE_FILE},
};

static const struct example examples[] = {
    {"proctor propose recordings/dark", "Look at the checks and their proof."},
    {"proctor propose recordings/dark --suite my.json --instruction \"Go "
     "dark\"",
     "Save the task."},
    {"proctor propose recordings/a recordings/b --suite my.json",
     "Merge two recordings of one task."},
};

const struct command cmd_propose = {
    .name = "propose",
    .section = "Benchmarks",
    .summary = "Make a task with proved checks from recordings",
    .description =
        "Proposes checks from the starred steps of a recording, and proves "
        "them: they must accept the recording, and refuse its wrong twins, "
        "which leave a starred step out, choose another target, undo it or "
        "stop early. Checks that no twin can break are not "
        "proposed.\n\nThe exit code is 1 when a twin is accepted, or the "
        "recording is not. docs/recording.md describes recordings.",
    COMMAND_OPTIONS(options_table),
    COMMAND_OPERANDS(operands),
    COMMAND_EXAMPLES(examples),
    .args_size = sizeof(struct propose_args),
    .takes = TAKES_JSON,
    .run = run,
};
