/* Helpers of the model clients: bodies, durations, prices, masking. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"
#include "base/mem.h"
#include "runner/models/prices.h"
#include "runner/models/request_body.h"
#include "runner/models/retry.h"
#include "runner/models/secret_mask.h"

static void a_body_is_the_same_in_pieces_of_any_size(void **state)
{
    static const char expected[] =
        "{\"a\":\"\\\"x\\\\\\n\\u0009é\",\"b\":\"AAECAwQFBgcICQo=\",\"c\":"
        "\"/w==\"}";
    static const unsigned char one[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    static const unsigned char two[] = {255};
    struct request_body body = REQUEST_BODY_INIT;

    (void)state;
    request_body_json(&body, "{\"a\":");
    request_body_string(&body, "\"x\\\n\té");
    request_body_json(&body, ",\"b\":");
    request_body_string_open(&body);
    request_body_picture(&body, one, sizeof(one));
    request_body_string_close(&body);
    request_body_json(&body, ",\"c\":\"");
    request_body_picture(&body, two, sizeof(two));
    request_body_json(&body, "\"}");
    assert_int_equal(request_body_size(&body), strlen(expected));
    for (size_t size = 1; size <= sizeof(expected); size++) {
        struct request_body_reader reader = {.body = &body};
        struct buf all = BUF_INIT(256);
        char *piece = mem_new(size, 1); /* exactly, for ASan */
        size_t got;

        while ((got = request_body_read(&reader, piece, size)))
            buf_append(&all, piece, got);
        assert_string_equal(buf_cstr(&all), expected);
        free(piece);
        buf_release(&all);
    }
    request_body_release(&body);
}

static void bodies_with_other_pictures_have_other_hashes(void **state)
{
    static const char *const pictures[] = {"a", "b", "ab"};
    char names[3][SHA256_HEX_SIZE];

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct request_body body = REQUEST_BODY_INIT;

        request_body_json(&body, "\"");
        request_body_picture(&body, pictures[i], strlen(pictures[i]));
        request_body_json(&body, "\"");
        request_body_hash(&body, names[i]);
        request_body_release(&body);
    }
    assert_string_not_equal(names[0], names[1]);
    assert_string_not_equal(names[0], names[2]);
}

static void durations_are_parsed_in_all_formats(void **state)
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

static void price_belongs_to_the_exact_model(void **state)
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

static void secrets_are_masked(void **state)
{
    struct secret_mask mask;
    struct buf text = BUF_INIT(256);

    (void)state;
    secret_mask_init(&mask);
    secret_mask_add(&mask, "sk-secret");
    secret_mask_add(&mask, "sk-secret");
    secret_mask_add(&mask, "ab"); /* too short to be a secret */
    secret_mask_add(&mask, NULL);
    buf_text(&text, "sk-secretsk-secret and ab, sk-secre");
    secret_mask_buf(&mask, &text);
    assert_string_equal(buf_cstr(&text), "****************** and ab, sk-secre");
    buf_release(&text);
    secret_mask_release(&mask);
}

#define ALL_ESCAPED                                                            \
    "<\\u0073\\u006b\\u002D\\u002f\\u0073\\u0065\\u0063\\u0072\\u0065\\u0074>"

static void secrets_are_found_in_all_encodings(void **state)
{
    static const char *const texts[] = {
        "<sk-/secret>",
        "<\\u0073k-/secret>",
        ALL_ESCAPED,
        "<s\\\\u006b-\\/secret>",
        "<sk%2D%2fsecret>",
        "<s\xe2\x80\x8bk\xef\xbb\xbf-/sec\xc2\xadret>",
        "<s\\u200bk-/s\\u200Decret>",
    };
    static const char *const innocent[] = {
        "sk-/secre", "sk-secret", "\\u0073k-/secre", "%73%",
        "\\",        "\\u00",     "s k-/secret"};
    struct secret_mask mask;

    (void)state;
    secret_mask_init(&mask);
    secret_mask_add(&mask, "sk-/");
    secret_mask_add(&mask, "sk-/secret");
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct buf text = BUF_INIT(256);

        buf_text(&text, texts[i]);
        assert_true(secret_mask_buf(&mask, &text));
        assert_int_equal(text.length, strlen(texts[i]));
        if (strspn(buf_cstr(&text) + 1, "*") != text.length - 2)
            fail_msg("%s: %s", texts[i], buf_cstr(&text));
        buf_release(&text);
    }
    secret_mask_release(&mask);
    secret_mask_init(&mask);
    secret_mask_add(&mask, "sk-/secret");
    for (size_t i = 0; i < ARRAY_LEN(innocent); i++) {
        struct buf text = BUF_INIT(256);

        buf_text(&text, innocent[i]);
        assert_false(secret_mask_buf(&mask, &text));
        assert_string_equal(buf_cstr(&text), innocent[i]);
        buf_release(&text);
    }
    secret_mask_release(&mask);
}

static void secrets_in_other_scripts_are_found_escaped(void **state)
{
    static const char secret[] = "pässwort密\xf0\x9f\x94\x91";
    static const char *const texts[] = {
        "<pässwort密\xf0\x9f\x94\x91>",
        "<p\\u00e4sswort\\u5bc6\\ud83d\\udd11>",
        "<p\\\\u00E4sswort\\\\u5BC6\\\\uD83D\\\\uDD11>",
        "<p%C3%A4sswort%e5%af%86%F0%9F%94%91>",
        "<p\\xe4sswort密\\u200b\xf0\x9f\x94\x91>",
    };
    static const char *const innocent[] = {"p\\u00e4sswort\\u5bc6\\ud83d",
                                           "p%C3sswort%e5%af%86%F0%9F%94%91"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts) + ARRAY_LEN(innocent); i++) {
        bool is_secret = i < ARRAY_LEN(texts);
        const char *from =
            is_secret ? texts[i] : innocent[i - ARRAY_LEN(texts)];
        struct secret_mask mask;
        struct buf text = BUF_INIT(256);

        secret_mask_init(&mask);
        secret_mask_add(&mask, secret);
        buf_text(&text, from);
        assert_int_equal(secret_mask_buf(&mask, &text), is_secret);
        if (is_secret && strspn(buf_cstr(&text) + 1, "*") != text.length - 2)
            fail_msg("%s: %s", from, buf_cstr(&text));
        buf_release(&text);
        secret_mask_release(&mask);
    }
}

static void secrets_that_look_escaped_are_found_literally(void **state)
{
    static const char *const secrets[] = {"p%40ss\\u0041wörd", "\\\\/ab\\/",
                                          "%41bcd"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(secrets); i++) {
        struct secret_mask mask;
        struct buf text = BUF_INIT(256);

        secret_mask_init(&mask);
        secret_mask_add(&mask, secrets[i]);
        buf_printf(&text, "<\\\\\\%s>", secrets[i]);
        assert_true(secret_mask_buf(&mask, &text));
        assert_null(strstr(buf_cstr(&text), secrets[i]));
        assert_non_null(strstr(buf_cstr(&text), "****"));
        buf_release(&text);
        secret_mask_release(&mask);
    }
}

/* With quadratic time this would take minutes. */
static void many_backslashes_take_little_time(void **state)
{
    const size_t length = (size_t)1 << 20;
    char *text = mem_new(length, 1);
    struct secret_mask mask;

    (void)state;
    secret_mask_init(&mask);
    secret_mask_add(&mask, "sk-/secret");
    secret_mask_add(&mask, "\\sk-/secret");
    memset(text, '\\', length);
    assert_false(secret_mask_text(&mask, text, length));
    memcpy(text + length - 14, "u0073k-/secret", 14);
    assert_true(secret_mask_text(&mask, text, length));
    assert_true(text[0] == '*' && text[length - 1] == '*');
    secret_mask_release(&mask);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_is_the_same_in_pieces_of_any_size),
        cmocka_unit_test(bodies_with_other_pictures_have_other_hashes),
        cmocka_unit_test(durations_are_parsed_in_all_formats),
        cmocka_unit_test(
            waits_double_with_chance_and_never_fall_below_the_floor),
        cmocka_unit_test(price_belongs_to_the_exact_model),
        cmocka_unit_test(secrets_are_masked),
        cmocka_unit_test(secrets_are_found_in_all_encodings),
        cmocka_unit_test(secrets_that_look_escaped_are_found_literally),
        cmocka_unit_test(secrets_in_other_scripts_are_found_escaped),
        cmocka_unit_test(many_backslashes_take_little_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
