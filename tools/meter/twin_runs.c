#include "tools/meter/twin_runs.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "judge/judge.h"
#include "tasks/trajectory/run_results.h"
#include "tools/meter/truth_read.h"

struct meter_config twin_runs_config(const struct recording_task *made)
{
    const struct trajectory_head *head = &made->ways[0].trajectory.head;
    const bool chinese = head->locale && !strncmp(head->locale, "zh", 2);

    return (struct meter_config){.seed = head->seed,
                                 .skin = head->skin,
                                 .locale = chinese ? "zh" : "en"};
}

/* ---- a task for each twin ---- */

static void add_task(const struct recording_task *made, const char *truth,
                     size_t twin, struct cJSON *tasks)
{
    struct cJSON *task = recording_task_suite_json(made);
    char id[TASK_ID_MAX + 16];

    snprintf(id, sizeof(id), "twin.%zu", twin);
    cJSON_DeleteItemFromObjectCaseSensitive(task, "id");
    json_add_string(task, "id", id);
    json_add_string(task, "truth", truth);
    cJSON_DeleteItemFromObjectCaseSensitive(task, "gold");
    cJSON_AddItemToObject(task, "gold",
                          task_gold_to_json(&made->twins.items[twin].steps));
    if (!cJSON_AddItemToArray(tasks, task))
        mem_out();
}

static bool make_suite(const struct recording_task *made, const char *truth,
                       struct suite *suite, struct err *err)
{
    struct cJSON *tasks = json_new_array();
    struct buf text = BUF_INIT(TASK_FILE_MAX);
    bool done;

    for (size_t i = 0; i < made->twins.count; i++)
        add_task(made, truth, i, tasks);
    json_format(tasks, &text);
    cJSON_Delete(tasks);
    if (text.overflow)
        done = err_set(err, ERR_LIMIT, "too many twins");
    else
        done = suite_parse(buf_cstr(&text), text.length, "twins", suite, err);
    buf_release(&text);
    return done;
}

/* ---- results ---- */

/* Fails with ERR_INVALID when the phone does not know the truth. */
static bool read_truth(const char *folder, const char *truth, bool *right,
                       struct err *err)
{
    struct meter_episode episode = {.right = false};
    struct case_facts facts = {.folder = mem_dup(folder)};
    struct err why = ERR_INIT;
    bool done = truth_read(&episode, &facts, NULL, &why);

    *right = episode.right;
    if (!done && why.code == ERR_NOT_FOUND)
        (void)err_set(err, ERR_INVALID,
                      "the built-in phone knows no truth \"%.60s\": name one "
                      "of a built-in task, such as shop.cheapest",
                      truth);
    else if (!done)
        *err = why;
    free(facts.folder);
    free(facts.wrong_about);
    return done;
}

static bool judge_twin(const struct judge *judge, const char *folder,
                       const char *truth, struct twin_run *run, struct err *err)
{
    struct verdict verdict;
    bool done = read_truth(folder, truth, &run->right, err) &&
                judge_episode(judge, folder, &verdict, err);

    if (done) {
        run->accepted = verdict.outcome == OUTCOME_SUCCESS;
        verdict_release(&verdict);
    }
    return done;
}

/* The attempt that counts is the last one. */
static const struct run_result *find_result(const struct run_results *results,
                                            size_t twin)
{
    const struct run_result *found = NULL;
    char id[TASK_ID_MAX];

    snprintf(id, sizeof(id), "twin.%zu", twin);
    for (size_t i = 0; i < results->count; i++) {
        if (!strcmp(results->items[i].task, id) &&
            (!found || results->items[i].attempt > found->attempt))
            found = &results->items[i];
    }
    return found;
}

static bool judge_all(const struct recording_task *made, const char *folder,
                      const struct run_results *results, const char *truth,
                      struct twin_runs *runs, struct err *err)
{
    const struct judge_options options = {.kind = JUDGE_RULES};
    struct judge judge;
    bool done = true;

    judge_init(&judge, &options);
    for (size_t i = 0; done && i < made->twins.count; i++) {
        const struct run_result *result = find_result(results, i);
        struct twin_run *run = &runs->items[runs->count];
        struct buf path = BUF_INIT(PATH_MAX);

        if (!result) {
            done = err_set(err, ERR_NOT_FOUND, "%s: twin %zu was not run",
                           folder, i);
            break;
        }
        run->description = mem_dup(made->twins.items[i].description);
        runs->count++;
        buf_printf(&path, "%s/%s", folder, result->episode);
        done = judge_twin(&judge, buf_cstr(&path), truth, run, err);
        runs->agreed += run->right == run->accepted;
        buf_release(&path);
    }
    judge_release(&judge);
    return done;
}

static bool read_runs(const struct recording_task *made,
                      const struct twin_runs_options *options,
                      struct twin_runs *runs, struct err *err)
{
    struct run_results results = {.count = 0};
    char name[METER_CONFIG_NAME_MAX];
    struct buf folder = BUF_INIT(PATH_MAX);
    bool done;

    meter_config_name(&options->config, false, name);
    buf_printf(&folder, "%s/%s", options->folder, name);
    done =
        run_results_scan(buf_cstr(&folder), &results, err) &&
        judge_all(made, buf_cstr(&folder), &results, options->truth, runs, err);
    run_results_release(&results);
    buf_release(&folder);
    return done;
}

bool twin_runs_make(const struct recording_task *made,
                    const struct twin_runs_options *options,
                    struct twin_runs *runs, struct err *err)
{
    struct twin_runs read = {
        .items = mem_new(made->twins.count + 1, sizeof(*read.items))};
    struct meter_cases cases = {.count = 0};
    const struct meter_config_options config = {
        .meter_cases = &cases,
        .folder = options->folder,
        .phones = options->phones,
        .cancel = options->cancel,
        .log = options->log,
    };
    bool done = make_suite(made, options->truth, &cases.suite, err);

    if (done) {
        done = meter_config_run(&options->config, &config, err) &&
               read_runs(made, options, &read, err);
        suite_release(&cases.suite);
    }
    if (done)
        *runs = read;
    else
        twin_runs_release(&read);
    return done || err_wrap(err, "carrying the twins out");
}

void twin_runs_release(struct twin_runs *runs)
{
    for (size_t i = 0; i < runs->count; i++)
        free(runs->items[i].description);
    free(runs->items);
    *runs = (struct twin_runs){.count = 0};
}

struct cJSON *twin_runs_to_json(const struct twin_runs *runs)
{
    struct cJSON *object = json_new_object();
    struct cJSON *twins = json_add_array(object, "twins");

    json_add_int(object, "agreed", (int64_t)runs->agreed);
    for (size_t i = 0; i < runs->count; i++) {
        struct cJSON *twin = json_add_object(twins, NULL);

        json_add_string(twin, "description", runs->items[i].description);
        json_add_bool(twin, "right", runs->items[i].right);
        json_add_bool(twin, "accepted", runs->items[i].accepted);
    }
    return object;
}
