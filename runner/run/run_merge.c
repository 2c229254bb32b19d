#include "runner/run/run_merge.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json_write.h"
#include "base/macros.h"
#include "base/mem.h"
#include "runner/run/run_file.h"
#include "tasks/trajectory/run_results.h"

#define SUITE_MAX ((size_t)64 << 20)
#define TEXT_MAX ((size_t)16 << 20)

struct run_shard {
    const char *folder;
    struct run_file file;
    struct run_results results;
};

struct run_join {
    struct run_shard *shards; /* owned */
    size_t count;
    struct buf suite; /* that of the first */
};

/* ---- do they belong together? ---- */

/* Remove the members that may differ between shards. */
static struct cJSON *comparable(const struct run_file *file)
{
    static const char *const own[] = {"id", "created_ms", "devices"};
    static const char *const options[] = {"devices", "shard_index",
                                          "observe_cache", "model_cache"};
    struct buf text = BUF_INIT(TEXT_MAX);
    struct cJSON *tree;

    run_file_format(file, &text);
    tree = cJSON_Parse(buf_cstr(&text));
    buf_release(&text);
    if (!tree)
        mem_out();
    for (size_t i = 0; i < ARRAY_LEN(own); i++)
        cJSON_DeleteItemFromObjectCaseSensitive(tree, own[i]);
    for (size_t i = 0; i < ARRAY_LEN(options); i++)
        cJSON_DeleteItemFromObjectCaseSensitive(
            cJSON_GetObjectItemCaseSensitive(tree, "options"), options[i]);
    cJSON_DeleteItemFromObjectCaseSensitive(
        cJSON_GetObjectItemCaseSensitive(tree, "suite"), "path");
    return tree;
}

/* The first member of a that b has not, or has with another value. */
static const char *different(const struct cJSON *a, const struct cJSON *b)
{
    const struct cJSON *item;

    cJSON_ArrayForEach(item, a)
    {
        const struct cJSON *other =
            cJSON_GetObjectItemCaseSensitive(b, item->string);
        const char *inner;

        if (cJSON_Compare(item, other, true))
            continue;
        inner = cJSON_IsObject(item) && other ? different(item, other) : NULL;
        return inner ? inner : item->string;
    }
    return NULL;
}

static bool check_same(const struct run_shard *a, const struct run_shard *b,
                       struct err *err)
{
    struct cJSON *first = comparable(&a->file);
    struct cJSON *second = comparable(&b->file);
    const char *name = different(first, second);
    bool same;

    if (!name)
        name = different(second, first);
    same = !name || err_set(err, ERR_INVALID,
                            "%s and %s are not shards of one run: \"%.40s\" "
                            "differs",
                            a->folder, b->folder, name);
    cJSON_Delete(first);
    cJSON_Delete(second);
    return same;
}

/* Scores of built-in phones are never mixed with others. */
static bool check_phones(const struct run_join *join, struct err *err)
{
    const struct run_device *first = NULL;

    for (size_t i = 0; i < join->count; i++) {
        const struct run_file *file = &join->shards[i].file;

        for (size_t j = 0; j < file->device_count; j++) {
            if (!first)
                first = &file->devices[j];
            if (file->devices[j].builtin != first->builtin)
                return err_set(err, ERR_INVALID,
                               "%s has phones of another kind than %s: some "
                               "are built in",
                               join->shards[i].folder, join->shards[0].folder);
        }
    }
    return true;
}

static bool check_complete(const struct run_join *join, struct err *err)
{
    const int count = join->shards[0].file.plan.shard_count;

    if (!count)
        return err_set(err, ERR_INVALID,
                       "%s is not a shard: it was run "
                       "without --shard",
                       join->shards[0].folder);
    for (int index = 0; index < count; index++) {
        const char *found = NULL;

        for (size_t i = 0; i < join->count; i++) {
            const struct run_shard *shard = &join->shards[i];

            if (shard->file.plan.shard_index != index)
                continue;
            if (found)
                return err_set(err, ERR_INVALID,
                               "%s and %s are both shard "
                               "%d/%d",
                               found, shard->folder, index, count);
            found = shard->folder;
        }
        if (!found)
            return err_set(err, ERR_INVALID, "shard %d/%d is missing", index,
                           count);
    }
    return true;
}

static bool belongs(const struct run_plan *plan,
                    const struct run_result *result)
{
    for (size_t i = 0; i < plan->tasks.count; i++) {
        size_t place = (size_t)result->repeat * plan->tasks.count + i;

        if (!strcmp(plan->tasks.items[i], result->task))
            return result->repeat < plan->repeats &&
                   place % (size_t)plan->shard_count ==
                       (size_t)plan->shard_index;
    }
    return false;
}

static bool check_episodes(const struct run_shard *shard, struct err *err)
{
    for (size_t i = 0; i < shard->results.count; i++) {
        const struct run_result *result = &shard->results.items[i];

        if (!belongs(&shard->file.plan, result))
            return err_set(
                err, ERR_INVALID, "%s/%s does not belong to shard %d/%d",
                shard->folder, result->episode, shard->file.plan.shard_index,
                shard->file.plan.shard_count);
    }
    return true;
}

static bool check(const struct run_join *join, struct err *err)
{
    for (size_t i = 1; i < join->count; i++) {
        if (!check_same(&join->shards[0], &join->shards[i], err))
            return false;
    }
    if (!check_complete(join, err) || !check_phones(join, err))
        return false;
    for (size_t i = 0; i < join->count; i++) {
        if (!check_episodes(&join->shards[i], err))
            return false;
    }
    return true;
}

/* ---- files ---- */

static bool copy_file(const char *from, const char *to, struct err *err)
{
    struct stat found;
    int in = open(from, O_RDONLY | O_CLOEXEC);
    int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    bool done = in >= 0 && out >= 0 && !fstat(in, &found);
    off_t left = done ? found.st_size : 0;

    while (done && left > 0) {
        ssize_t copied = copy_file_range(in, NULL, out, NULL, (size_t)left, 0);

        done = copied > 0;
        left -= copied;
    }
    if (!done)
        err_fill_errno(err, errno, "copy %s to %s", from, to);
    if (in >= 0)
        close(in);
    if (out >= 0)
        close(out);
    return done;
}

static bool add_entry(const FTSENT *entry, const char *to, struct err *err)
{
    if (entry->fts_info == FTS_D)
        return !mkdir(to, 0777) || errno == EEXIST ||
               err_errno(err, errno, "make %s", to);
    if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR)
        return err_errno(err, entry->fts_errno, "read %s", entry->fts_path);
    if (entry->fts_info != FTS_F)
        return true;
    if (!link(entry->fts_path, to))
        return true;
    if (errno == EEXIST)
        return err_errno(err, errno, "link %s", to);
    return copy_file(entry->fts_path, to, err);
}

static bool add_tree(const char *from, const char *to, struct err *err)
{
    char *roots[] = {mem_dup(from), NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    const size_t skipped = strlen(from);
    struct buf path = BUF_INIT(PATH_MAX);
    FTSENT *entry = NULL;
    bool done = walk || err_errno(err, errno, "read %s", from);

    while (done && (entry = fts_read(walk)) != NULL) {
        buf_clear(&path);
        buf_printf(&path, "%s%s", to, entry->fts_path + skipped);
        done = add_entry(entry, buf_cstr(&path), err);
    }
    if (walk)
        fts_close(walk);
    buf_release(&path);
    free(roots[0]);
    return done;
}

static bool add_episodes(const struct run_shard *shard, const char *out,
                         struct err *err)
{
    struct buf from = BUF_INIT(PATH_MAX);
    struct buf to = BUF_INIT(PATH_MAX);
    bool done = true;

    buf_printf(&from, "%s/episodes", shard->folder);
    buf_printf(&to, "%s/episodes", out);
    if (!access(buf_cstr(&from), F_OK))
        done = add_tree(buf_cstr(&from), buf_cstr(&to), err);
    buf_release(&from);
    buf_release(&to);
    return done;
}

/* run.json of the whole: the plan without shards, and all phones. */
static bool save_file(struct run_join *join, const char *out, struct err *err)
{
    struct run_file *file = &join->shards[0].file;

    for (size_t i = 1; i < join->count; i++)
        run_file_add_devices(file, &join->shards[i].file);
    file->plan.shard_count = 0;
    file->plan.shard_index = 0;
    return run_file_save(file, out, err);
}

static bool make_out(const char *out, struct err *err)
{
    if (!file_make_folder(out, 0777, err))
        return false;
    if (!rmdir(out)) /* it was empty */
        return !mkdir(out, 0777) || err_errno(err, errno, "make %s", out);
    return err_set(err, ERR_INVALID, "%s is not empty; give another folder",
                   out);
}

static bool write_all(struct run_join *join, const char *out,
                      struct run_merge_sum *sum, struct err *err)
{
    struct run_results results = {.items = NULL};
    struct buf path = BUF_INIT(PATH_MAX);
    bool done = make_out(out, err);

    buf_printf(&path, "%s/suite.json", out);
    done =
        done && file_save_synced(buf_cstr(&path), 0666, buf_cstr(&join->suite),
                                 join->suite.length, err);
    for (size_t i = 0; done && i < join->count; i++)
        done = add_episodes(&join->shards[i], out, err);
    done = done && run_results_scan(out, &results, err) &&
           run_results_save(out, &results, err) && save_file(join, out, err);
    for (size_t i = 0; i < results.count; i++)
        sum->ended += results.items[i].ending != ENDING_NONE &&
                      results.items[i].ending != ENDING_VOID;
    run_results_release(&results);
    buf_release(&path);
    return done;
}

/* ---- all of it ---- */

static bool load(struct run_join *join, struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    bool done = true;

    for (size_t i = 0; done && i < join->count; i++) {
        struct run_shard *shard = &join->shards[i];

        done = run_file_load(shard->folder, &shard->file, err) &&
               run_results_scan(shard->folder, &shard->results, err);
    }
    buf_printf(&path, "%s/suite.json", join->shards[0].folder);
    done = done && file_load(buf_cstr(&path), &join->suite, err);
    buf_release(&path);
    return done;
}

bool run_merge(const char *const *runs, size_t count, const char *out,
               struct run_merge_sum *sum, struct err *err)
{
    struct run_join join = {.count = count, .suite = BUF_INIT(SUITE_MAX)};
    const struct run_plan *plan;
    bool done;

    *sum = (struct run_merge_sum){.all = 0};
    join.shards = mem_new(count, sizeof(*join.shards));
    for (size_t i = 0; i < count; i++)
        join.shards[i].folder = runs[i];
    done = load(&join, err) && check(&join, err);
    plan = &join.shards[0].file.plan;
    sum->all = plan->tasks.count * (size_t)plan->repeats;
    done = done && write_all(&join, out, sum, err);
    for (size_t i = 0; i < count; i++) {
        run_file_release(&join.shards[i].file);
        run_results_release(&join.shards[i].results);
    }
    free(join.shards);
    buf_release(&join.suite);
    return done;
}
