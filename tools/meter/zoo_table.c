#include "tools/meter/zoo_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* ---- policies ---- */

static double success_of_kind(const struct policy_zoo *zoo, size_t policy,
                              enum task_kind kind)
{
    size_t right = 0;
    size_t all = 0;

    for (size_t config = 0; config < zoo->config_count; config++) {
        for (size_t task = 0; task < zoo->task_count; task++) {
            if (zoo->tasks[task]->kind != kind)
                continue;
            right += policy_zoo_result(zoo, policy, config, task)->right;
            all++;
        }
    }
    return statistics_rate(right, all);
}

/* The episodes of one task resemble each other. */
static void count_policy(const struct policy_zoo *zoo, size_t policy,
                         struct zoo_policy_row *row)
{
    struct cluster *clusters = mem_new(zoo->task_count, sizeof(*clusters));
    double clauses = 0;
    double steps = 0;

    *row = (struct zoo_policy_row){
        .policy = &zoo_policies[policy],
        .episodes = zoo->config_count * zoo->task_count,
    };
    for (size_t task = 0; task < zoo->task_count; task++) {
        for (size_t config = 0; config < zoo->config_count; config++) {
            const struct zoo_result *result =
                policy_zoo_result(zoo, policy, config, task);

            clusters[task].sum += result->right;
            clusters[task].count++;
            clauses += result->clauses_met;
            steps += result->steps;
        }
    }
    row->success = statistics_mean(clusters, zoo->task_count);
    row->interval = statistics_clustered(clusters, zoo->task_count);
    row->state = success_of_kind(zoo, policy, TASK_STATE);
    row->process = success_of_kind(zoo, policy, TASK_PROCESS);
    row->clauses_met = clauses / (double)row->episodes;
    row->steps = steps / (double)row->episodes;
    free(clusters);
}

static int compare_policies(const void *one, const void *other)
{
    const struct zoo_policy_row *a = one;
    const struct zoo_policy_row *b = other;

    if (a->success != b->success)
        return a->success > b->success ? -1 : 1;
    if (a->clauses_met != b->clauses_met)
        return a->clauses_met > b->clauses_met ? -1 : 1;
    return (a->policy > b->policy) - (a->policy < b->policy);
}

/* ---- tasks ---- */

static double discrimination(const struct policy_zoo *zoo, size_t task)
{
    size_t subjects = zoo_policy_count * zoo->config_count;
    double *here = mem_new(subjects, sizeof(*here));
    double *elsewhere = mem_new(subjects, sizeof(*elsewhere));
    double result;

    for (size_t i = 0; i < subjects; i++) {
        const struct zoo_result *results = &zoo->results[i * zoo->task_count];

        for (size_t other = 0; other < zoo->task_count; other++)
            *(other == task ? &here[i] : &elsewhere[i]) += results[other].right;
    }
    result = statistics_correlation(here, elsewhere, subjects);
    free(elsewhere);
    free(here);
    return result;
}

static void count_task(const struct policy_zoo *zoo, size_t task,
                       struct zoo_task_row *row)
{
    size_t subjects = zoo_policy_count * zoo->config_count;
    size_t right = 0;

    for (size_t i = 0; i < subjects; i++)
        right += zoo->results[i * zoo->task_count + task].right;
    row->task = zoo->tasks[task];
    row->success = statistics_rate(right, subjects);
    row->discrimination = discrimination(zoo, task);
    row->poor = isnan(row->discrimination) ||
                row->discrimination < ZOO_DISCRIMINATION_MIN;
}

static double order_of(const struct zoo_task_row *row)
{
    return isnan(row->discrimination) ? -1 : row->discrimination;
}

static int compare_tasks(const void *one, const void *other)
{
    double a = order_of(one);
    double b = order_of(other);

    return a != b ? (a > b) - (a < b)
                  : strcmp(((const struct zoo_task_row *)one)->task->id,
                           ((const struct zoo_task_row *)other)->task->id);
}

/* ---- both ---- */

void zoo_table_make(const struct policy_zoo *zoo, struct zoo_table *table)
{
    *table = (struct zoo_table){
        .policies = mem_new(zoo_policy_count, sizeof(*table->policies)),
        .tasks = mem_new(zoo->task_count, sizeof(*table->tasks)),
        .task_count = zoo->task_count,
    };
    for (size_t i = 0; i < zoo_policy_count; i++)
        count_policy(zoo, i, &table->policies[i]);
    for (size_t i = 0; i < zoo->task_count; i++)
        count_task(zoo, i, &table->tasks[i]);
    qsort(table->policies, zoo_policy_count, sizeof(*table->policies),
          compare_policies);
    qsort(table->tasks, zoo->task_count, sizeof(*table->tasks), compare_tasks);
}

void zoo_table_release(struct zoo_table *table)
{
    free(table->policies);
    free(table->tasks);
    *table = (struct zoo_table){.policies = NULL};
}
