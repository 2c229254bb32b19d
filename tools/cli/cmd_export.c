/* proctor export: what was recorded, for other programs. */
#include "runner/export.h"

#include <limits.h>

#include "base/json_write.h"
#include "runner/run_file.h"
#include "tools/cli/cli.h"
#include "tools/cli/cmd.h"

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

static bool put_result(const struct export_args *args, const char *run,
                       const char *id, const struct result *result,
                       struct buf *text, struct err *err)
{
    enum format format = (enum format)args->format;
    struct buf folder = BUF_INIT(PATH_MAX);
    struct cJSON *line = NULL;
    bool done = true;

    if (format == FORMAT_ANDROIDCONTROL) {
        buf_printf(&folder, "%s/%s", run, result->episode);
        done = export_androidcontrol(buf_cstr(&folder), &line, err);
        if (done)
            put_line(text, line);
    } else {
        line = export_row(run, id, args->judge, result);
        if (format == FORMAT_TABLE) {
            export_csv_row(line, text);
            cJSON_Delete(line);
        } else {
            put_line(text, line);
        }
    }
    buf_release(&folder);
    return done;
}

static bool export_run(struct cli *cli, const struct export_args *args,
                       const char *run, struct buf *text, struct err *err)
{
    struct run_file file;
    struct results results = {.items = NULL};
    bool done;

    if (!run_file_load(run, &file, err))
        return false;
    done = results_scan(run, &results, err);
    for (size_t i = 0; done && i < results.count; i++) {
        const struct result *result = &results.items[i];

        if (result->ending == ENDING_NONE ||
            (result->ending == ENDING_VOID && !args->all))
            continue;
        done = put_result(args, run, file.id, result, text, err) &&
               output_buf(&cli->out, text, err);
        buf_clear(text);
    }
    results_release(&results);
    run_file_release(&file);
    return done;
}

static bool run(struct cli *cli, const void *args, const struct words *words,
                int *status, struct err *err)
{
    const struct export_args *export_args = args;
    struct buf text = BUF_INIT(TEXT_MAX);
    bool done = true;

    (void)status;
    if (export_args->format == FORMAT_TABLE)
        export_csv_head(&text);
    for (size_t i = 0; done && i < words->count; i++)
        done = export_run(cli, export_args, words->items[i], &text, err);
    done = done && output_buf(&cli->out, &text, err);
    buf_release(&text);
    return done;
}

static const struct option options_table[] = {
    OPTION_CHOICE(struct export_args, format, "format", 'f', "FORMAT", formats,
                  "As what: a table (CSV), the same as JSON Lines, or "
                  "episodes as AndroidControl has them, a line each"),
    OPTION_TEXT(struct export_args, judge, "judge", 'j', "NAME",
                COMPLETE_NOTHING,
                "Whose verdicts the table has: a judge's name, or name-hash; "
                "otherwise those of the first by name"),
    OPTION_FLAG(struct export_args, all, "all", 0, "Also what is void"),
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
    .summary = "Turn runs into tables or datasets",
    .description =
        "Prints what was recorded in runs: a flat table with a row for each "
        "attempt, what its task is and what the first of its judges says; or "
        "a line of JSON for each episode, with its goal, screens, trees, "
        "actions and words for each step, as in AndroidControl.",
    COMMAND_OPTIONS(options_table),
    COMMAND_OPERANDS(operands),
    COMMAND_EXAMPLES(examples),
    .args_size = sizeof(struct export_args),
    .run = run,
};
