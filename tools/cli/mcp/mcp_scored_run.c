#include "tools/cli/mcp/mcp_scored_run.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "judge/judge.h"
#include "tasks/trajectory/run_results.h"
#include "tools/cli/run/run_folder.h"

#define RESULT_MAX ((size_t)16 * 1024)

/* ---- the result ---- */

static void write_verdict(const struct verdict *verdict, struct buf *text)
{
    buf_printf(text, "\nVerdict by the rules: %s",
               outcome_name(verdict->outcome));
    if (verdict->need_count)
        buf_printf(text, ", %zu of %zu needs met", verdict->met,
                   verdict->need_count);
    buf_printf(text, ". %s", verdict->reason ? verdict->reason : "");
}

/* Judge the episode, and keep the verdict with it. */
static void judge_it(const struct mcp_scored_run *run, const char *episode,
                     struct buf *text)
{
    const struct judge_options options = {.kind = JUDGE_RULES,
                                          .source = PROCESS_OFFLINE,
                                          .reader = run->reader,
                                          .cancel = run->cli.cancel};
    struct verdict verdict = VERDICT_INIT;
    struct judge judge;
    struct err err = ERR_INIT;

    judge_init(&judge, &options);
    if (judge_episode(&judge, episode, &verdict, &err) &&
        verdict_save(&verdict, episode, &err))
        write_verdict(&verdict, text);
    else
        buf_printf(text, "\nIt could not be judged: %s", err.text);
    verdict_release(&verdict);
    judge_release(&judge);
}

static void write_episode(const struct mcp_scored_run *run,
                          const struct run_result *result, struct buf *text)
{
    struct buf path = BUF_INIT(PATH_MAX);

    buf_printf(&path, "%s/%s", buf_cstr(&run->folder), result->episode);
    buf_printf(text, "The episode is over after %d step%s: %s: %s.",
               result->steps, result->steps == 1 ? "" : "s",
               trajectory_ending_name(result->ending),
               result->reason ? result->reason : "");
    judge_it(run, buf_cstr(&path), text);
    buf_printf(text, "\nRecorded in %s", buf_cstr(&path));
    buf_release(&path);
}

static void write_result(struct mcp_scored_run *run, struct buf *text)
{
    struct run_results results = {.items = NULL};
    struct err err = ERR_INIT;

    if (!run->done)
        buf_printf(text, "The episode could not be run: %s", run->err.text);
    else if (!run_results_load(buf_cstr(&run->folder), &results, &err))
        buf_printf(text, "The episode has no result: %s", err.text);
    else if (!results.count)
        buf_text(text, "The episode was interrupted.");
    else
        write_episode(run, &results.items[results.count - 1], text);
    run_results_release(&results);
}

/* ---- the run ---- */

static void report(const struct cli_context *cli, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");

        cli_message(cli, "%.*s", (int)length, text);
        text += length + (text[length] == '\n');
    }
}

static void *work(void *context)
{
    struct mcp_scored_run *run = context;
    const struct run_setup_job job = {.folder = buf_cstr(&run->folder),
                                      .file = &run->file,
                                      .channel = run->channel};
    struct buf text = BUF_INIT(RESULT_MAX);

    run->done = run_setup_do(&run->cli, &job, &run->status, &run->err);
    if (!run->done &&
        run_setup_nothing_started(buf_cstr(&run->folder), &run->err))
        run_folder_forget(buf_cstr(&run->folder));
    write_result(run, &text);
    report(&run->cli, buf_cstr(&text));
    agent_channel_finish(run->channel, buf_cstr(&text));
    buf_release(&text);
    return NULL;
}

bool mcp_scored_run_start(struct mcp_scored_run *run, struct cli_context *cli,
                          struct run_plan *plan, const struct buf *text,
                          const char *out, struct err *err)
{
    *run = (struct mcp_scored_run){
        .cli = *cli,
        .file = {.plan = *plan},
        .folder = BUF_INIT(PATH_MAX),
        .err = ERR_INIT,
    };
    output_stream_init(&run->cli.out, STDERR_FILENO, cli->cancel);
    *plan = (struct run_plan){.suite = NULL};
    if (!run_folder_make(out, NULL, text, &run->file, &run->folder, err) ||
        !agent_channel_open(&run->channel, err))
        return false;
    run->reader = picture_reader_open();
    run->phone = mcp_phone_episode(run->channel, run->reader);
    run->started = pthread_create(&run->thread, NULL, work, run) == 0;
    return run->started || err_set(err, ERR_IO, "cannot start a thread");
}

bool mcp_scored_run_join(struct mcp_scored_run *run, int *status,
                         struct err *err)
{
    if (!run->started)
        return true;
    agent_channel_leave(run->channel, "the client disconnected");
    pthread_join(run->thread, NULL);
    run->started = false;
    *status = run->status;
    if (run->done)
        return true;
    *err = run->err;
    return false;
}

void mcp_scored_run_release(struct mcp_scored_run *run)
{
    mcp_phone_close(run->phone);
    picture_reader_close(run->reader);
    agent_channel_close(run->channel);
    output_stream_release(&run->cli.out);
    run_file_release(&run->file);
    buf_release(&run->folder);
}
