#include "tests/runner/classify/door_session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/runner/classify/item_text.h"

void door_session_init(struct door_session *session)
{
    const struct door_options options = {.display.size = {1080, 2400}};

    *session = (struct door_session){.now = 1000};
    session->classifier = door_classifier_new(&options);
}

void door_session_release(struct door_session *session)
{
    door_items_release(&session->items);
    door_captures_release(&session->captures);
    door_classifier_free(session->classifier);
}

struct door_stream *door_session_open(struct door_session *session,
                                      const char *service)
{
    return door_stream_open(session->classifier, service, strlen(service),
                            session->now, &session->items);
}

void door_session_send(struct door_session *session, struct door_stream *stream,
                       const void *data, size_t length)
{
    assert_true(door_stream_wants_input(stream));
    door_stream_input(stream, data, length, session->now, &session->items);
}

void door_session_answer(struct door_session *session,
                         struct door_stream *stream, const void *data,
                         size_t length)
{
    assert_true(door_stream_wants_output(stream));
    for (size_t i = 0; i < length; i++)
        door_stream_output(stream, (const char *)data + i, 1,
                           &session->captures);
}

void door_session_end(struct door_session *session, struct door_stream *stream)
{
    door_stream_close(stream, session->now, &session->items,
                      &session->captures);
}

void door_session_expect(struct door_session *session, const char *expected)
{
    struct buf text = BUF_INIT(1 << 16);

    item_text_put_all(&session->items, &text);
    assert_string_equal(buf_cstr(&text), expected);
    buf_release(&text);
    door_items_clear(&session->items);
}

void door_session_expect_capture(struct door_session *session, unsigned number,
                                 const char *data, size_t length)
{
    const struct door_capture *capture;

    assert_int_equal(session->captures.count, 1);
    capture = &session->captures.items[0];
    assert_int_equal(capture->capture, number);
    assert_int_equal(capture->data.length, length);
    assert_memory_equal(capture->data.data, data, length);
    door_captures_release(&session->captures);
}
