/* proctor export: recorded runs for other programs. */
#include "runner/run/run_export.h"

#include <limits.h>

#include "base/json_write.h"
#include "runner/run/run_file.h"
#include "tasks/trajectory/run_results_compare.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/run/run_fetch.h"

#define TEXT_MAX ((size_t)1 << 30)

enum format { FORMAT_TABLE, FORMAT_JSONL, FORMAT_ANDROIDCONTROL };

struct export_args {
    int format; /* of enum format */
    const char *judge;
    bool all;
};

static const char *const formats[] = {"table", "jsonl", "androidcontrol", NULL};

/* Append a tree as a line, and delete it. */
static void put_line(struct buf *text, struct cJSON *line)
{
    json_format(line, text);
    buf_byte(text, '\n');
    cJSON_Delete(line);
}

/* The options and the state of an export. */
struct exporting {
    struct cli_context *cli;
    const struct export_args *args;
    const char *run; /* its folder */
    const char *id;
    struct buf text; /* output that is not written yet */
    int *status;     /* 1: an episode is damaged */
};

/* Never in silence: an episode that is damaged is named, with the reason. */
static void report_damage(const struct exporting *exporting,
                          const char *episode, const char *what,
                          const char *reason)
{
    cli_message(exporting->cli, "%s/%s %s: %s", exporting->run, episode, what,
                reason);
    *exporting->status = 1;
}

static void put_episode(struct exporting *exporting,
                        const struct run_result *result)
{
    struct buf folder = BUF_INIT(PATH_MAX);
    struct cJSON *line = NULL;
    struct err err = ERR_INIT;

    buf_printf(&folder, "%s/%s", exporting->run, result->episode);
    if (run_export_androidcontrol(buf_cstr(&folder), &line, &err))
        put_line(&exporting->text, line);
    else
        report_damage(exporting, result->episode, "is left out", err.text);
    buf_release(&folder);
}

static void put_row(struct exporting *exporting,
                    const struct run_result *result)
{
    struct err damage;
    struct cJSON *line = run_export_row(
        exporting->run, exporting->id, exporting->args->judge, result, &damage);

    if (damage.code != ERR_NONE)
        report_damage(exporting, result->episode, "is damaged", damage.text);
    if (exporting->args->format == FORMAT_TABLE) {
        run_export_csv_row(line, &exporting->text);
        cJSON_Delete(line);
    } else {
        put_line(&exporting->text, line);
    }
}

static void put_result(struct exporting *exporting,
                       const struct run_result *result)
{
    if (result->damage) {
        report_damage(exporting, result->episode, "is left out",
                      result->damage);
        return;
    }
    if (result->ending == ENDING_NONE ||
        (result->ending == ENDING_VOID && !exporting->args->all))
        return;
    if (result->bad_file)
        report_damage(exporting, result->episode, "has a bad file",
                      result->bad_file);
    if (exporting->args->format == FORMAT_ANDROIDCONTROL)
        put_episode(exporting, result);
    else
        put_row(exporting, result);
}

/* Lines of results.jsonl that the episodes do not bear out. */
static void compare(struct exporting *exporting,
                    const struct run_results *scanned)
{
    struct run_results listed = {.items = NULL};
    struct results_faults faults;
    struct err err = ERR_INIT;

    if (!run_results_load(exporting->run, &listed, &err)) {
        if (err.code != ERR_NOT_FOUND)
            report_damage(exporting, "results.jsonl", "is damaged", err.text);
        return;
    }
    run_results_compare(&listed, scanned, &faults);
    for (size_t i = 0; i < faults.count; i++) {
        if (faults.items[i].kind == RESULTS_FAULT_LISTED)
            report_damage(exporting, faults.items[i].episode, "is damaged",
                          faults.items[i].text);
    }
    results_faults_release(&faults);
    run_results_release(&listed);
}

static bool export_run(struct exporting *exporting, struct err *err)
{
    struct run_file file;
    struct run_results results = {.items = NULL};
    bool done;

    if (!run_file_load(exporting->run, &file, err))
        return false;
    exporting->id = file.id;
    done = run_results_scan(exporting->run, &results, err);
    if (done)
        compare(exporting, &results);
    for (size_t i = 0; done && i < results.count; i++) {
        put_result(exporting, &results.items[i]);
        done = output_stream_buf(&exporting->cli->out, &exporting->text, err);
        buf_clear(&exporting->text);
    }
    run_results_release(&results);
    run_file_release(&file);
    return done;
}

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    struct exporting exporting = {
        .cli = cli, .args = args, .text = BUF_INIT(TEXT_MAX), .status = status};
    bool done = true;

    if (exporting.args->format == FORMAT_TABLE)
        run_export_csv_header(&exporting.text);
    for (size_t i = 0; done && i < words->count; i++) {
        exporting.run = words->items[i];
        done = run_fetch_all(cli, words->items[i], err) &&
               export_run(&exporting, err);
    }
    done = done && output_stream_buf(&cli->out, &exporting.text, err);
    buf_release(&exporting.text);
    return done;
}

static const struct option options_table[] = {
    OPTION_CHOICE(struct export_args, format, "format", 'f', "FORMAT", formats,
                  "The format: a table (CSV), the same as JSON Lines, or one "
                  "line per episode as in AndroidControl"),
    OPTION_TEXT(struct export_args, judge, "judge", 'j', "NAME",
                COMPLETE_NOTHING,
                "The judge whose verdicts the table has: its name, or "
                "name-hash (the first by name)"),
    OPTION_FLAG(struct export_args, all, "all", 0, "Also void attempts"),
};

static const struct operand operands[] = {
    {.name = "RUN",
     .help = "A run's folder",
     .min = 1,
     .max = OPERAND_MANY,
     .completes = COMPLETE_FILE},
};

static const struct example examples[] = {
    {"proctor export runs/* > all.csv", "A row for each attempt that ended."},
    {"proctor export --format androidcontrol runs/gold > gold.jsonl",
     "Episodes to train or test models with."},
};

const struct command cmd_export = {
    .name = "export",
    .section = "Recordings",
    .summary = "Export runs as tables or datasets",
    .description =
        "Prints what was recorded in runs: a flat table with a row for each "
        "attempt, its task and the verdict of one judge; or a line of JSON for "
        "each episode, with its goal, and the screen, tree, action and "
        "description of each step, as in AndroidControl. A damaged episode is "
        "named on standard error, and the exit code is 1.",
    COMMAND_OPTIONS(options_table),
    COMMAND_OPERANDS(operands),
    COMMAND_EXAMPLES(examples),
    .args_size = sizeof(struct export_args),
    .run = run,
};
