#include "tools/selftest/selftest.h"

#include <stdlib.h>

#include "base/macros.h"
#include "base/mem.h"
#include "tools/selftest/check.h"

#define CHECK_MS 60000
#define PROBE_MS 10000

static const struct check_group *const groups[] = {
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

/* Is anybody there? A failed check alone does not tell. */
static bool probe(struct selftest *test, struct err *err)
{
    struct deadline by = deadline_in_ms(PROBE_MS);
    struct shell_result result;
    struct err why;

    if (shell_run(test->device, "echo", 4096, by, &result, &why)) {
        shell_result_release(&result);
        return true;
    }
    return err_set(err, ERR_LOST, "the phone answers no more: %s", why.text);
}

static enum trial_outcome outcome_of(const struct check *check, bool passed,
                                     enum err_code code)
{
    if (passed)
        return TRIAL_PASSED;
    if ((code == ERR_REFUSED || code == ERR_UNSUPPORTED) && !check->required)
        return TRIAL_NOT_OFFERED;
    return TRIAL_FAILED;
}

/* Fails only when there is no sense in going on. */
static bool make_check(struct selftest *test, const char *topic,
                       const struct check *check, struct err *err)
{
    int64_t start = clock_ns();
    enum trial_outcome outcome;
    struct err why = ERR_INIT;
    bool passed;

    test->words[0] = '\0';
    passed = check->run(test, &why);
    if (cancel_fired(test->cancel))
        return err_set(err, ERR_CANCELLED, "interrupted");
    outcome = outcome_of(check, passed, why.code);
    trial_add_check(test->trial, topic, check->name, outcome,
                    clock_ns() - start, passed ? test->words : why.text);
    return outcome != TRIAL_FAILED || probe(test, err);
}

static bool make_all(struct selftest *test,
                     const struct selftest_options *options, struct err *err)
{
    size_t count = count_checks();
    size_t done = 0;

    for (size_t i = 0; i < ARRAY_LEN(groups); i++) {
        for (size_t k = 0; k < groups[i]->count; k++) {
            const struct check *check = &groups[i]->checks[k];

            if (deadline_passed(options->by))
                return err_set(err, ERR_TIMEOUT, "the time given is over");
            if (options->progress)
                options->progress(options->context, done++, count, check->name);
            test->by = deadline_sooner(options->by, deadline_in_ms(CHECK_MS));
            if (!make_check(test, groups[i]->topic, check, err))
                return false;
        }
    }
    return true;
}

bool selftest_run(const struct selftest_options *options,
                  struct footprint *footprint, struct trial *trial,
                  struct err *err)
{
    uint8_t *data = make_data();
    struct selftest test = {
        .device = options->device,
        .cancel = options->cancel,
        .footprint = footprint,
        .trial = trial,
        .data = data,
    };
    bool done = make_all(&test, options, err);

    if (!done)
        trial_end_early(trial, err->text);
    free(data);
    return done;
}

void selftest_clean_up(struct footprint *footprint, struct device *device,
                       struct deadline by, struct trial *trial)
{
    int64_t start = clock_ns();
    struct err err = {.code = ERR_LOST, .text = "the phone is out of reach"};
    bool made = footprint->directory[0] || footprint->socket[0];
    bool done =
        !made || (device && footprint_erase(footprint, device, by, &err));

    trial_add_check(trial, "Afterwards", "clean-up",
                    done ? TRIAL_PASSED : TRIAL_FAILED, clock_ns() - start,
                    done ? made ? "all that was made on the phone is gone"
                                : "nothing was made on the phone"
                         : err.text);
    if (footprint->directory[0])
        trial_add_made(trial, "directory", footprint->directory,
                       footprint->directory_removed);
    if (footprint->socket[0])
        trial_add_made(trial, "listening socket", footprint->socket,
                       footprint->socket_removed);
}
