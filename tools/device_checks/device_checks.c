#include "tools/device_checks/device_checks.h"

#include <stdlib.h>

#include "base/macros.h"
#include "base/mem.h"
#include "tools/device_checks/device_check.h"

#define CHECK_MS 60000
#define PROBE_MS 10000

static const struct device_check_group *const groups[] = {
    &connection_checks, &phone_checks,  &shell_checks, &file_checks,
    &stream_checks,     &screen_checks, &input_checks,
};

static size_t count_checks(void)
{
    size_t count = 0;

    for (size_t i = 0; i < ARRAY_LEN(groups); i++)
        count += groups[i]->count;
    return count;
}

/*
 * Bytes of every value and in no order, but every second page repeats one
 * byte, so that there is something to compress.
 */
static uint8_t *make_data(void)
{
    uint8_t *data = mem_new(CHECK_DATA_SIZE, 1);
    uint32_t state = 0x9e3779b9; /* of a xorshift generator */

    for (size_t i = 0; i < CHECK_DATA_SIZE; i++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        data[i] = i & 4096 ? (uint8_t)(i >> 13) : (uint8_t)(state >> 24);
    }
    return data;
}

/* Does the phone still answer? A failed check alone does not show that. */
static bool probe(struct device_check_context *test, struct err *err)
{
    struct deadline by = deadline_in_ms(PROBE_MS);
    struct shell_result result;
    struct err why;

    if (shell_run(test->device, "echo", 4096, by, &result, &why)) {
        shell_result_release(&result);
        return true;
    }
    return err_set(err, ERR_LOST, "the phone does not answer any more: %s",
                   why.text);
}

static enum check_outcome outcome_of(const struct device_check *check,
                                     bool passed, enum err_code code)
{
    if (passed)
        return CHECK_PASSED;
    if ((code == ERR_REFUSED || code == ERR_UNSUPPORTED) && !check->required)
        return CHECK_NOT_OFFERED;
    return CHECK_FAILED;
}

/* Fails only when there is no sense in going on. */
static bool make_check(struct device_check_context *test, const char *topic,
                       const struct device_check *check, struct err *err)
{
    int64_t start = clock_ns();
    enum check_outcome outcome;
    struct err why = ERR_INIT;
    bool passed;

    test->detail[0] = '\0';
    passed = check->run(test, &why);
    if (cancel_fired(test->cancel))
        return err_set(err, ERR_CANCELLED, "interrupted");
    outcome = outcome_of(check, passed, why.code);
    check_results_add_check(test->check_results, topic, check->name, outcome,
                            clock_ns() - start,
                            passed ? test->detail : why.text);
    return outcome != CHECK_FAILED || probe(test, err);
}

static bool make_all(struct device_check_context *test,
                     const struct device_checks_options *options,
                     struct err *err)
{
    size_t count = count_checks();
    size_t done = 0;

    for (size_t i = 0; i < ARRAY_LEN(groups); i++) {
        for (size_t k = 0; k < groups[i]->count; k++) {
            const struct device_check *check = &groups[i]->checks[k];

            if (deadline_passed(options->by))
                return err_set(err, ERR_TIMEOUT,
                               "the time given by --timeout is over");
            if (options->progress)
                options->progress(options->context, done++, count, check->name);
            test->by = deadline_sooner(options->by, deadline_in_ms(CHECK_MS));
            if (!make_check(test, groups[i]->topic, check, err))
                return false;
        }
    }
    return true;
}

bool device_checks_run(const struct device_checks_options *options,
                       struct cleanup_list *cleanup_list,
                       struct check_results *check_results, struct err *err)
{
    uint8_t *data = make_data();
    struct device_check_context test = {
        .device = options->device,
        .cancel = options->cancel,
        .cleanup_list = cleanup_list,
        .check_results = check_results,
        .data = data,
    };
    bool done = make_all(&test, options, err);

    if (!done)
        check_results_end_early(check_results, err->text);
    free(data);
    return done;
}

void device_checks_clean_up(struct cleanup_list *cleanup_list,
                            struct device *device, struct deadline by,
                            struct check_results *check_results)
{
    int64_t start = clock_ns();
    struct err err = {.code = ERR_LOST, .text = "the phone is out of reach"};
    bool made = cleanup_list->directory[0] || cleanup_list->socket[0];
    bool done =
        !made || (device && cleanup_list_erase(cleanup_list, device, by, &err));

    check_results_add_check(
        check_results, "Afterwards", "clean-up",
        done ? CHECK_PASSED : CHECK_FAILED, clock_ns() - start,
        done ? made ? "all that was made on the phone is gone"
                    : "nothing was made on the phone"
             : err.text);
    if (cleanup_list->directory[0])
        check_results_add_made(check_results, "directory",
                               cleanup_list->directory,
                               cleanup_list->directory_removed);
    if (cleanup_list->socket[0])
        check_results_add_made(check_results, "listening socket",
                               cleanup_list->socket,
                               cleanup_list->socket_removed);
}
