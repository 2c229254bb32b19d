#include "tools/farm_queue/farm_needs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "tools/farm_queue/farm_url.h"

static void needs_are(const struct run_plan *plan, const struct task *task,
                      const char *expected)
{
    struct cJSON *needs = farm_needs_of(plan, task);
    struct buf text = BUF_INIT(4096);

    json_format(needs, &text);
    assert_string_equal(buf_cstr(&text), expected);
    cJSON_Delete(needs);
    buf_release(&text);
}

static void task_needs_its_apps_language_and_kind_of_phone(void **state)
{
    char agent[] = "openai:gpt-5";
    char locale[] = "en";
    char exact[] = "de-AT";
    struct run_plan plan = {.agent = agent};
    struct task task = {.requires.locale = exact};

    (void)state;
    text_list_add(&task.apps, "org.example");
    needs_are(&plan, &task,
              "[\"kind:device\",\"agent:openai\",\"locale:de-AT\","
              "\"app:org.example\"]");
    text_list_add(&plan.devices, "emulator");
    plan.locale = locale;
    needs_are(&plan, &task,
              "[\"kind:emulator\",\"agent:openai\",\"lang:en\","
              "\"locale:de-AT\",\"app:org.example\"]");
    text_list_release(&plan.devices);
    text_list_add(&plan.devices, "R3CN");
    plan.agent = (char[]){"exec:sh x"};
    plan.locale = NULL;
    task.truth = (char[]){"shop"};
    needs_are(&plan, &task, "[\"kind:builtin\",\"agent:commands\"]");
    task.truth = NULL;
    task.requires.locale = NULL;
    needs_are(&plan, &task,
              "[\"serial:R3CN\",\"agent:commands\",\"app:org.example\"]");
    text_list_release(&plan.devices);
    text_list_release(&task.apps);
}

static void phone_offers_what_it_reports(void **state)
{
    const struct device_info info = {.locale = "en-US", .model = "Pixel 9"};
    struct cJSON *offers = json_new_array();
    struct buf text = BUF_INIT(4096);

    (void)state;
    farm_offer_phone(offers, "R3CN", &info);
    farm_offer_packages(offers, "package:a.b\r\nnonsense\npackage:c.d");
    json_format(offers, &text);
    assert_string_equal(buf_cstr(&text),
                        "[\"kind:device\",\"kind:real\",\"serial:R3CN\","
                        "\"locale:en-US\",\"lang:en\",\"app:a.b\","
                        "\"app:c.d\"]");
    cJSON_Delete(offers);
    buf_release(&text);
}

static const char *parameter(const char *url, const char *keyword)
{
    static char value[200];
    struct farm_parameters parameters;
    struct err err = ERR_INIT;
    const char *found;

    if (!farm_url_parse(url, &parameters, &err))
        fail_msg("%s: %s", url, err.text);
    found = farm_parameters_find(&parameters, keyword);
    strncpy(value, found ? found : "", sizeof(value) - 1);
    farm_parameters_release(&parameters);
    return value;
}

static void remote_server_must_prove_who_it_is(void **state)
{
    (void)state;
    unsetenv("PGSSLMODE");
    unsetenv("PGHOST");
    unsetenv("PGHOSTADDR");
    assert_string_equal(parameter("postgresql://u@db.example/x", "sslmode"),
                        "verify-full");
    assert_string_equal(
        parameter("postgresql://u@localhost,db.example/x", "sslmode"),
        "verify-full");
    assert_string_equal(
        parameter("postgresql:///x?hostaddr=10.0.0.1", "sslmode"),
        "verify-full");
    assert_string_equal(parameter("postgresql:///x", "sslmode"), "");
    assert_string_equal(parameter("postgresql://localhost/x", "sslmode"), "");
    assert_string_equal(parameter("postgresql://127.0.0.1:5/x", "sslmode"), "");
    assert_string_equal(parameter("postgresql:///x?host=/run/pg", "sslmode"),
                        "");
    assert_string_equal(
        parameter("postgresql://u@db.example/x?sslmode=require", "sslmode"),
        "require");
    setenv("PGHOST", "db.example", 1);
    assert_string_equal(parameter("postgresql:///x", "sslmode"), "verify-full");
    unsetenv("PGHOST");
}

static void shown_url_has_no_password(void **state)
{
    struct farm_parameters parameters;
    struct buf text = BUF_INIT(FARM_URL_MAX);
    struct err err = ERR_INIT;

    (void)state;
    assert_true(farm_url_parse("postgresql://u%40x:secret@localhost:7/my%2Fdb?"
                               "sslmode=disable&sslpassword=secret",
                               &parameters, &err));
    farm_url_show(&parameters, &text);
    assert_string_equal(buf_cstr(&text), "postgresql://u%40x@localhost:7/"
                                         "my%2Fdb?sslmode=disable");
    farm_parameters_release(&parameters);
    buf_release(&text);
    assert_false(
        farm_url_parse("postgresql://u:secret%zz@h/x", &parameters, &err));
    assert_int_equal(err.code, ERR_INVALID);
    assert_null(strstr(err.text, "secret"));
    assert_false(farm_url_parse("host=h password=secret", &parameters, &err));
    assert_null(strstr(err.text, "secret"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(task_needs_its_apps_language_and_kind_of_phone),
        cmocka_unit_test(phone_offers_what_it_reports),
        cmocka_unit_test(remote_server_must_prove_who_it_is),
        cmocka_unit_test(shown_url_has_no_password),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
