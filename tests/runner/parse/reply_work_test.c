/* Hostile replies take work that is linear in their length. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "runner/parse/reply_parser.h"
#include "runner/parse/reply_parts.h"

#define SHORT_REPLY (REPLY_MAX / 32)
#define LONG_REPLY (REPLY_MAX / 4)

/* prefix, then unit again and again, then suffix: length bytes in all. */
static void make(struct buf *reply, const char *prefix, const char *unit,
                 const char *suffix, size_t length)
{
    buf_clear(reply);
    buf_text(reply, prefix);
    while (reply->length + strlen(unit) + strlen(suffix) <= length)
        buf_text(reply, unit);
    buf_text(reply, suffix);
    assert_false(reply->overflow);
}

/* The work per byte; *error gets why there is no action. */
static size_t work_of(const struct buf *reply, struct err *error)
{
    size_t work = 0;
    const struct reply_parse_options options = {
        .screen = {1080, 2400}, .picture = {1080, 2400}, .work = &work};
    const struct model_family *family;
    struct action action;

    *error = (struct err)ERR_INIT;
    if (reply_parse(buf_cstr(reply), reply->length, &options, &action, &family,
                    error))
        action_release(&action);
    return work / reply->length;
}

static const char *const prefixes[] = {
    "", "Action: ", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["};

/* Each alone looks like the beginning of something. */
static const char *const units[] = {
    "<",
    "<a ",
    "<click ",
    "<click x='1' ",
    "back ",
    "back:",
    "tap:",
    "wait:",
    "tap at ",
    "action:",
    "action: a, ",
    "a:1,",
    "a:[,",
    "a\t:\t",
    "[",
    "[1,",
    "{",
    "{a:",
    "{a:1,",
    "{\"a\":\"b\",",
    "\"",
    "'",
    "\"a\" ",
    "\"\"\"",
    "'''a",
    "(",
    "x(",
    "type(a):",
    "type(",
    "Type(a",
    "TYPE [",
    "tap(1,2):",
    "swipe (1,2) ",
    "</think>",
    "<think>",
    "<think></think>",
    "Thought:",
    "### Thought ",
    "### Thought\n",
    "```",
    "<tool_call>",
    "<tool_call></tool_call>",
    "<invoke name=a>",
    "<parameter name=a>",
    "<invoke name=a></invoke>",
    "<function=a>{",
    "a<arg_key>",
    "a<arg_key>b</arg_key>",
    "<point>",
    "<point>1 2",
    "Action:",
    "\\",
    "【",
    "“",
    "1 ",
    "1.",
    " ",
    "\n",
    "back\n",
    "back\nInput:",
    "- a: b\n",
};

static void hostile_replies_take_linear_work(void **state)
{
    struct buf reply = BUF_INIT(REPLY_MAX + 1024);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(units); i++) {
        for (size_t j = 0; j < ARRAY_LEN(prefixes); j++) {
            struct err ignored;
            size_t of_short;
            size_t of_long;

            make(&reply, prefixes[j], units[i], "", SHORT_REPLY);
            of_short = work_of(&reply, &ignored);
            make(&reply, prefixes[j], units[i], "", LONG_REPLY);
            of_long = work_of(&reply, &ignored);
            if (of_long > 100 || of_long > 2 * of_short + 16)
                fail_msg("%s%s...: %zu per byte, and %zu per byte of a reply "
                         "of 8 times the length",
                         prefixes[j], units[i], of_short, of_long);
        }
    }
    buf_release(&reply);
}

/* Long lines and open tags are scanned a fixed number of times. */
static void no_limit_is_reached_by_long_lines_and_open_tags(void **state)
{
    static const struct {
        const char *prefix;
        const char *unit;
        const char *suffix;
    } cases[] = {
        {"", "<", ""},
        {"Action: ", "<click ", ""},
        {"", "back ", ""},
        {"Action: ", "back ", ""},
        {"Action: ", "tap the button and ", ""},
        {"", "a, b: ", ""},
        {"action: tap, ", "a: 1, ", ""},
        {"", "I tap here.\n", "Action: tap(1, 2)"},
        {"Thought: ", "maybe I should tap < or > ", "\nAction: tap(1, 2)"},
    };
    struct buf reply = BUF_INIT(REPLY_MAX + 1024);
    struct err error;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        size_t work;

        make(&reply, cases[i].prefix, cases[i].unit, cases[i].suffix,
             REPLY_MAX);
        work = work_of(&reply, &error);
        if (work > 48)
            fail_msg("%s%s: %zu per byte", cases[i].prefix, cases[i].unit,
                     work);
    }
    buf_release(&reply);
}

static void a_reply_that_takes_too_much_work_is_refused(void **state)
{
    struct buf reply = BUF_INIT(REPLY_MAX + 1024);
    struct err error;

    (void)state;
    make(&reply, "Action: ", "back:", "", REPLY_MAX);
    assert_true(work_of(&reply, &error) >= 64);
    assert_string_equal(error.text,
                        "the reply is too long and too nested to be parsed");
    buf_release(&reply);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hostile_replies_take_linear_work),
        cmocka_unit_test(no_limit_is_reached_by_long_lines_and_open_tags),
        cmocka_unit_test(a_reply_that_takes_too_much_work_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
