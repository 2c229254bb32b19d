/* proctor resume, proctor retry: go on with a run. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/run/run_queue.h"
#include "tools/cli/run/run_setup.h"

struct resume_args {
    struct option_texts devices;
    const char *observe_cache;
    const char *model_cache;
    struct run_budget budget;
    const char *keyboard;
    const char *queue;
};

/* Other phones than before, if some are named. */
static bool change_devices(const struct resume_args *args,
                           struct run_plan *plan, struct err *err)
{
    size_t ignored;

    if (!args->devices.count)
        return true;
    text_list_release(&plan->devices);
    for (size_t i = 0; i < args->devices.count; i++) {
        if (!run_phones_builtin(args->devices.items[i], &ignored, err))
            return false;
        text_list_add(&plan->devices, args->devices.items[i]);
    }
    return true;
}

static bool run_here(struct cli_context *cli, const struct resume_args *args,
                     const struct run_setup_job *job, int *status,
                     struct err *err)
{
    const struct run_setup_options options = {
        .observe_cache = args->observe_cache,
        .model_cache = args->model_cache,
        .budget = args->budget,
        .keyboard = args->keyboard,
    };

    return change_devices(args, &job->file->plan, err) &&
           run_setup_set(&options, &job->file->plan, err) &&
           run_setup_do(cli, job, status, err);
}

static bool go_on(struct cli_context *cli, const struct resume_args *args,
                  const char *given, bool retry_void, int *status,
                  struct err *err)
{
    char *folder = mem_dup(given);
    size_t length = strlen(folder);
    struct run_file file;
    bool done;

    while (length > 1 && folder[length - 1] == '/')
        folder[--length] = '\0';
    done = run_file_load(folder, &file, err);
    if (done) {
        const struct run_setup_job job = {
            .folder = folder, .file = &file, .retry_void = retry_void};

        done = file.plan.queue_run
                   ? run_queue_resume(cli, args->queue, folder, &file,
                                      retry_void, status, err)
                   : run_here(cli, args, &job, status, err);
        run_file_release(&file);
    }
    free(folder);
    return done;
}

static bool resume(struct cli_context *cli, const void *args,
                   const struct operand_words *words, int *status,
                   struct err *err)
{
    return go_on(cli, args, words->items[0], false, status, err);
}

static bool retry(struct cli_context *cli, const void *args,
                  const struct operand_words *words, int *status,
                  struct err *err)
{
    return go_on(cli, args, words->items[0], true, status, err);
}

static const struct option options_table[] = {
    OPTION_TEXTS(struct resume_args, devices, "device", 's', "DEVICE",
                 COMPLETE_RUN_DEVICE, "Other phones than those of the run"),
    OPTION_TEXT(struct resume_args, keyboard, "keyboard", 0, "APK",
                COMPLETE_FILE,
                "ADBKeyboard, to be installed on phones that lack it"),
    OPTION_TEXT(struct resume_args, observe_cache, "observe-cache", 0,
                "DIRECTORY", COMPLETE_FILE,
                "Where the fastest screenshot method of each phone is cached; "
                "none: nowhere"),
    OPTION_TEXT(struct resume_args, model_cache, "model-cache", 0, "DIRECTORY",
                COMPLETE_FILE, "Cache model replies in this folder"),
    RUN_BUDGET_OPTIONS(struct resume_args, budget),
    OPTION_TEXT(struct resume_args, queue, "queue", 0, "URL", COMPLETE_NOTHING,
                "Where the queue of the run is, if it is in one "
                "(PROCTOR_QUEUE, or where it was put)"),
};

static const struct operand operands[] = {
    {.name = "RUN",
     .help = "A run's folder",
     .min = 1,
     .max = 1,
     .completes = COMPLETE_FILE},
};

const struct command cmd_resume = {
    .name = "resume",
    .section = "Benchmarks",
    .summary = "Continue a run that was interrupted",
    .description = "Continues a run with its options. Attempts that did not "
                   "end are kept, and are repeated from the beginning.\n\nA "
                   "run in a queue (proctor run --queue) is followed again.",
    COMMAND_OPTIONS(options_table),
    COMMAND_OPERANDS(operands),
    .args_size = sizeof(struct resume_args),
    .takes = TAKES_JSON,
    .run = resume,
};

const struct command cmd_retry = {
    .name = "retry",
    .section = "Benchmarks",
    .summary = "Repeat the void attempts of a run",
    .description = "Repeats what ended void, for example because a phone was "
                   "lost, and runs what is left. Earlier attempts are kept.",
    COMMAND_OPTIONS(options_table),
    COMMAND_OPERANDS(operands),
    .args_size = sizeof(struct resume_args),
    .takes = TAKES_JSON,
    .run = retry,
};
