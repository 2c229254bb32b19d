/* What lies in a run's folder: run.json and results.jsonl. */
#include "runner/run_file.h"
#include "tasks/results.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct run_file file;
    struct results results;
    struct err err;

    if (run_file_parse((const char *)data, size, &file, &err))
        run_file_release(&file);
    if (results_parse((const char *)data, size, &results, &err))
        results_release(&results);
    return 0;
}
