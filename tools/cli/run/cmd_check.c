/* proctor check: validate recordings against docs/format.md. */
#include "base/json_write.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/run/recording_checks.h"
#include "tools/cli/run/run_fetch.h"
#include "tools/cli/terminal/text_page.h"

static void print_list(struct text_page *page, const struct cJSON *list)
{
    const struct cJSON *item = NULL;

    cJSON_ArrayForEach(item, list)
    {
        text_page_untrusted(
            page, TEXT_STYLE_PLAIN,
            cJSON_GetObjectItemCaseSensitive(item, "error")->valuestring);
        text_page_add(page, TEXT_STYLE_PLAIN, "\n");
    }
}

static bool print_text(struct cli_context *cli,
                       const struct recording_checks *checks, struct err *err)
{
    int notes = cJSON_GetArraySize(checks->notes);
    struct text_page page;
    bool done;

    text_page_init(&page, cli->out.fd);
    print_list(&page, checks->bad);
    print_list(&page, checks->notes);
    text_page_printf(&page, "%d episode%s, %d with problems", checks->episodes,
                     checks->episodes == 1 ? "" : "s",
                     cJSON_GetArraySize(checks->bad));
    if (notes)
        text_page_printf(&page, "; proctor resume adds %d to results.jsonl",
                         notes);
    text_page_add(&page, TEXT_STYLE_PLAIN, "\n");
    done = output_stream_buf(&cli->out, &page.text, err);
    text_page_release(&page);
    return done;
}

static bool print_json(struct cli_context *cli,
                       const struct recording_checks *checks, struct err *err)
{
    struct cJSON *tree = json_new_object();
    bool done;

    json_add_int(tree, "episodes", checks->episodes);
    cJSON_AddItemReferenceToObject(tree, "bad", checks->bad);
    cJSON_AddItemReferenceToObject(tree, "notes", checks->notes);
    done = output_stream_json(&cli->out, tree, err);
    cJSON_Delete(tree);
    return done;
}

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    struct recording_checks checks;
    bool done;

    (void)args;
    recording_checks_init(&checks);
    done = run_fetch_all(cli, words->items[0], err) &&
           recording_checks_folder(&checks, words->items[0], err);
    if (done)
        done = cli->shared.json ? print_json(cli, &checks, err)
                                : print_text(cli, &checks, err);
    if (done && cJSON_GetArraySize(checks.bad))
        *status = 1;
    recording_checks_release(&checks);
    return done;
}

static const struct operand operands[] = {
    {.name = "RUN|EPISODE|RECORDING",
     .help = "A run's folder, one episode's, or that of recordings",
     .min = 1,
     .max = 1,
     .completes = COMPLETE_FILE},
};

const struct command cmd_check = {
    .name = "check",
    .section = "Recordings",
    .summary = "Validate recorded episodes",
    .description =
        "Reads every episode of a run, every file that it names, its task, "
        "ground truth and verdicts, and the run's own files, and reports what "
        "differs from docs/format.md:  files that are missing or changed, "
        "episodes that occur twice, results that do not agree with their "
        "episodes, and edits of recordings that cannot be read or are about "
        "no step. Exit code 1 when something is wrong.",
    COMMAND_OPERANDS(operands),
    .takes = TAKES_JSON,
    .run = run,
};
