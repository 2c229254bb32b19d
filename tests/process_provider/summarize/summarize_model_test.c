#include "process_provider/summarize/summarize_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"
#include "base/picture/png.h"

/* A model that gives scripted answers, and records the questions. */
struct scripted {
    struct model model; /* first */
    const char *reply;  /* NULL: the service fails */
    char *asked;        /* owned; all texts */
    struct picture seen;
    int questions;
};

static bool scripted_ask(struct model *model,
                         const struct model_request *request,
                         struct deadline by, const struct cancel *cancel,
                         struct model_reply *reply, struct err *err)
{
    struct scripted *scripted = (struct scripted *)model;
    struct buf asked = BUF_INIT(1 << 16);

    (void)by;
    (void)cancel;
    scripted->questions++;
    for (size_t i = 0; i < request->message_count; i++) {
        const struct model_message *message = &request->messages[i];

        for (size_t k = 0; k < message->part_count; k++) {
            const struct model_part *part = &message->parts[k];

            if (part->text)
                buf_text(&asked, part->text);
            else if (!png_decode(part->image, part->image_size, &scripted->seen,
                                 err))
                return false;
        }
    }
    free(scripted->asked);
    scripted->asked = asked.data;
    if (!scripted->reply)
        return err_set(err, ERR_UNREACHABLE, "no service answers");
    buf_text(&reply->text, scripted->reply);
    reply->usage = (struct model_usage){
        .input_tokens = 1200, .output_tokens = 34, .cost = -1};
    return true;
}

static const struct model_ops scripted_ops = {.ask = scripted_ask};

/* One step to be summarized. */
struct step {
    struct scripted scripted;
    struct picture before, after;
    struct summary summary;
    struct err err;
};

static void step_init(struct step *step, const char *reply)
{
    *step = (struct step){
        .scripted = {.model = {&scripted_ops, "scripted"}, .reply = reply},
        .err = ERR_INIT};
    assert_true(picture_resize(&step->before, 108, 240, &step->err));
    assert_true(picture_resize(&step->after, 108, 240, &step->err));
    memset(step->before.pixels, 0xff, step->before.stride * 240);
    memset(step->after.pixels, 0xff, step->after.stride * 240);
}

static void step_release(struct step *step)
{
    free(step->scripted.asked);
    picture_release(&step->scripted.seen);
    picture_release(&step->before);
    picture_release(&step->after);
}

static bool summarize(struct step *step, const struct cancel *cancel)
{
    const struct action action = {
        .kind = ACTION_CLICK, .has_from = true, .from = {54, 120}};

    return summarize_by_model(&step->scripted.model, &step->before,
                              &step->after, &action, DEADLINE_NEVER, cancel,
                              &step->summary, &step->err);
}

static void summary_is_read_from_its_tags(void **state)
{
    struct step step;

    (void)state;
    step_init(&step, "<think>The list\nopened.</think>\n"
                     "<summary> click 'Sort by',\n a sheet opened </summary>");
    assert_true(summarize(&step, NULL));
    assert_string_equal(step.summary.line, "click 'Sort by', a sheet opened");
    assert_false(step.summary.invalid);
    assert_int_equal(step.summary.usage.input_tokens, 1200);
    assert_int_equal(step.summary.usage.output_tokens, 34);
    step_release(&step);
}

static void the_last_summary_counts(void **state)
{
    struct step step;

    (void)state;
    step_init(&step, "<think>I shall write <summary>x</summary>.</think>"
                     "<summary>click 'OK'</summary>");
    assert_true(summarize(&step, NULL));
    assert_string_equal(step.summary.line, "click 'OK'");
    step_release(&step);
}

static void invalid_click_is_recognized(void **state)
{
    static const char *const replies[] = {
        "<summary>Invalid click</summary>",
        "<summary>\nINVALID CLICK.\n</summary>",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(replies); i++) {
        struct step step;

        step_init(&step, replies[i]);
        assert_true(summarize(&step, NULL));
        assert_true(step.summary.invalid);
        step_release(&step);
    }
}

static void answer_without_a_summary_is_an_error(void **state)
{
    static const char *const replies[] = {
        "",
        "click 'OK'",
        "<summary>cut off in the midd",
        "</summary><summary>",
        "<summary> \n\x01 </summary>",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(replies); i++) {
        struct step step;

        step_init(&step, replies[i]);
        assert_false(summarize(&step, NULL));
        assert_int_equal(step.err.code, ERR_PROTOCOL);
        assert_string_equal(step.summary.line, "");
        step_release(&step);
    }
}

static void prompt_has_the_position_and_both_screens(void **state)
{
    struct step step;

    (void)state;
    step_init(&step, "<summary>click</summary>");
    assert_true(summarize(&step, NULL));
    assert_non_null(strstr(step.scripted.asked, "54"));
    assert_non_null(strstr(step.scripted.asked, "120"));
    assert_non_null(strstr(step.scripted.asked, "<summary>"));
    assert_true(step.scripted.seen.width > 2 * 108);
    assert_int_equal(step.scripted.seen.height, 240);
    step_release(&step);
}

static void failed_model_is_named_in_the_error(void **state)
{
    struct step step;

    (void)state;
    step_init(&step, NULL);
    assert_false(summarize(&step, NULL));
    assert_int_equal(step.err.code, ERR_UNREACHABLE);
    assert_string_equal(step.err.text,
                        "summarizing a step: scripted: no service answers");
    step_release(&step);
}

static void cancelled_step_asks_no_model(void **state)
{
    struct cancel cancel = CANCEL_INIT;
    struct step step;

    (void)state;
    step_init(&step, "<summary>click</summary>");
    assert_true(cancel_init(&cancel, &step.err));
    cancel_fire(&cancel);
    assert_false(summarize(&step, &cancel));
    assert_int_equal(step.err.code, ERR_CANCELLED);
    assert_int_equal(step.scripted.questions, 0);
    cancel_release(&cancel);
    step_release(&step);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(summary_is_read_from_its_tags),
        cmocka_unit_test(the_last_summary_counts),
        cmocka_unit_test(invalid_click_is_recognized),
        cmocka_unit_test(answer_without_a_summary_is_an_error),
        cmocka_unit_test(prompt_has_the_position_and_both_screens),
        cmocka_unit_test(failed_model_is_named_in_the_error),
        cmocka_unit_test(cancelled_step_asks_no_model),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
