#include "tools/cli/run/recording_checks.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "base/sha256.h"
#include "judge/verdict/verdict.h"
#include "process_provider/summarize/episode_process.h"
#include "runner/recording/recording.h"
#include "runner/run/run_file.h"
#include "tasks/json/jsonl.h"
#include "tasks/task/episode_task.h"
#include "tasks/task/task.h"
#include "tasks/trajectory/episode_folders.h"
#include "tasks/trajectory/run_results_compare.h"

#define TRUTH_MAX ((size_t)16 << 20)

void recording_checks_init(struct recording_checks *checks)
{
    *checks = (struct recording_checks){.bad = json_new_array(),
                                        .notes = json_new_array()};
}

void recording_checks_release(struct recording_checks *checks)
{
    cJSON_Delete(checks->bad);
    cJSON_Delete(checks->notes);
    *checks = (struct recording_checks){.bad = NULL};
}

static void add(struct cJSON *list, const char *folder, const char *error)
{
    struct cJSON *item = json_add_object(list, NULL);

    json_add_string(item, "episode", folder);
    json_add_string(item, "error", error);
}

/* A reason that does not name a file in the folder gets it in front. */
static void complain(struct recording_checks *checks, const char *folder,
                     const struct err *reason)
{
    struct buf inside = BUF_INIT(PATH_MAX);
    struct err named = *reason;

    buf_printf(&inside, "%s/", folder);
    if (!strstr(named.text, buf_cstr(&inside)))
        err_prepend(&named, "%s", folder);
    add(checks->bad, folder, named.text);
    buf_release(&inside);
}

static bool is_there(const char *folder, const char *name)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct stat found;
    bool is;

    buf_printf(&path, "%s/%s", folder, name);
    is = !path.overflow && !lstat(buf_cstr(&path), &found);
    buf_release(&path);
    return is;
}

static bool load(const char *folder, const char *name, struct buf *text,
                 struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    bool done;

    buf_printf(&path, "%s/%s", folder, name);
    done = file_load(buf_cstr(&path), text, err);
    buf_release(&path);
    return done;
}

/* ---- what lies beside the events ---- */

static void check_verdicts(struct recording_checks *checks, const char *folder)
{
    DIR *stream = opendir(folder);
    struct dirent *entry;

    while (stream && (entry = readdir(stream))) {
        struct buf path = BUF_INIT(PATH_MAX);
        struct verdict verdict = VERDICT_INIT;
        struct err reason = ERR_INIT;

        if (!verdict_is_file_name(entry->d_name))
            continue;
        buf_printf(&path, "%s/%s", folder, entry->d_name);
        if (!verdict_load(buf_cstr(&path), &verdict, &reason))
            complain(checks, folder, &reason);
        verdict_release(&verdict);
        buf_release(&path);
    }
    if (stream)
        closedir(stream);
}

/*
 * The task of an episode that was begun. Only recordings of people, which are
 * in no run, have none.
 */
static void check_task(struct recording_checks *checks, const char *folder,
                       const struct trajectory *trajectory)
{
    bool begun = trajectory->count && trajectory->steps[0].acted;
    struct task task;
    struct err reason = ERR_INIT;

    if (!is_there(folder, "task.json") && !(checks->in_run && begun))
        return;
    if (!episode_task_load(folder, &task, &reason)) {
        complain(checks, folder, &reason);
        return;
    }
    if (strcmp(task.id, trajectory->head.task) != 0) {
        (void)err_set(&reason, ERR_INVALID,
                      "task.json is of \"%.60s\", the events are of \"%.60s\"",
                      task.id, trajectory->head.task);
        complain(checks, folder, &reason);
    }
    task_release(&task);
}

static bool read_truth(const struct json *root, struct err *err)
{
    struct json clauses = JSON_NONE;
    struct json clause = JSON_NONE;
    struct json events = JSON_NONE;
    const char *name;
    bool met;

    if (!json_as_object(root, err) || !json_get_bool(root, "met", &met, err) ||
        !json_get_array(root, "clauses", &clauses, err) ||
        !json_opt_array(root, "events", &events, err))
        return false;
    while (json_next(&clauses, &clause)) {
        if (!json_get_string(&clause, "name", &name, err) ||
            !json_get_bool(&clause, "met", &met, err))
            return false;
    }
    return true;
}

static void check_truth(struct recording_checks *checks, const char *folder)
{
    struct buf text = BUF_INIT(TRUTH_MAX);
    struct cJSON *tree = NULL;
    struct err reason = ERR_INIT;
    bool good = !is_there(folder, "truth.json");

    if (!good && load(folder, "truth.json", &text, &reason) &&
        json_parse(buf_cstr(&text), text.length, &tree, &reason)) {
        const struct json root = JSON_ROOT(tree);

        good = read_truth(&root, &reason);
    }
    if (!good) {
        err_prepend(&reason, "truth.json");
        complain(checks, folder, &reason);
    }
    cJSON_Delete(tree);
    buf_release(&text);
}

/* A line for each action, in their order. */
static bool read_process(struct jsonl_reader *reader, size_t actions,
                         struct err *err)
{
    struct json line;

    for (int64_t expected = 0;; expected++) {
        const char *text;
        int64_t step = -1;

        if (!jsonl_next(reader, &line, err))
            return false;
        if (!line.value)
            return (size_t)expected == actions ||
                   err_set(err, ERR_INVALID, "%lld lines for %zu actions",
                           (long long)expected, actions);
        if (!episode_process_read_line(&line, &step, &text, err) ||
            !json_get_string(&line, "source", &text, err) ||
            (step != expected &&
             !err_set(err, ERR_INVALID, "step: expected %lld",
                      (long long)expected)))
            return jsonl_wrap(reader, err);
    }
}

static size_t count_actions(const struct trajectory *trajectory)
{
    size_t count = 0;

    while (count < trajectory->count && trajectory->steps[count].acted)
        count++;
    return count;
}

static void check_process(struct recording_checks *checks, const char *folder,
                          const struct trajectory *trajectory)
{
    struct buf text = BUF_INIT(JSONL_FILE_MAX);
    struct err reason = ERR_INIT;
    bool good = !is_there(folder, "process.jsonl");

    if (!good && load(folder, "process.jsonl", &text, &reason)) {
        struct jsonl_reader reader = JSONL_READER(buf_cstr(&text), text.length);

        good = read_process(&reader, count_actions(trajectory), &reason);
        jsonl_reader_release(&reader);
    }
    if (!good) {
        err_prepend(&reason, "process.jsonl");
        complain(checks, folder, &reason);
    }
    buf_release(&text);
}

/* ---- an episode ---- */

static void check_file(struct recording_checks *checks,
                       const struct trajectory *trajectory,
                       const struct trajectory_file *file)
{
    struct buf content = BUF_INIT(JSONL_FILE_MAX);
    struct err reason = ERR_INIT;

    if (file->file[0] &&
        !trajectory_read_file(trajectory, file, &content, &reason))
        complain(checks, trajectory->folder, &reason);
    buf_release(&content);
}

static void check_files(struct recording_checks *checks,
                        const struct trajectory *trajectory)
{
    struct err reason = ERR_INIT;
    const char *fault;
    char *bad;

    for (size_t i = 0; i < trajectory->count; i++) {
        check_file(checks, trajectory, &trajectory->steps[i].screen);
        check_file(checks, trajectory, &trajectory->steps[i].tree);
    }
    bad = trajectory_bad_file(trajectory, &fault);
    if (bad && !strncmp(bad, "files/", 6)) {
        (void)err_set(&reason, ERR_NOT_FOUND,
                      "%.40s, which its evidence names, is %s", bad, fault);
        complain(checks, trajectory->folder, &reason);
    }
    free(bad);
}

/* In a run an episode's folder is named as its head is. */
static void check_place(struct recording_checks *checks,
                        const struct trajectory *trajectory)
{
    struct buf place = BUF_INIT(PATH_MAX);
    struct err reason = ERR_INIT;
    size_t length = strlen(trajectory->folder);

    run_result_folder(trajectory->head.task, trajectory->head.repeat,
                      trajectory->head.attempt, &place);
    if (strstr(trajectory->folder, "/episodes/") &&
        (length < place.length ||
         strcmp(trajectory->folder + length - place.length, buf_cstr(&place)) !=
             0)) {
        (void)err_set(&reason, ERR_INVALID, "its events say that it is %.200s",
                      buf_cstr(&place));
        complain(checks, trajectory->folder, &reason);
    }
    buf_release(&place);
}

/* The uuids of all episodes, with their folders. */
struct identities {
    struct identity {
        char uuid[37];
        char *folder; /* owned */
    } * items;        /* owned */
    size_t count;
};

/* What a person said about a recording. */
static void check_recording(struct recording_checks *checks, const char *folder)
{
    struct err reason = ERR_INIT;

    if (recording_is_one(folder) && !recording_check_edits(folder, &reason))
        complain(checks, folder, &reason);
}

static void check_episode(struct recording_checks *checks, const char *folder,
                          struct identities *identities)
{
    struct trajectory trajectory;
    struct err reason = ERR_INIT;
    struct identity *identity;

    checks->episodes++;
    check_verdicts(checks, folder);
    check_truth(checks, folder);
    if (!trajectory_load(folder, &trajectory, &reason)) {
        complain(checks, folder, &reason);
        return;
    }
    check_files(checks, &trajectory);
    check_place(checks, &trajectory);
    check_task(checks, folder, &trajectory);
    check_process(checks, folder, &trajectory);
    check_recording(checks, folder);
    identities->items = mem_resize(identities->items, identities->count + 1,
                                   sizeof(*identities->items));
    identity = &identities->items[identities->count++];
    memcpy(identity->uuid, trajectory.head.uuid, sizeof(identity->uuid));
    identity->folder = mem_dup(folder);
    trajectory_release(&trajectory);
}

static int by_uuid(const void *a, const void *b)
{
    const struct identity *x = a;
    const struct identity *y = b;
    int order = strcmp(x->uuid, y->uuid);

    return order ? order : strcmp(x->folder, y->folder);
}

/* A copy of an episode would count twice. */
static void check_identities(struct recording_checks *checks,
                             struct identities *identities)
{
    struct err reason = ERR_INIT;

    if (identities->count)
        qsort(identities->items, identities->count, sizeof(*identities->items),
              by_uuid);
    for (size_t i = 1; i < identities->count; i++) {
        const struct identity *first = &identities->items[i - 1];
        const struct identity *second = &identities->items[i];

        if (!second->uuid[0] || strcmp(first->uuid, second->uuid) != 0)
            continue;
        (void)err_set(&reason, ERR_INVALID, "%s: it is a copy of %.200s",
                      second->folder, first->folder);
        add(checks->bad, second->folder, reason.text);
    }
    for (size_t i = 0; i < identities->count; i++)
        free(identities->items[i].folder);
    free(identities->items);
}

/* ---- a run ---- */

static void check_suite(struct recording_checks *checks, const char *folder,
                        const struct run_plan *plan)
{
    struct buf text = BUF_INIT(JSON_SIZE_MAX);
    struct err reason = ERR_INIT;
    char sha256[SHA256_HEX_SIZE];
    bool good = load(folder, "suite.json", &text, &reason);

    if (good) {
        sha256_hex(buf_cstr(&text), text.length, sha256);
        good = !strcmp(sha256, plan->suite_sha256) ||
               err_set(&reason, ERR_INVALID,
                       "suite.json is not what was run: its hash is %.12s…, "
                       "not %.12s…",
                       sha256, plan->suite_sha256);
    }
    if (!good)
        complain(checks, folder, &reason);
    buf_release(&text);
}

static void check_results(struct recording_checks *checks, const char *folder,
                          const struct run_results *listed)
{
    struct run_results scanned = {.items = NULL};
    struct results_faults faults;
    struct err reason = ERR_INIT;

    if (!run_results_scan(folder, &scanned, &reason)) {
        complain(checks, folder, &reason);
        return;
    }
    run_results_compare(listed, &scanned, &faults);
    for (size_t i = 0; i < faults.count; i++) {
        const struct results_fault *fault = &faults.items[i];
        struct buf episode = BUF_INIT(PATH_MAX);

        buf_printf(&episode, "%s/%s", folder, fault->episode);
        (void)err_set(&reason, ERR_INVALID, "%s: %s", buf_cstr(&episode),
                      fault->text);
        /* Events that cannot be read are reported with the episode. */
        if (fault->kind != RESULTS_FAULT_EPISODE)
            add(fault->kind == RESULTS_FAULT_UNLISTED ? checks->notes
                                                      : checks->bad,
                buf_cstr(&episode), reason.text);
        buf_release(&episode);
    }
    results_faults_release(&faults);
    run_results_release(&scanned);
}

/* What a run has besides its episodes. */
static void check_run(struct recording_checks *checks, const char *folder)
{
    struct run_file file;
    struct run_results results = {.items = NULL};
    struct err reason = ERR_INIT;

    if (run_file_load(folder, &file, &reason)) {
        check_suite(checks, folder, &file.plan);
        run_file_release(&file);
    } else {
        complain(checks, folder, &reason);
    }
    if (is_there(folder, "results.jsonl") &&
        !run_results_load(folder, &results, &reason)) {
        complain(checks, folder, &reason);
        return;
    }
    check_results(checks, folder, &results);
    run_results_release(&results);
}

bool recording_checks_folder(struct recording_checks *checks,
                             const char *folder, struct err *err)
{
    struct text_list found = {.count = 0};
    struct identities identities = {.items = NULL};
    bool done = episode_folders_find(folder, &found, err);

    checks->in_run = is_there(folder, "run.json");
    /* A run that was killed before its first episode is one without any. */
    if (!done && checks->in_run && err->code == ERR_INVALID)
        done = true;
    for (size_t i = 0; done && i < found.count; i++)
        check_episode(checks, found.items[i], &identities);
    check_identities(checks, &identities);
    if (done && checks->in_run)
        check_run(checks, folder);
    text_list_release(&found);
    return done;
}
