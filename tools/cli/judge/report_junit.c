#include "tools/cli/judge/report_junit.h"

#include "tools/report_html/html.h"

/* What HTML has for these characters holds in XML, too. */
static void put_attribute(struct buf *xml, const char *name, const char *value)
{
    buf_printf(xml, " %s=\"", name);
    html_text(xml, value ? value : "");
    buf_byte(xml, '"');
}

/* How an episode is shown; NULL: it passed. */
static const char *element_of(enum outcome outcome)
{
    switch (outcome) {
    case OUTCOME_SUCCESS:
        break;
    case OUTCOME_FAILURE:
    case OUTCOME_UNCOMPLETED:
        return "failure";
    case OUTCOME_UNSCORED:
        return "error";
    case OUTCOME_VOID:
        return "skipped";
    case OUTCOMES:
        break;
    }
    return NULL;
}

static const char *reason_of(const struct judged_attempt *entry)
{
    if (entry->damage)
        return entry->damage;
    if (entry->verdict.outcome == OUTCOME_VOID)
        return entry->reason;
    return entry->judged ? entry->verdict.reason : "not judged yet";
}

/* What was done, a line per step, as the judge read it. */
static void put_steps(struct buf *xml, const struct judged_attempt *entry)
{
    html_text(xml, entry->folder ? entry->folder : "");
    for (size_t i = 0; i < entry->verdict.process_count; i++) {
        buf_printf(xml, "\n%zu. ", i + 1);
        if (entry->verdict.process[i].description)
            html_text(xml, entry->verdict.process[i].description);
    }
}

static void put_case(struct buf *xml, const struct judged_attempt *entry)
{
    const char *element = element_of(entry->verdict.outcome);

    buf_text(xml, "    <testcase");
    put_attribute(xml, "classname", entry->agent);
    buf_text(xml, " name=\"");
    html_text(xml, entry->task);
    if (entry->repeat)
        buf_printf(xml, " #%d", entry->repeat + 1);
    buf_printf(xml, "\" time=\"%.3f\"", (double)entry->duration_ms / 1e3);
    if (!element) {
        buf_text(xml, "/>\n");
        return;
    }
    buf_printf(xml, ">\n      <%s", element);
    if (entry->verdict.outcome != OUTCOME_VOID)
        put_attribute(xml, "type", outcome_name(entry->verdict.outcome));
    put_attribute(xml, "message", reason_of(entry));
    buf_byte(xml, '>');
    put_steps(xml, entry);
    buf_printf(xml, "</%s>\n    </testcase>\n", element);
}

static void put_run(struct buf *xml, const struct judged_runs *judged,
                    size_t run)
{
    size_t counts[OUTCOMES] = {0};
    size_t all = 0;
    int64_t duration_ms = 0;

    for (size_t i = 0; i < judged->count; i++) {
        const struct judged_attempt *entry = &judged->entries[i];

        if (entry->run != run || !entry->counts)
            continue;
        all++;
        counts[entry->verdict.outcome]++;
        duration_ms += entry->duration_ms;
    }
    buf_text(xml, "  <testsuite");
    put_attribute(xml, "name", judged->runs[run].folder);
    buf_printf(xml,
               " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" "
               "skipped=\"%zu\" time=\"%.3f\">\n",
               all, counts[OUTCOME_FAILURE] + counts[OUTCOME_UNCOMPLETED],
               counts[OUTCOME_UNSCORED], counts[OUTCOME_VOID],
               (double)duration_ms / 1e3);
    for (size_t i = 0; i < judged->count; i++) {
        if (judged->entries[i].run == run && judged->entries[i].counts)
            put_case(xml, &judged->entries[i]);
    }
    buf_text(xml, "  </testsuite>\n");
}

void report_junit(const struct report *report, struct buf *xml)
{
    buf_text(xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<testsuites name=\"proctor\">\n");
    for (size_t i = 0; i < report->judged->run_count; i++)
        put_run(xml, report->judged, i);
    buf_text(xml, "</testsuites>\n");
}
