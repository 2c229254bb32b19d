/* proctor merge: one run from its shards. */
#include "runner/run/run_merge.h"

#include "base/json_write.h"
#include "base/macros.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/cli_context.h"

struct merge_args {
    const char *out;
};

static bool print(struct cli_context *cli, const char *out,
                  const struct run_merge_sum *sum, struct err *err)
{
    struct cJSON *line;
    bool done;

    cli_message(cli, "%s has %zu of %zu episodes; %s with: proctor %s %s", out,
                sum->ended, sum->all,
                sum->ended < sum->all ? "run the others" : "judge them",
                sum->ended < sum->all ? "resume" : "judge", out);
    if (!cli->shared.json)
        return true;
    line = json_new_object();
    json_add_string(line, "run", out);
    json_add_int(line, "all", (int64_t)sum->all);
    json_add_int(line, "ended", (int64_t)sum->ended);
    done = output_stream_json(&cli->out, line, err);
    cJSON_Delete(line);
    return done;
}

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    const struct merge_args *merge_args = args;
    struct run_merge_sum sum;

    (void)status;
    if (!merge_args->out)
        return err_set(err, ERR_INVALID, "give the new folder with --out");
    return run_merge(words->items, words->count, merge_args->out, &sum, err) &&
           print(cli, merge_args->out, &sum, err);
}

static const struct option options_table[] = {
    OPTION_TEXT(struct merge_args, out, "out", 'o', "DIRECTORY", COMPLETE_FILE,
                "The folder of the whole run, which is made"),
};

static const struct operand operands[] = {
    {.name = "RUN",
     .help = "The folders of all shards",
     .min = 1,
     .max = OPERAND_MANY,
     .completes = COMPLETE_FILE},
};

static const struct example examples[] = {
    {"proctor merge runs/shard-* --out runs/all",
     "One run from those that proctor run --shard has made."},
};

const struct command cmd_merge = {
    .name = "merge",
    .section = "Farm",
    .summary = "Join the shards of a run",
    .description =
        "Makes one run of the shards that proctor run --shard has recorded, "
        "and refuses what does not belong together: another suite, agent or "
        "option, a missing or repeated shard, an episode of another one. "
        "Recordings are linked, or copied to another file system; the shards "
        "are kept.",
    COMMAND_OPTIONS(options_table),
    COMMAND_OPERANDS(operands),
    COMMAND_EXAMPLES(examples),
    .args_size = sizeof(struct merge_args),
    .takes = TAKES_JSON,
    .run = run,
};
