#include "tools/benchmark/harness/bench_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/json_write.h"

/* Where the columns of numbers begin. */
#define NAME_WIDTH 52

/* Above this load other programs take a core from the measured ones. */
#define LOAD_QUIET 0.5

void samples_add(struct samples *samples, double value)
{
    if (samples->count < BENCH_ROUNDS_MAX)
        samples->values[samples->count++] = value;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

double samples_median(const struct samples *samples)
{
    double sorted[BENCH_ROUNDS_MAX];
    size_t count = samples->count;

    if (!count)
        return (double)NAN;
    memcpy(sorted, samples->values, count * sizeof(*sorted));
    qsort(sorted, count, sizeof(*sorted), compare);
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

static double value_of(const struct bench_row *row, bool cpu)
{
    return samples_median(cpu ? &row->cpu_us : &row->wall_us);
}

static double goal_value(const struct goal *goal)
{
    double base = goal->base ? value_of(goal->base, goal->cpu) : 1;

    return value_of(goal->row, goal->cpu) / base;
}

static bool reaches(const struct goal *goal, double wanted)
{
    double value = goal_value(goal);

    return goal->kind == GOAL_AT_MOST ? value <= wanted : value >= wanted;
}

static const char *verdict(const struct goal *goal, double wanted)
{
    return reaches(goal, wanted) ? "reached" : "missed";
}

static void print_row(const struct bench_row *row, const struct bench_row *base,
                      FILE *out)
{
    double median = samples_median(&row->wall_us);

    if (!row->wall_us.count)
        return;
    fprintf(out, "  %-*s %10.1f", NAME_WIDTH, row->name, median);
    if (row != base || median > 0) /* of nothing there is no share */
        fprintf(out, " %8.2f", median / samples_median(&base->wall_us));
    if (row->cpu_us.count)
        fprintf(out, " %10.1f", samples_median(&row->cpu_us));
    fputc('\n', out);
}

static const char *unit_of(const struct bench_group *group)
{
    return group->unit ? group->unit : "us";
}

static void print_group(const struct bench_group *group, FILE *out)
{
    bool cpu = group->rows[group->count - 1].cpu_us.count;

    fprintf(out, "%-*s %10s %8s%s\n", NAME_WIDTH + 2, group->title,
            unit_of(group), "ratio", cpu ? "     CPU us" : "");
    for (size_t i = 0; i < group->count; i++)
        print_row(&group->rows[i], group->rows, out);
    fputc('\n', out);
}

static void print_goal(const struct goal *goal, FILE *out)
{
    fprintf(out, "  %-*s %2s %7.5g %8.2f  %s", NAME_WIDTH, goal->text,
            goal->kind == GOAL_AT_MOST ? "<=" : ">=", goal->wanted,
            goal_value(goal), verdict(goal, goal->wanted));
    if (goal->stretch > 0)
        fprintf(out, ", stretch %.4g %s", goal->stretch,
                verdict(goal, goal->stretch));
    fputc('\n', out);
}

/* The version without build details. */
static void get_system(struct utsname *system)
{
    uname(system);
    system->release[strcspn(system->release, "-")] = '\0';
}

static void print_table(const struct bench_report *report, FILE *out)
{
    struct utsname system;

    get_system(&system);
    fprintf(out,
            "%s: medians of %zu rounds; %ld cores, %s %s; load before: %.1f\n",
            report->name, report->groups->rows->wall_us.count,
            sysconf(_SC_NPROCESSORS_ONLN), system.sysname, system.release,
            report->load);
    if (report->load > LOAD_QUIET)
        fputs("The machine is busy: what runs on all cores is distorted.\n",
              out);
    fputc('\n', out);
    for (size_t i = 0; i < report->group_count; i++)
        print_group(&report->groups[i], out);
    fprintf(out, "%-*s %10s %8s\n", NAME_WIDTH + 2, "goals", "wanted", "is");
    for (size_t i = 0; i < report->goal_count; i++)
        print_goal(&report->goals[i], out);
}

static void add_group(struct cJSON *groups, const struct bench_group *group)
{
    struct cJSON *object = json_add_object(groups, NULL);
    struct cJSON *rows;

    json_add_string(object, "title", group->title);
    json_add_string(object, "unit", unit_of(group));
    rows = json_add_array(object, "rows");
    for (size_t i = 0; i < group->count; i++) {
        const struct bench_row *row = &group->rows[i];
        double median = samples_median(&row->wall_us);
        struct cJSON *one;

        if (!row->wall_us.count)
            continue;
        one = json_add_object(rows, NULL);
        json_add_string(one, "id", row->id);
        json_add_string(one, "name", row->name);
        json_add_number(one, "median", median);
        json_add_number(one, "ratio",
                        median / samples_median(&group->rows->wall_us));
        if (row->cpu_us.count)
            json_add_number(one, "cpu_us", samples_median(&row->cpu_us));
    }
}

static void add_goal(struct cJSON *goals, const struct goal *goal)
{
    struct cJSON *object = json_add_object(goals, NULL);

    json_add_string(object, "text", goal->text);
    json_add_string(object, "row", goal->row->id);
    if (goal->base)
        json_add_string(object, "base", goal->base->id);
    json_add_string(object, "of", goal->cpu ? "cpu" : "wall");
    json_add_number(object, goal->kind == GOAL_AT_MOST ? "at_most" : "at_least",
                    goal->wanted);
    if (goal->stretch > 0)
        json_add_number(object, "stretch", goal->stretch);
    json_add_number(object, goal->base ? "ratio" : "value", goal_value(goal));
    json_add_bool(object, "reached", reaches(goal, goal->wanted));
}

static bool print_json(const struct bench_report *report, FILE *out,
                       struct err *err)
{
    struct cJSON *root = json_new_object();
    struct utsname system;
    struct cJSON *groups;
    struct cJSON *goals;
    bool printed;

    get_system(&system);
    json_add_string(root, "benchmark", report->name);
    json_add_int(root, "rounds", (int64_t)report->groups->rows->wall_us.count);
    json_add_int(root, "cores", sysconf(_SC_NPROCESSORS_ONLN));
    json_add_string(root, "kernel", system.release);
    json_add_number(root, "load_before", report->load);
    groups = json_add_array(root, "groups");
    for (size_t i = 0; i < report->group_count; i++)
        add_group(groups, &report->groups[i]);
    goals = json_add_array(root, "goals");
    for (size_t i = 0; i < report->goal_count; i++)
        add_goal(goals, &report->goals[i]);
    printed = json_print(root, out, err);
    cJSON_Delete(root);
    return printed;
}

bool bench_report_print(const struct bench_report *report, bool json, FILE *out,
                        struct err *err)
{
    if (json)
        return print_json(report, out, err);
    print_table(report, out);
    return true;
}
