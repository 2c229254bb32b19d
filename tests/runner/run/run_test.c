/* Runs whose phones are lost and return. */
#include "runner/run/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "tasks/task/suite.h"
#include "tasks/task/task.h"
#include "tests/support/scratch_folder.h"
#include "tools/phone_source/phone_source.h"

#define REPEATS 8
#define ALONE_MS 500 /* in place of a minute */

/* ---- a source whose phones are lost, temporarily or permanently ---- */

struct flaky {
    struct device_source source;
    struct device_source *real;
    int losses;   /* of the first phone, while it is refreshed */
    int absences; /* how often it is then missing */
    bool empty;   /* there is no phone at all */
    bool goes;    /* after `stays` episodes there is none any more */
    atomic_int stays;
};

static struct flaky *self_of(struct device_source *source)
{
    return (struct flaky *)source;
}

static bool is_first(const char *serial)
{
    return !strcmp(serial, "phone-0");
}

static bool acquire(struct device_source *source, const char *serial,
                    struct deadline by, struct device_lease **lease,
                    struct err *err)
{
    struct flaky *flaky = self_of(source);

    if (flaky->empty || (flaky->goes && flaky->stays <= 0))
        return err_set(err, ERR_UNREACHABLE, "%s is not there", serial);
    if (is_first(serial) && !flaky->losses && flaky->absences > 0) {
        flaky->absences--;
        return err_set(err, ERR_UNREACHABLE, "%s is not there", serial);
    }
    return flaky->real->ops->acquire(flaky->real, serial, by, lease, err);
}

static bool renew(struct device_source *source, struct device_lease *lease,
                  struct deadline by, struct err *err)
{
    struct device_source *real = self_of(source)->real;

    return real->ops->renew(real, lease, by, err);
}

static bool refresh(struct device_source *source, struct device_lease *lease,
                    const char *snapshot, const char *locale,
                    struct deadline by, struct err *err)
{
    struct flaky *flaky = self_of(source);

    if (flaky->goes && flaky->stays-- <= 0)
        return err_set(err, ERR_LOST, "%s was unplugged", lease->serial);
    if (is_first(lease->serial) && flaky->losses > 0) {
        flaky->losses--;
        return err_set(err, ERR_LOST, "%s was unplugged", lease->serial);
    }
    return flaky->real->ops->refresh(flaky->real, lease, snapshot, locale, by,
                                     err);
}

static void release(struct device_source *source, struct device_lease *lease)
{
    struct device_source *real = self_of(source)->real;

    real->ops->release(real, lease);
}

static void flaky_open(struct flaky *flaky)
{
    static const struct device_source_ops ops = {.acquire = acquire,
                                                 .renew = renew,
                                                 .refresh = refresh,
                                                 .release = release};
    const struct phone_source_options options = {.count = 2};
    struct err err = ERR_INIT;

    flaky->source.ops = &ops;
    if (!phone_source_open(&options, &flaky->real, &err))
        fail_msg("%s", err.text);
}

static void flaky_close(struct flaky *flaky)
{
    flaky->real->ops->close(flaky->real);
}

/* ---- a run of one task, repeated ---- */

struct seen {
    int troubles; /* the first phone was missing */
    int ended[2]; /* by phone */
    int voids[2]; /* the same */
};

static void count_trouble(void *context, const struct run_phone_state *state)
{
    struct seen *seen = context;

    seen->troubles += state->trouble != NULL;
}

static void count_result(void *context, const struct run_result *result,
                         const struct work_queue_state *state)
{
    struct seen *seen = context;
    int phone = is_first(result->phone) ? 0 : 1;

    (void)state;
    if (result->ending == ENDING_VOID)
        seen->voids[phone]++;
    else
        seen->ended[phone]++;
}

static bool run(struct flaky *flaky, const char *name, struct seen *seen,
                struct run_summary *summary, struct err *err)
{
    const struct agent_factory_options agents_options = {.in = -1};
    const struct run_phone phones[] = {
        {.source = &flaky->source, .serial = "phone-0", .ours = true},
        {.source = &flaky->source, .serial = "phone-1", .ours = true}};
    struct run_file file = {.id = mem_dup("a")};
    struct suite suite;
    const struct task *tasks[1];
    struct agent_factory agents;
    char folder[256];
    bool done;

    if (!suite_open("phone", &suite, err) ||
        !agent_factory_init(&agents, "nothing", &agents_options, err))
        fail_msg("%s", err->text);
    snprintf(folder, sizeof(folder), "%s/%s", scratch_folder_path(), name);
    assert_int_equal(mkdir(folder, 0777), 0);
    file.plan = (struct run_plan){.suite = mem_dup(suite.path),
                                  .agent = mem_dup("nothing"),
                                  .repeats = REPEATS,
                                  .retries = 2};
    text_list_add(&file.plan.tasks, "settings.dark");
    tasks[0] = suite_find(&suite, "settings.dark");
    {
        const struct run_options options = {
            .folder = folder,
            .file = &file,
            .suite = &suite,
            .tasks = tasks,
            .phones = phones,
            .phone_count = 2,
            .agents = &agents,
            .watcher = {.on_progress = count_trouble,
                        .on_result = count_result,
                        .context = seen},
            .without_phone_ms = ALONE_MS,
        };

        done = run_execute(&options, summary, err);
    }
    agent_factory_release(&agents);
    suite_release(&suite);
    run_file_release(&file);
    return done;
}

static void lost_phone_is_removed_and_returns(void **state)
{
    struct flaky flaky = {.losses = 1, .absences = 1};
    struct seen seen = {.troubles = 0};
    struct run_summary summary;
    struct err err = ERR_INIT;

    (void)state;
    flaky_open(&flaky);
    if (!run(&flaky, "lost", &seen, &summary, &err))
        fail_msg("%s", err.text);
    assert_int_equal(summary.work.ended, REPEATS);
    assert_int_equal(summary.work.given_up, 0);
    assert_int_equal(seen.voids[0], 1);
    assert_int_equal(seen.voids[1], 0);
    assert_int_equal(seen.troubles, 1);
    assert_int_equal(seen.ended[0] + seen.ended[1], REPEATS);
    assert_true(seen.ended[1] > 0);
    flaky_close(&flaky);
}

static void run_without_any_phone_fails(void **state)
{
    struct flaky flaky = {.empty = true};
    struct seen seen = {.troubles = -1};
    struct run_summary summary;
    struct err err = ERR_INIT;

    (void)state;
    flaky_open(&flaky);
    assert_false(run(&flaky, "empty", &seen, &summary, &err));
    assert_int_equal(err.code, ERR_UNREACHABLE);
    assert_int_equal(summary.work.ended, 0);
    flaky_close(&flaky);
}

static void run_ends_when_all_phones_are_lost(void **state)
{
    struct flaky flaky = {.goes = true, .stays = 3};
    struct seen seen = {.troubles = 0};
    struct run_summary summary;
    struct err err = ERR_INIT;
    int64_t began = clock_ns();

    (void)state;
    flaky_open(&flaky);
    assert_false(run(&flaky, "gone", &seen, &summary, &err));
    assert_int_equal(err.code, ERR_LOST);
    assert_non_null(strstr(err.text, "is not there"));
    assert_int_equal(summary.work.ended, 3);
    assert_false(summary.interrupted);
    assert_true(seen.troubles >= 2);
    assert_true(clock_ns() - began > ALONE_MS * INT64_C(1000000));
    flaky_close(&flaky);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lost_phone_is_removed_and_returns),
        cmocka_unit_test(run_without_any_phone_fails),
        cmocka_unit_test(run_ends_when_all_phones_are_lost),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
