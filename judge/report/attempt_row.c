#include "judge/report/attempt_row.h"

#include <assert.h>

static struct attempt_cell *add(struct attempt_row *row, const char *name,
                                enum attempt_cell_kind kind)
{
    struct attempt_cell *cell;

    assert(row->count < ATTEMPT_COLUMNS);
    cell = &row->cells[row->count++];
    *cell = (struct attempt_cell){.name = name, .kind = kind};
    return cell;
}

static void add_text(struct attempt_row *row, const char *name,
                     const char *text)
{
    add(row, name, ATTEMPT_CELL_TEXT)->text = text;
}

static void add_whole(struct attempt_row *row, const char *name, int64_t whole)
{
    add(row, name, ATTEMPT_CELL_WHOLE)->whole = whole;
}

/* Identifies the attempt. */
static void add_place(struct attempt_row *row, const struct judged_run *run,
                      const struct judged_attempt *entry)
{
    add_text(row, "run", run->id ? run->id : run->folder);
    add_text(row, "agent", entry->agent);
    add_text(row, "phone", entry->phone);
    add_whole(row, "builtin", entry->builtin);
    add_text(row, "task", entry->task);
    add_whole(row, "repeat", entry->repeat);
    add_whole(row, "attempt", entry->attempt);
    add_whole(row, "counts", entry->counts);
}

static void add_task(struct attempt_row *row,
                     const struct judged_attempt *entry)
{
    add_text(row, "app", entry->app);
    add_text(row, "kind", task_kind_name(entry->kind));
    add_text(row, "locale", entry->locale);
    add_text(row, "category", entry->category);
    add_whole(row, "level", entry->level);
    add_text(row, "difficulty", task_difficulty_name(entry->difficulty));
    add_text(row, "wording", entry->wording);
}

static void add_verdict(struct attempt_row *row, const struct verdict *verdict)
{
    enum failure_class failure = verdict->failure.class_;

    add_text(row, "judge", verdict->judge);
    add_text(row, "outcome", outcome_name(verdict->outcome));
    add_whole(row, "early_stop", verdict->early_stop);
    add_text(row, "failure",
             failure == FAILURE_NONE ? NULL : failure_class_name(failure));
    add_whole(row, "met", (int64_t)verdict->met);
    add_whole(row, "needed", (int64_t)verdict->need_count);
    add_whole(row, "checklist_met", (int64_t)verdict->checklist_met);
    add_whole(row, "checklist", (int64_t)verdict->checklist_count);
}

static void add_effort(struct attempt_row *row,
                       const struct judged_attempt *entry)
{
    add_whole(row, "steps", entry->steps);
    add_whole(row, "raw_commands", entry->raw_commands);
    add_whole(row, "person_actions", entry->person_actions);
    add_whole(row, "gold_steps", entry->verdict.gold_steps);
    add_whole(row, "duration_ms", entry->duration_ms);
    add_whole(row, "input_tokens", entry->input_tokens);
    add_whole(row, "cached_tokens", entry->cached_tokens);
    add_whole(row, "output_tokens", entry->output_tokens);
    add(row, "cost", ATTEMPT_CELL_NUMBER)->number = entry->cost;
}

void attempt_row(const struct judged_run *run,
                 const struct judged_attempt *entry, struct attempt_row *row)
{
    row->count = 0;
    add_place(row, run, entry);
    add_task(row, entry);
    add_verdict(row, &entry->verdict);
    add_effort(row, entry);
    add_text(row, "ending", trajectory_ending_name(entry->ending));
    add_text(row, "reason", entry->reason);
    add_text(row, "verdict_reason",
             entry->damage ? entry->damage : entry->verdict.reason);
    add_text(row, "episode", entry->folder);
    assert(row->count == ATTEMPT_COLUMNS);
}
