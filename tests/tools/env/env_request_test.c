#include "tools/env/env_request.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"

static void parse(const char *text, struct env_request *request)
{
    struct err err = ERR_INIT;

    if (!env_request_parse(text, strlen(text), request, &err))
        fail_msg("%s: %s", text, err.text);
}

static void a_reset_has_task_seed_and_view(void **state)
{
    struct env_request request;

    (void)state;
    parse("{\"id\": \"a\\\"b\", \"method\": \"reset\", \"env\": \"e-1.x\","
          "\"task\": \"shop.cheapest\", \"seed\": 12, \"split\": \"train\","
          "\"locale\": \"zh\", \"screen\": \"base64\", \"tree\": \"xml\","
          "\"reward\": \"share\", \"steps\": 9, \"ends_when_met\": true}",
          &request);
    assert_int_equal(request.method, ENV_RESET);
    assert_string_equal(request.id, "\"a\\\"b\"");
    assert_string_equal(request.env, "e-1.x");
    assert_string_equal(request.task, "shop.cheapest");
    assert_true(request.has_seed && request.has_split && !request.has_index);
    assert_int_equal(request.seed, 12);
    assert_string_equal(request.locale, "zh");
    assert_int_equal(request.view.screen, ENV_SCREEN_BASE64);
    assert_int_equal(request.view.tree, ENV_TREE_XML);
    assert_int_equal(request.reward, ENV_REWARD_SHARE);
    assert_int_equal(request.steps, 9);
    assert_true(request.ends_when_met);
    env_request_release(&request);
}

static void a_step_has_an_action_or_a_text(void **state)
{
    struct env_request request;

    (void)state;
    parse("{\"id\": 3, \"method\": \"step\", \"env\": \"e\", \"action\": "
          "{\"action\": \"click\", \"x\": 4, \"y\": 5}}",
          &request);
    assert_string_equal(request.id, "3");
    assert_true(request.has_action);
    assert_int_equal(request.action.kind, ACTION_CLICK);
    assert_false(request.has_screen || request.has_tree);
    env_request_release(&request);
    parse("{\"method\": \"step\", \"env\": \"e\", \"text\": \"click(1, 2)\"}",
          &request);
    assert_string_equal(request.id, "");
    assert_false(request.has_action);
    assert_string_equal(request.text, "click(1, 2)");
    env_request_release(&request);
}

#define STEP "{\"method\": \"step\", \"env\": \"e\", "
#define RESET "{\"method\": \"reset\", \"env\": \"e\", "

static void mistakes_name_what_is_wrong(void **state)
{
    static const struct {
        const char *text;
        const char *words;
    } cases[] = {
        {"", "line 1"},
        {"[]", "expected an object"},
        {"{}", "method: missing"},
        {"{\"method\": 7}", "method"},
        {"{\"method\": \"jump\", \"env\": \"e\"}", "\"jump\" is unknown"},
        {"{\"method\": \"reset\"}", "env: missing"},
        {"{\"method\": \"reset\", \"env\": \"../x\"}", "is no name"},
        {"{\"method\": \"fork\", \"env\": \"e\"}", "to: missing"},
        {"{\"id\": [], \"method\": \"state\", \"env\": \"e\"}", "id: give"},
        {RESET "\"seed\": -1}", "seed"},
        {RESET "\"seed\": 1.5}", "seed"},
        {RESET "\"seed\": 9007199254740992}", "seed"},
        {RESET "\"seed\": 1, \"index\": 1}", "not both"},
        {RESET "\"split\": \"all\"}", "\"train\" or \"test\""},
        {RESET "\"locale\": \"fr\"}", "locale"},
        {RESET "\"screen\": \"jpeg\"}", "none, path, base64"},
        {RESET "\"tree\": 1}", "tree"},
        {RESET "\"reward\": \"much\"}", "reward"},
        {RESET "\"steps\": 0}", "steps"},
        {STEP "\"x\": 1}", "give \"action\""},
        {STEP "\"action\": {\"action\": \"back\"}, \"text\": \"x\"}",
         "give \"action\""},
        {STEP "\"action\": {\"action\": \"fly\"}}", "action"},
        {STEP "\"text\": \"x\", \"family\": \"missing\"}", "family"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct env_request request;
        struct err err = ERR_INIT;

        if (env_request_parse(cases[i].text, strlen(cases[i].text), &request,
                              &err))
            fail_msg("accepted: %s", cases[i].text);
        if (!strstr(err.text, cases[i].words))
            fail_msg("%s: %s", cases[i].text, err.text);
    }
}

static void the_id_of_a_wrong_request_is_kept(void **state)
{
    static const char text[] = "{\"id\": 17, \"method\": \"jump\"}";
    struct env_request request;
    struct err err = ERR_INIT;

    (void)state;
    assert_false(env_request_parse(text, strlen(text), &request, &err));
    assert_string_equal(request.id, "17");
}

static void deep_and_long_requests_are_refused(void **state)
{
    size_t size = ENV_REQUEST_MAX + 2;
    char *text = mem_new(1, size);
    struct env_request request;
    struct err err = ERR_INIT;

    (void)state;
    memset(text, '[', size - 1);
    assert_false(env_request_parse(text, 5000, &request, &err));
    assert_false(env_request_parse(text, size - 1, &request, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reset_has_task_seed_and_view),
        cmocka_unit_test(a_step_has_an_action_or_a_text),
        cmocka_unit_test(mistakes_name_what_is_wrong),
        cmocka_unit_test(the_id_of_a_wrong_request_is_kept),
        cmocka_unit_test(deep_and_long_requests_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
