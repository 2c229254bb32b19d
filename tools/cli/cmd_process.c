/* proctor process: what each step of a recorded episode did. */
#include "process_provider/process.h"

#include "base/json_write.h"
#include "tools/cli/cli.h"
#include "tools/cli/cmd.h"
#include "tools/cli/page.h"

struct process_args {
    int provider; /* an enum process_source */
};

static const char *const providers[] = {"offline", "converter", "plain", NULL};

static bool print_text(struct cli *cli, const struct process *process,
                       struct err *err)
{
    struct page page;
    bool done;

    page_init(&page, cli->out.fd);
    for (size_t i = 0; i < process->count; i++) {
        page_printf(&page, "%3zu  ", i);
        page_foreign(&page, PAGE_PLAIN, process->steps[i].words);
        page_text(&page, PAGE_PLAIN, "\n");
    }
    done = output_buf(&cli->out, &page.text, err);
    page_release(&page);
    return done;
}

static bool print_json(struct cli *cli, const struct process *process,
                       struct err *err)
{
    struct cJSON *tree = json_new_array();
    bool done;

    for (size_t i = 0; i < process->count; i++)
        json_add_string(tree, NULL, process->steps[i].words);
    done = output_json(&cli->out, tree, err);
    cJSON_Delete(tree);
    return done;
}

static bool run(struct cli *cli, const void *args, const struct words *words,
                int *status, struct err *err)
{
    const struct process_args *process_args = args;
    struct trajectory trajectory;
    struct process process;
    bool done;

    (void)status;
    if (!trajectory_load(words->items[0], &trajectory, err))
        return false;
    process_make(&trajectory, (enum process_source)process_args->provider,
                 &process);
    done = process_save(&trajectory, &process, err) &&
           (cli->shared.json ? print_json(cli, &process, err)
                             : print_text(cli, &process, err));
    process_release(&process);
    trajectory_release(&trajectory);
    return done;
}

static const struct option options_table[] = {
    OPTION_CHOICE(struct process_args, provider, "provider", 'p', "NAME",
                  providers,
                  "Who says it: offline tells each act and what came of it, "
                  "converter the act alone, plain does so as in the paper"),
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
    .summary = "Say what each step of an episode did",
    .description =
        "Prints one line of words per step of a recorded episode, made from "
        "what was seen and done, and writes them to the episode's "
        "process.jsonl.",
    COMMAND_OPTIONS(options_table),
    COMMAND_OPERANDS(operands),
    .args_size = sizeof(struct process_args),
    .takes = TAKES_JSON,
    .run = run,
};
