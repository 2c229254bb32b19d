/*
 * Built-in phones as the runner leases them, and what their oracle knows:
 * reached directly, or (with WAY) through Debian's adb server.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

#include "adb/shell.h"
#include "tools/phone_source/phone_source.h"

#define OUTPUT_MAX ((size_t)1 << 20)

#ifndef WAY
#define WAY PHONE_SOURCE_DIRECT
#endif

struct visit {
    struct source *source;
    struct lease *lease;
};

static struct deadline soon(void)
{
    return deadline_in_ms(20000);
}

static void open_source(struct visit *visit,
                        const struct phone_source_options *options)
{
    struct phone_source_options reached = *options;
    struct err err = ERR_INIT;

    reached.way = WAY;
    *visit = (struct visit){0};
    if (!phone_source_open(&reached, &visit->source, &err) ||
        !visit->source->ops->acquire(visit->source, "phone-0", soon(),
                                     &visit->lease, &err))
        fail_msg("%s", err.text);
}

static void close_source(struct visit *visit)
{
    visit->source->ops->release(visit->source, visit->lease);
    visit->source->ops->close(visit->source);
}

static void run(struct visit *visit, const char *command)
{
    struct shell_result result;
    struct err err = ERR_INIT;

    if (!shell_run(visit->lease->device, command, OUTPUT_MAX, soon(), &result,
                   &err))
        fail_msg("%s: %s", command, err.text);
    shell_result_release(&result);
}

static struct oracle_place locate(struct visit *visit, const char *call)
{
    struct oracle *oracle = visit->lease->oracle;
    struct oracle_place place;
    struct err err = ERR_INIT;

    if (!oracle->ops->locate(oracle, call, &place, &err))
        fail_msg("%s: %s", call, err.text);
    return place;
}

static void scroll(struct visit *visit, struct oracle_place place)
{
    int x = place.at.x;
    int y = place.at.y;
    int by = place.scroll == DIRECTION_UP || place.scroll == DIRECTION_LEFT
                 ? 300
                 : -300;
    bool sideways =
        place.scroll == DIRECTION_LEFT || place.scroll == DIRECTION_RIGHT;
    char command[80];

    snprintf(command, sizeof(command), "input swipe %d %d %d %d 300; sleep 1",
             x, y, x + (sideways ? by : 0), y + (sideways ? 0 : by));
    run(visit, command);
}

static void tap(struct visit *visit, const char *call)
{
    struct oracle_place place = locate(visit, call);
    char command[64];

    for (int i = 0; !place.shown && place.scroll && i < 40; i++) {
        scroll(visit, place);
        place = locate(visit, call);
    }
    if (!place.shown)
        fail_msg("%s is not on the screen", call);
    snprintf(command, sizeof(command), "input tap %d %d", place.at.x,
             place.at.y);
    run(visit, command);
}

static struct cJSON *judge(struct visit *visit, const char *truth)
{
    struct oracle *oracle = visit->lease->oracle;
    struct cJSON *verdict = NULL;
    struct err err = ERR_INIT;

    if (!oracle->ops->judge(oracle, truth, NULL, &verdict, &err))
        fail_msg("%s: %s", truth, err.text);
    return verdict;
}

/* Is this the last thing that happened, by its name and first argument? */
static void assert_last(struct visit *visit, const char *event,
                        const char *argument)
{
    struct cJSON *verdict = judge(visit, "shop.cheapest");
    const struct cJSON *events =
        cJSON_GetObjectItemCaseSensitive(verdict, "events");
    const struct cJSON *last =
        cJSON_GetArrayItem(events, cJSON_GetArraySize(events) - 1);
    const struct cJSON *args = cJSON_GetObjectItemCaseSensitive(last, "args");

    assert_string_equal(
        cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(last, "event")),
        event);
    if (argument)
        assert_string_equal(cJSON_GetStringValue(cJSON_GetArrayItem(args, 0)),
                            argument);
    cJSON_Delete(verdict);
}

/* ---- finding ---- */

static void a_tap_where_the_oracle_says_has_that_effect(void **state)
{
    struct visit visit;

    (void)state;
    open_source(&visit, &(struct phone_source_options){.seed = 3, .skin = 2});
    tap(&visit, "launcher.open org.proctor.shop");
    tap(&visit, "shop.tab categories");
    assert_last(&visit, "shop.tab", "categories");
    tap(&visit, "shop.category audio");
    tap(&visit, "shop.go sort");
    assert_false(locate(&visit, "shop.back").shown); /* the sheet covers it */
    tap(&visit, "shop.sort price_asc");
    assert_last(&visit, "shop.sort", "price_asc");
    tap(&visit, "shop.go filter");
    tap(&visit, "shop.free true");
    tap(&visit, "shop.back");
    assert_last(&visit, "shop.back", NULL);
    tap(&visit, "shop.open *");
    assert_last(&visit, "shop.open", NULL);
    assert_false(locate(&visit, "eats.tab orders").shown);
    close_source(&visit);
}

static void what_is_out_of_sight_or_not_yet_loaded_is_scrolled_to(void **state)
{
    struct visit visit;

    (void)state;
    open_source(&visit, &(struct phone_source_options){.count = 2});
    tap(&visit, "launcher.open org.proctor.shop");
    tap(&visit, "shop.category bags"); /* at the end of a carousel */
    tap(&visit, "shop.back");
    assert_int_equal(locate(&visit, "shop.open 27").scroll, DIRECTION_DOWN);
    tap(&visit, "shop.open 27"); /* the home screen loads a few at a time */
    assert_last(&visit, "shop.open", NULL);
    close_source(&visit);
}

static void the_nth_of_those_that_fit_can_be_asked_for(void **state)
{
    struct visit visit;
    struct oracle_place first, second;

    (void)state;
    open_source(&visit, &(struct phone_source_options){0});
    tap(&visit, "launcher.open org.proctor.eats");
    first = locate(&visit, "eats.open * #1");
    second = locate(&visit, "eats.open * #2");
    assert_true(first.shown && second.shown);
    assert_true(second.at.y > first.at.y);
    close_source(&visit);
}

static void fields_and_values_of_sliders_are_found(void **state)
{
    struct visit visit;

    (void)state;
    open_source(&visit, &(struct phone_source_options){0});
    tap(&visit, "launcher.open com.android.settings");
    tap(&visit, "settings.go sound");
    tap(&visit, "settings.volume alarm 2");
    assert_last(&visit, "settings.volume", "alarm");
    run(&visit, "input keyevent BACK");
    tap(&visit, "settings.go search");
    tap(&visit, "settings.query");
    run(&visit, "input text dark");
    assert_last(&visit, "settings.query", NULL);
    tap(&visit, "settings.go display");
    assert_last(&visit, "settings.go", "display");
    close_source(&visit);
}

/* ---- phones ---- */

static void a_refreshed_phone_is_new_and_speaks_the_wanted_language(
    void **state)
{
    struct shell_result result;
    struct err err = ERR_INIT;
    struct visit visit;
    struct cJSON *verdict;

    (void)state;
    open_source(&visit, &(struct phone_source_options){.seed = 1});
    run(&visit, "settings put system x y");
    tap(&visit, "launcher.open org.proctor.shop");
    tap(&visit, "shop.tab cart");
    if (!visit.source->ops->refresh(visit.source, visit.lease, NULL, "zh",
                                    soon(), &err))
        fail_msg("%s", err.text);
    assert_true(shell_run(visit.lease->device,
                          "settings get system x; getprop persist.sys.locale",
                          OUTPUT_MAX, soon(), &result, &err));
    assert_string_equal(buf_cstr(&result.out), "null\nzh-CN\n");
    shell_result_release(&result);
    verdict = judge(&visit, "shop.cheapest");
    assert_int_equal(
        cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(verdict, "events")),
        0);
    cJSON_Delete(verdict);
    close_source(&visit);
}

static void a_lost_connection_is_renewed_to_the_same_phone(void **state)
{
    struct err err = ERR_INIT;
    struct visit visit;

    (void)state;
    open_source(&visit, &(struct phone_source_options){0});
    tap(&visit, "launcher.open org.proctor.shop");
    tap(&visit, "shop.tab cart");
    assert_true(
        visit.source->ops->renew(visit.source, visit.lease, soon(), &err));
    run(&visit, "true");
    assert_last(&visit, "shop.tab", "cart");
    close_source(&visit);
}

static void a_phone_is_leased_once_and_unknown_ones_are_refused(void **state)
{
    const struct source_ops *ops;
    struct lease *other;
    struct err err = ERR_INIT;
    struct visit visit;

    (void)state;
    open_source(&visit, &(struct phone_source_options){0});
    ops = visit.source->ops;
    assert_false(ops->acquire(visit.source, "phone-0", soon(), &other, &err));
    assert_int_equal(err.code, ERR_BUSY);
    assert_false(ops->acquire(visit.source, "phone-1", soon(), &other, &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
    close_source(&visit);
}

static void thirty_two_phones_run_in_one_program(void **state)
{
    const struct phone_source_options options = {.count = 32, .way = WAY};
    struct lease *leases[32];
    struct source *source;
    struct err err = ERR_INIT;
    char **serials;
    size_t count;

    (void)state;
    assert_true(phone_source_open(&options, &source, &err));
    assert_true(source->ops->list(source, soon(), &serials, &count, &err));
    assert_int_equal(count, 32);
    for (size_t i = 0; i < count; i++) {
        if (!source->ops->acquire(source, serials[i], soon(), &leases[i], &err))
            fail_msg("%s", err.text);
        free(serials[i]);
    }
    free(serials);
    for (size_t i = 0; i < count; i++) {
        struct visit visit = {source, leases[i]};

        tap(&visit, "launcher.open org.proctor.shop");
        source->ops->release(source, leases[i]);
    }
    source->ops->close(source);
}

static void a_truth_that_is_not_there_is_named(void **state)
{
    struct cJSON *facts;
    struct err err = ERR_INIT;
    struct oracle *oracle;
    struct visit visit;

    (void)state;
    open_source(&visit, &(struct phone_source_options){0});
    oracle = visit.lease->oracle;
    assert_false(oracle->ops->facts(oracle, "shop.nothing", &facts, &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
    assert_non_null(strstr(err.text, "shop.nothing"));
    assert_false(oracle->ops->facts(oracle, "nothing", &facts, &err));
    close_source(&visit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tap_where_the_oracle_says_has_that_effect),
        cmocka_unit_test(what_is_out_of_sight_or_not_yet_loaded_is_scrolled_to),
        cmocka_unit_test(the_nth_of_those_that_fit_can_be_asked_for),
        cmocka_unit_test(fields_and_values_of_sliders_are_found),
        cmocka_unit_test(
            a_refreshed_phone_is_new_and_speaks_the_wanted_language),
        cmocka_unit_test(a_lost_connection_is_renewed_to_the_same_phone),
        cmocka_unit_test(a_phone_is_leased_once_and_unknown_ones_are_refused),
        cmocka_unit_test(thirty_two_phones_run_in_one_program),
        cmocka_unit_test(a_truth_that_is_not_there_is_named),
    };

    const char *server = getenv("PROCTOR_PEER_SERVER_PORT");

    if (server)
        setenv("ANDROID_ADB_SERVER_PORT", server, 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
