/* The results of a run, as a report reads them. */
#include "judge/report_sheets.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

#include "base/mem.h"

/* What is read is counted, too; a ledger in memory has no tasks to read. */
static void count(struct ledger *ledger)
{
    struct report_sheets sheets;
    struct report report;

    ledger->runs = mem_new(1, sizeof(*ledger->runs));
    ledger->runs[ledger->run_count++].folder = mem_dup("runs/a");
    for (size_t i = 0; i < ledger->count; i++) {
        if (!ledger->entries[i].agent)
            ledger->entries[i].agent = mem_dup("unknown");
        if (ledger->entries[i].ending == ENDING_COMPLETE)
            ledger->entries[i].verdict.outcome = OUTCOME_SUCCESS;
    }
    report_init(&report, ledger);
    report_sheets(&report, &sheets);
    report_sheets_release(&sheets);
    report_release(&report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ledger ledger = LEDGER_INIT;
    struct err err;

    if (ledger_parse_results(&ledger, 0, (const char *)data, size, &err))
        count(&ledger);
    ledger_release(&ledger);
    return 0;
}
