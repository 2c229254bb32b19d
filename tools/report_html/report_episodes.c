#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "tools/report_html/html.h"
#include "tools/report_html/report_parts.h"

#define WHY_CHARACTERS 110 /* of a reason in the list: about two lines */

/* ---- which come first, and which are shown ---- */

struct episode_place {
    const struct judged_attempt *entry;
    size_t index;
    size_t row;
};

static int by_task(const void *a, const void *b)
{
    const struct episode_place *x = a, *y = b;
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

/* Unsuccessful episodes come first, and repeats after first tries. */
static int by_interest(const void *a, const void *b)
{
    static const int ranks[OUTCOMES] = {
        [OUTCOME_FAILURE] = 0,  [OUTCOME_UNCOMPLETED] = 0,
        [OUTCOME_UNSCORED] = 1, [OUTCOME_SUCCESS] = 2,
        [OUTCOME_VOID] = 3,
    };
    const struct episode_place *x = a, *y = b;
    int difference =
        ranks[x->entry->verdict.outcome] - ranks[y->entry->verdict.outcome];

    if (!difference)
        difference = x->entry->repeat - y->entry->repeat;
    return difference ? difference : by_task(a, b);
}

static void show(struct report_episodes *episode_list,
                 const struct episode_place *places, size_t screens)
{
    for (size_t i = 0; i < episode_list->report->judged->count; i++) {
        struct episode_data *episode_data =
            &episode_list->items[places[i].index];
        size_t wanted =
            episode_data_wants(episode_data, &episode_list->thumbnails);

        if (episode_list->thumbnails.count + wanted > screens)
            continue;
        episode_data_show(episode_data, &episode_list->thumbnails);
        episode_list->shown += episode_data->shown;
    }
}

void report_episodes_init(struct report_episodes *episode_list,
                          const struct report *report, size_t screens)
{
    const struct judged_runs *judged = report->judged;
    struct episode_place *places = mem_new(judged->count + 1, sizeof(*places));

    *episode_list = (struct report_episodes){.report = report};
    thumbnails_init(&episode_list->thumbnails);
    episode_list->order =
        mem_new(judged->count + 1, sizeof(*episode_list->order));
    episode_list->items =
        mem_new(judged->count + 1, sizeof(*episode_list->items));
    for (size_t i = 0; i < judged->count; i++) {
        const struct judged_attempt *entry = &judged->entries[i];

        episode_data_load(&episode_list->items[i], &judged->runs[entry->run],
                          entry);
        places[i] = (struct episode_place){entry, i, report->entry_row[i]};
    }
    qsort(places, judged->count, sizeof(*places), by_task);
    for (size_t i = 0; i < judged->count; i++)
        episode_list->order[i] = places[i].index;
    qsort(places, judged->count, sizeof(*places), by_interest);
    if (screens)
        show(episode_list, places, screens);
    free(places);
}

void report_episodes_release(struct report_episodes *episode_list)
{
    for (size_t i = 0; i < episode_list->report->judged->count; i++)
        episode_data_release(&episode_list->items[i]);
    thumbnails_release(&episode_list->thumbnails);
    free(episode_list->order);
    free(episode_list->items);
}

/* ---- the list ---- */

static void attribute(struct buf *html, const char *name, const char *value)
{
    buf_printf(html, " %s=\"", name);
    html_text(html, value);
    buf_byte(html, '"');
}

/* "repeat 2, attempt 1": distinguishes it from others of its task. */
static void which(struct buf *html, const struct judged_attempt *entry)
{
    if (entry->repeat)
        buf_printf(html, " · repeat %d", entry->repeat + 1);
    if (entry->attempt)
        buf_printf(html, " · attempt %d", entry->attempt + 1);
    if (!entry->counts)
        buf_text(html, " · replaced by a later attempt");
}

static void facts(struct buf *html, const struct judged_attempt *entry)
{
    const struct verdict *verdict = &entry->verdict;
    struct report_table_cell time =
        report_table_value((double)entry->duration_ms / 1000);
    char text[REPORT_TABLE_TEXT_MAX];

    report_table_text(&time, REPORT_TABLE_SECONDS, false, text);
    buf_text(html, "<span class=\"facts\">");
    if (verdict->need_count)
        buf_printf(html, "<span>%zu/%zu points</span>", verdict->met,
                   verdict->need_count);
    if (verdict->checklist_count)
        buf_printf(html, "<span>checklist %zu/%zu</span>",
                   verdict->checklist_met, verdict->checklist_count);
    buf_printf(html, "<span>%d%s", entry->steps,
               entry->steps == 1 ? " step" : " steps");
    if (verdict->gold_steps > 0)
        buf_printf(html, " (gold %d)", verdict->gold_steps);
    if (entry->raw_commands)
        buf_printf(html, ", %d outside the UI", entry->raw_commands);
    if (entry->person_actions)
        buf_printf(html, ", %d by a person", entry->person_actions);
    buf_printf(html, "</span><span>%s</span></span>", text);
}

static const char *why(const struct judged_attempt *entry)
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
    return entry->judged ? "" : "not judged yet";
}

/*
 * The beginning of a text, cut behind a word; one without blanks is cut behind
 * a character.
 */
static void shorten(const char *text, struct buf *shortened)
{
    size_t length = strlen(text);
    size_t at = 0;
    size_t blank = 0; /* behind the last whole word */

    for (size_t count = 0; at < length && count < WHY_CHARACTERS; count++) {
        size_t bytes;

        (void)utf8_decode(text + at, length - at, &bytes);
        if (text[at] == ' ' || text[at] == '\n')
            blank = at;
        at += bytes;
    }
    if (at == length) {
        buf_text(shortened, text);
        return;
    }
    buf_append(shortened, text, blank > at / 2 ? blank : at);
    buf_text(shortened, " …");
}

static void reason(struct buf *html, const char *text)
{
    struct buf shortened = BUF_INIT(8 * WHY_CHARACTERS);

    shorten(text, &shortened);
    buf_text(html, "<span class=\"why\"");
    if (strcmp(buf_cstr(&shortened), text) != 0)
        attribute(html, "title", text);
    buf_byte(html, '>');
    html_text(html, buf_cstr(&shortened));
    buf_text(html, "</span>");
    buf_release(&shortened);
}

void report_episode(struct buf *html,
                    const struct report_episodes *episode_list, size_t place)
{
    size_t index = episode_list->order[place];
    const struct judged_attempt *entry =
        &episode_list->report->judged->entries[index];
    size_t row = episode_list->report->entry_row[index];
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
    html_text(html, episode_list->report->rows[row].label);
    which(html, entry);
    buf_text(html, "</span></span>");
    facts(html, entry);
    reason(html, why(entry));
    buf_text(html, "</summary></details>\n");
}

void report_episode_data(struct buf *html,
                         const struct report_episodes *episode_list,
                         size_t place)
{
    size_t index = episode_list->order[place];
    const struct judged_runs *judged = episode_list->report->judged;
    const struct judged_attempt *entry = &judged->entries[index];
    struct cJSON *tree = episode_data_json(&episode_list->items[index],
                                           &judged->runs[entry->run], entry,
                                           &episode_list->thumbnails);

    buf_printf(html, "<script type=\"application/json\" id=\"d%zu\">", place);
    html_json(html, tree);
    buf_text(html, "</script>\n");
    cJSON_Delete(tree);
}
