/* The small parts of asking models: bodies, durations, prices, masks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"
#include "base/mem.h"
#include "runner/body.h"
#include "runner/mask.h"
#include "runner/prices.h"
#include "runner/retry.h"

static void a_body_is_the_same_in_pieces_of_any_size(void **state)
{
    static const char expected[] =
        "{\"a\":\"\\\"x\\\\\\n\\u0009é\",\"b\":\"AAECAwQFBgcICQo=\",\"c\":"
        "\"/w==\"}";
    static const unsigned char one[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    static const unsigned char two[] = {255};
    struct body body = BODY_INIT;

    (void)state;
    body_json(&body, "{\"a\":");
    body_string(&body, "\"x\\\n\té");
    body_json(&body, ",\"b\":");
    body_string_open(&body);
    body_picture(&body, one, sizeof(one));
    body_string_close(&body);
    body_json(&body, ",\"c\":\"");
    body_picture(&body, two, sizeof(two));
    body_json(&body, "\"}");
    assert_int_equal(body_size(&body), strlen(expected));
    for (size_t size = 1; size <= sizeof(expected); size++) {
        struct body_reader reader = {.body = &body};
        struct buf all = BUF_INIT(256);
        char *piece = mem_new(size, 1); /* exactly, for ASan */
        size_t got;

        while ((got = body_read(&reader, piece, size)))
            buf_append(&all, piece, got);
        assert_string_equal(buf_cstr(&all), expected);
        free(piece);
        buf_release(&all);
    }
    body_release(&body);
}

static void bodies_with_other_pictures_have_other_names(void **state)
{
    static const char *const pictures[] = {"a", "b", "ab"};
    char names[3][SHA256_HEX_SIZE];

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct body body = BODY_INIT;

        body_json(&body, "\"");
        body_picture(&body, pictures[i], strlen(pictures[i]));
        body_json(&body, "\"");
        body_hash(&body, names[i]);
        body_release(&body);
    }
    assert_string_not_equal(names[0], names[1]);
    assert_string_not_equal(names[0], names[2]);
}

static void durations_are_read_as_services_write_them(void **state)
{
    static const struct {
        const char *text;
        int64_t ms; /* -1: it is none */
    } cases[] = {
        {"6m0s", 360000}, {"1s", 1000},
        {"250ms", 250},   {"20", 20000},
        {"1.5", 1500},    {"1h2m3.5s", 3723500},
        {"0s", 0},        {"34s", 34000},
        {"", -1},         {"soon", -1},
        {"5x", -1},       {"-1", -1},
        {"1 s", -1},      {"9999999999h", 86400000},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        int64_t ns = -1;

        assert_int_equal(retry_duration(cases[i].text, &ns), cases[i].ms >= 0);
        if (cases[i].ms >= 0)
            assert_int_equal(ns / 1000000, cases[i].ms);
    }
}

static void waits_double_with_chance_and_never_fall_below_the_floor(
    void **state)
{
    const struct retry_rules rules = {
        .tries = 9, .first_ms = 500, .longest_ms = 60000};

    (void)state;
    assert_int_equal(retry_wait_ns(&rules, 1, 0, 0), 500000000);
    assert_int_equal(retry_wait_ns(&rules, 1, 0, 0.5), 375000000);
    assert_int_equal(retry_wait_ns(&rules, 3, 0, 0), 2000000000);
    assert_int_equal(retry_wait_ns(&rules, 30, 0, 0), 60000000000);
    assert_int_equal(retry_wait_ns(&rules, 1, 7000000000, 0.9), 7000000000);
}

static void prices_are_of_the_very_model(void **state)
{
    static const struct {
        const char *model;
        double input; /* -1: unknown */
    } cases[] = {
        {"gpt-4o", 2.5},
        {"gpt-4o-2024-08-06", 2.5},
        {"gpt-4o-mini", 0.15},
        {"openai/gpt-4o-mini-2024-07-18", 0.15},
        {"gpt-4o-audio-preview", -1},
        {"gpt-5-pro", -1},
        {"claude-opus-4-1-20250805", 15},
        {"claude-opus-4-5-20251101", 5},
        {"gemini-2.5-flash-preview-09-2025", 0.3},
        {"llama", -1},
    };
    const struct model_usage usage = {.input_tokens = 1000000,
                                      .output_tokens = 100000,
                                      .cached_tokens = 400000};
    struct prices prices;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(prices_load(NULL, &prices, &err));
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct price *price = prices_find(&prices, cases[i].model);

        assert_int_equal(price != NULL, cases[i].input >= 0);
        if (price)
            assert_true(price->input == cases[i].input);
    }
    /* 0.6 million at 2.5, 0.4 at 1.25, and 0.1 at 10. */
    assert_true(price_cost(prices_find(&prices, "gpt-4o"), &usage) == 3.0);
    assert_true(price_cost(NULL, &usage) < 0);
    prices_release(&prices);
    assert_false(prices_parse("{\"prices\":[{\"model\":\"a\",\"input\":-1,"
                              "\"output\":1}]}",
                              54, &prices, &err));
}

static void secrets_become_stars(void **state)
{
    struct mask mask;
    struct buf text = BUF_INIT(256);

    (void)state;
    mask_init(&mask);
    mask_add(&mask, "sk-secret");
    mask_add(&mask, "sk-secret");
    mask_add(&mask, "ab"); /* too short to be one */
    mask_add(&mask, NULL);
    buf_text(&text, "sk-secretsk-secret and ab, sk-secre");
    mask_buf(&mask, &text);
    assert_string_equal(buf_cstr(&text), "****************** and ab, sk-secre");
    buf_release(&text);
    mask_release(&mask);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_is_the_same_in_pieces_of_any_size),
        cmocka_unit_test(bodies_with_other_pictures_have_other_names),
        cmocka_unit_test(durations_are_read_as_services_write_them),
        cmocka_unit_test(
            waits_double_with_chance_and_never_fall_below_the_floor),
        cmocka_unit_test(prices_are_of_the_very_model),
        cmocka_unit_test(secrets_become_stars),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
