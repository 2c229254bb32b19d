/* proctor process: what each step of a recorded episode did. */
#include "process_provider/summarize/episode_process.h"

#include "base/json_write.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/terminal/text_page.h"

struct process_args {
    int provider; /* an enum process_source */
};

static const char *const providers[] = {"offline", "converter", "plain", NULL};

static bool print_text(struct cli_context *cli,
                       const struct episode_process *process, struct err *err)
{
    struct text_page page;
    bool done;

    text_page_init(&page, cli->out.fd);
    for (size_t i = 0; i < process->count; i++) {
        text_page_printf(&page, "%3zu  ", i);
        text_page_untrusted(&page, TEXT_STYLE_PLAIN,
                            process->steps[i].description);
        text_page_add(&page, TEXT_STYLE_PLAIN, "\n");
    }
    done = output_stream_buf(&cli->out, &page.text, err);
    text_page_release(&page);
    return done;
}

static bool print_json(struct cli_context *cli,
                       const struct episode_process *process, struct err *err)
{
    struct cJSON *tree = json_new_array();
    bool done;

    for (size_t i = 0; i < process->count; i++)
        json_add_string(tree, NULL, process->steps[i].description);
    done = output_stream_json(&cli->out, tree, err);
    cJSON_Delete(tree);
    return done;
}

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    const struct process_args *process_args = args;
    struct trajectory trajectory;
    struct episode_process process;
    struct picture_access access = {.by = DEADLINE_NEVER,
                                    .cancel = cli->cancel};
    struct picture_reader *reader;
    bool done;

    (void)status;
    if (!trajectory_load(words->items[0], &trajectory, err))
        return false;
    reader = picture_reader_open();
    picture_reader_use_cache(reader);
    access.reader = reader;
    episode_process_make(&trajectory,
                         (enum process_source)process_args->provider, &access,
                         &process);
    picture_reader_close(reader);
    done = (!cancel_fired(cli->cancel) ||
            err_set(err, ERR_CANCELLED, "cancelled")) &&
           episode_process_save(&trajectory, &process, err) &&
           (cli->shared.json ? print_json(cli, &process, err)
                             : print_text(cli, &process, err));
    episode_process_release(&process);
    trajectory_release(&trajectory);
    return done;
}

static const struct option options_table[] = {
    OPTION_CHOICE(struct process_args, provider, "provider", 'p', "NAME",
                  providers,
                  "How steps are described: offline with the action and its "
                  "effect, converter with the action alone, plain with the "
                  "action as in the paper"),
};

static const struct operand operands[] = {
    {.name = "EPISODE",
     .help = "The folder of a recorded episode",
     .min = 1,
     .max = 1,
     .completes = COMPLETE_FILE},
};

const struct command cmd_process = {
    .name = "process",
    .section = "Recordings",
    .summary = "Describe each step of an episode",
    .description =
        "Prints one line per step of a recorded episode, which describes what "
        "was done, and writes them to the episode's process.jsonl.",
    COMMAND_OPTIONS(options_table),
    COMMAND_OPERANDS(operands),
    .args_size = sizeof(struct process_args),
    .takes = TAKES_JSON,
    .run = run,
};
