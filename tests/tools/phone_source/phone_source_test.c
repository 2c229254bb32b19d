/*
 * Built-in phones as the runner leases them, and their truth:
 * reached directly, or (with WAY) through Debian's adb server.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

#include "adb/services/shell.h"
#include "tools/phone_source/phone_source.h"

#define OUTPUT_MAX ((size_t)1 << 20)

#ifndef WAY
#define WAY PHONE_SOURCE_DIRECT
#endif

struct fixture {
    struct device_source *source;
    struct device_lease *lease;
};

static struct deadline soon(void)
{
    return deadline_in_ms(60000);
}

static void open_source(struct fixture *fixture,
                        const struct phone_source_options *options)
{
    struct phone_source_options reached = *options;
    struct err err = ERR_INIT;

    reached.way = WAY;
    *fixture = (struct fixture){0};
    if (!phone_source_open(&reached, &fixture->source, &err) ||
        !fixture->source->ops->acquire(fixture->source, "phone-0", soon(),
                                       &fixture->lease, &err))
        fail_msg("%s", err.text);
}

static void close_source(struct fixture *fixture)
{
    fixture->source->ops->release(fixture->source, fixture->lease);
    fixture->source->ops->close(fixture->source);
}

static void run(struct fixture *fixture, const char *command)
{
    struct shell_result result;
    struct err err = ERR_INIT;

    if (!shell_run(fixture->lease->device, command, OUTPUT_MAX, soon(), &result,
                   &err))
        fail_msg("%s: %s", command, err.text);
    shell_result_release(&result);
}

static struct truth_target locate(struct fixture *fixture, const char *call)
{
    struct truth_source *truth_source = fixture->lease->truth_source;
    struct truth_target place;
    struct err err = ERR_INIT;

    if (!truth_source->ops->locate(truth_source, call, &place, &err))
        fail_msg("%s: %s", call, err.text);
    return place;
}

static void scroll(struct fixture *fixture, struct truth_target place)
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
    run(fixture, command);
}

static void tap(struct fixture *fixture, const char *call)
{
    struct truth_target place = locate(fixture, call);
    char command[64];

    for (int i = 0; !place.shown && place.scroll && i < 40; i++) {
        scroll(fixture, place);
        place = locate(fixture, call);
    }
    if (!place.shown)
        fail_msg("%s is not on the screen", call);
    snprintf(command, sizeof(command), "input tap %d %d", place.at.x,
             place.at.y);
    run(fixture, command);
}

static struct cJSON *judge(struct fixture *fixture, const char *truth)
{
    struct truth_source *truth_source = fixture->lease->truth_source;
    struct cJSON *verdict = NULL;
    struct err err = ERR_INIT;

    if (!truth_source->ops->judge(truth_source, truth, NULL, &verdict, &err))
        fail_msg("%s: %s", truth, err.text);
    return verdict;
}

/* Is this the last event, by its name and first argument? */
static void assert_last(struct fixture *fixture, const char *event,
                        const char *argument)
{
    struct cJSON *verdict = judge(fixture, "shop.cheapest");
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

/* ---- locating ---- */

static void tap_on_a_located_point_has_that_effect(void **state)
{
    struct fixture fixture;

    (void)state;
    open_source(&fixture, &(struct phone_source_options){.seed = 3, .skin = 2});
    tap(&fixture, "launcher.open org.proctor.shop");
    tap(&fixture, "shop.tab categories");
    assert_last(&fixture, "shop.tab", "categories");
    tap(&fixture, "shop.category audio");
    tap(&fixture, "shop.go sort");
    assert_false(locate(&fixture, "shop.back").shown); /* the sheet covers it */
    tap(&fixture, "shop.sort price_asc");
    assert_last(&fixture, "shop.sort", "price_asc");
    tap(&fixture, "shop.go filter");
    tap(&fixture, "shop.free true");
    tap(&fixture, "shop.back");
    assert_last(&fixture, "shop.back", NULL);
    tap(&fixture, "shop.open *");
    assert_last(&fixture, "shop.open", NULL);
    assert_false(locate(&fixture, "eats.tab orders").shown);
    close_source(&fixture);
}

static void invisible_or_unloaded_element_is_scrolled_to(void **state)
{
    struct fixture fixture;

    (void)state;
    open_source(&fixture, &(struct phone_source_options){.count = 2});
    tap(&fixture, "launcher.open org.proctor.shop");
    tap(&fixture, "shop.category bags"); /* at the end of a carousel */
    tap(&fixture, "shop.back");
    assert_int_equal(locate(&fixture, "shop.open 27").scroll, DIRECTION_DOWN);
    tap(&fixture, "shop.open 27"); /* the home screen loads a few at a time */
    assert_last(&fixture, "shop.open", NULL);
    close_source(&fixture);
}

static void nth_match_can_be_requested(void **state)
{
    struct fixture fixture;
    struct truth_target first, second;

    (void)state;
    open_source(&fixture, &(struct phone_source_options){0});
    tap(&fixture, "launcher.open org.proctor.eats");
    first = locate(&fixture, "eats.open * #1");
    second = locate(&fixture, "eats.open * #2");
    assert_true(first.shown && second.shown);
    assert_true(second.at.y > first.at.y);
    close_source(&fixture);
}

static void fields_and_values_of_sliders_are_found(void **state)
{
    struct fixture fixture;

    (void)state;
    open_source(&fixture, &(struct phone_source_options){0});
    tap(&fixture, "launcher.open com.android.settings");
    tap(&fixture, "settings.go sound");
    tap(&fixture, "settings.volume alarm 2");
    assert_last(&fixture, "settings.volume", "alarm");
    run(&fixture, "input keyevent BACK");
    tap(&fixture, "settings.go search");
    tap(&fixture, "settings.query");
    run(&fixture, "input text dark");
    assert_last(&fixture, "settings.query", NULL);
    tap(&fixture, "settings.go display");
    assert_last(&fixture, "settings.go", "display");
    close_source(&fixture);
}

/* ---- phones ---- */

static void a_refreshed_phone_is_new_and_speaks_the_wanted_language(
    void **state)
{
    struct shell_result result;
    struct err err = ERR_INIT;
    struct fixture fixture;
    struct cJSON *verdict;

    (void)state;
    open_source(&fixture, &(struct phone_source_options){.seed = 1});
    run(&fixture, "settings put system x y");
    tap(&fixture, "launcher.open org.proctor.shop");
    tap(&fixture, "shop.tab cart");
    if (!fixture.source->ops->refresh(fixture.source, fixture.lease, NULL, "zh",
                                      soon(), &err))
        fail_msg("%s", err.text);
    assert_true(shell_run(fixture.lease->device,
                          "settings get system x; getprop persist.sys.locale",
                          OUTPUT_MAX, soon(), &result, &err));
    assert_string_equal(buf_cstr(&result.out), "null\nzh-CN\n");
    shell_result_release(&result);
    verdict = judge(&fixture, "shop.cheapest");
    assert_int_equal(
        cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(verdict, "events")),
        0);
    cJSON_Delete(verdict);
    close_source(&fixture);
}

static void a_lost_connection_is_renewed_to_the_same_phone(void **state)
{
    struct err err = ERR_INIT;
    struct fixture fixture;

    (void)state;
    open_source(&fixture, &(struct phone_source_options){0});
    tap(&fixture, "launcher.open org.proctor.shop");
    tap(&fixture, "shop.tab cart");
    assert_true(fixture.source->ops->renew(fixture.source, fixture.lease,
                                           soon(), &err));
    run(&fixture, "true");
    assert_last(&fixture, "shop.tab", "cart");
    close_source(&fixture);
}

static void leased_and_unknown_phones_are_refused(void **state)
{
    const struct device_source_ops *ops;
    struct device_lease *other;
    struct err err = ERR_INIT;
    struct fixture fixture;

    (void)state;
    open_source(&fixture, &(struct phone_source_options){0});
    ops = fixture.source->ops;
    assert_false(ops->acquire(fixture.source, "phone-0", soon(), &other, &err));
    assert_int_equal(err.code, ERR_BUSY);
    assert_false(ops->acquire(fixture.source, "phone-1", soon(), &other, &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
    close_source(&fixture);
}

static void thirty_two_phones_run_in_one_program(void **state)
{
    const struct phone_source_options options = {.count = 32, .way = WAY};
    struct device_lease *leases[32];
    struct device_source *source;
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
        struct fixture fixture = {source, leases[i]};

        tap(&fixture, "launcher.open org.proctor.shop");
        source->ops->release(source, leases[i]);
    }
    source->ops->close(source);
}

static void unknown_truth_is_named_in_the_error(void **state)
{
    struct cJSON *facts;
    struct err err = ERR_INIT;
    struct truth_source *truth_source;
    struct fixture fixture;

    (void)state;
    open_source(&fixture, &(struct phone_source_options){0});
    truth_source = fixture.lease->truth_source;
    assert_false(
        truth_source->ops->facts(truth_source, "shop.nothing", &facts, &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
    assert_non_null(strstr(err.text, "shop.nothing"));
    assert_false(
        truth_source->ops->facts(truth_source, "nothing", &facts, &err));
    close_source(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tap_on_a_located_point_has_that_effect),
        cmocka_unit_test(invisible_or_unloaded_element_is_scrolled_to),
        cmocka_unit_test(nth_match_can_be_requested),
        cmocka_unit_test(fields_and_values_of_sliders_are_found),
        cmocka_unit_test(
            a_refreshed_phone_is_new_and_speaks_the_wanted_language),
        cmocka_unit_test(a_lost_connection_is_renewed_to_the_same_phone),
        cmocka_unit_test(leased_and_unknown_phones_are_refused),
        cmocka_unit_test(thirty_two_phones_run_in_one_program),
        cmocka_unit_test(unknown_truth_is_named_in_the_error),
    };

    const char *server = getenv("PROCTOR_PEER_SERVER_PORT");

    if (server)
        setenv("ANDROID_ADB_SERVER_PORT", server, 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
