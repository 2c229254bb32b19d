/* The model judge behind each service's API, on loopback. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base64.h"
#include "base/json.h"
#include "base/macros.h"
#include "base/mem.h"
#include "judge/judge.h"
#include "tests/judge/episode_maker.h"
#include "tests/runner/models/models_fixture.h"

#define NEEDS "\"needs\":[{\"say\":\"sort by price\"}]"
#define HOME "title: Shop\nrow: Sort\nrow: Lamp\n"
#define SHEET "title: Shop\n( ) Price\n(x) Rating\n"
#define END "title: Shop\nrow: Sort\nrow: Cheap Lamp\n"

#define YES "<think>It is there.</think><answer>True</answer>"
#define NO "<think>It is missing.</think><answer>False</answer>"

static struct episode_maker maker;
static struct models_fixture fixture;

static void begin(const char *service)
{
    episode_begin(&maker, NEEDS);
    episode_tap(&maker, HOME, 1);
    episode_tap(&maker, SHEET, 1);
    episode_complete(&maker, END);
    fixture_start(&fixture, service, NULL);
}

static void end(void)
{
    fixture_stop(&fixture);
    episode_remove(&maker);
}

static struct model_answer *say(const char *service, const char *text)
{
    char *body = fixture_saying(service, text);
    struct model_answer *answer = fixture_answer(&fixture, 200, body);

    free(body);
    return answer;
}

static bool judge(struct model *summarizer, int64_t ask_ms,
                  struct verdict *verdict, struct err *err)
{
    const struct judge_options options = {.kind = JUDGE_MODEL,
                                          .model = fixture.model,
                                          .summarizer = summarizer,
                                          .ask_ms = ask_ms};
    struct judge judge;
    bool done;

    judge_init(&judge, &options);
    done = judge_episode(&judge, maker.folder, verdict, err);
    judge_release(&judge);
    return done;
}

static void expect(enum outcome outcome, int questions)
{
    struct verdict verdict;
    struct err err = ERR_INIT;

    if (!judge(NULL, 0, &verdict, &err))
        fail_msg("%s", err.text);
    if (verdict.outcome != outcome)
        fail_msg("%s: %s", outcome_name(verdict.outcome), verdict.reason);
    assert_int_equal(model_server_questions(fixture.server), questions);
    verdict_release(&verdict);
}

/* ---- requests ---- */

struct sent {
    const char *picture; /* in base64 */
    size_t pictures;
    size_t goals;
    size_t steps;
};

/* All strings of the request, wherever the service's API has them. */
static void look(const struct cJSON *value, struct sent *sent)
{
    const struct cJSON *child = NULL;

    if (cJSON_IsString(value)) {
        const char *text = value->valuestring;

        sent->pictures += strstr(text, sent->picture) != NULL;
        sent->goals += strstr(text, "\n\"Find the cheapest lamp and show it "
                                    "to me\"\n") != NULL;
        sent->steps +=
            strstr(text, "\n2. \"tapped radio button 'Price', now on; screen "
                         "'Shop' of test; ") != NULL;
    }
    cJSON_ArrayForEach(child, value) look(child, sent);
}

static void descriptions_and_picture_arrive_complete(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(fixture_services); i++) {
        struct buf png = BUF_INIT(1 << 16);
        struct sent sent = {.picture = NULL};
        struct cJSON *tree = NULL;
        char *letters;
        struct err err;

        begin(fixture_services[i]);
        say(fixture_services[i], YES);
        expect(OUTCOME_SUCCESS, 1);
        episode_picture(END, &png);
        letters = mem_new(base64_size(png.length) + 1, 1);
        base64_encode(png.data, png.length, letters);
        sent.picture = letters;
        assert_true(json_parse(buf_cstr(&fixture.asked), fixture.asked.length,
                               &tree, &err));
        look(tree, &sent);
        assert_int_equal(sent.pictures, 1);
        assert_int_equal(sent.goals, 1);
        assert_int_equal(sent.steps, 1);
        assert_non_null(strstr(buf_cstr(&fixture.asked), "\"temperature\":0"));
        cJSON_Delete(tree);
        free(letters);
        buf_release(&png);
        end();
    }
}

/* ---- replies ---- */

static void every_kind_of_answer_is_read(void **state)
{
    static const struct {
        const char *first;
        const char *second;
        enum outcome outcome;
        int questions;
    } cases[] = {
        {YES, NULL, OUTCOME_SUCCESS, 1},
        {NO, NULL, OUTCOME_FAILURE, 1},
        {"Looks good to me", YES, OUTCOME_SUCCESS, 2},
        {"Looks good to me", "Really", OUTCOME_UNSCORED, 2},
        {"<answer>True</answer><answer>False</answer>",
         "<answer>Maybe</answer>", OUTCOME_UNSCORED, 2},
        {"<think>It is", "<think>It is<answer>True", OUTCOME_UNSCORED, 2},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(fixture_services); i++) {
        for (size_t k = 0; k < ARRAY_LEN(cases); k++) {
            begin(fixture_services[i]);
            say(fixture_services[i], cases[k].first);
            if (cases[k].second)
                say(fixture_services[i], cases[k].second);
            expect(cases[k].outcome, cases[k].questions);
            end();
        }
    }
}

static void empty_answer_is_unscored(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(fixture_services); i++) {
        begin(fixture_services[i]);
        say(fixture_services[i], "");
        expect(OUTCOME_UNSCORED, 2);
        end();
    }
}

static void slow_service_gives_no_verdict(void **state)
{
    struct model_answer *answer;
    struct verdict verdict;
    struct err err = ERR_INIT;

    (void)state;
    begin("openai");
    answer = say("openai", YES);
    answer->cut = 20;
    answer->stalls = true;
    assert_false(judge(NULL, 300, &verdict, &err));
    assert_int_equal(err.code, ERR_TIMEOUT);
    end();
}

static void lost_connection_is_retried(void **state)
{
    (void)state;
    begin("anthropic");
    say("anthropic", YES)->cut = 30;
    say("anthropic", NO);
    expect(OUTCOME_FAILURE, 2);
    end();
}

/* Two touches are summarized; the third request is the judge's. */
static void judge_gets_the_summaries(void **state)
{
    struct verdict verdict;
    struct err err = ERR_INIT;

    (void)state;
    begin("gemini");
    say("gemini", "<summary>click 'Sort', choices appeared</summary>");
    say("gemini", "<summary>Invalid click</summary>");
    say("gemini", NO);
    if (!judge(fixture.model, 0, &verdict, &err))
        fail_msg("%s", err.text);
    assert_int_equal(verdict.outcome, OUTCOME_FAILURE);
    assert_int_equal(model_server_questions(fixture.server), 3);
    assert_non_null(strstr(buf_cstr(&fixture.asked),
                           "1. \\\"click 'Sort', choices appeared\\\"\\n"
                           "2. \\\"Invalid click\\\"\\n3. "));
    assert_int_equal(verdict.usage.input_tokens, 300);
    verdict_release(&verdict);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptions_and_picture_arrive_complete),
        cmocka_unit_test(every_kind_of_answer_is_read),
        cmocka_unit_test(empty_answer_is_unscored),
        cmocka_unit_test(slow_service_gives_no_verdict),
        cmocka_unit_test(lost_connection_is_retried),
        cmocka_unit_test(judge_gets_the_summaries),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
