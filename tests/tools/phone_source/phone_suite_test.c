/*
 * A suite of the built-in phone, judged by the phone's truth: gold completes
 * every task, and so do right ways; wrong ways, doing nothing and random taps
 * complete none. suite_sample.h says which of them are tried, and where.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

#include "base/mem.h"
#include "runner/device/actor.h"
#include "runner/device/app_start.h"
#include "tasks/task/suite.h"
#include "tasks/task/task.h"
#include "tasks/task/task_way.h"
#include "tests/tools/phone_source/suite_sample.h"
#include "tools/phone/graphics/font.h"
#include "tools/phone_source/phone_source.h"

#define SCROLLS_MAX 40

#define WANDERINGS 25
#define WANDERERS_MAX 40 /* tasks that random taps are tried on */

static const struct extent screen = {1080, 2400};

struct fixture {
    struct phone_fonts *fonts;
    struct suite suite;
    struct task_ways ways;
    struct device_source *source;
    struct device_lease *lease;
    struct actor *actor;
    struct task task; /* filled in */
    struct suite_sample sample;
    struct suite_phone phone; /* the open one */
    size_t complaints;
};

static struct deadline soon(void)
{
    return deadline_in_ms(60000);
}

/*
 * Print what is wrong and how to see it again. The test goes on, so that one
 * run shows everything; assert_clean lets it fail at its end.
 */
static void complain(struct fixture *fixture, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static void complain(struct fixture *fixture, const char *fmt, ...)
{
    const struct suite_phone *phone = &fixture->phone;
    va_list args;

    print_error("%s: ", fixture->task.id);
    va_start(args, fmt);
    vprint_error(fmt, args);
    va_end(args);
    print_error("\n  repeat with: PROCTOR_SUITE_TASKS=%s "
                "PROCTOR_SUITE_PHONE=%llu,%u,%s ctest --preset dev -R %s "
                "--output-on-failure\n",
                fixture->task.id, (unsigned long long)phone->seed, phone->skin,
                phone->locale, SUITE_TEST);
    fixture->complaints++;
}

static void assert_clean(struct fixture *fixture)
{
    size_t complaints = fixture->complaints;

    fixture->complaints = 0;
    assert_int_equal(complaints, 0);
}

static bool tries_a_task(const struct fixture *fixture)
{
    for (size_t i = 0; i < fixture->suite.count; i++) {
        if (suite_sample_has_task(&fixture->sample, &fixture->suite.tasks[i]))
            return true;
    }
    return false;
}

static int set_up(void **state)
{
    struct fixture *fixture = mem_new(1, sizeof(*fixture));
    struct err err = ERR_INIT;

    *state = fixture;
    if (!fonts_open(&fixture->fonts, &err) ||
        !suite_load(SUITE, &fixture->suite, &err) ||
        !task_ways_load(&fixture->suite, &fixture->ways, &err))
        fail_msg("%s", err.text);
    if (!suite_sample_read(&fixture->sample))
        fail_msg("PROCTOR_SAMPLE is a hexadecimal number, PROCTOR_SUITE_PHONE "
                 "as in 6,3,zh");
    if (!tries_a_task(fixture))
        fail_msg("no task begins with PROCTOR_SUITE_TASKS=%s",
                 fixture->sample.prefix);
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    task_ways_release(&fixture->ways);
    suite_release(&fixture->suite);
    fonts_close(fixture->fonts);
    free(fixture);
    return 0;
}

static void open_phone(struct fixture *fixture, const struct suite_phone *phone)
{
    const struct phone_source_options options = {.fonts = fixture->fonts,
                                                 .seed = phone->seed,
                                                 .skin = phone->skin,
                                                 .adb_keyboard = true};
    struct err err = ERR_INIT;

    fixture->phone = *phone;
    if (!phone_source_open(&options, &fixture->source, &err) ||
        !fixture->source->ops->acquire(fixture->source, "phone-0", soon(),
                                       &fixture->lease, &err))
        fail_msg("%s", err.text);
}

static void close_phone(struct fixture *fixture)
{
    fixture->source->ops->release(fixture->source, fixture->lease);
    fixture->source->ops->close(fixture->source);
}

/* ---- one task ---- */

static void begin(struct fixture *fixture, const struct task *task)
{
    const char *locale = fixture->phone.locale;
    struct truth_source *truth_source = fixture->lease->truth_source;
    const struct actor_options options = {0};
    struct task_values values = {.locale = locale};
    struct cJSON *facts = NULL;
    struct err err = ERR_INIT;

    if (!fixture->source->ops->refresh(fixture->source, fixture->lease, NULL,
                                       locale, soon(), &err) ||
        !truth_source->ops->facts(truth_source, task->truth, &facts, &err))
        fail_msg("%s: %s", task->id, err.text);
    values.facts = facts;
    if (!task_resolve(task, &values, &fixture->task, &err) ||
        !app_start(fixture->lease->device, task->apps.items[0], soon(), &err) ||
        !actor_open(fixture->lease->device, &options, soon(), &fixture->actor,
                    &err))
        fail_msg("%s: %s", task->id, err.text);
    cJSON_Delete(facts);
}

static void end(struct fixture *fixture)
{
    actor_close(fixture->actor);
    fixture->actor = NULL;
    task_release(&fixture->task);
}

static bool act(struct fixture *fixture, const struct action *action)
{
    struct err err = ERR_INIT;

    if (actor_perform(fixture->actor, action, screen, soon(), &err))
        return true;
    complain(fixture, "%s: %s", action_kind_name(action->kind), err.text);
    return false;
}

/* Is it done, according to the truth? Its output is put into why. */
static bool is_done(struct fixture *fixture, const char *answer, char **why)
{
    struct truth_source *truth_source = fixture->lease->truth_source;
    struct cJSON *verdict = NULL;
    struct err err = ERR_INIT;
    bool met;

    if (!truth_source->ops->judge(truth_source, fixture->task.truth, answer,
                                  &verdict, &err))
        fail_msg("%s: %s", fixture->task.id, err.text);
    met = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(verdict, "met"));
    *why = cJSON_PrintUnformatted(verdict);
    cJSON_Delete(verdict);
    return met;
}

/* ---- gold ---- */

static bool find(struct fixture *fixture, const char *call,
                 struct action_point *at)
{
    struct truth_source *truth_source = fixture->lease->truth_source;
    const struct action wait = {.kind = ACTION_WAIT, .milliseconds = 1000};
    struct truth_target place;
    struct err err = ERR_INIT;

    for (int i = 0; i < SCROLLS_MAX; i++) {
        struct action scroll = {.kind = ACTION_SCROLL, .has_from = true};

        if (!truth_source->ops->locate(truth_source, call, &place, &err))
            fail_msg("%s: %s", fixture->task.id, err.text);
        if (place.shown || place.scroll == DIRECTION_NONE)
            break;
        scroll.from = place.at;
        scroll.direction = place.scroll;
        if (!act(fixture, &scroll) || !act(fixture, &wait))
            return false;
    }
    *at = place.at;
    if (!place.shown)
        complain(fixture, "nothing does '%s'", call);
    return place.shown;
}

/* Do the steps. False where one of them cannot be done. */
static bool follow_gold(struct fixture *fixture, const char **answer)
{
    const struct task_gold *gold = &fixture->task.gold;

    *answer = NULL;
    for (size_t i = 0; i < gold->count; i++) {
        struct action action = gold->steps[i].action;
        const struct node_selector *target = gold->steps[i].target;

        if (target) {
            action.has_from = true;
            if (!find(fixture, target->call, &action.from))
                return false;
        }
        if (action.kind == ACTION_ANSWER)
            *answer = action.text;
        if (!act(fixture, &action))
            return false;
    }
    return true;
}

static void assert_gold(struct fixture *fixture)
{
    const char *answer;
    char *why = NULL;

    if (!follow_gold(fixture, &answer))
        return;
    if (!is_done(fixture, answer, &why))
        complain(fixture, "gold: %s", why);
    free(why);
}

/* The tasks of the sample on one of its phones. */
static void follow_golds(struct fixture *fixture, size_t phone)
{
    open_phone(fixture, &fixture->sample.phones[phone]);
    for (size_t i = 0; i < fixture->suite.count; i++) {
        const struct task *task = &fixture->suite.tasks[i];

        if (!suite_sample_has_gold(&fixture->sample, &fixture->suite, task,
                                   phone))
            continue;
        begin(fixture, task);
        assert_gold(fixture);
        end(fixture);
    }
    close_phone(fixture);
}

static void gold_does_every_task(void **state)
{
    struct fixture *fixture = *state;

    for (size_t i = 0; i < fixture->sample.phone_count; i++)
        follow_golds(fixture, i);
    assert_clean(fixture);
}

/* ---- ways ---- */

/* The only clause that is not met; NULL if there is another number of them. */
static const char *broken_clause(const struct cJSON *verdict)
{
    const struct cJSON *clause;
    const char *broken = NULL;
    int count = 0;

    cJSON_ArrayForEach(clause,
                       cJSON_GetObjectItemCaseSensitive(verdict, "clauses"))
    {
        if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(clause, "met")))
            continue;
        broken = cJSON_GetStringValue(
            cJSON_GetObjectItemCaseSensitive(clause, "name"));
        count++;
    }
    return count == 1 ? broken : NULL;
}

static void assert_as_meant(struct fixture *fixture, const struct task_way *way)
{
    struct cJSON *verdict;
    const char *answer;
    const char *broken;
    char *why = NULL;
    bool right;

    if (!follow_gold(fixture, &answer)) {
        print_error("  on the way '%s'\n", way->name);
        return;
    }
    right = is_done(fixture, answer, &why);
    verdict = cJSON_Parse(why);
    broken = broken_clause(verdict);
    if (right != task_way_meant_right(way->class_) ||
        (way->breaks && (!broken || strcmp(broken, way->breaks) != 0)))
        complain(fixture, "'%s': %s", way->name, why);
    cJSON_Delete(verdict);
    free(why);
}

/* The ways of the sample on one of its phones. */
static void try_ways(struct fixture *fixture, size_t phone)
{
    open_phone(fixture, &fixture->sample.phones[phone]);
    for (size_t i = 0; i < fixture->ways.count; i++) {
        const struct task_way *way = &fixture->ways.items[i];
        struct task task = *way->task;

        if (!suite_sample_has_way(&fixture->sample, &fixture->suite,
                                  &fixture->ways, i, phone))
            continue;
        task.gold = way->steps;
        begin(fixture, &task);
        assert_as_meant(fixture, way);
        end(fixture);
    }
    close_phone(fixture);
}

static void ways_agree_with_their_class(void **state)
{
    struct fixture *fixture = *state;

    for (size_t i = 0; i < fixture->sample.phone_count; i++)
        try_ways(fixture, i);
    assert_clean(fixture);
}

static size_t count_ways(const struct fixture *fixture, const char *task,
                         const char *breaks)
{
    size_t count = 0;

    for (size_t i = 0; i < fixture->ways.count; i++) {
        const struct task_way *way = &fixture->ways.items[i];

        if (!strcmp(way->task->id, task) &&
            (breaks ? way->breaks && !strcmp(way->breaks, breaks)
                    : way->class_ == TASK_WAY_VARIANT))
            count++;
    }
    return count;
}

static void assert_ways(struct fixture *fixture)
{
    char *why = NULL;
    struct cJSON *verdict;
    const struct cJSON *clause;

    (void)is_done(fixture, NULL, &why);
    verdict = cJSON_Parse(why);
    assert_true(count_ways(fixture, fixture->task.id, NULL) >= 3);
    cJSON_ArrayForEach(clause,
                       cJSON_GetObjectItemCaseSensitive(verdict, "clauses"))
    {
        const char *name = cJSON_GetStringValue(
            cJSON_GetObjectItemCaseSensitive(clause, "name"));

        if (!count_ways(fixture, fixture->task.id, name))
            complain(fixture, "no way breaks only '%s'", name);
    }
    cJSON_Delete(verdict);
    free(why);
}

static void each_clause_is_broken_alone_by_some_way(void **state)
{
    struct fixture *fixture = *state;

    open_phone(fixture, &fixture->sample.phones[0]);
    for (size_t i = 0; i < fixture->suite.count; i++) {
        if (fixture->suite.tasks[i].kind != TASK_PROCESS ||
            !suite_sample_has_task(&fixture->sample, &fixture->suite.tasks[i]))
            continue;
        begin(fixture, &fixture->suite.tasks[i]);
        assert_ways(fixture);
        end(fixture);
    }
    close_phone(fixture);
    assert_clean(fixture);
}

/* ---- agents that fail ---- */

static void assert_not_done(struct fixture *fixture, const char *answer)
{
    char *why = NULL;

    if (is_done(fixture, answer, &why))
        complain(fixture, "done by this: %s", why);
    free(why);
}

static void doing_nothing_completes_no_task(void **state)
{
    struct fixture *fixture = *state;

    open_phone(fixture, &fixture->sample.phones[0]);
    for (size_t i = 0; i < fixture->suite.count; i++) {
        if (!suite_sample_has_task(&fixture->sample, &fixture->suite.tasks[i]))
            continue;
        begin(fixture, &fixture->suite.tasks[i]);
        assert_not_done(fixture, NULL);
        assert_not_done(fixture, "");
        end(fixture);
    }
    close_phone(fixture);
    assert_clean(fixture);
}

static void wander(struct fixture *fixture, unsigned *chance)
{
    for (int i = 0; i < WANDERINGS; i++) {
        struct action action = {.kind = ACTION_CLICK, .has_from = true};

        *chance = *chance * 1103515245U + 12345U;
        action.from.x = (int)(*chance >> 16) % screen.width;
        *chance = *chance * 1103515245U + 12345U;
        action.from.y = (int)(*chance >> 16) % screen.height;
        (void)act(fixture, &action);
    }
}

static void random_taps_complete_no_task(void **state)
{
    struct fixture *fixture = *state;
    unsigned chance = 7;

    open_phone(fixture, &fixture->sample.phones[0]);
    for (size_t i = 0; i < fixture->suite.count; i++) {
        if (!suite_sample_is_among(&fixture->sample, &fixture->suite,
                                   &fixture->suite.tasks[i], WANDERERS_MAX))
            continue;
        begin(fixture, &fixture->suite.tasks[i]);
        wander(fixture, &chance);
        assert_not_done(fixture, "7");
        end(fixture);
    }
    close_phone(fixture);
    assert_clean(fixture);
}

/* ---- the suite itself ---- */

static void suite_has_the_documented_contents(void **state)
{
    const struct fixture *fixture = *state;
    size_t process = 0;

    assert_true(fixture->suite.count >= SUITE_TASKS_MIN);
    for (size_t i = 0; i < fixture->suite.count; i++) {
        const struct task *task = &fixture->suite.tasks[i];
        size_t stars = 0;

        process += task->kind == TASK_PROCESS;
        for (size_t j = 0; j < task->gold.count; j++)
            stars += task->gold.steps[j].key_step;
        assert_non_null(task->instruction.en);
        assert_non_null(task->instruction.zh);
        assert_non_null(task->truth);
        assert_true(task->level >= 1 && task->level <= 4);
        assert_true(task->need_count > 0);
        assert_true(stars > 0);
        assert_true(task->steps >= (int)task->gold.count);
        for (size_t j = 0; j < task->need_count; j++) {
            assert_non_null(task->needs[j].say.en);
            assert_non_null(task->needs[j].say.zh);
            assert_non_null(task->needs[j].check);
        }
    }
    assert_true(process >= SUITE_PROCESS_MIN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(suite_has_the_documented_contents),
        cmocka_unit_test(gold_does_every_task),
        cmocka_unit_test(ways_agree_with_their_class),
        cmocka_unit_test(each_clause_is_broken_alone_by_some_way),
        cmocka_unit_test(doing_nothing_completes_no_task),
        cmocka_unit_test(random_taps_complete_no_task),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
