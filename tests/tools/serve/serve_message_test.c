/* What the page may send. */
#include "tools/serve/serve_message.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/keycode.h"
#include "base/macros.h"
#include "base/mem.h"

static bool parse(struct serve_message *message, const char *text,
                  struct err *err)
{
    return serve_message_parse(message, text, strlen(text), err);
}

static void touch_has_its_frame_and_place(void **state)
{
    struct serve_message message;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(parse(&message,
                      "{\"id\":7,\"do\":\"touch\",\"phone\":\"abc\","
                      "\"epoch\":3,\"frame\":4294967295,\"width\":1080,"
                      "\"height\":2400,\"pointer\":1,\"action\":\"up\","
                      "\"x\":5,\"y\":6,\"ms\":99}",
                      &err));
    assert_int_equal(message.id, 7);
    assert_int_equal(message.verb, SERVE_TOUCH);
    assert_string_equal(message.phone, "abc");
    assert_int_equal(message.command.kind, VIEW_TOUCH);
    assert_int_equal(message.command.touch, VIEW_UP);
    assert_true(message.command.frame == UINT32_MAX);
    assert_int_equal(message.command.epoch, 3);
    assert_int_equal(message.command.x, 5);
    assert_int_equal(message.command.height, 2400);
    serve_message_release(&message);
}

static void keys_have_names(void **state)
{
    static const struct {
        const char *name;
        int key;
    } cases[] = {
        {"back", KEY_BACK},         {"recents", KEY_APP_SWITCH},
        {"del", KEY_DELETE},        {"dpad_left", KEY_LEFT},
        {"enter", KEY_ENTER},       {"forward_del", KEY_FORWARD_DELETE},
        {"move_end", KEY_MOVE_END}, {"volume_up", KEY_VOLUME_UP},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct serve_message message;
        struct err err = ERR_INIT;
        char text[200];

        snprintf(text, sizeof(text),
                 "{\"do\":\"key\",\"phone\":\"a\",\"epoch\":1,\"key\":\"%s\"}",
                 cases[i].name);
        assert_true(parse(&message, text, &err));
        assert_int_equal(message.command.key, cases[i].key);
        serve_message_release(&message);
    }
}

/* There are ten fingers. */
static const char wrong_pointer[] =
    "{\"do\":\"touch\",\"phone\":\"a\",\"epoch\":1,\"frame\":1,\"width\":1,"
    "\"height\":1,\"pointer\":10,\"action\":\"up\",\"x\":5,\"y\":6,\"ms\":9}";

static void wrong_messages_are_refused(void **state)
{
    static const char *const texts[] = {
        "",
        "[]",
        "{}",
        "{\"do\":7}",
        "{\"do\":\"fly\"}",
        "{\"do\":\"take\"}",
        "{\"do\":\"take\",\"phone\":\"\"}",
        "{\"do\":\"take\",\"phone\":\"a\",\"phone\":\"b\"}",
        "{\"id\":-1,\"do\":\"phones\"}",
        "{\"do\":\"key\",\"phone\":\"a\",\"epoch\":1,\"key\":\"no such\"}",
        "{\"do\":\"key\",\"phone\":\"a\",\"epoch\":-1,\"key\":\"back\"}",
        "{\"do\":\"text\",\"phone\":\"a\",\"epoch\":1,\"text\":\"\"}",
        "{\"do\":\"seen\",\"watch\":65536,\"frame\":1}",
        "{\"do\":\"describe\",\"phone\":\"a\",\"x\":-1,\"y\":0}",
        wrong_pointer,
        "{\"do\":\"start_phone\",\"locale\":\"fr\"}",
        "{\"do\":\"rung\",\"phone\":\"a\",\"rung\":\"ladder\"}",
        "{\"do\":\"watch\",\"phone\":\"a\",\"width\":1,\"video\":7}",
        "{\"do\":\"pair\",\"address\":\"1.2.3.4:5\",\"code\":\"\"}",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct serve_message message;
        struct err err = ERR_INIT;

        assert_false(parse(&message, texts[i], &err));
        assert_true(err.text[0]);
        serve_message_release(&message);
    }
}

/* The page must learn which request was wrong. */
static void a_refused_message_keeps_its_id(void **state)
{
    struct serve_message message;
    struct err err = ERR_INIT;

    (void)state;
    assert_false(parse(&message, "{\"id\":12,\"do\":\"fly\"}", &err));
    assert_int_equal(message.id, 12);
    serve_message_release(&message);
}

static void a_text_is_bounded(void **state)
{
    static const char before[] =
        "{\"do\":\"text\",\"phone\":\"a\",\"epoch\":1,\"text\":\"";
    size_t length = sizeof(before) - 1 + VIEW_TEXT_MAX + 1 + 2;
    char *text = mem_new(length + 1, 1);
    struct serve_message message;
    struct err err = ERR_INIT;

    (void)state;
    memset(text, 'x', length);
    memcpy(text, before, sizeof(before) - 1);
    memcpy(text + length - 2, "\"}", 2);
    assert_false(serve_message_parse(&message, text, length, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    serve_message_release(&message);
    memcpy(text + length - 3, "\"}", 2);
    assert_true(serve_message_parse(&message, text, length - 1, &err));
    assert_int_equal(strlen(message.command.text), VIEW_TEXT_MAX);
    serve_message_release(&message);
    free(text);
}

static void a_recording_is_named_and_bounded(void **state)
{
    static const char *const wrong[] = {
        "{\"do\":\"record_undo\"}",
        "{\"do\":\"record_undo\",\"recording\":\"\"}",
        "{\"do\":\"record_undo\",\"recording\":\"..\"}",
        "{\"do\":\"record_undo\",\"recording\":\"a/b\"}",
        "{\"do\":\"record_undo\",\"recording\":\"Big\"}",
        "{\"do\":\"record\",\"recording\":\"a\"}",
        "{\"do\":\"record_star\",\"recording\":\"a\",\"on\":true}",
        "{\"do\":\"record_star\",\"recording\":\"a\",\"step\":-1,"
        "\"on\":true}",
        "{\"do\":\"record_star\",\"recording\":\"a\",\"step\":1}",
        "{\"do\":\"record_trim\",\"recording\":\"a\",\"from\":2,\"to\":1}",
        "{\"do\":\"record_blur\",\"recording\":\"a\",\"step\":1,\"left\":5,"
        "\"top\":0,\"right\":5,\"bottom\":9}",
        "{\"do\":\"record_split\",\"recording\":\"a\",\"step\":1,"
        "\"name\":\"../b\"}",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        struct serve_message message;
        struct err err = ERR_INIT;

        assert_false(parse(&message, wrong[i], &err));
        serve_message_release(&message);
    }
}

static void an_edit_has_its_members(void **state)
{
    struct serve_message message;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(parse(&message,
                      "{\"do\":\"record_blur\",\"recording\":\"my-task.1\","
                      "\"step\":3,\"left\":1,\"top\":2,\"right\":3,"
                      "\"bottom\":4}",
                      &err));
    assert_string_equal(message.record.recording, "my-task.1");
    assert_int_equal(message.record.step, 3);
    assert_int_equal(message.record.box.bottom, 4);
    serve_message_release(&message);
    assert_true(parse(&message,
                      "{\"do\":\"record_wait\",\"recording\":\"a\",\"x\":1,"
                      "\"y\":2,\"on\":true}",
                      &err));
    assert_int_equal(message.record.step, -1);
    serve_message_release(&message);
    assert_true(parse(&message,
                      "{\"do\":\"record_note\",\"recording\":\"a\",\"step\":0,"
                      "\"text\":\"\"}",
                      &err));
    assert_string_equal(message.record.text, "");
    serve_message_release(&message);
}

/* A page that does not say so can show video. */
static void a_page_may_lack_video(void **state)
{
    static const struct {
        const char *text;
        bool video;
    } cases[] = {
        {"{\"do\":\"watch\",\"phone\":\"a\",\"width\":1}", true},
        {"{\"do\":\"watch\",\"phone\":\"a\",\"width\":1,\"video\":true}", true},
        {"{\"do\":\"watch\",\"phone\":\"a\",\"width\":1,\"video\":false}",
         false},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct serve_message message;
        struct err err = ERR_INIT;

        assert_true(parse(&message, cases[i].text, &err));
        assert_int_equal(message.video, cases[i].video);
        serve_message_release(&message);
    }
}

static void only_looking_does_not_act(void **state)
{
    static const enum serve_verb looks[] = {
        SERVE_PHONES,    SERVE_WATCH,       SERVE_UNWATCH, SERVE_SEEN,
        SERVE_DESCRIBE,  SERVE_SCREENSHOT,  SERVE_TREE,    SERVE_RECORDINGS,
        SERVE_RECORDING, SERVE_RECORD_FORM,
    };
    bool is_look[SERVE_VERBS] = {false};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(looks); i++)
        is_look[looks[i]] = true;
    for (int i = 0; i < SERVE_VERBS; i++)
        assert_int_equal(serve_verb_acts((enum serve_verb)i), !is_look[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(touch_has_its_frame_and_place),
        cmocka_unit_test(keys_have_names),
        cmocka_unit_test(wrong_messages_are_refused),
        cmocka_unit_test(a_refused_message_keeps_its_id),
        cmocka_unit_test(a_text_is_bounded),
        cmocka_unit_test(a_recording_is_named_and_bounded),
        cmocka_unit_test(an_edit_has_its_members),
        cmocka_unit_test(a_page_may_lack_video),
        cmocka_unit_test(only_looking_does_not_act),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
