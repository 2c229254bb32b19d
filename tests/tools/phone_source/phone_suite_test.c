/*
 * A suite of the built-in phone, judged by the phone's truth: gold completes
 * every task; doing nothing, or random taps, complete none. With PROCTOR_FULL
 * on 5 seeds, 3 skins, in both languages. PROCTOR_SUITE_TASKS=mail. tries only
 * the tasks whose ids begin so, with all of their ways.
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
#include "tools/phone/graphics/font.h"
#include "tools/phone_source/phone_source.h"

#define SCROLLS_MAX 40

/* The ways of every so many tasks are tried; with PROCTOR_FULL all are. */
#define WAYS_STEP 8
#define WANDERINGS 25

static const struct extent screen = {1080, 2400};

struct fixture {
    struct phone_fonts *fonts;
    struct suite suite;
    struct task_ways ways;
    struct device_source *source;
    struct device_lease *lease;
    struct actor *actor;
    struct task task;  /* filled in */
    const char *story; /* for messages of failures */
};

static struct deadline soon(void)
{
    return deadline_in_ms(60000);
}

static bool is_wanted(const struct task *task)
{
    const char *prefix = getenv("PROCTOR_SUITE_TASKS");

    return !prefix || !strncmp(task->id, prefix, strlen(prefix));
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

static void open_phone(struct fixture *fixture, uint64_t seed, unsigned skin)
{
    const struct phone_source_options options = {.fonts = fixture->fonts,
                                                 .seed = seed,
                                                 .skin = skin,
                                                 .adb_keyboard = true};
    struct err err = ERR_INIT;

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

static void begin(struct fixture *fixture, const struct task *task,
                  const char *locale)
{
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

static void act(struct fixture *fixture, const struct action *action)
{
    struct err err = ERR_INIT;

    if (!actor_perform(fixture->actor, action, screen, soon(), &err))
        fail_msg("%s: %s: %s", fixture->task.id, action_kind_name(action->kind),
                 err.text);
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

static struct action_point find(struct fixture *fixture, const char *call)
{
    struct truth_source *truth_source = fixture->lease->truth_source;
    struct truth_target place;
    struct err err = ERR_INIT;

    for (int i = 0; i < SCROLLS_MAX; i++) {
        if (!truth_source->ops->locate(truth_source, call, &place, &err))
            fail_msg("%s", err.text);
        if (place.shown || place.scroll == DIRECTION_NONE)
            break;
        act(fixture, &(struct action){.kind = ACTION_SCROLL,
                                      .has_from = true,
                                      .from = place.at,
                                      .direction = place.scroll});
        act(fixture,
            &(struct action){.kind = ACTION_WAIT, .milliseconds = 1000});
    }
    if (!place.shown)
        fail_msg("%s, %s: nothing does '%s'", fixture->task.id, fixture->story,
                 call);
    return place.at;
}

static const char *follow_gold(struct fixture *fixture)
{
    const struct task_gold *gold = &fixture->task.gold;
    const char *answer = NULL;

    for (size_t i = 0; i < gold->count; i++) {
        struct action action = gold->steps[i].action;
        const struct node_selector *target = gold->steps[i].target;

        if (target) {
            action.has_from = true;
            action.from = find(fixture, target->call);
        }
        if (action.kind == ACTION_ANSWER)
            answer = action.text;
        act(fixture, &action);
    }
    return answer;
}

static void gold_does_all(struct fixture *fixture, uint64_t seed, unsigned skin,
                          const char *locale)
{
    char story[80];

    snprintf(story, sizeof(story), "seed %u, skin %u, %s", (unsigned)seed, skin,
             locale);
    fixture->story = story;
    open_phone(fixture, seed, skin);
    for (size_t i = 0; i < fixture->suite.count; i++) {
        char *why = NULL;

        if (!is_wanted(&fixture->suite.tasks[i]))
            continue;
        begin(fixture, &fixture->suite.tasks[i], locale);
        if (!is_done(fixture, follow_gold(fixture), &why))
            fail_msg("%s, %s: %s", fixture->task.id, story, why);
        free(why);
        end(fixture);
    }
    close_phone(fixture);
}

static void gold_does_every_task_in_english(void **state)
{
    gold_does_all(*state, 0, 0, "en");
}

static void gold_does_every_task_in_chinese(void **state)
{
    gold_does_all(*state, 0, 0, "zh");
}

static void gold_does_every_task_on_another_seed_and_skin(void **state)
{
    gold_does_all(*state, 5, 3, "en");
}

static void gold_does_every_task_on_all_seeds_and_skins(void **state)
{
    static const char *const locales[] = {"en", "zh"};

    if (!getenv("PROCTOR_FULL"))
        skip();
    for (unsigned i = 0; i < 5 * 3 * 2; i++)
        gold_does_all(*state, 1 + i % 5, i / 5 % 3, locales[i / 15]);
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
    char *why = NULL;
    bool right = is_done(fixture, follow_gold(fixture), &why);
    struct cJSON *verdict = cJSON_Parse(why);
    const char *broken = broken_clause(verdict);

    if (right != task_way_meant_right(way->class_) ||
        (way->breaks && (!broken || strcmp(broken, way->breaks) != 0)))
        fail_msg("%s, %s, %s: %s", way->task->id, way->name, fixture->story,
                 why);
    cJSON_Delete(verdict);
    free(why);
}

/* Those of every step-th task, from the one with that index. */
static bool is_among(const struct fixture *fixture, const struct task *task,
                     size_t first, size_t step)
{
    size_t index = (size_t)(task - fixture->suite.tasks);

    return is_wanted(task) &&
           (getenv("PROCTOR_SUITE_TASKS") || index % step == first % step);
}

static void try_ways(struct fixture *fixture, uint64_t seed, unsigned skin,
                     const char *locale, size_t step)
{
    const size_t first = seed;
    char story[80];

    snprintf(story, sizeof(story), "seed %u, skin %u, %s", (unsigned)seed, skin,
             locale);
    fixture->story = story;
    open_phone(fixture, seed, skin);
    for (size_t i = 0; i < fixture->ways.count; i++) {
        const struct task_way *way = &fixture->ways.items[i];
        struct task task = *way->task;

        if (!is_among(fixture, way->task, first, step))
            continue;
        task.gold = way->steps;
        begin(fixture, &task, locale);
        assert_as_meant(fixture, way);
        end(fixture);
    }
    close_phone(fixture);
}

static void ways_agree_with_their_class(void **state)
{
    try_ways(*state, 0, 0, "en", WAYS_STEP);
    try_ways(*state, 1, 0, "zh", WAYS_STEP);
    try_ways(*state, 2, 1, "en", WAYS_STEP);
}

static void ways_agree_with_their_class_on_all_seeds_and_skins(void **state)
{
    static const char *const locales[] = {"en", "zh"};

    if (!getenv("PROCTOR_FULL"))
        skip();
    for (unsigned i = 0; i < 6; i++)
        try_ways(*state, i % 5, i % 3, locales[i % 2], 1);
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
            fail_msg("%s: no way breaks only '%s'", fixture->task.id, name);
    }
    cJSON_Delete(verdict);
    free(why);
}

static void each_clause_is_broken_alone_by_some_way(void **state)
{
    struct fixture *fixture = *state;

    open_phone(fixture, 0, 0);
    for (size_t i = 0; i < fixture->suite.count; i++) {
        if (fixture->suite.tasks[i].kind != TASK_PROCESS ||
            !is_wanted(&fixture->suite.tasks[i]))
            continue;
        begin(fixture, &fixture->suite.tasks[i], "en");
        assert_ways(fixture);
        end(fixture);
    }
    close_phone(fixture);
}

/* ---- agents that fail ---- */

static void assert_not_done(struct fixture *fixture, const char *answer)
{
    char *why = NULL;

    if (is_done(fixture, answer, &why))
        fail_msg("%s: %s", fixture->task.id, why);
    free(why);
}

static void doing_nothing_completes_no_task(void **state)
{
    struct fixture *fixture = *state;

    open_phone(fixture, 0, 0);
    for (size_t i = 0; i < fixture->suite.count; i++) {
        if (!is_wanted(&fixture->suite.tasks[i]))
            continue;
        begin(fixture, &fixture->suite.tasks[i], "en");
        assert_not_done(fixture, NULL);
        assert_not_done(fixture, "");
        end(fixture);
    }
    close_phone(fixture);
}

static void wander(struct fixture *fixture, unsigned *chance)
{
    for (int i = 0; i < WANDERINGS; i++) {
        struct action action = {.kind = ACTION_CLICK, .has_from = true};

        *chance = *chance * 1103515245U + 12345U;
        action.from.x = (int)(*chance >> 16) % screen.width;
        *chance = *chance * 1103515245U + 12345U;
        action.from.y = (int)(*chance >> 16) % screen.height;
        act(fixture, &action);
    }
}

static void random_taps_complete_no_task(void **state)
{
    struct fixture *fixture = *state;
    unsigned chance = 7;

    open_phone(fixture, 0, 0);
    for (size_t i = 0; i < fixture->suite.count; i++) {
        if (!is_wanted(&fixture->suite.tasks[i]))
            continue;
        begin(fixture, &fixture->suite.tasks[i], "en");
        wander(fixture, &chance);
        assert_not_done(fixture, "7");
        end(fixture);
    }
    close_phone(fixture);
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
        cmocka_unit_test(gold_does_every_task_in_english),
        cmocka_unit_test(gold_does_every_task_in_chinese),
        cmocka_unit_test(gold_does_every_task_on_another_seed_and_skin),
        cmocka_unit_test(gold_does_every_task_on_all_seeds_and_skins),
        cmocka_unit_test(ways_agree_with_their_class),
        cmocka_unit_test(ways_agree_with_their_class_on_all_seeds_and_skins),
        cmocka_unit_test(each_clause_is_broken_alone_by_some_way),
        cmocka_unit_test(doing_nothing_completes_no_task),
        cmocka_unit_test(random_taps_complete_no_task),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
