#include "tools/meter/judge_set.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/thread_group.h"
#include "judge/gold/free_order.h"
#include "judge/gold/prove.h"
#include "tasks/trajectory/run_results.h"
#include "tools/meter/baseline_judges.h"
#include "tools/meter/truth_read.h"

const char *judge_entry_checks_name(enum judge_entry_checks checks)
{
    static const char *const names[] = {
        [JUDGE_CHECKS_NONE] = "none",
        [JUDGE_CHECKS_HAND] = "hand",
        [JUDGE_CHECKS_PROPOSED] = "proposed",
        [JUDGE_CHECKS_RECORDED] = "recorded",
    };

    return names[checks];
}

/* ---- locating episodes ---- */

/* The cases of one config: those of the ways, then the random walks. */
static size_t cases_of_field(const struct judge_set_options *options)
{
    return options->meter_cases->count + options->meter_cases->task_count;
}

/* The attempt that counts: the last one, because those before it were void. */
static char *find_folder(const char *run, const char *task)
{
    struct buf path = BUF_INIT(PATH_MAX);
    char *found = NULL;

    for (int attempt = 0;; attempt++) {
        struct buf name = BUF_INIT(PATH_MAX);
        bool is_there;

        run_result_folder(task, 0, attempt, &name);
        buf_clear(&path);
        buf_printf(&path, "%s/%s", run, buf_cstr(&name));
        buf_release(&name);
        is_there = !access(buf_cstr(&path), F_OK);
        if (!is_there)
            break;
        free(found);
        found = mem_dup(buf_cstr(&path));
    }
    buf_release(&path);
    return found;
}

static void place_case(const struct judge_set_options *options,
                       size_t meter_config, size_t place,
                       struct meter_episode *episode, struct case_facts *case_)
{
    const struct meter_cases *meter_cases = options->meter_cases;
    bool random = place >= meter_cases->count;
    const struct task *task =
        random ? meter_cases->tasks[place - meter_cases->count]
               : meter_cases->items[place].task;
    char name[METER_CONFIG_NAME_MAX];
    struct buf run = BUF_INIT(PATH_MAX);

    meter_config_name(&options->configs[meter_config], random, name);
    buf_printf(&run, "%s/%s", options->folder, name);
    case_->folder = find_folder(
        buf_cstr(&run), random ? task->id : meter_cases->suite.tasks[place].id);
    buf_release(&run);
    *episode = (struct meter_episode){
        .task = task->id,
        .kind = task->kind,
        .locale = options->configs[meter_config].locale,
        .way = random ? TASK_WAY_RANDOM : meter_cases->items[place].class_,
    };
}

/* ---- judging ---- */

struct judge_job {
    const struct judge_set_options *options;
    struct judge_set *judge_set;
    pthread_mutex_t lock; /* guards everything below */
    size_t next;          /* of fields times tasks */
    struct err err;       /* the first error */
};

/* What the episodes of a task are compared with. */
struct standard {
    struct episode_evidence gold; /* in the same config */
    struct proposal proposal;     /* empty if nothing can be proposed */
    struct proposal recorded;     /* the same, of the gold as a recording */
};

static void standard_release(struct standard *standard)
{
    episode_evidence_release(&standard->gold);
    proposal_release(&standard->proposal);
    proposal_release(&standard->recorded);
}

/* An episode is judged with the task's own gold, not with the steps it did. */
static bool ask_as_it_is(const struct judge_entry *judge_entry,
                         struct episode_evidence *evidence,
                         const struct standard *standard, enum outcome *outcome,
                         struct err *err)
{
    const struct task_gold own = evidence->task.gold;
    struct verdict verdict;
    bool done;

    evidence->task.gold = standard->gold.task.gold;
    done = judge_evidence(judge_entry->judge, evidence, &verdict, err);
    evidence->task.gold = own;
    if (!done)
        return false;
    *outcome = verdict.outcome;
    verdict_release(&verdict);
    return true;
}

/* The same with the checks of a proposal. */
static bool ask_with(const struct proposal *proposal,
                     const struct judge_entry *judge_entry,
                     struct episode_evidence *evidence,
                     const struct standard *standard, enum outcome *outcome,
                     struct err *err)
{
    struct proposal_swap swap;
    bool done;

    if (!proposal->needs) {
        *outcome = OUTCOME_UNSCORED;
        return true;
    }
    if (!proposal_apply(proposal, &evidence->task, &swap, err))
        return false;
    done = ask_as_it_is(judge_entry, evidence, standard, outcome, err);
    proposal_restore(&evidence->task, &swap);
    return done;
}

static bool ask_judge(const struct judge_entry *judge_entry,
                      struct episode_evidence *evidence,
                      const struct standard *standard, enum outcome *outcome,
                      struct err *err)
{
    switch (judge_entry->checks) {
    case JUDGE_CHECKS_PROPOSED:
        return ask_with(&standard->proposal, judge_entry, evidence, standard,
                        outcome, err);
    case JUDGE_CHECKS_RECORDED:
        return ask_with(&standard->recorded, judge_entry, evidence, standard,
                        outcome, err);
    case JUDGE_CHECKS_NONE:
    case JUDGE_CHECKS_HAND:
        break;
    }
    return ask_as_it_is(judge_entry, evidence, standard, outcome, err);
}

static bool ask(const struct judge_entry *judge_entry,
                struct episode_evidence *evidence,
                const struct standard *standard, enum outcome *outcome,
                struct err *err)
{
    switch (judge_entry->kind) {
    case JUDGE_ENTRY_ALWAYS_YES:
        *outcome = OUTCOME_SUCCESS;
        break;
    case JUDGE_ENTRY_LAST_SCREEN:
        *outcome = baseline_judge_last_screen(evidence, &standard->gold);
        break;
    case JUDGE_ENTRY_SAME_AS_GOLD:
        *outcome = baseline_judge_same_steps(evidence, &standard->gold);
        break;
    case JUDGE_ENTRY_JUDGE:
        return ask_judge(judge_entry, evidence, standard, outcome, err);
    }
    return true;
}

static struct picture_access access_of(const struct judge_job *judge_job)
{
    return (struct picture_access){.reader = judge_job->options->reader,
                                   .by = DEADLINE_NEVER,
                                   .cancel = judge_job->options->cancel};
}

/* All judges that read these descriptions, on one episode. */
static bool judge_case(const struct judge_job *judge_job, size_t at,
                       const struct standard *standard, struct err *err)
{
    struct judge_set *judge_set = judge_job->judge_set;
    const char *folder = judge_set->facts[at].folder;
    const struct picture_access access = access_of(judge_job);
    struct episode_evidence evidence;
    bool done = true;

    if (!episode_evidence_open(folder, standard->gold.source, &access,
                               &evidence, err))
        return err_wrap(err, "%s", folder);
    for (size_t i = 0; done && i < judge_set->judge_entry_count; i++) {
        if (judge_set->judge_entries[i].source == standard->gold.source)
            done = ask(&judge_set->judge_entries[i], &evidence, standard,
                       &judge_set->outcomes[i * judge_set->count + at], err);
    }
    episode_evidence_release(&evidence);
    return done || err_wrap(err, "%s", folder);
}

static bool is_wanted(const struct judge_set *judge_set,
                      enum process_source source)
{
    for (size_t i = 0; i < judge_set->judge_entry_count; i++) {
        if (judge_set->judge_entries[i].source == source)
            return true;
    }
    return false;
}

/* The index of a task's gold among the cases of a config. */
static size_t find_gold(const struct judge_job *judge_job, size_t meter_config,
                        const char *task)
{
    size_t at = meter_config * cases_of_field(judge_job->options);

    while (strcmp(judge_job->judge_set->episodes[at].task, task) != 0)
        at++;
    return at;
}

/*
 * Checks are proposed on the default skin, and must then work on others; where
 * that skin does not take part, on the config's own.
 */
static size_t find_home(const struct judge_set_options *options,
                        size_t meter_config)
{
    const struct meter_config *self = &options->configs[meter_config];

    for (size_t i = 0; i < options->config_count; i++) {
        const struct meter_config *other = &options->configs[i];

        if (!other->skin && other->seed == self->seed &&
            !strcmp(other->locale, self->locale))
            return i;
    }
    return meter_config;
}

/* Propose from what a recording has: steps and stars, no probes, no groups. */
static void propose_as_recorded(struct episode_evidence *gold,
                                struct proposal *proposal)
{
    size_t probes = gold->task.probe_count;
    struct err ignored;
    struct proof proof;

    gold->task.probe_count = 0;
    if (free_order_apply(gold, &ignored) &&
        prove_recording(gold, proposal, &proof, &ignored))
        proof_release(&proof);
    gold->task.probe_count = probes;
}

static bool set_standard(const struct judge_job *judge_job, size_t meter_config,
                         const char *task, enum process_source source,
                         struct standard *standard, struct err *err)
{
    const struct judge_set *judge_set = judge_job->judge_set;
    size_t home = find_home(judge_job->options, meter_config);
    const char *there =
        judge_set->facts[find_gold(judge_job, home, task)].folder;
    const char *here =
        judge_set->facts[find_gold(judge_job, meter_config, task)].folder;
    const struct picture_access access = access_of(judge_job);
    struct episode_evidence gold;
    struct err ignored;

    *standard = (struct standard){.proposal = {.needs = NULL}};
    if (!episode_evidence_open(there, source, &access, &gold, err))
        return err_wrap(err, "%s", there);
    if (!propose(&gold, &standard->proposal, &ignored))
        standard->proposal.needs = NULL;
    propose_as_recorded(&gold, &standard->recorded);
    episode_evidence_release(&gold);
    if (episode_evidence_open(here, source, &access, &standard->gold, err))
        return true;
    standard_release(standard);
    return err_wrap(err, "%s", here);
}

/* The episodes of one task in one config, which share its gold. */
static bool judge_source(const struct judge_job *judge_job, size_t meter_config,
                         const char *task, enum process_source source,
                         struct err *err)
{
    struct judge_set *judge_set = judge_job->judge_set;
    size_t count = cases_of_field(judge_job->options);
    struct standard standard;
    bool done = true;

    if (!set_standard(judge_job, meter_config, task, source, &standard, err))
        return false;
    for (size_t i = meter_config * count;
         done && i < (meter_config + 1) * count; i++) {
        if (judge_set->facts[i].folder &&
            !strcmp(judge_set->episodes[i].task, task))
            done = judge_case(judge_job, i, &standard, err);
    }
    standard_release(&standard);
    return done;
}

static bool judge_task(const struct judge_job *judge_job, size_t unit,
                       struct err *err)
{
    const struct judge_set_options *options = judge_job->options;
    const struct meter_cases *meter_cases = options->meter_cases;
    size_t meter_config = unit / meter_cases->task_count;
    const struct task *task =
        meter_cases->tasks[unit % meter_cases->task_count];

    for (int source = 0; source < PROCESS_SOURCES; source++) {
        if (is_wanted(judge_job->judge_set, (enum process_source)source) &&
            !judge_source(judge_job, meter_config, task->id,
                          (enum process_source)source, err))
            return false;
    }
    return true;
}

static void work(void *context)
{
    struct judge_job *judge_job = context;
    const struct judge_set_options *options = judge_job->options;
    size_t units = options->config_count * options->meter_cases->task_count;

    pthread_mutex_lock(&judge_job->lock);
    while (judge_job->next < units && judge_job->err.code == ERR_NONE &&
           !cancel_fired(options->cancel)) {
        size_t unit = judge_job->next++;
        struct err err = ERR_INIT;
        bool done;

        pthread_mutex_unlock(&judge_job->lock);
        done = judge_task(judge_job, unit, &err);
        pthread_mutex_lock(&judge_job->lock);
        if (!done && judge_job->err.code == ERR_NONE)
            judge_job->err = err;
    }
    pthread_mutex_unlock(&judge_job->lock);
}

/* ---- all episodes ---- */

static bool find_cases(const struct judge_set_options *options,
                       struct judge_set *judge_set, struct err *err)
{
    size_t each = cases_of_field(options);

    for (size_t i = 0; i < judge_set->count; i++) {
        struct case_facts *case_ = &judge_set->facts[i];
        size_t place = i % each;
        const struct meter_case *meter_case =
            place < options->meter_cases->count
                ? &options->meter_cases->items[place]
                : NULL;

        place_case(options, i / each, place, &judge_set->episodes[i], case_);
        if (case_->folder &&
            !truth_read(&judge_set->episodes[i], case_, meter_case, err))
            return false;
        if (!case_->folder && meter_case)
            return err_set(err, ERR_NOT_FOUND, "%s: there is no episode of %s",
                           options->folder,
                           options->meter_cases->suite.tasks[place].id);
    }
    return true;
}

/* Pairs are within one config, labelled by the truth. */
static void find_pairs(const struct judge_set_options *options,
                       struct judge_set *judge_set)
{
    const struct meter_cases *meter_cases = options->meter_cases;
    size_t each = cases_of_field(options);
    bool *right = mem_new(meter_cases->count + 1, sizeof(*right));

    judge_set->pairs = mem_new(options->config_count * meter_cases->count + 1,
                               sizeof(*judge_set->pairs));
    for (size_t meter_config = 0; meter_config < options->config_count;
         meter_config++) {
        struct meter_pair *pairs = &judge_set->pairs[judge_set->pair_count];
        size_t first = meter_config * each;
        size_t count;

        for (size_t i = 0; i < meter_cases->count; i++)
            right[i] = judge_set->episodes[first + i].right;
        count = meter_cases_pair(meter_cases, right, pairs);
        for (size_t i = 0; i < count; i++) {
            pairs[i].right += first;
            pairs[i].wrong += first;
        }
        judge_set->pair_count += count;
    }
    free(right);
}

/* A random walk that was not run is not judged. */
static void ask_nobody(struct judge_set *judge_set)
{
    for (size_t i = 0; i < judge_set->judge_entry_count * judge_set->count; i++)
        judge_set->outcomes[i] = OUTCOME_VOID;
}

bool judge_set_run(const struct judge_set_options *options,
                   struct judge_set *judge_set, struct err *err)
{
    size_t count = options->config_count * cases_of_field(options);
    struct judge_set set = {
        .judge_entries = options->judge_entries,
        .judge_entry_count = options->judge_entry_count,
        .episodes = mem_new(count, sizeof(*set.episodes)),
        .facts = mem_new(count, sizeof(*set.facts)),
        .outcomes = mem_new(count * options->judge_entry_count + 1,
                            sizeof(*set.outcomes)),
        .count = count,
    };
    struct judge_job judge_job = {.options = options,
                                  .judge_set = &set,
                                  .lock = PTHREAD_MUTEX_INITIALIZER};
    bool done = find_cases(options, &set, err);

    if (done) {
        find_pairs(options, &set);
        ask_nobody(&set);
        thread_group_share(0, work, &judge_job);
        if (judge_job.err.code != ERR_NONE) {
            *err = judge_job.err;
            done = false;
        } else if (cancel_fired(options->cancel)) {
            done = err_set(err, ERR_CANCELLED, "the meter was interrupted");
        }
    }
    if (!done) {
        judge_set_release(&set);
        return false;
    }
    *judge_set = set;
    return true;
}

void judge_set_release(struct judge_set *judge_set)
{
    for (size_t i = 0; i < judge_set->count; i++) {
        free(judge_set->facts[i].folder);
        free(judge_set->facts[i].wrong_about);
    }
    free(judge_set->episodes);
    free(judge_set->facts);
    free(judge_set->outcomes);
    free(judge_set->pairs);
    *judge_set = (struct judge_set){.count = 0};
}
