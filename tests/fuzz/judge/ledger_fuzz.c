/* The results of a run, as a report reads them. */
#include "judge/report/report_tables.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

#include "base/mem.h"

/* Parsed results are counted, too; a list in memory has no tasks to read. */
static void count(struct judged_runs *judged)
{
    struct report_tables sheets;
    struct report report;

    judged->runs = mem_new(1, sizeof(*judged->runs));
    judged->runs[judged->run_count++].folder = mem_dup("runs/a");
    for (size_t i = 0; i < judged->count; i++) {
        if (!judged->entries[i].agent)
            judged->entries[i].agent = mem_dup("unknown");
        if (judged->entries[i].ending == ENDING_COMPLETE)
            judged->entries[i].verdict.outcome = OUTCOME_SUCCESS;
    }
    report_init(&report, judged);
    report_tables(&report, &sheets);
    report_tables_release(&sheets);
    report_release(&report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct judged_runs judged = JUDGED_RUNS_INIT;
    struct err err;

    if (judged_runs_parse_results(&judged, 0, (const char *)data, size, &err))
        count(&judged);
    judged_runs_release(&judged);
    return 0;
}
