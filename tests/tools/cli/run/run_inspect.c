#include "tests/tools/cli/run/run_inspect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/json.h"
#include "tests/tools/cli/command_run.h"

#define TRUTH_MAX ((size_t)16 << 20)

/* The exit code of a run with void attempts; other errors have it, too. */
#define EXIT_VOID 1

/*
 * An attempt that types, or waits for a stopwatch, uses many services in a row:
 * with one in ten dropped, it may be void several times.
 */
#define RETRIES_MAX 5

void run_inspect_results(const char *run, size_t count,
                         struct run_results *results)
{
    struct err err = ERR_INIT;

    if (!run_results_load(run, results, &err))
        fail_msg("%s", err.text);
    assert_int_equal(results->count, count);
}

bool run_inspect_truth(const char *run, const struct run_result *result)
{
    struct buf path = BUF_INIT(4096);
    struct buf text = BUF_INIT(TRUTH_MAX);
    struct cJSON *tree = NULL;
    struct json root = JSON_NONE;
    struct err err = ERR_INIT;
    bool met = false;

    buf_printf(&path, "%s/%s/truth.json", run, result->episode);
    if (!file_load(buf_cstr(&path), &text, &err) ||
        !json_parse(buf_cstr(&text), text.length, &tree, &err))
        fail_msg("%s", err.text);
    root.value = tree;
    if (!json_get_bool(&root, "met", &met, &err))
        fail_msg("%s", err.text);
    cJSON_Delete(tree);
    buf_release(&text);
    buf_release(&path);
    return met;
}

void run_inspect_all(const char *run, size_t count, bool met)
{
    struct run_results results;

    run_inspect_results(run, count, &results);
    for (size_t i = 0; i < results.count; i++) {
        const struct run_result *result = &results.items[i];

        if (result->ending == ENDING_VOID)
            fail_msg("%s is void: %s", result->episode, result->reason);
        if (run_inspect_truth(run, result) != met)
            fail_msg("%s was %sdone, and should %shave been", result->episode,
                     met ? "not " : "", met ? "" : "not ");
    }
    run_results_release(&results);
}

/* Fails the test unless everything is done at the end. */
static void run_to_the_end(const char *script, const char *name, size_t count)
{
    struct command_run run = {0};
    char text[256];

    command_run(&run, NULL, script);
    snprintf(text, sizeof(text), "are void; repeat them with: proctor retry %s",
             name);
    for (int i = 0; run.status == EXIT_VOID && i < RETRIES_MAX; i++) {
        SAYS(run.errors, text);
        command_run(&run, NULL, strstr(text, "proctor retry"));
    }
    command_run_expect(&run, 0, script, __FILE__, __LINE__);
    snprintf(text, sizeof(text), "all %zu are done", count);
    SAYS(run.errors, text);
    snprintf(text, sizeof(text), "proctor check %s", name);
    RUN(&run, 0, text);
    command_run_release(&run);
}

static bool is_done_before(const struct run_results *results, size_t at)
{
    for (size_t i = 0; i < at; i++) {
        if (results->items[i].ending != ENDING_VOID &&
            !strcmp(results->items[i].task, results->items[at].task))
            return true;
    }
    return false;
}

void run_inspect_none_lost(const char *script, const char *run, size_t count)
{
    struct run_results results;
    struct err err = ERR_INIT;
    size_t met = 0;

    run_to_the_end(script, run, count);
    if (!run_results_load(run, &results, &err))
        fail_msg("%s", err.text);
    for (size_t i = 0; i < results.count; i++) {
        const struct run_result *result = &results.items[i];

        if (is_done_before(&results, i))
            fail_msg("%s was done already", result->episode);
        if (result->ending == ENDING_VOID)
            continue;
        if (!run_inspect_truth(run, result))
            fail_msg("%s was not done", result->episode);
        met++;
    }
    assert_int_equal(met, count);
    run_results_release(&results);
}
