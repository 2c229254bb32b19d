/* Reads a run's folder: run.json, results.jsonl, and each episode's task. */
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "judge/report/judged_runs_private.h"
#include "tasks/json/jsonl.h"
#include "tasks/task/episode_task.h"
#include "tasks/trajectory/run_results_compare.h"

/* What run.json says about the phones, as far as entries need it. */
struct recorded_phones {
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
               : file_load(buf_cstr(&path), &text, err) &&
                     (json_parse(buf_cstr(&text), text.length, tree, err) ||
                      err_wrap(err, "%s", buf_cstr(&path)));
    buf_release(&path);
    buf_release(&text);
    return done;
}

static bool read_run(struct recorded_phones *stage, struct judged_run *run,
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
 * Is it the built-in phone? A phone that the run does not list counts as
 * built-in if the run lists any built-in one: their results must never pass for
 * those of real phones.
 */
static bool is_builtin(const struct recorded_phones *stage, const char *phone)
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

static void take_task(struct judged_attempt *entry, const struct task *task)
{
    entry->kind = task->kind;
    entry->level = task->level;
    entry->difficulty = task->difficulty;
    if (task->rewording.of) {
        entry->original = mem_dup(task->rewording.of);
        entry->wording = wording_style_names[task->rewording.style];
    }
    if (task->category)
        entry->category = mem_dup(task->category);
    if (task->apps.count)
        entry->app = mem_dup(task->apps.items[0]);
    entry->several_apps = task->apps.count > 1;
}

static void take_twin(struct judged_attempt *entry,
                      const struct judged_attempt *twin)
{
    entry->kind = twin->kind;
    entry->level = twin->level;
    entry->difficulty = twin->difficulty;
    entry->original = twin->original ? mem_dup(twin->original) : NULL;
    entry->wording = twin->wording;
    entry->category = twin->category ? mem_dup(twin->category) : NULL;
    entry->app = twin->app ? mem_dup(twin->app) : NULL;
    entry->several_apps = twin->several_apps;
}

/*
 * An earlier entry of the same task, whose file was read already; NULL: none.
 */
static const struct judged_attempt *find_twin(
    const struct judged_attempt *first, const struct judged_attempt *entry)
{
    for (const struct judged_attempt *twin = first; twin < entry; twin++) {
        if (!strcmp(twin->task, entry->task) && !twin->damage)
            return twin;
    }
    return NULL;
}

static bool read_task(const struct judged_attempt *first,
                      struct judged_attempt *entry, const char *folder,
                      struct err *err)
{
    const struct judged_attempt *twin = find_twin(first, entry);
    struct task task;

    if (twin) {
        take_twin(entry, twin);
        return true;
    }
    if (!episode_task_load(folder, &task, err))
        return false;
    take_task(entry, &task);
    task_release(&task);
    return true;
}

/* Much more than a head needs; a longer line is ignored. */
#define HEAD_MAX ((size_t)256 << 10)

/* Parse the first line of the events as an episode without steps. */
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

/* The head has the instruction as it was asked, and its language. */
static void take_head(struct judged_attempt *entry, const char *folder)
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

static void complete_entry(const struct judged_run *run,
                           const struct recorded_phones *stage,
                           const struct judged_attempt *first,
                           struct judged_attempt *entry)
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
    if (!read_task(first, entry, buf_cstr(&folder), &err) && !entry->damage)
        entry->damage = mem_dup(err.text);
    buf_release(&folder);
}

/* ---- results against episodes ---- */

static struct judged_attempt *find_entry(struct judged_runs *judged,
                                         size_t first, const char *folder)
{
    for (size_t i = first; i < judged->count; i++) {
        if (!strcmp(judged->entries[i].folder, folder))
            return &judged->entries[i];
    }
    return NULL;
}

static void add_fault(struct judged_run *run, const char *episode,
                      const char *text, const char *more)
{
    struct buf fault = BUF_INIT(PATH_MAX);

    buf_printf(&fault, "%s: %s%s", episode, text, more);
    text_list_add(&run->faults, buf_cstr(&fault));
    buf_release(&fault);
}

static void take_fault(struct judged_runs *judged, struct judged_run *run,
                       size_t first, const struct results_fault *fault)
{
    struct judged_attempt *entry = find_entry(judged, first, fault->episode);

    if (fault->kind != RESULTS_FAULT_UNLISTED && entry) {
        if (!entry->damage)
            entry->damage = mem_dup(fault->text);
        return;
    }
    add_fault(run, fault->episode, fault->text,
              fault->kind == RESULTS_FAULT_UNLISTED ? "; proctor resume adds it"
                                                    : "");
}

/* The lines of results.jsonl as they were read. */
static struct run_results listed_results(const struct judged_runs *judged,
                                         size_t first)
{
    struct run_results results = {
        .items = mem_new(judged->count - first + 1, sizeof(struct run_result))};

    for (size_t i = first; i < judged->count; i++) {
        const struct judged_attempt *entry = &judged->entries[i];

        results.items[results.count++] = (struct run_result){
            .task = entry->task,
            .repeat = entry->repeat,
            .attempt = entry->attempt,
            .episode = entry->folder,
            .agent = entry->agent,
            .phone = entry->phone,
            .ending = entry->ending,
            .reason = entry->reason,
            .steps = entry->steps,
            .raw_commands = entry->raw_commands,
            .person_actions = entry->person_actions,
            .duration_ms = entry->duration_ms,
            .input_tokens = entry->input_tokens,
            .cached_tokens = entry->cached_tokens,
            .output_tokens = entry->output_tokens,
            .cost = entry->cost,
        };
    }
    return results;
}

/* A damaged episode is neither left out nor counted without a word. */
static bool compare_episodes(struct judged_runs *judged, struct judged_run *run,
                             size_t first, struct err *err)
{
    struct run_results scanned = {.items = NULL};
    struct run_results listed;
    struct results_faults faults;

    if (!run_results_scan(run->folder, &scanned, err))
        return false;
    listed = listed_results(judged, first);
    run_results_compare(&listed, &scanned, &faults);
    free(listed.items);
    for (size_t i = 0; i < faults.count; i++)
        take_fault(judged, run, first, &faults.items[i]);
    for (size_t i = 0; i < scanned.count; i++) {
        if (scanned.items[i].bad_file)
            add_fault(run, scanned.items[i].episode, "a file is ",
                      scanned.items[i].bad_file);
    }
    results_faults_release(&faults);
    run_results_release(&scanned);
    return true;
}

static bool read_results(struct judged_runs *judged, struct judged_run *run,
                         struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct buf text = BUF_INIT(JSONL_FILE_MAX);
    struct err why = ERR_INIT;
    bool done;

    buf_printf(&path, "%s/results.jsonl", run->folder);
    done = file_load(buf_cstr(&path), &text, &why);
    /* A run that was killed before its first episode has none. */
    if (!done && why.code == ERR_NOT_FOUND)
        done = true;
    else if (done)
        done = judged_runs_parse_results(judged, judged->run_count - 1,
                                         buf_cstr(&text), text.length, &why) ||
               err_wrap(&why, "%s", buf_cstr(&path));
    if (!done)
        *err = why;
    buf_release(&path);
    buf_release(&text);
    return done;
}

static bool read_folder(struct judged_runs *judged, struct judged_run *run,
                        struct recorded_phones *stage, struct err *err)
{
    size_t first = judged->count;
    bool done;

    if (!load_json(run->folder, "run.json", &stage->tree, err))
        return err_wrap(err, "%s is not the folder of a run", run->folder);
    stage->root.value = stage->tree;
    if (!read_run(stage, run, err))
        return err_wrap(err, "%s/run.json", run->folder);
    done = read_results(judged, run, err) &&
           compare_episodes(judged, run, first, err);
    for (size_t i = first; i < judged->count; i++)
        run->finished += judged->entries[i].counts;
    for (size_t i = first; done && i < judged->count; i++)
        complete_entry(run, stage, &judged->entries[first],
                       &judged->entries[i]);
    return done;
}

bool judged_runs_add(struct judged_runs *judged, const char *folder,
                     const char *judge, struct err *err)
{
    struct recorded_phones stage = {.root = JSON_NONE, .devices = JSON_NONE};
    size_t runs = judged->run_count, entries = judged->count;
    struct judged_run *run;
    bool done;

    judged->runs = mem_resize(judged->runs, runs + 1, sizeof(*judged->runs));
    run = &judged->runs[judged->run_count++];
    *run = (struct judged_run){.folder = mem_dup(folder)};
    done = read_folder(judged, run, &stage, err) &&
           judged_runs_listen(judged, entries, judge, err);
    cJSON_Delete(stage.tree);
    if (!done)
        judged_runs_shrink(judged, runs, entries);
    return done;
}
