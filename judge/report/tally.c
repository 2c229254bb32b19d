#include "judge/report/tally.h"

#include <math.h>

#include "judge/statistics/statistics.h"

static void sum_up(struct tally_sum *sum, double value)
{
    sum->sum += value;
    sum->count++;
}

static void add_cost(struct tally *tally, const struct judged_attempt *entry)
{
    sum_up(&tally->steps, entry->steps);
    sum_up(&tally->raw_commands, entry->raw_commands);
    sum_up(&tally->seconds, (double)entry->duration_ms / 1000);
    if (entry->input_tokens > 0)
        sum_up(&tally->input_tokens, (double)entry->input_tokens);
    if (entry->output_tokens > 0)
        sum_up(&tally->output_tokens, (double)entry->output_tokens);
    if (!isnan(entry->cost))
        sum_up(&tally->cost, entry->cost);
}

void tally_add(struct tally *tally, const struct judged_attempt *entry)
{
    const struct verdict *verdict = &entry->verdict;

    tally->outcomes[verdict->outcome]++;
    if (verdict->outcome == OUTCOME_VOID ||
        verdict->outcome == OUTCOME_UNSCORED)
        return;
    add_cost(tally, entry);
    tally->needs += verdict->need_count;
    tally->met += verdict->met;
    tally->questions += verdict->checklist_count;
    tally->answered += verdict->checklist_met;
    if (verdict->outcome == OUTCOME_SUCCESS) {
        if (verdict->gold_steps > 0)
            sum_up(&tally->over_gold,
                   (double)entry->steps / (double)verdict->gold_steps);
        return;
    }
    tally->failures[verdict->failure.class_]++;
    if (verdict->outcome == OUTCOME_UNCOMPLETED && verdict->early_stop)
        tally->early++;
}

size_t tally_scored(const struct tally *tally)
{
    return tally->outcomes[OUTCOME_SUCCESS] + tally->outcomes[OUTCOME_FAILURE] +
           tally->outcomes[OUTCOME_UNCOMPLETED];
}

size_t tally_all(const struct tally *tally)
{
    return tally_scored(tally) + tally->outcomes[OUTCOME_VOID] +
           tally->outcomes[OUTCOME_UNSCORED];
}

double tally_success(const struct tally *tally)
{
    return statistics_rate(tally->outcomes[OUTCOME_SUCCESS],
                           tally_scored(tally));
}

double tally_mean(const struct tally_sum *sum)
{
    return sum->count ? sum->sum / (double)sum->count : NAN;
}
