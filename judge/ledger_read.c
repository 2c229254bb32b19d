/* A run's folder: run.json, results.jsonl, and each episode's task. */
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "judge/ledger_private.h"
#include "tasks/jsonl.h"

/* Where a run was played, as far as its entries must know. */
struct stage {
    struct cJSON *tree; /* owned: run.json */
    struct json devices;
    struct json root;
};

static bool load_json(const char *folder, const char *name, struct cJSON **tree,
                      struct err *err)
{
    struct buf text = BUF_INIT(JSON_SIZE_MAX);
    struct buf path = BUF_INIT(PATH_MAX);
    bool done;

    buf_printf(&path, "%s/%s", folder, name);
    done = path.overflow
               ? err_set(err, ERR_LIMIT, "the path of %s is too long", name)
               : file_load_ordinary(buf_cstr(&path), &text, err) &&
                     (json_parse(buf_cstr(&text), text.length, tree, err) ||
                      err_wrap(err, "%s", buf_cstr(&path)));
    buf_release(&path);
    buf_release(&text);
    return done;
}

static bool read_run(struct stage *stage, struct ledger_run *run,
                     struct err *err)
{
    struct json suite = JSON_NONE, tasks = JSON_NONE, task = JSON_NONE;

    run->repeats = 1;
    if (!json_opt_copy(&stage->root, "id", &run->id, err) ||
        !json_opt_copy(&stage->root, "agent", &run->agent, err) ||
        !json_opt_copy(&stage->root, "locale", &run->locale, err) ||
        !json_opt_small(&stage->root, "repeats", 0, INT_MAX, &run->repeats,
                        err) ||
        !json_opt_count(&stage->root, "created_ms", &run->created_ms, err) ||
        !json_opt_array(&stage->root, "devices", &stage->devices, err) ||
        !json_opt_array(&stage->root, "tasks", &tasks, err) ||
        !json_opt_object(&stage->root, "suite", &suite, err))
        return false;
    while (tasks.value && json_next(&tasks, &task))
        run->planned += (size_t)run->repeats;
    return !suite.value || json_opt_copy(&suite, "path", &run->suite, err);
}

/*
 * Is the phone made of software? One that the run does not list is taken for
 * such if the run lists any: no figure of theirs may pass for a real phone's.
 */
static bool is_builtin(const struct stage *stage, const char *phone)
{
    struct json device = JSON_NONE;
    bool any = false;

    while (stage->devices.value && json_next(&stage->devices, &device)) {
        const struct cJSON *serial =
            cJSON_GetObjectItemCaseSensitive(device.value, "serial");
        bool builtin = cJSON_IsTrue(
            cJSON_GetObjectItemCaseSensitive(device.value, "builtin"));

        if (phone && cJSON_IsString(serial) &&
            !strcmp(serial->valuestring, phone))
            return builtin;
        any = any || builtin;
    }
    return any;
}

/* ---- the task of an episode ---- */

static void take_task(struct ledger_entry *entry, const struct task *task)
{
    entry->kind = task->kind;
    entry->level = task->level;
    entry->difficulty = task->difficulty;
    if (task->category)
        entry->category = mem_dup(task->category);
    if (task->apps.count)
        entry->app = mem_dup(task->apps.items[0]);
}

static void take_twin(struct ledger_entry *entry,
                      const struct ledger_entry *twin)
{
    entry->kind = twin->kind;
    entry->level = twin->level;
    entry->difficulty = twin->difficulty;
    entry->category = twin->category ? mem_dup(twin->category) : NULL;
    entry->app = twin->app ? mem_dup(twin->app) : NULL;
}

/* One of the same task, whose file was read before; NULL for none. */
static const struct ledger_entry *find_twin(const struct ledger_entry *first,
                                            const struct ledger_entry *entry)
{
    for (const struct ledger_entry *twin = first; twin < entry; twin++) {
        if (!strcmp(twin->task, entry->task) && !twin->damage)
            return twin;
    }
    return NULL;
}

static bool read_task(const struct ledger_entry *first,
                      struct ledger_entry *entry, const char *folder,
                      struct err *err)
{
    const struct ledger_entry *twin = find_twin(first, entry);
    struct task task;

    if (twin) {
        take_twin(entry, twin);
        return true;
    }
    if (!task_load(folder, &task, err))
        return false;
    take_task(entry, &task);
    task_release(&task);
    return true;
}

/* Much more than a head has; what is longer does without one. */
#define HEAD_MAX ((size_t)256 << 10)

/* The first line of the events, read as an episode without any. */
static bool load_head(const char *folder, struct trajectory *trajectory)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct buf text = BUF_INIT(HEAD_MAX);
    struct err ignored;
    const char *end;
    char *room = buf_reserve(&text, HEAD_MAX);
    ssize_t length = -1;
    int fd;
    bool done;

    buf_printf(&path, "%s/events.jsonl", folder);
    fd = open(buf_cstr(&path), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0) {
        length = read(fd, room, HEAD_MAX);
        (void)close(fd);
    }
    if (length > 0)
        buf_commit(&text, (size_t)length);
    end = memchr(buf_cstr(&text), '\n', text.length);
    done = end && trajectory_parse(text.data, (size_t)(end - text.data) + 1,
                                   folder, trajectory, &ignored);
    buf_release(&text);
    buf_release(&path);
    return done;
}

/* The head knows best what was asked, and in which language. */
static void take_head(struct ledger_entry *entry, const char *folder)
{
    struct trajectory trajectory;

    if (!load_head(folder, &trajectory))
        return;
    if (trajectory.head.locale) {
        free(entry->locale);
        entry->locale = mem_dup(trajectory.head.locale);
    }
    if (trajectory.head.instruction)
        entry->instruction = mem_dup(trajectory.head.instruction);
    trajectory_release(&trajectory);
}

static void complete_entry(const struct ledger_run *run,
                           const struct stage *stage,
                           const struct ledger_entry *first,
                           struct ledger_entry *entry)
{
    struct buf folder = BUF_INIT(PATH_MAX);
    struct err err = ERR_INIT;

    entry->builtin = is_builtin(stage, entry->phone);
    if (!entry->agent)
        entry->agent = mem_dup(run->agent ? run->agent : "unknown");
    if (run->locale)
        entry->locale = mem_dup(run->locale);
    buf_printf(&folder, "%s/%s", run->folder, entry->folder);
    take_head(entry, buf_cstr(&folder));
    if (!read_task(first, entry, buf_cstr(&folder), &err))
        entry->damage = mem_dup(err.text);
    buf_release(&folder);
}

static bool read_folder(struct ledger *ledger, struct ledger_run *run,
                        struct stage *stage, struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct buf text = BUF_INIT(JSONL_FILE_MAX);
    size_t first = ledger->count;
    bool done;

    if (!load_json(run->folder, "run.json", &stage->tree, err))
        return err_wrap(err, "%s is no run", run->folder);
    stage->root.value = stage->tree;
    if (!read_run(stage, run, err))
        return err_wrap(err, "%s/run.json", run->folder);
    buf_printf(&path, "%s/results.jsonl", run->folder);
    done = file_load_ordinary(buf_cstr(&path), &text, err) &&
           (ledger_parse_results(ledger, ledger->run_count - 1, buf_cstr(&text),
                                 text.length, err) ||
            err_wrap(err, "%s", buf_cstr(&path)));
    for (size_t i = first; i < ledger->count; i++)
        run->finished += ledger->entries[i].counts;
    for (size_t i = first; done && i < ledger->count; i++)
        complete_entry(run, stage, &ledger->entries[first],
                       &ledger->entries[i]);
    buf_release(&path);
    buf_release(&text);
    return done;
}

bool ledger_add(struct ledger *ledger, const char *folder, const char *judge,
                struct err *err)
{
    struct stage stage = {.root = JSON_NONE, .devices = JSON_NONE};
    size_t runs = ledger->run_count, entries = ledger->count;
    struct ledger_run *run;
    bool done;

    ledger->runs = mem_resize(ledger->runs, runs + 1, sizeof(*ledger->runs));
    run = &ledger->runs[ledger->run_count++];
    *run = (struct ledger_run){.folder = mem_dup(folder)};
    done = read_folder(ledger, run, &stage, err) &&
           ledger_listen(ledger, entries, judge, err);
    cJSON_Delete(stage.tree);
    if (!done)
        ledger_shrink(ledger, runs, entries);
    return done;
}
