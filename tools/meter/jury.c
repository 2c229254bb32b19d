#include "tools/meter/jury.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/crew.h"
#include "base/mem.h"
#include "judge/propose.h"
#include "tasks/results.h"
#include "tools/meter/baseline.h"
#include "tools/meter/told.h"

const char *juror_checks_name(enum juror_checks checks)
{
    static const char *const names[] = {
        [CHECKS_NONE] = "none",
        [CHECKS_HAND] = "hand",
        [CHECKS_PROPOSED] = "proposed",
    };

    return names[checks];
}

/* ---- where the episodes are ---- */

/* One field's are those of the entrants, and then the random walks. */
static size_t cases_of_field(const struct jury_options *options)
{
    return options->entrants->count + options->entrants->task_count;
}

/* The attempt that counts: the last one, as those before it were void. */
static char *find_folder(const char *run, const char *task)
{
    struct buf path = BUF_INIT(PATH_MAX);
    char *found = NULL;

    for (int attempt = 0;; attempt++) {
        struct buf name = BUF_INIT(PATH_MAX);
        bool is_there;

        result_folder(task, 0, attempt, &name);
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

static void place_case(const struct jury_options *options, size_t field,
                       size_t place, struct meter_episode *episode,
                       struct jury_case *case_)
{
    const struct entrants *entrants = options->entrants;
    bool random = place >= entrants->count;
    const struct task *task = random ? entrants->tasks[place - entrants->count]
                                     : entrants->items[place].task;
    char name[FIELD_NAME_MAX];
    struct buf run = BUF_INIT(PATH_MAX);

    field_name(&options->fields[field], random, name);
    buf_printf(&run, "%s/%s", options->folder, name);
    case_->folder = find_folder(
        buf_cstr(&run), random ? task->id : entrants->suite.tasks[place].id);
    buf_release(&run);
    *episode = (struct meter_episode){
        .task = task->id,
        .kind = task->kind,
        .locale = options->fields[field].locale,
        .way = random ? WAY_RANDOM : entrants->items[place].class_,
    };
}

/* ---- the hearing ---- */

struct hearing {
    const struct jury_options *options;
    struct jury *jury;
    pthread_mutex_t lock; /* guards all below */
    size_t next;          /* of fields times tasks */
    struct err err;       /* the first thing that went wrong */
};

/* What the episodes of a task are held against. */
struct standard {
    struct dossier gold;      /* in the same field */
    struct proposal proposal; /* empty where nothing can be proposed */
};

/* An episode is judged by the task's own gold, not by the steps it did. */
static bool ask_judge(const struct juror *juror, struct dossier *dossier,
                      const struct standard *standard, enum outcome *outcome,
                      struct err *err)
{
    const struct gold own = dossier->task.gold;
    bool proposed = juror->checks == CHECKS_PROPOSED;
    struct proposal_swap swap;
    struct verdict verdict;
    bool done;

    if (proposed && !standard->proposal.needs) {
        *outcome = OUTCOME_UNSCORED;
        return true;
    }
    if (proposed &&
        !proposal_apply(&standard->proposal, &dossier->task, &swap, err))
        return false;
    dossier->task.gold = standard->gold.task.gold;
    done = judge_dossier(juror->judge, dossier, &verdict, err);
    dossier->task.gold = own;
    if (proposed)
        proposal_restore(&dossier->task, &swap);
    if (!done)
        return false;
    *outcome = verdict.outcome;
    verdict_release(&verdict);
    return true;
}

static bool ask(const struct juror *juror, struct dossier *dossier,
                const struct standard *standard, enum outcome *outcome,
                struct err *err)
{
    switch (juror->kind) {
    case JUROR_ALWAYS_YES:
        *outcome = OUTCOME_SUCCESS;
        break;
    case JUROR_LAST_SCREEN:
        *outcome = baseline_last_screen(dossier, &standard->gold);
        break;
    case JUROR_SAME_AS_GOLD:
        *outcome = baseline_same_steps(dossier, &standard->gold);
        break;
    case JUROR_JUDGE:
        return ask_judge(juror, dossier, standard, outcome, err);
    }
    return true;
}

/* All jurors who read these words, about one episode. */
static bool hear_case(const struct hearing *hearing, size_t at,
                      const struct standard *standard, struct err *err)
{
    struct jury *jury = hearing->jury;
    const char *folder = jury->cases[at].folder;
    struct dossier dossier;
    bool done = true;

    if (!dossier_open(folder, standard->gold.source, &dossier, err))
        return err_wrap(err, "%s", folder);
    for (size_t i = 0; done && i < jury->juror_count; i++) {
        if (jury->jurors[i].source == standard->gold.source)
            done = ask(&jury->jurors[i], &dossier, standard,
                       &jury->outcomes[i * jury->count + at], err);
    }
    dossier_release(&dossier);
    return done || err_wrap(err, "%s", folder);
}

static bool is_wanted(const struct jury *jury, enum process_source source)
{
    for (size_t i = 0; i < jury->juror_count; i++) {
        if (jury->jurors[i].source == source)
            return true;
    }
    return false;
}

/* Where the gold of a task is among the cases, in a field. */
static size_t find_gold(const struct hearing *hearing, size_t field,
                        const char *task)
{
    size_t at = field * cases_of_field(hearing->options);

    while (strcmp(hearing->jury->episodes[at].task, task) != 0)
        at++;
    return at;
}

/*
 * Checks are proposed on the default skin, and then have to hold on others;
 * where it does not take part, on the field's own.
 */
static size_t find_home(const struct jury_options *options, size_t field)
{
    const struct field *self = &options->fields[field];

    for (size_t i = 0; i < options->field_count; i++) {
        const struct field *other = &options->fields[i];

        if (!other->skin && other->seed == self->seed &&
            !strcmp(other->locale, self->locale))
            return i;
    }
    return field;
}

static bool set_standard(const struct hearing *hearing, size_t field,
                         const char *task, enum process_source source,
                         struct standard *standard, struct err *err)
{
    const struct jury *jury = hearing->jury;
    size_t home = find_home(hearing->options, field);
    const char *there = jury->cases[find_gold(hearing, home, task)].folder;
    const char *here = jury->cases[find_gold(hearing, field, task)].folder;
    struct dossier gold;
    struct err ignored;

    *standard = (struct standard){.proposal = {.needs = NULL}};
    if (!dossier_open(there, source, &gold, err))
        return err_wrap(err, "%s", there);
    if (!propose(&gold, &standard->proposal, &ignored))
        standard->proposal.needs = NULL;
    dossier_release(&gold);
    if (dossier_open(here, source, &standard->gold, err))
        return true;
    proposal_release(&standard->proposal);
    return err_wrap(err, "%s", here);
}

/* The episodes of one task in one field, which share its gold. */
static bool hear_words(const struct hearing *hearing, size_t field,
                       const char *task, enum process_source source,
                       struct err *err)
{
    struct jury *jury = hearing->jury;
    size_t count = cases_of_field(hearing->options);
    struct standard standard;
    bool done = true;

    if (!set_standard(hearing, field, task, source, &standard, err))
        return false;
    for (size_t i = field * count; done && i < (field + 1) * count; i++) {
        if (jury->cases[i].folder && !strcmp(jury->episodes[i].task, task))
            done = hear_case(hearing, i, &standard, err);
    }
    dossier_release(&standard.gold);
    proposal_release(&standard.proposal);
    return done;
}

static bool hear_task(const struct hearing *hearing, size_t unit,
                      struct err *err)
{
    const struct jury_options *options = hearing->options;
    const struct entrants *entrants = options->entrants;
    size_t field = unit / entrants->task_count;
    const struct task *task = entrants->tasks[unit % entrants->task_count];

    for (int source = 0; source < PROCESS_SOURCES; source++) {
        if (is_wanted(hearing->jury, (enum process_source)source) &&
            !hear_words(hearing, field, task->id, (enum process_source)source,
                        err))
            return false;
    }
    return true;
}

static void work(void *context)
{
    struct hearing *hearing = context;
    const struct jury_options *options = hearing->options;
    size_t units = options->field_count * options->entrants->task_count;

    pthread_mutex_lock(&hearing->lock);
    while (hearing->next < units && hearing->err.code == ERR_NONE &&
           !cancel_fired(options->cancel)) {
        size_t unit = hearing->next++;
        struct err err = ERR_INIT;
        bool done;

        pthread_mutex_unlock(&hearing->lock);
        done = hear_task(hearing, unit, &err);
        pthread_mutex_lock(&hearing->lock);
        if (!done && hearing->err.code == ERR_NONE)
            hearing->err = err;
    }
    pthread_mutex_unlock(&hearing->lock);
}

/* ---- all of it ---- */

static bool find_cases(const struct jury_options *options, struct jury *jury,
                       struct err *err)
{
    size_t each = cases_of_field(options);

    for (size_t i = 0; i < jury->count; i++) {
        struct jury_case *case_ = &jury->cases[i];
        size_t place = i % each;
        const struct entrant *entrant = place < options->entrants->count
                                            ? &options->entrants->items[place]
                                            : NULL;

        place_case(options, i / each, place, &jury->episodes[i], case_);
        if (case_->folder &&
            !told_read(&jury->episodes[i], case_, entrant, err))
            return false;
        if (!case_->folder && entrant)
            return err_set(err, ERR_NOT_FOUND, "%s: there is no episode of %s",
                           options->folder,
                           options->entrants->suite.tasks[place].id);
    }
    return true;
}

/* Pairs are of one field, by what the phone says of its episodes. */
static void find_pairs(const struct jury_options *options, struct jury *jury)
{
    const struct entrants *entrants = options->entrants;
    size_t each = cases_of_field(options);
    bool *right = mem_new(entrants->count + 1, sizeof(*right));

    jury->pairs = mem_new(options->field_count * entrants->count + 1,
                          sizeof(*jury->pairs));
    for (size_t field = 0; field < options->field_count; field++) {
        struct meter_pair *pairs = &jury->pairs[jury->pair_count];
        size_t first = field * each;
        size_t count;

        for (size_t i = 0; i < entrants->count; i++)
            right[i] = jury->episodes[first + i].right;
        count = entrants_pair(entrants, right, pairs);
        for (size_t i = 0; i < count; i++) {
            pairs[i].right += first;
            pairs[i].wrong += first;
        }
        jury->pair_count += count;
    }
    free(right);
}

/* Where a walk was not taken, nobody is asked. */
static void ask_nobody(struct jury *jury)
{
    for (size_t i = 0; i < jury->juror_count * jury->count; i++)
        jury->outcomes[i] = OUTCOME_VOID;
}

bool jury_hear(const struct jury_options *options, struct jury *jury,
               struct err *err)
{
    size_t count = options->field_count * cases_of_field(options);
    struct jury heard = {
        .jurors = options->jurors,
        .juror_count = options->juror_count,
        .episodes = mem_new(count, sizeof(*heard.episodes)),
        .cases = mem_new(count, sizeof(*heard.cases)),
        .outcomes =
            mem_new(count * options->juror_count + 1, sizeof(*heard.outcomes)),
        .count = count,
    };
    struct hearing hearing = {
        .options = options, .jury = &heard, .lock = PTHREAD_MUTEX_INITIALIZER};
    bool done = find_cases(options, &heard, err);

    if (done) {
        find_pairs(options, &heard);
        ask_nobody(&heard);
        crew_share(0, work, &hearing);
        if (hearing.err.code != ERR_NONE) {
            *err = hearing.err;
            done = false;
        } else if (cancel_fired(options->cancel)) {
            done = err_set(err, ERR_CANCELLED, "the meter was interrupted");
        }
    }
    if (!done) {
        jury_release(&heard);
        return false;
    }
    *jury = heard;
    return true;
}

void jury_release(struct jury *jury)
{
    for (size_t i = 0; i < jury->count; i++) {
        free(jury->cases[i].folder);
        free(jury->cases[i].wrong_about);
    }
    free(jury->episodes);
    free(jury->cases);
    free(jury->outcomes);
    free(jury->pairs);
    *jury = (struct jury){.count = 0};
}
