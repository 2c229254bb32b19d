#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/web/html.h"
#include "tools/web/report_parts.h"

/* ---- which come first, and which are shown ---- */

struct place {
    const struct ledger_entry *entry;
    size_t index;
    size_t row;
};

static int by_task(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    int difference = strcmp(x->entry->task, y->entry->task);

    if (!difference)
        difference = (x->row > y->row) - (x->row < y->row);
    if (!difference)
        difference = x->entry->repeat - y->entry->repeat;
    if (!difference)
        difference = x->entry->attempt - y->entry->attempt;
    return difference ? difference
                      : (x->index > y->index) - (x->index < y->index);
}

/* What did not succeed is looked at first, and repeats after first tries. */
static int by_interest(const void *a, const void *b)
{
    static const int ranks[OUTCOMES] = {
        [OUTCOME_FAILURE] = 0,  [OUTCOME_UNCOMPLETED] = 0,
        [OUTCOME_UNSCORED] = 1, [OUTCOME_SUCCESS] = 2,
        [OUTCOME_VOID] = 3,
    };
    const struct place *x = a, *y = b;
    int difference =
        ranks[x->entry->verdict.outcome] - ranks[y->entry->verdict.outcome];

    if (!difference)
        difference = x->entry->repeat - y->entry->repeat;
    return difference ? difference : by_task(a, b);
}

static void show(struct report_reel *reel, const struct place *places,
                 size_t screens)
{
    for (size_t i = 0; i < reel->report->ledger->count; i++) {
        struct strip *strip = &reel->strips[places[i].index];
        size_t wanted = strip_wants(strip, &reel->thumbs);

        if (reel->thumbs.count + wanted > screens)
            continue;
        strip_show(strip, &reel->thumbs);
        reel->shown += strip->shown;
    }
}

void report_reel_init(struct report_reel *reel, const struct report *report,
                      size_t screens)
{
    const struct ledger *ledger = report->ledger;
    struct place *places = mem_new(ledger->count + 1, sizeof(*places));

    *reel = (struct report_reel){.report = report};
    thumbs_init(&reel->thumbs);
    reel->order = mem_new(ledger->count + 1, sizeof(*reel->order));
    reel->strips = mem_new(ledger->count + 1, sizeof(*reel->strips));
    for (size_t i = 0; i < ledger->count; i++) {
        const struct ledger_entry *entry = &ledger->entries[i];

        strip_load(&reel->strips[i], &ledger->runs[entry->run], entry);
        places[i] = (struct place){entry, i, report->entry_row[i]};
    }
    qsort(places, ledger->count, sizeof(*places), by_task);
    for (size_t i = 0; i < ledger->count; i++)
        reel->order[i] = places[i].index;
    qsort(places, ledger->count, sizeof(*places), by_interest);
    if (screens)
        show(reel, places, screens);
    free(places);
}

void report_reel_release(struct report_reel *reel)
{
    for (size_t i = 0; i < reel->report->ledger->count; i++)
        strip_release(&reel->strips[i]);
    thumbs_release(&reel->thumbs);
    free(reel->order);
    free(reel->strips);
}

/* ---- the list ---- */

static void attribute(struct buf *html, const char *name, const char *value)
{
    buf_printf(html, " %s=\"", name);
    html_text(html, value);
    buf_byte(html, '"');
}

/* "repeat 2, attempt 1": what tells it from the others of its task. */
static void which(struct buf *html, const struct ledger_entry *entry)
{
    if (entry->repeat)
        buf_printf(html, " · repeat %d", entry->repeat + 1);
    if (entry->attempt)
        buf_printf(html, " · attempt %d", entry->attempt + 1);
    if (!entry->counts)
        buf_text(html, " · replaced by a later attempt");
}

static void facts(struct buf *html, const struct ledger_entry *entry)
{
    const struct verdict *verdict = &entry->verdict;
    struct sheet_cell time = sheet_value((double)entry->duration_ms / 1000);
    char text[SHEET_TEXT_MAX];

    sheet_text(&time, SHEET_SECONDS, false, text);
    buf_text(html, "<span class=\"facts\">");
    if (verdict->need_count)
        buf_printf(html, "<span>%zu/%zu points</span>", verdict->met,
                   verdict->need_count);
    buf_printf(html, "<span>%d%s", entry->steps,
               entry->steps == 1 ? " step" : " steps");
    if (verdict->gold_steps > 0)
        buf_printf(html, " (gold %d)", verdict->gold_steps);
    buf_printf(html, "</span><span>%s</span></span>", text);
}

static const char *why(const struct ledger_entry *entry)
{
    if (entry->verdict.outcome == OUTCOME_VOID && entry->reason)
        return entry->reason;
    if (entry->verdict.failure.class_ != FAILURE_NONE &&
        entry->verdict.outcome != OUTCOME_SUCCESS)
        return report_failure_words(entry->verdict.failure.class_);
    if (entry->verdict.reason)
        return entry->verdict.reason;
    if (entry->damage)
        return entry->damage;
    return entry->judged ? "" : "nobody judged it yet";
}

void report_episode(struct buf *html, const struct report_reel *reel,
                    size_t place)
{
    size_t index = reel->order[place];
    const struct ledger_entry *entry = &reel->report->ledger->entries[index];
    size_t row = reel->report->entry_row[index];
    const char *outcome = outcome_name(entry->verdict.outcome);

    buf_printf(html,
               "<details class=\"ep\" id=\"e%zu\" data-o=\"%s\" "
               "data-a=\"%zu\" data-k=\"%s\"",
               place, outcome, row, task_kind_name(entry->kind));
    attribute(html, "data-t", entry->task);
    buf_printf(html, "><summary><span class=\"tag o-%s\">%s</span>", outcome,
               outcome);
    buf_text(html, "<span class=\"what\"><b>");
    html_text(html, entry->task);
    buf_text(html, "</b><span class=\"who\">");
    html_text(html, reel->report->rows[row].label);
    which(html, entry);
    buf_text(html, "</span></span>");
    facts(html, entry);
    buf_text(html, "<span class=\"why\">");
    html_text(html, why(entry));
    buf_text(html, "</span></summary></details>\n");
}

void report_episode_data(struct buf *html, const struct report_reel *reel,
                         size_t place)
{
    size_t index = reel->order[place];
    const struct ledger *ledger = reel->report->ledger;
    const struct ledger_entry *entry = &ledger->entries[index];
    struct cJSON *tree = strip_json(
        &reel->strips[index], &ledger->runs[entry->run], entry, &reel->thumbs);

    buf_printf(html, "<script type=\"application/json\" id=\"d%zu\">", place);
    html_json(html, tree);
    buf_text(html, "</script>\n");
    cJSON_Delete(tree);
}
