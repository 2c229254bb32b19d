#include "judge/ledger.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "judge/ledger_private.h"
#include "tasks/jsonl.h"

static void release_run(struct ledger_run *run)
{
    for (size_t i = 0; i < run->judge_count; i++)
        free(run->judges[i].name);
    free(run->judges);
    free(run->folder);
    free(run->id);
    free(run->agent);
    free(run->suite);
    free(run->locale);
}

static void release_entry(struct ledger_entry *entry)
{
    free(entry->folder);
    free(entry->task);
    free(entry->agent);
    free(entry->phone);
    free(entry->app);
    free(entry->category);
    free(entry->locale);
    free(entry->instruction);
    free(entry->reason);
    verdict_release(&entry->verdict);
}

void ledger_release(struct ledger *ledger)
{
    ledger_shrink(ledger, 0, 0);
    free(ledger->entries);
    free(ledger->runs);
    *ledger = (struct ledger)LEDGER_INIT;
}

void ledger_shrink(struct ledger *ledger, size_t runs, size_t entries)
{
    while (ledger->count > entries)
        release_entry(&ledger->entries[--ledger->count]);
    while (ledger->run_count > runs)
        release_run(&ledger->runs[--ledger->run_count]);
}

/* ---- results.jsonl ---- */

bool ledger_text(const struct json *object, const char *key, char **text,
                 struct err *err)
{
    const char *found = NULL;

    if (!json_opt_string(object, key, &found, err))
        return false;
    if (found)
        *text = mem_dup(found);
    return true;
}

static bool read_count(const struct json *object, const char *key, int *count,
                       struct err *err)
{
    int64_t found = 0;

    if (!json_opt_int(object, key, 0, INT_MAX, &found, err))
        return false;
    *count = (int)found;
    return true;
}

/* Below the run's folder, and nowhere else. */
static bool is_inside(const char *folder)
{
    if (*folder == '/' || !*folder)
        return false;
    for (const char *part = folder; part; part = strchr(part, '/')) {
        part += *part == '/';
        if (!strncmp(part, "..", 2) && (!part[2] || part[2] == '/'))
            return false;
    }
    return true;
}

static bool read_ending(const struct json *line, struct ledger_entry *entry,
                        struct err *err)
{
    const char *name = NULL;

    if (!json_get_string(line, "ending", &name, err))
        return false;
    for (int i = 0; i < ENDING_KINDS; i++) {
        if (!strcmp(trajectory_ending_name((enum trajectory_ending)i), name)) {
            entry->ending = (enum trajectory_ending)i;
            return true;
        }
    }
    return err_set(err, ERR_INVALID, "ending: there is no \"%.20s\"", name);
}

static bool read_cost(const struct json *line, struct ledger_entry *entry,
                      struct err *err)
{
    return json_opt_int(line, "duration_ms", 0, JSON_INT_MAX,
                        &entry->duration_ms, err) &&
           json_opt_int(line, "input_tokens", 0, JSON_INT_MAX,
                        &entry->input_tokens, err) &&
           json_opt_int(line, "cached_tokens", 0, JSON_INT_MAX,
                        &entry->cached_tokens, err) &&
           json_opt_int(line, "output_tokens", 0, JSON_INT_MAX,
                        &entry->output_tokens, err) &&
           json_opt_number(line, "cost", &entry->cost, err);
}

static bool read_line(const struct json *line, struct ledger_entry *entry,
                      struct err *err)
{
    const char *task = NULL, *folder = NULL;

    if (!json_get_string(line, "task", &task, err) ||
        !json_get_string(line, "episode", &folder, err))
        return false;
    if (!is_inside(folder))
        return err_set(err, ERR_INVALID,
                       "episode: expected a folder below the run's");
    entry->task = mem_dup(task);
    entry->folder = mem_dup(folder);
    return read_count(line, "repeat", &entry->repeat, err) &&
           read_count(line, "attempt", &entry->attempt, err) &&
           read_count(line, "steps", &entry->steps, err) &&
           ledger_text(line, "agent", &entry->agent, err) &&
           ledger_text(line, "phone", &entry->phone, err) &&
           ledger_text(line, "reason", &entry->reason, err) &&
           read_ending(line, entry, err) && read_cost(line, entry, err);
}

static bool add_line(struct ledger *ledger, size_t run, struct cJSON *tree,
                     struct err *err)
{
    struct json line = JSON_ROOT(tree);
    struct ledger_entry *entry;

    if (ledger->count == LEDGER_ENTRIES_MAX)
        return err_set(err, ERR_LIMIT, "more than %zu episodes",
                       LEDGER_ENTRIES_MAX);
    if ((ledger->count & (ledger->count - 1)) == 0)
        ledger->entries =
            mem_resize(ledger->entries, ledger->count ? 2 * ledger->count : 1,
                       sizeof(*ledger->entries));
    entry = &ledger->entries[ledger->count++];
    *entry =
        (struct ledger_entry){.run = run, .cost = NAN, .verdict = VERDICT_INIT};
    entry->verdict.outcome = OUTCOME_UNSCORED;
    return read_line(&line, entry, err);
}

static bool same_place(const struct ledger_entry *a,
                       const struct ledger_entry *b)
{
    return a->repeat == b->repeat && !strcmp(a->task, b->task);
}

static int by_place(const void *a, const void *b)
{
    const struct ledger_entry *x = *(struct ledger_entry *const *)a;
    const struct ledger_entry *y = *(struct ledger_entry *const *)b;
    int difference = strcmp(x->task, y->task);

    if (!difference)
        difference = (x->repeat > y->repeat) - (x->repeat < y->repeat);
    /* What is not void comes last. */
    if (!difference)
        difference = (y->ending == ENDING_VOID) - (x->ending == ENDING_VOID);
    if (!difference)
        difference = (x->attempt > y->attempt) - (x->attempt < y->attempt);
    return difference ? difference : (x > y) - (x < y);
}

/* The last attempt that is not void counts, or else the last. */
static void choose_attempts(struct ledger *ledger, size_t first)
{
    size_t count = ledger->count - first;
    struct ledger_entry **sorted =
        mem_new(count + 1, sizeof(struct ledger_entry *));

    for (size_t i = 0; i < count; i++)
        sorted[i] = &ledger->entries[first + i];
    qsort(sorted, count, sizeof(struct ledger_entry *), by_place);
    for (size_t i = 0; i < count; i++)
        sorted[i]->counts =
            i + 1 == count || !same_place(sorted[i], sorted[i + 1]);
    free(sorted);
}

static bool read_results(struct ledger *ledger, size_t run,
                         struct jsonl_reader *reader, struct err *err)
{
    struct cJSON *tree = NULL;
    size_t first = ledger->count;

    for (;;) {
        bool done;

        if (!jsonl_next(reader, &tree, err))
            return false;
        if (!tree)
            break;
        done = add_line(ledger, run, tree, err);
        cJSON_Delete(tree);
        if (!done)
            return err_wrap(err, "line %d", reader->line);
    }
    choose_attempts(ledger, first);
    return true;
}

bool ledger_parse_results(struct ledger *ledger, size_t run, const char *text,
                          size_t length, struct err *err)
{
    struct jsonl_reader reader = JSONL_READER_INIT;
    size_t before = ledger->count;
    bool done;

    buf_append(&reader.text, text, length);
    done = reader.text.overflow ? err_set(err, ERR_LIMIT, "too many results")
                                : read_results(ledger, run, &reader, err);
    jsonl_reader_release(&reader);
    if (!done)
        ledger_shrink(ledger, ledger->run_count, before);
    return done;
}
