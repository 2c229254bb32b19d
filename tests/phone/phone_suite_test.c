/*
 * The suite of the built-in phone by the phone's truth: gold does every task,
 * and neither who does nothing nor who does anything does one.
 *
 * With PROCTOR_FULL on 5 seeds, 3 skins, in both languages.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

#include "base/mem.h"
#include "runner/act.h"
#include "runner/app_start.h"
#include "tasks/task.h"
#include "tasks/way.h"
#include "tools/phone/font.h"
#include "tools/phone_source/phone_source.h"

#define SCROLLS_MAX 40
#define WANDERINGS 25

static const struct extent screen = {1080, 2400};

struct visit {
    struct fonts *fonts;
    struct suite suite;
    struct ways ways;
    struct source *source;
    struct lease *lease;
    struct actor *actor;
    struct task task;  /* as it is asked */
    const char *story; /* for who reads failures */
};

static struct deadline soon(void)
{
    return deadline_in_ms(20000);
}

static int set_up(void **state)
{
    struct visit *visit = mem_new(1, sizeof(*visit));
    struct err err = ERR_INIT;

    *state = visit;
    if (!fonts_open(&visit->fonts, &err) ||
        !suite_load(SUITES "/phone.json", &visit->suite, &err) ||
        !ways_load(SUITES "/phone.ways.json", &visit->suite, &visit->ways,
                   &err))
        fail_msg("%s", err.text);
    return 0;
}

static int tear_down(void **state)
{
    struct visit *visit = *state;

    ways_release(&visit->ways);
    suite_release(&visit->suite);
    fonts_close(visit->fonts);
    free(visit);
    return 0;
}

static void open_phone(struct visit *visit, uint64_t seed, unsigned skin)
{
    const struct phone_source_options options = {.fonts = visit->fonts,
                                                 .seed = seed,
                                                 .skin = skin,
                                                 .adb_keyboard = true};
    struct err err = ERR_INIT;

    if (!phone_source_open(&options, &visit->source, &err) ||
        !visit->source->ops->acquire(visit->source, "phone-0", soon(),
                                     &visit->lease, &err))
        fail_msg("%s", err.text);
}

static void close_phone(struct visit *visit)
{
    visit->source->ops->release(visit->source, visit->lease);
    visit->source->ops->close(visit->source);
}

/* ---- one task ---- */

static void begin(struct visit *visit, const struct task *task,
                  const char *locale)
{
    struct oracle *oracle = visit->lease->oracle;
    const struct actor_options options = {0};
    struct task_values values = {.locale = locale};
    struct cJSON *facts = NULL;
    struct err err = ERR_INIT;

    if (!visit->source->ops->refresh(visit->source, visit->lease, NULL, locale,
                                     soon(), &err) ||
        !oracle->ops->facts(oracle, task->truth, &facts, &err))
        fail_msg("%s: %s", task->id, err.text);
    values.facts = facts;
    if (!task_resolve(task, &values, &visit->task, &err) ||
        !app_start(visit->lease->device, task->apps.items[0], soon(), &err) ||
        !actor_open(visit->lease->device, &options, soon(), &visit->actor,
                    &err))
        fail_msg("%s: %s", task->id, err.text);
    cJSON_Delete(facts);
}

static void end(struct visit *visit)
{
    actor_close(visit->actor);
    visit->actor = NULL;
    task_release(&visit->task);
}

static void act(struct visit *visit, const struct action *action)
{
    struct err err = ERR_INIT;

    if (!actor_do(visit->actor, action, screen, soon(), &err))
        fail_msg("%s: %s: %s", visit->task.id, action_kind_name(action->kind),
                 err.text);
}

/* Is it done? By the truth, and what it says is put into why. */
static bool is_done(struct visit *visit, const char *answer, char **why)
{
    struct oracle *oracle = visit->lease->oracle;
    struct cJSON *verdict = NULL;
    struct err err = ERR_INIT;
    bool met;

    if (!oracle->ops->judge(oracle, visit->task.truth, answer, &verdict, &err))
        fail_msg("%s: %s", visit->task.id, err.text);
    met = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(verdict, "met"));
    *why = cJSON_PrintUnformatted(verdict);
    cJSON_Delete(verdict);
    return met;
}

/* ---- gold ---- */

static struct action_point find(struct visit *visit, const char *call)
{
    struct oracle *oracle = visit->lease->oracle;
    struct oracle_place place;
    struct err err = ERR_INIT;

    for (int i = 0; i < SCROLLS_MAX; i++) {
        if (!oracle->ops->locate(oracle, call, &place, &err))
            fail_msg("%s", err.text);
        if (place.shown || place.scroll == DIRECTION_NONE)
            break;
        act(visit, &(struct action){.kind = ACTION_SCROLL,
                                    .has_from = true,
                                    .from = place.at,
                                    .direction = place.scroll});
        act(visit, &(struct action){.kind = ACTION_WAIT, .milliseconds = 1000});
    }
    if (!place.shown)
        fail_msg("%s, %s: nothing does '%s'", visit->task.id, visit->story,
                 call);
    return place.at;
}

static const char *follow_gold(struct visit *visit)
{
    const struct gold *gold = &visit->task.gold;
    const char *answer = NULL;

    for (size_t i = 0; i < gold->count; i++) {
        struct action action = gold->steps[i].action;
        const struct selector *target = gold->steps[i].target;

        if (target) {
            action.has_from = true;
            action.from = find(visit, target->call);
        }
        if (action.kind == ACTION_ANSWER)
            answer = action.text;
        act(visit, &action);
    }
    return answer;
}

static void gold_does_all(struct visit *visit, uint64_t seed, unsigned skin,
                          const char *locale)
{
    char story[80];

    snprintf(story, sizeof(story), "seed %u, skin %u, %s", (unsigned)seed, skin,
             locale);
    visit->story = story;
    open_phone(visit, seed, skin);
    for (size_t i = 0; i < visit->suite.count; i++) {
        char *why = NULL;

        begin(visit, &visit->suite.tasks[i], locale);
        if (!is_done(visit, follow_gold(visit), &why))
            fail_msg("%s, %s: %s", visit->task.id, story, why);
        free(why);
        end(visit);
    }
    close_phone(visit);
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
    bool full = getenv("PROCTOR_FULL");

    for (unsigned i = 0; full && i < 5 * 3 * 2; i++)
        gold_does_all(*state, 1 + i % 5, i / 5 % 3, locales[i / 15]);
}

/* ---- ways ---- */

/* The only clause that does not hold; NULL where there is another number. */
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

static void assert_as_meant(struct visit *visit, const struct way *way)
{
    char *why = NULL;
    bool right = is_done(visit, follow_gold(visit), &why);
    struct cJSON *verdict = cJSON_Parse(why);
    const char *broken = broken_clause(verdict);

    if (right != way_meant_right(way->class_) ||
        (way->breaks && (!broken || strcmp(broken, way->breaks) != 0)))
        fail_msg("%s, %s, %s: %s", way->task->id, way->name, visit->story, why);
    cJSON_Delete(verdict);
    free(why);
}

static void try_ways(struct visit *visit, uint64_t seed, unsigned skin,
                     const char *locale, const char *only)
{
    char story[80];

    snprintf(story, sizeof(story), "seed %u, skin %u, %s", (unsigned)seed, skin,
             locale);
    visit->story = story;
    open_phone(visit, seed, skin);
    for (size_t i = 0; i < visit->ways.count; i++) {
        const struct way *way = &visit->ways.items[i];
        struct task task = *way->task;

        if (only && strcmp(only, task.id) != 0)
            continue;
        task.gold = way->steps;
        begin(visit, &task, locale);
        assert_as_meant(visit, way);
        end(visit);
    }
    close_phone(visit);
}

static void ways_are_as_right_or_wrong_as_they_were_meant(void **state)
{
    try_ways(*state, 0, 0, "en", "clock.timer");
    try_ways(*state, 0, 0, "zh", "shop.cheapest");
    try_ways(*state, 2, 1, "en", "eats.order");
}

static void so_are_all_of_them_on_all_seeds_and_skins(void **state)
{
    static const char *const locales[] = {"en", "zh"};
    bool full = getenv("PROCTOR_FULL");

    for (unsigned i = 0; full && i < 6; i++)
        try_ways(*state, i % 5, i % 3, locales[i % 2], NULL);
}

static size_t count_ways(const struct visit *visit, const char *task,
                         const char *breaks)
{
    size_t count = 0;

    for (size_t i = 0; i < visit->ways.count; i++) {
        const struct way *way = &visit->ways.items[i];

        if (!strcmp(way->task->id, task) &&
            (breaks ? way->breaks && !strcmp(way->breaks, breaks)
                    : way->class_ == WAY_COUSIN))
            count++;
    }
    return count;
}

static void assert_ways(struct visit *visit)
{
    char *why = NULL;
    struct cJSON *verdict;
    const struct cJSON *clause;

    (void)is_done(visit, NULL, &why);
    verdict = cJSON_Parse(why);
    assert_true(count_ways(visit, visit->task.id, NULL) >= 3);
    cJSON_ArrayForEach(clause,
                       cJSON_GetObjectItemCaseSensitive(verdict, "clauses"))
    {
        const char *name = cJSON_GetStringValue(
            cJSON_GetObjectItemCaseSensitive(clause, "name"));

        if (!count_ways(visit, visit->task.id, name))
            fail_msg("%s: no way breaks only '%s'", visit->task.id, name);
    }
    cJSON_Delete(verdict);
    free(why);
}

static void each_clause_of_a_process_is_broken_alone_by_some_way(void **state)
{
    struct visit *visit = *state;

    open_phone(visit, 0, 0);
    for (size_t i = 0; i < visit->suite.count; i++) {
        if (visit->suite.tasks[i].kind != TASK_PROCESS)
            continue;
        begin(visit, &visit->suite.tasks[i], "en");
        assert_ways(visit);
        end(visit);
    }
    close_phone(visit);
}

/* ---- those who do not do it ---- */

static void assert_not_done(struct visit *visit, const char *answer)
{
    char *why = NULL;

    if (is_done(visit, answer, &why))
        fail_msg("%s: %s", visit->task.id, why);
    free(why);
}

static void who_does_nothing_does_no_task(void **state)
{
    struct visit *visit = *state;

    open_phone(visit, 0, 0);
    for (size_t i = 0; i < visit->suite.count; i++) {
        begin(visit, &visit->suite.tasks[i], "en");
        assert_not_done(visit, NULL);
        assert_not_done(visit, "");
        end(visit);
    }
    close_phone(visit);
}

static void wander(struct visit *visit, unsigned *chance)
{
    for (int i = 0; i < WANDERINGS; i++) {
        struct action action = {.kind = ACTION_CLICK, .has_from = true};

        *chance = *chance * 1103515245U + 12345U;
        action.from.x = (int)(*chance >> 16) % screen.width;
        *chance = *chance * 1103515245U + 12345U;
        action.from.y = (int)(*chance >> 16) % screen.height;
        act(visit, &action);
    }
}

static void who_taps_anywhere_does_no_task(void **state)
{
    struct visit *visit = *state;
    unsigned chance = 7;

    open_phone(visit, 0, 0);
    for (size_t i = 0; i < visit->suite.count; i++) {
        begin(visit, &visit->suite.tasks[i], "en");
        wander(visit, &chance);
        assert_not_done(visit, "7");
        end(visit);
    }
    close_phone(visit);
}

/* ---- the suite itself ---- */

static void the_suite_has_what_was_promised(void **state)
{
    const struct visit *visit = *state;
    size_t process = 0;

    assert_int_equal(visit->suite.count, 20);
    for (size_t i = 0; i < visit->suite.count; i++) {
        const struct task *task = &visit->suite.tasks[i];
        size_t stars = 0;

        process += task->kind == TASK_PROCESS;
        for (size_t j = 0; j < task->gold.count; j++)
            stars += task->gold.steps[j].star;
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
    assert_true(process >= 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_suite_has_what_was_promised),
        cmocka_unit_test(gold_does_every_task_in_english),
        cmocka_unit_test(gold_does_every_task_in_chinese),
        cmocka_unit_test(gold_does_every_task_on_another_seed_and_skin),
        cmocka_unit_test(gold_does_every_task_on_all_seeds_and_skins),
        cmocka_unit_test(ways_are_as_right_or_wrong_as_they_were_meant),
        cmocka_unit_test(so_are_all_of_them_on_all_seeds_and_skins),
        cmocka_unit_test(each_clause_of_a_process_is_broken_alone_by_some_way),
        cmocka_unit_test(who_does_nothing_does_no_task),
        cmocka_unit_test(who_taps_anywhere_does_no_task),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
