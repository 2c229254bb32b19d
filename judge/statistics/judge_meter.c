#include "judge/statistics/judge_meter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

bool meter_agrees(const struct meter_episode *episode, enum outcome outcome)
{
    return outcome != OUTCOME_UNSCORED &&
           (outcome == OUTCOME_SUCCESS) == episode->right;
}

bool meter_pairs(const struct meter_episodes *cases,
                 const struct meter_pair *pair)
{
    return cases->episodes[pair->right].right &&
           !cases->episodes[pair->wrong].right;
}

/* Selects the episodes of a row. */
struct case_group {
    const char *group;
    const char *name;
    enum task_way_class way; /* TASK_WAY_CLASSES: any but random */
    enum task_kind kind;     /* TASK_KINDS: any */
    const char *locale;      /* NULL: any */
};

static bool group_has(const struct case_group *group,
                      const struct meter_episode *episode)
{
    if (group->way == TASK_WAY_CLASSES ? episode->way == TASK_WAY_RANDOM
                                       : episode->way != group->way)
        return false;
    if (group->kind != TASK_KINDS && episode->kind != group->kind)
        return false;
    return !group->locale || !strcmp(group->locale, episode->locale);
}

/* A pair belongs to the groups of both its episodes. */
static bool group_has_pair(const struct case_group *group,
                           const struct meter_episodes *cases,
                           const struct meter_pair *pair)
{
    return meter_pairs(cases, pair) &&
           (group_has(group, &cases->episodes[pair->right]) ||
            group_has(group, &cases->episodes[pair->wrong]));
}

/* Sums by task. */
struct task_tally {
    const char **tasks; /* owned; the names are not */
    struct cluster *clusters;
    size_t count;
};

static void tally_add(struct task_tally *tally, const char *task, bool right)
{
    size_t at = 0;

    while (at < tally->count && strcmp(tally->tasks[at], task))
        at++;
    if (at == tally->count) {
        tally->count++;
        tally->tasks =
            mem_resize(tally->tasks, tally->count, sizeof(*tally->tasks));
        tally->clusters =
            mem_resize(tally->clusters, tally->count, sizeof(*tally->clusters));
        tally->tasks[at] = task;
        tally->clusters[at] = (struct cluster){.sum = 0};
    }
    tally->clusters[at].sum += right ? 1 : 0;
    tally->clusters[at].count += 1;
}

static void tally_release(struct task_tally *tally)
{
    free(tally->tasks);
    free(tally->clusters);
}

static void count_episodes(const struct case_group *group,
                           const struct meter_episodes *cases,
                           const enum outcome *outcomes, struct meter_row *row,
                           struct task_tally *tally)
{
    struct confusion confusion = {.true_yes = 0};

    for (size_t i = 0; i < cases->count; i++) {
        const struct meter_episode *episode = &cases->episodes[i];
        bool agrees = meter_agrees(episode, outcomes[i]);

        if (outcomes[i] == OUTCOME_VOID || !group_has(group, episode))
            continue;
        row->episodes++;
        row->unscored += outcomes[i] == OUTCOME_UNSCORED;
        /* Unscored counts as the opposite of the truth. */
        confusion_add(&confusion, episode->right == agrees, episode->right);
        tally_add(tally, episode->task, agrees);
    }
    row->accuracy = confusion_accuracy(&confusion);
    row->precision = confusion_precision(&confusion);
    row->recall = confusion_recall(&confusion);
    row->kappa = confusion_kappa(&confusion);
}

static void count_pairs(const struct case_group *group,
                        const struct meter_episodes *cases,
                        const enum outcome *outcomes, struct meter_row *row,
                        struct task_tally *tally)
{
    for (size_t i = 0; i < cases->pair_count; i++) {
        const struct meter_pair *pair = &cases->pairs[i];
        const struct meter_episode *right = &cases->episodes[pair->right];
        const struct meter_episode *wrong = &cases->episodes[pair->wrong];

        if (!group_has_pair(group, cases, pair) ||
            outcomes[pair->right] == OUTCOME_VOID ||
            outcomes[pair->wrong] == OUTCOME_VOID)
            continue;
        row->pairs++;
        tally_add(tally, right->task,
                  meter_agrees(right, outcomes[pair->right]) &&
                      meter_agrees(wrong, outcomes[pair->wrong]));
    }
    row->pair_accuracy =
        row->pairs ? statistics_mean(tally->clusters, tally->count) : NAN;
}

static void count_row(const struct case_group *group,
                      const struct meter_episodes *cases,
                      const enum outcome *outcomes, struct meter_row *row)
{
    struct task_tally single = {.count = 0};
    struct task_tally paired = {.count = 0};
    const struct task_tally *tallied;

    *row = (struct meter_row){.group = group->group, .name = group->name};
    count_episodes(group, cases, outcomes, row, &single);
    count_pairs(group, cases, outcomes, row, &paired);
    tallied = row->pairs ? &paired : &single;
    row->interval = statistics_clustered(tallied->clusters, tallied->count);
    tally_release(&single);
    tally_release(&paired);
}

/* Empty rows are left out, except the one for all. */
static void add_row(const struct case_group *group,
                    const struct meter_episodes *cases,
                    const enum outcome *outcomes, struct meter_table *table)
{
    struct meter_row *row = &table->rows[table->count];

    count_row(group, cases, outcomes, row);
    if (!row->episodes && table->count)
        return;
    table->count++;
}

static size_t find_worst(const struct meter_table *table)
{
    size_t worst = 0;
    double lowest = INFINITY;

    for (size_t i = 0; i < table->count; i++) {
        const struct meter_row *row = &table->rows[i];

        /* Gold is in pairs of all classes, so it is not counted for one. */
        if (strcmp(row->group, "class") ||
            !strcmp(row->name, task_way_class_name(TASK_WAY_GOLD)) ||
            !row->pairs || row->pair_accuracy >= lowest)
            continue;
        lowest = row->pair_accuracy;
        worst = i;
    }
    return worst;
}

void meter_count(const struct meter_episodes *cases,
                 const enum outcome *outcomes, struct meter_table *table)
{
    static const char *const locales[] = {"en", "zh"};
    struct case_group any = {"all", "all", TASK_WAY_CLASSES, TASK_KINDS, NULL};

    table->count = 0;
    add_row(&any, cases, outcomes, table);
    for (int way = 0; way < TASK_WAY_CLASSES; way++) {
        struct case_group group = any;

        group.group = "class";
        group.way = (enum task_way_class)way;
        group.name = task_way_class_name(group.way);
        add_row(&group, cases, outcomes, table);
    }
    for (int kind = 0; kind < TASK_KINDS; kind++) {
        struct case_group group = any;

        group.group = "kind";
        group.kind = (enum task_kind)kind;
        group.name = task_kind_name(group.kind);
        add_row(&group, cases, outcomes, table);
    }
    for (size_t i = 0; i < ARRAY_LEN(locales); i++) {
        struct case_group group = any;

        group.group = "language";
        group.name = group.locale = locales[i];
        add_row(&group, cases, outcomes, table);
    }
    table->worst = find_worst(table);
}
