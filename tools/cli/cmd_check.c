/* proctor check: is a recording what docs/format.md says? */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/json_write.h"
#include "tasks/trajectory.h"
#include "tools/cli/cli.h"
#include "tools/cli/cmd.h"
#include "tools/cli/page.h"

#define DEPTH_MAX 6 /* run, episodes, task, repeat, attempt */
#define PATH_MAX_BYTES 4096

struct tally {
    struct cJSON *bad; /* owned: an array of {"episode", "error"} */
    int episodes;
};

static bool holds_episode(const char *folder)
{
    struct buf path = BUF_INIT(PATH_MAX_BYTES);
    struct stat found;
    bool holds;

    buf_printf(&path, "%s/events.jsonl", folder);
    holds = !path.overflow && !lstat(buf_cstr(&path), &found);
    buf_release(&path);
    return holds;
}

static void check_episode(const char *folder, struct tally *tally)
{
    struct err reason = ERR_INIT;
    struct cJSON *bad;

    tally->episodes++;
    if (trajectory_check(folder, &reason))
        return;
    bad = json_add_object(tally->bad, NULL);
    json_add_string(bad, "episode", folder);
    json_add_string(bad, "error", reason.text);
}

/* All episodes in and below folder; links are not followed. */
static bool check_folder(const char *folder, int depth, struct tally *tally,
                         struct err *err)
{
    struct dirent *entry;
    DIR *stream;
    bool done = true;

    if (holds_episode(folder)) {
        check_episode(folder, tally);
        return true;
    }
    stream = opendir(folder);
    if (!stream)
        return err_errno(err, errno, "open %s", folder);
    while (done && depth < DEPTH_MAX && (entry = readdir(stream))) {
        struct buf path = BUF_INIT(PATH_MAX_BYTES);
        struct stat found;

        buf_printf(&path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.' && !path.overflow &&
            !lstat(buf_cstr(&path), &found) && S_ISDIR(found.st_mode))
            done = check_folder(buf_cstr(&path), depth + 1, tally, err);
        buf_release(&path);
    }
    closedir(stream);
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
    bool done = check_folder(words->items[0], 0, &tally, err);

    (void)args;
    if (done && !tally.episodes)
        done = err_set(err, ERR_INVALID,
                       "%s holds no episodes: no folder "
                       "with an events.jsonl",
                       words->items[0]);
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
        "Reads every episode of a run, and every screen and tree that it "
        "names, and says what is not as docs/format.md has it. Exit code 1 "
        "when something is not.",
    COMMAND_OPERANDS(operands),
    .takes = TAKES_JSON,
    .run = run,
};
