/* proctor check: is a recording what docs/format.md says? */
#include <dirent.h>
#include <sys/stat.h>

#include "base/json_write.h"
#include "judge/verdict.h"
#include "runner/run_file.h"
#include "tasks/episodes.h"
#include "tasks/results.h"
#include "tasks/task.h"
#include "tasks/trajectory.h"
#include "tools/cli/cli.h"
#include "tools/cli/cmd.h"
#include "tools/cli/page.h"

#define PATH_MAX_BYTES 4096

struct tally {
    struct cJSON *bad; /* owned: an array of {"episode", "error"} */
    int episodes;
};

static void complain(struct tally *tally, const char *folder,
                     const struct err *reason)
{
    struct cJSON *bad = json_add_object(tally->bad, NULL);

    json_add_string(bad, "episode", folder);
    json_add_string(bad, "error", reason->text);
}

/* What judges wrote beside the events. */
static void check_verdicts(const char *folder, struct tally *tally)
{
    DIR *stream = opendir(folder);
    struct dirent *entry;

    while (stream && (entry = readdir(stream))) {
        struct buf path = BUF_INIT(PATH_MAX_BYTES);
        struct verdict verdict = VERDICT_INIT;
        struct err reason = ERR_INIT;

        if (!verdict_is_file_name(entry->d_name))
            continue;
        buf_printf(&path, "%s/%s", folder, entry->d_name);
        if (!verdict_load(buf_cstr(&path), &verdict, &reason))
            complain(tally, folder, &reason);
        verdict_release(&verdict);
        buf_release(&path);
    }
    if (stream)
        closedir(stream);
}

static bool is_there(const char *folder, const char *name)
{
    struct buf path = BUF_INIT(PATH_MAX_BYTES);
    struct stat found;
    bool is;

    buf_printf(&path, "%s/%s", folder, name);
    is = !path.overflow && !lstat(buf_cstr(&path), &found);
    buf_release(&path);
    return is;
}

/* The task may be missing: recordings of people have none. */
static void check_task(const char *folder, struct tally *tally)
{
    struct task task;
    struct err reason = ERR_INIT;

    if (!is_there(folder, "task.json"))
        return;
    if (task_load(folder, &task, &reason))
        task_release(&task);
    else
        complain(tally, folder, &reason);
}

static void check_episode(const char *folder, struct tally *tally)
{
    struct err reason = ERR_INIT;

    tally->episodes++;
    if (!trajectory_check(folder, &reason))
        complain(tally, folder, &reason);
    check_task(folder, tally);
    check_verdicts(folder, tally);
}

/* What a run has besides its episodes. */
static void check_run(const char *folder, struct tally *tally)
{
    struct run_file file;
    struct results results;
    struct err reason = ERR_INIT;

    if (!is_there(folder, "run.json"))
        return;
    if (run_file_load(folder, &file, &reason))
        run_file_release(&file);
    else
        complain(tally, folder, &reason);
    if (!is_there(folder, "results.jsonl"))
        return;
    if (results_load(folder, &results, &reason))
        results_release(&results);
    else
        complain(tally, folder, &reason);
}

static bool check_folder(const char *folder, struct tally *tally,
                         struct err *err)
{
    struct texts found = {.count = 0};
    bool done = episodes_find(folder, &found, err);

    for (size_t i = 0; done && i < found.count; i++)
        check_episode(found.items[i], tally);
    check_run(folder, tally);
    texts_release(&found);
    return done;
}

static bool print_text(struct cli *cli, const struct tally *tally,
                       struct err *err)
{
    const struct cJSON *bad = NULL;
    struct page page;
    bool done;

    page_init(&page, cli->out.fd);
    cJSON_ArrayForEach(bad, tally->bad)
    {
        page_foreign(
            &page, PAGE_PLAIN,
            cJSON_GetObjectItemCaseSensitive(bad, "error")->valuestring);
        page_text(&page, PAGE_PLAIN, "\n");
    }
    page_printf(&page, "%d episode%s, %d not as they should be\n",
                tally->episodes, tally->episodes == 1 ? "" : "s",
                cJSON_GetArraySize(tally->bad));
    done = output_buf(&cli->out, &page.text, err);
    page_release(&page);
    return done;
}

static bool print_json(struct cli *cli, const struct tally *tally,
                       struct err *err)
{
    struct cJSON *tree = json_new_object();
    bool done;

    json_add_int(tree, "episodes", tally->episodes);
    cJSON_AddItemReferenceToObject(tree, "bad", tally->bad);
    done = output_json(&cli->out, tree, err);
    cJSON_Delete(tree);
    return done;
}

static bool run(struct cli *cli, const void *args, const struct words *words,
                int *status, struct err *err)
{
    struct tally tally = {.bad = json_new_array()};
    bool done = check_folder(words->items[0], &tally, err);

    (void)args;
    if (done)
        done = cli->shared.json ? print_json(cli, &tally, err)
                                : print_text(cli, &tally, err);
    if (done && cJSON_GetArraySize(tally.bad))
        *status = 1;
    cJSON_Delete(tally.bad);
    return done;
}

static const struct operand operands[] = {
    {.name = "RUN|EPISODE",
     .help = "A run's folder, or one episode's",
     .min = 1,
     .max = 1,
     .completes = COMPLETE_FILE},
};

const struct command cmd_check = {
    .name = "check",
    .section = "Recordings",
    .summary = "Validate recorded episodes",
    .description =
        "Reads every episode of a run, every screen and tree that it names, "
        "its task, every verdict, and what the run says of itself, and says "
        "what is not as docs/format.md has it. Exit code 1 when something is "
        "not.",
    COMMAND_OPERANDS(operands),
    .takes = TAKES_JSON,
    .run = run,
};
