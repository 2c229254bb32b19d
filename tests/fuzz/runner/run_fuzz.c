/* Files of a run's folder: run.json and results.jsonl. */
#include "runner/run/run_file.h"
#include "tasks/trajectory/run_results.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct run_file file;
    struct run_results results;
    struct err err;

    if (run_file_parse((const char *)data, size, &file, &err))
        run_file_release(&file);
    if (run_results_parse((const char *)data, size, &results, &err))
        run_results_release(&results);
    return 0;
}
