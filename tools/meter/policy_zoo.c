#include "tools/meter/policy_zoo.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/macros.h"
#include "base/mem.h"
#include "tasks/trajectory/run_results.h"
#include "tools/meter/truth_read.h"

#define SUITE_TEXT_MAX ((size_t)64 << 20)
#define NAME_MAX_LENGTH 96
#define WAITS 100 /* more than any budget: the episode ends before */

/* ---- how gold is spoiled ---- */

static void cut_steps(struct cJSON *steps, int from)
{
    while (cJSON_GetArraySize(steps) > from)
        cJSON_DeleteItemFromArray(steps, from);
}

static void add_step(struct cJSON *steps, enum action_kind kind)
{
    json_add_string(json_add_object(steps, NULL), "do", action_kind_name(kind));
}

static bool does(const struct cJSON *step, enum action_kind kind)
{
    const struct cJSON *name = cJSON_GetObjectItemCaseSensitive(step, "do");

    return cJSON_IsString(name) &&
           !strcmp(name->valuestring, action_kind_name(kind));
}

/* Forget the step that the author of a way of class "skipped" left out. */
static void forget_step(const struct task *task, const struct task_ways *ways,
                        struct cJSON *steps)
{
    const struct task_way *found = NULL;
    struct cJSON *other;

    for (size_t i = 0; !found && i < ways->count; i++) {
        if (ways->items[i].task == task &&
            ways->items[i].class_ == TASK_WAY_SKIPPED)
            found = &ways->items[i];
    }
    if (!found || task->kind != TASK_PROCESS)
        return;
    cut_steps(steps, 0);
    other = task_gold_to_json(&found->steps);
    while (cJSON_GetArraySize(other)) {
        if (!cJSON_AddItemToArray(steps, cJSON_DetachItemFromArray(other, 0)))
            mem_out();
    }
    cJSON_Delete(other);
}

static void stop_halfway(const struct task *task, const struct task_ways *ways,
                         struct cJSON *steps)
{
    (void)task, (void)ways;
    cut_steps(steps, cJSON_GetArraySize(steps) / 2);
    add_step(steps, ACTION_COMPLETE);
}

static void never_say_done(const struct task *task,
                           const struct task_ways *ways, struct cJSON *steps)
{
    (void)task, (void)ways;
    for (int i = cJSON_GetArraySize(steps); i-- > 0;) {
        const struct cJSON *step = cJSON_GetArrayItem(steps, i);

        if (does(step, ACTION_COMPLETE) || does(step, ACTION_ANSWER))
            cJSON_DeleteItemFromArray(steps, i);
    }
    for (int i = 0; i < WAITS; i++)
        add_step(steps, ACTION_WAIT);
}

/* Does this step dismiss what the built-in apps show in the way? */
static bool dismisses(const struct cJSON *step)
{
    static const char *const calls[] = {"no_thanks", "skip_ad", "close_news"};
    const struct cJSON *call = cJSON_GetObjectItemCaseSensitive(
        cJSON_GetObjectItemCaseSensitive(step, "at"), "call");
    const char *dot =
        cJSON_IsString(call) ? strchr(call->valuestring, '.') : NULL;

    for (size_t i = 0; dot && i < ARRAY_LEN(calls); i++) {
        if (!strcmp(dot + 1, calls[i]))
            return true;
    }
    return false;
}

static void give_up_at_popup(const struct task *task,
                             const struct task_ways *ways, struct cJSON *steps)
{
    int at = 0;

    (void)task, (void)ways;
    while (at < cJSON_GetArraySize(steps) &&
           !dismisses(cJSON_GetArrayItem(steps, at)))
        at++;
    if (at == cJSON_GetArraySize(steps))
        return;
    cut_steps(steps, at);
    add_step(steps, ACTION_FAIL);
}

/*
 * The first text that gold types is replaced by the whole instruction; where
 * gold types nothing, there is nothing to search in.
 */
static void type_instruction(const struct task *task,
                             const struct task_ways *ways, struct cJSON *steps)
{
    int at = 0;
    struct cJSON *step;

    (void)ways;
    while (at < cJSON_GetArraySize(steps) &&
           !does(cJSON_GetArrayItem(steps, at), ACTION_TYPE))
        at++;
    if (at == cJSON_GetArraySize(steps)) {
        at = 0;
        cut_steps(steps, at);
        add_step(steps, ACTION_TYPE);
    }
    cut_steps(steps, at + 1);
    step = cJSON_GetArrayItem(steps, at);
    cJSON_DeleteItemFromObjectCaseSensitive(step, "text");
    cJSON_DeleteItemFromObjectCaseSensitive(step, "submit");
    bilingual_text_to_json(&task->instruction, step, "text");
    json_add_bool(step, "submit", true);
    add_step(steps, ACTION_COMPLETE);
}

const struct zoo_policy zoo_policies[] = {
    {"gold", "does all of gold", "gold", NULL},
    {"slips-5", "5 % of its taps go elsewhere", "slips:5:", NULL},
    {"slips-10", "10 % of its taps go elsewhere", "slips:10:", NULL},
    {"slips-20", "20 % of its taps go elsewhere", "slips:20:", NULL},
    {"slips-40", "40 % of its taps go elsewhere", "slips:40:", NULL},
    {"forgets", "leaves out a necessary step where the process counts", "gold",
     forget_step},
    {"gives-up", "fails at the first pop-up", "gold", give_up_at_popup},
    {"halfway", "stops after half of gold", "gold", stop_halfway},
    {"searches", "types the whole instruction into the first field", "gold",
     type_instruction},
    {"never-done", "does all of gold, and does not say so", "gold",
     never_say_done},
    {"random", "acts by chance", "random:", NULL},
    {"nothing", "completes at once", "nothing", NULL},
};
const size_t zoo_policy_count = ARRAY_LEN(zoo_policies);

/* ---- the suite of a policy ---- */

static void add_task(const struct zoo_policy *policy, const struct task *task,
                     const struct task_ways *ways, struct cJSON *tasks)
{
    struct cJSON *made = task_to_json(task);
    struct cJSON *steps = task_gold_to_json(&task->gold);

    /* beside a recording */
    if (cJSON_IsObject(steps)) {
        struct cJSON *inner =
            cJSON_DetachItemFromObjectCaseSensitive(steps, "steps");

        cJSON_Delete(steps);
        steps = inner;
    }
    if (policy->spoil) {
        policy->spoil(task, ways, steps);
        /* what it does is not bound by what gold needs */
        cJSON_DeleteItemFromObjectCaseSensitive(made, "actions");
        json_add_string(made, "actions", "all");
    }
    cJSON_DeleteItemFromObjectCaseSensitive(made, "gold");
    if (!cJSON_AddItemToObject(made, "gold", steps) ||
        !cJSON_AddItemToArray(tasks, made))
        mem_out();
}

static bool make_suite(const struct policy_zoo_options *options,
                       const struct zoo_policy *policy, struct suite *suite,
                       struct err *err)
{
    struct cJSON *tasks = json_new_array();
    struct buf text = BUF_INIT(SUITE_TEXT_MAX);
    bool done;

    for (size_t i = 0; i < options->task_count; i++)
        add_task(policy, options->tasks[i], options->ways, tasks);
    json_format(tasks, &text);
    cJSON_Delete(tasks);
    done = suite_parse(buf_cstr(&text), text.length, options->suite_path, suite,
                       err);
    buf_release(&text);
    return done;
}

/* ---- one run ---- */

static void name_run(const struct zoo_policy *policy,
                     const struct meter_config *config,
                     char name[NAME_MAX_LENGTH])
{
    snprintf(name, NAME_MAX_LENGTH, "seed-%lld.skin-%d.%s.%s",
             (long long)config->seed, config->skin, config->locale,
             policy->name);
}

static void name_agent(const struct zoo_policy *policy,
                       const struct meter_config *config,
                       char agent[NAME_MAX_LENGTH])
{
    size_t length = strlen(policy->agent);

    snprintf(agent, NAME_MAX_LENGTH, "%s", policy->agent);
    if (agent[length - 1] == ':')
        snprintf(agent + length, NAME_MAX_LENGTH - length, "%lld",
                 (long long)config->seed);
}

/* The attempt that counts is the last one. */
static const struct run_result *find_result(const struct run_results *results,
                                            const char *task)
{
    const struct run_result *found = NULL;

    for (size_t i = 0; i < results->count; i++) {
        if (!strcmp(results->items[i].task, task) &&
            (!found || results->items[i].attempt > found->attempt))
            found = &results->items[i];
    }
    return found;
}

/* name: of the run, in the folder. */
static bool read_result(const char *folder, const char *name,
                        const struct run_results *results, const char *task,
                        struct zoo_result *into, struct err *err)
{
    const struct run_result *result = find_result(results, task);
    struct meter_episode episode = {.right = false};
    struct case_facts facts = {.folder = NULL};
    struct buf path = BUF_INIT(PATH_MAX);
    bool done;

    if (!result || result->ending == ENDING_VOID)
        return err_set(err, ERR_REMOTE,
                       "task %.60s of %s was not done; the same command with "
                       "--out %.80s tries it again",
                       task, name, folder);
    buf_printf(&path, "%s/%s/%s", folder, name, result->episode);
    facts.folder = mem_dup(buf_cstr(&path));
    done = truth_read(&episode, &facts, NULL, err);
    if (done)
        *into = (struct zoo_result){.right = episode.right,
                                    .clauses_met = facts.clauses_met,
                                    .steps = result->steps};
    free(facts.folder);
    free(facts.wrong_about);
    buf_release(&path);
    return done;
}

static bool read_results(const struct policy_zoo_options *options,
                         const char *name, struct zoo_result *into,
                         struct err *err)
{
    struct run_results results = {.items = NULL};
    struct buf folder = BUF_INIT(PATH_MAX);
    bool done;

    buf_printf(&folder, "%s/%s", options->folder, name);
    done = run_results_scan(buf_cstr(&folder), &results, err);
    for (size_t i = 0; done && i < options->task_count; i++)
        done = read_result(options->folder, name, &results,
                           options->tasks[i]->id, &into[i], err);
    run_results_release(&results);
    buf_release(&folder);
    return done;
}

static bool run_policy(const struct policy_zoo_options *options,
                       const struct zoo_policy *policy,
                       const struct suite *suite,
                       const struct meter_config *config,
                       struct zoo_result *into, struct err *err)
{
    const struct task **tasks = mem_new(suite->count, sizeof(*tasks));
    char name[NAME_MAX_LENGTH], agent[NAME_MAX_LENGTH];
    const struct meter_run run = {
        .config = config,
        .folder = options->folder,
        .name = name,
        .agent = agent,
        .suite = suite,
        .tasks = tasks,
        .task_count = suite->count,
        .phones = options->phones,
        .watcher = options->watcher,
        .cancel = options->cancel,
        .log = options->log,
    };
    bool done;

    for (size_t i = 0; i < suite->count; i++)
        tasks[i] = &suite->tasks[i];
    name_run(policy, config, name);
    name_agent(policy, config, agent);
    done =
        meter_run_execute(&run, err) && read_results(options, name, into, err);
    free(tasks);
    return done;
}

/* ---- all runs ---- */

bool policy_zoo_run(const struct policy_zoo_options *options,
                    struct policy_zoo *zoo, struct err *err)
{
    size_t runs = zoo_policy_count * options->config_count;
    struct zoo_result *results =
        mem_new(runs * options->task_count, sizeof(*results));
    bool done = true;

    for (size_t i = 0; done && i < zoo_policy_count; i++) {
        const struct zoo_policy *policy = &zoo_policies[i];
        struct suite suite;

        done = make_suite(options, policy, &suite, err);
        if (!done)
            break;
        for (size_t j = 0; done && j < options->config_count; j++)
            done = run_policy(
                options, policy, &suite, &options->configs[j],
                &results[(i * options->config_count + j) * options->task_count],
                err);
        suite_release(&suite);
        if (!done)
            err_wrap(err, "policy %s", policy->name);
    }
    if (!done) {
        free(results);
        return false;
    }
    *zoo = (struct policy_zoo){.tasks = options->tasks,
                               .task_count = options->task_count,
                               .config_count = options->config_count,
                               .results = results};
    return true;
}

void policy_zoo_release(struct policy_zoo *zoo)
{
    free(zoo->results);
    *zoo = (struct policy_zoo){.results = NULL};
}
