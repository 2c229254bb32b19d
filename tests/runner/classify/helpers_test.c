/* Helpers on the phone: scrcpy's control, uiautomator2's and Appium's HTTP. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/bytes.h"
#include "base/macros.h"
#include "tests/runner/classify/door_session.h"

/* ---- scrcpy ---- */

/* A touch on a video of half the screen's size. */
static void put_touch(struct buf *out, uint8_t action, uint8_t pointer, int x,
                      int y)
{
    uint8_t message[32] = {2, action};

    message[9] = pointer;
    put_u32be(message + 10, (uint32_t)x);
    put_u32be(message + 14, (uint32_t)y);
    put_u16be(message + 18, 540);
    put_u16be(message + 20, 1200);
    buf_append(out, message, sizeof(message));
}

static void put_key(struct buf *out, uint8_t action, uint32_t code,
                    uint32_t meta)
{
    uint8_t message[14] = {0, action};

    put_u32be(message + 2, code);
    put_u32be(message + 10, meta);
    buf_append(out, message, sizeof(message));
}

static void put_text(struct buf *out, const char *text)
{
    uint8_t front[5] = {1};

    put_u32be(front + 1, (uint32_t)strlen(text));
    buf_append(out, front, sizeof(front));
    buf_text(out, text);
}

static void put_clipboard(struct buf *out, uint8_t paste, const char *text)
{
    uint8_t front[14] = {9};

    front[9] = paste;
    put_u32be(front + 10, (uint32_t)strlen(text));
    buf_append(out, front, sizeof(front));
    buf_text(out, text);
}

/* Sent byte by byte, and the items that it gives. */
static void expect_control(struct door_session *session,
                           struct door_stream *stream, struct buf *bytes,
                           const char *expected)
{
    for (size_t i = 0; i < bytes->length; i++)
        door_session_send(session, stream, bytes->data + i, 1);
    buf_clear(bytes);
    door_session_expect(session, expected);
}

static void fingers_of_scrcpy_are_gestures(void **state)
{
    struct door_session session;
    struct door_stream *stream;
    struct buf bytes = BUF_INIT(4096);

    (void)state;
    door_session_init(&session);
    stream = door_session_open(&session, "localabstract:scrcpy_0000abcd");
    put_touch(&bytes, 0, 1, 100, 200);
    expect_control(&session, stream, &bytes, "click 200 400");
    session.now += 50;
    put_touch(&bytes, 1, 1, 100, 200);
    expect_control(&session, stream, &bytes, "+click 200 400");
    session.now += 2000;
    put_touch(&bytes, 0, 1, 100, 800);
    put_touch(&bytes, 2, 1, 100, 500);
    expect_control(&session, stream, &bytes, "click 200 1600");
    session.now += 100;
    put_touch(&bytes, 1, 1, 100, 300);
    expect_control(&session, stream, &bytes, "+swipe 200 1600 200 600 100ms");
    door_session_end(&session, stream);
    buf_release(&bytes);
    door_session_release(&session);
}

static void two_fingers_of_scrcpy_pinch(void **state)
{
    struct door_session session;
    struct door_stream *stream;
    struct buf bytes = BUF_INIT(4096);

    (void)state;
    door_session_init(&session);
    stream = door_session_open(&session, "localabstract:scrcpy");
    put_touch(&bytes, 0, 1, 100, 600);
    put_touch(&bytes, 0, 2, 400, 600);
    put_touch(&bytes, 2, 1, 200, 600);
    put_touch(&bytes, 2, 2, 300, 600);
    put_touch(&bytes, 1, 2, 300, 600);
    put_touch(&bytes, 1, 1, 200, 600);
    expect_control(&session, stream, &bytes,
                   "click 200 1200 ; +pinch 500 1200 [in]");
    door_session_end(&session, stream);
    buf_release(&bytes);
    door_session_release(&session);
}

static void keys_and_texts_of_scrcpy_are_typed(void **state)
{
    struct door_session session;
    struct door_stream *stream;
    struct buf bytes = BUF_INIT(4096);

    (void)state;
    door_session_init(&session);
    stream = door_session_open(&session, "localabstract:scrcpy");
    put_text(&bytes, "hi ");
    put_clipboard(&bytes, 1, "世界");
    put_key(&bytes, 0, 66, 0);
    put_key(&bytes, 1, 66, 0);
    expect_control(&session, stream, &bytes,
                   "type [hi ] ; +type [hi 世界] ; +type [hi 世界] submit");
    put_key(&bytes, 0, 29, 0x1000);
    put_key(&bytes, 1, 29, 0x1000);
    buf_append(&bytes, "\4\0\4\1", 4); /* Back, down and up */
    buf_append(&bytes, "\5\7", 2);
    expect_control(&session, stream, &bytes,
                   "key [CTRL_LEFT+A] ; back ; key [NOTIFICATION] ; raw "
                   "setting");
    put_clipboard(&bytes, 0, "later");
    put_key(&bytes, 0, 279, 0);
    expect_control(&session, stream, &bytes, "raw clipboard ; type [later]");
    buf_append(&bytes, "\x10\x09+com.shop", 11);
    expect_control(&session, stream, &bytes, "open_app [com.shop]");
    buf_append(&bytes, "\xee", 1);
    expect_control(&session, stream, &bytes, "raw");
    door_session_end(&session, stream);
    buf_release(&bytes);
    door_session_release(&session);
}

static void scrcpy_is_known_behind_a_reverse(void **state)
{
    struct door_session session;
    struct door_stream *stream;
    struct buf bytes = BUF_INIT(4096);

    (void)state;
    door_session_init(&session);
    stream =
        door_stream_open_reverse(session.classifier, "localabstract:scrcpy_1");
    put_text(&bytes, "hi");
    expect_control(&session, stream, &bytes, "type [hi]");
    door_session_end(&session, stream);
    buf_release(&bytes);
    door_session_release(&session);
}

/* ---- HTTP ---- */

static void post(struct door_session *session, struct door_stream *stream,
                 const char *path, const char *body)
{
    struct buf request = BUF_INIT(1 << 16);

    buf_printf(&request,
               "POST %s HTTP/1.1\r\nHost: localhost\r\ncontent-length: %zu\r\n"
               "\r\n%s",
               path, strlen(body), body);
    for (size_t i = 0; i < request.length; i++)
        door_session_send(session, stream, request.data + i, 1);
    buf_release(&request);
}

static void reply(struct door_session *session, struct door_stream *stream,
                  const char *body)
{
    struct buf answer = BUF_INIT(1 << 16);

    buf_printf(&answer, "HTTP/1.1 200 OK\r\nContent-Length: %zu\r\n\r\n%s",
               strlen(body), body);
    door_session_answer(session, stream, answer.data, answer.length);
    buf_release(&answer);
}

struct http_case {
    const char *path;
    const char *body;
    const char *expected;
};

/* Each in its own time, far from the others. */
static void expect_all(const char *service, const struct http_case *cases,
                       size_t count)
{
    struct door_session session;
    struct door_stream *stream;

    door_session_init(&session);
    stream = door_session_open(&session, service);
    for (size_t i = 0; i < count; i++) {
        session.now += 10000;
        post(&session, stream, cases[i].path, cases[i].body);
        door_session_expect(&session, cases[i].expected);
        reply(&session, stream, "{}");
    }
    door_session_end(&session, stream);
    door_session_release(&session);
}

#define RPC(method_, params_)                                                  \
    "/jsonrpc/0", "{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"method\":\"" method_    \
                  "\",\"params\":" params_ "}"

static void calls_of_uiautomator2_are_actions(void **state)
{
    static const struct http_case cases[] = {
        {RPC("click", "[540,1200]"), "click 540 1200"},
        {RPC("click", "[{\"text\":\"OK\"}]"), "raw element"},
        {RPC("swipe", "[5,900,5,300,20]"), "swipe 5 900 5 300 100ms"},
        {RPC("swipe", "[5,900,5,900,100]"), "long_press 5 900 500ms"},
        {RPC("drag", "[1,2,300,400,100]"), "drag 1 2 300 400 500ms"},
        {RPC("swipePoints", "[[1,2,100,200,300,400],20]"),
         "swipe 1 2 300 400 300ms"},
        {RPC("setText", "[{\"mask\":1},\"milk\"]"),
         "clear ; +type [milk] replace"},
        {RPC("clearTextField", "[{}]"), "clear"},
        {RPC("pressKey", "[\"home\"]"), "home"},
        {RPC("pressKey", "[\"recent\"]"), "recents"},
        {RPC("pressKeyCode", "[24]"), "key [VOLUME_UP]"},
        {RPC("openNotification", "[]"), "key [NOTIFICATION]"},
        {RPC("deviceInfo", "[]"), "read"},
        {RPC("injectInputEvent", "[0,10,20,0]"), "click 10 20"},
        {RPC("injectInputEvent", "[1,10,20,0]"), "+long_press 10 20 10000ms"},
        {RPC("takeScreenshot", "[1,80]"), "screenshot jpeg output #1"},
        {RPC("dumpWindowHierarchy", "[false,50]"), "tree xml output #2"},
        {RPC("launchRocket", "[]"), "raw"},
        {"/jsonrpc/0", "not json", "raw"},
    };

    (void)state;
    expect_all("tcp:9008", cases, ARRAY_LEN(cases));
}

#define DEVICE_RPC(method_, params_)                                           \
    "/", "{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"method\":\"device." method_      \
         "\",\"params\":" params_ "}"

static void calls_of_mobilecli_are_actions(void **state)
{
    static const struct http_case cases[] = {
        {"/", "{}", "read"},
        {DEVICE_RPC("dump.ui", "{\"waitUntilIdle\":2000}"), "read"},
        {DEVICE_RPC("screenshot", "{\"format\":\"png\"}"), "read"},
        {DEVICE_RPC("version", "{}"), "read"},
        {DEVICE_RPC("clipboard.set", "{\"text\":\"milk\"}"), "raw clipboard"},
        {DEVICE_RPC("clipboard.set", "{}"), "raw clipboard"},
        {DEVICE_RPC("clipboard.clear", "{}"), "raw clipboard"},
        {DEVICE_RPC("location.set", "{\"latitude\":1}"), "raw setting"},
        {DEVICE_RPC("io.keyboard.hide", "{}"), "raw keyboard"},
        {DEVICE_RPC("webview.evaluate", "{}"), "raw element"},
        {DEVICE_RPC("launch.rocket", "{}"), "raw"},
        {"/", "not json", "raw"},
        {"/", "[]", "raw"},
    };

    (void)state;
    expect_all("localabstract:mobilecli-server", cases, ARRAY_LEN(cases));
}

/* The paste comes by another service. */
static void a_clipboard_of_mobilecli_is_pasted(void **state)
{
    static const struct http_case set = {
        DEVICE_RPC("clipboard.set", "{\"text\":\"\u725b\u5976\"}"), ""};
    struct door_session session;
    struct door_stream *stream;

    (void)state;
    door_session_init(&session);
    stream = door_session_open(&session, "localabstract:mobilecli-server");
    post(&session, stream, set.path, set.body);
    door_session_expect(&session, "raw clipboard");
    door_session_end(&session, stream);
    stream = door_session_open(&session, "shell:input keyevent KEYCODE_PASTE");
    door_session_expect(&session, "type [牛奶]");
    door_session_end(&session, stream);
    door_session_release(&session);
}

#define POINTER(id_, actions_)                                                 \
    "{\"type\":\"pointer\",\"id\":\"" id_ "\",\"actions\":[" actions_ "]}"
#define MOVE(x_, y_, ms_)                                                      \
    "{\"type\":\"pointerMove\",\"x\":" #x_ ",\"y\":" #y_ ",\"duration\":" #ms_ \
    "}"
#define DOWN ",{\"type\":\"pointerDown\"},"
#define UP ",{\"type\":\"pointerUp\"}"
#define PAUSE(ms_) "{\"type\":\"pause\",\"duration\":" #ms_ "}"

static void commands_of_webdriver_are_actions(void **state)
{
    static const struct http_case cases[] = {
        {"/session/1/actions",
         "{\"actions\":[" POINTER("a", MOVE(5, 6, 0) DOWN PAUSE(100) UP) "]}",
         "click 5 6"},
        {"/session/1/actions",
         "{\"actions\":[" POINTER("a", MOVE(5, 6, 0) DOWN PAUSE(2000) UP) "]}",
         "long_press 5 6 2000ms"},
        {"/session/1/actions",
         "{\"actions\":[" POINTER("a", MOVE(5, 900, 0) DOWN MOVE(5, 100, 600)
                                           UP) "]}",
         "swipe 5 900 5 100 600ms"},
        {"/session/1/actions",
         "{\"actions\":[" POINTER(
             "a",
             MOVE(100, 500, 0) DOWN MOVE(300, 500, 200)
                 UP) "," POINTER("b", MOVE(900, 500, 0) DOWN MOVE(600, 500, 200)
                                          UP) "]}",
         "pinch 500 500 [in] 200ms"},
        {"/session/1/actions",
         "{\"actions\":[" POINTER(
             "a",
             "{\"type\":\"pointerMove\",\"x\":0,\"y\":0,\"origin\":{}}" DOWN
                 PAUSE(1) UP) "]}",
         "raw element"},
        {"/session/1/actions",
         "{\"actions\":[{\"type\":\"key\",\"actions\":[{\"type\":\"keyDown\","
         "\"value\":\"a\"},{\"type\":\"keyUp\",\"value\":\"a\"}]}]}",
         "type [a]"},
        {"/session/1/element/9/click", "{}", "raw element"},
        {"/session/1/element/9/value", "{\"text\":\"milk\"}", "type [milk]"},
        {"/session/1/element/9/clear", "{}", "clear"},
        {"/session/1/back", "{}", "back"},
        {"/session/1/appium/device/press_keycode", "{\"keycode\":3}", "home"},
        {"/session/1/appium/gestures/click", "{\"offset\":{\"x\":7,\"y\":8}}",
         "click 7 8"},
        {"/session/1/appium/gestures/scroll", "{\"direction\":\"down\"}",
         "scroll down"},
        {"/session/1/element", "{\"strategy\":\"id\"}", "read"},
        {"/session", "{}", "read"},
        {"/session/1/mystery", "{}", "raw"},
    };

    (void)state;
    expect_all("tcp:6790", cases, ARRAY_LEN(cases));
}

static void pictures_and_trees_are_taken_from_answers(void **state)
{
    struct door_session session;
    struct door_stream *stream;

    (void)state;
    door_session_init(&session);
    stream = door_session_open(&session, "tcp:9008");
    post(&session, stream, RPC("deviceInfo", "[]"));
    reply(&session, stream, "{\"result\":{}}");
    post(&session, stream, RPC("takeScreenshot", "[1,80]"));
    reply(&session, stream, "{\"result\":\"/9j/aGk=\"}");
    door_session_expect_capture(&session, 1, "\xff\xd8\xff\x68\x69", 5);
    post(&session, stream, RPC("dumpWindowHierarchy", "[false,50]"));
    reply(&session, stream, "{\"result\":\"<hierarchy/>\"}");
    door_session_expect_capture(&session, 2, "<hierarchy/>", 12);
    assert_false(door_stream_wants_output(stream));
    door_session_end(&session, stream);
    door_session_release(&session);
}

static void what_is_not_http_is_raw_once(void **state)
{
    struct door_session session;
    struct door_stream *stream;

    (void)state;
    door_session_init(&session);
    stream = door_session_open(&session, "tcp:5555");
    door_session_send(&session, stream, "\1\2\3", 3);
    door_session_send(&session, stream, "POST / HTTP/1.1\r\n\r\n", 19);
    door_session_expect(&session, "raw");
    door_session_end(&session, stream);
    door_session_release(&session);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fingers_of_scrcpy_are_gestures),
        cmocka_unit_test(two_fingers_of_scrcpy_pinch),
        cmocka_unit_test(keys_and_texts_of_scrcpy_are_typed),
        cmocka_unit_test(scrcpy_is_known_behind_a_reverse),
        cmocka_unit_test(calls_of_uiautomator2_are_actions),
        cmocka_unit_test(calls_of_mobilecli_are_actions),
        cmocka_unit_test(a_clipboard_of_mobilecli_is_pasted),
        cmocka_unit_test(commands_of_webdriver_are_actions),
        cmocka_unit_test(pictures_and_trees_are_taken_from_answers),
        cmocka_unit_test(what_is_not_http_is_raw_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
