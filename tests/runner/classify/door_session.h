/* One agent and its streams, for tests of the classifier. */
#ifndef TESTS_RUNNER_CLASSIFY_DOOR_SESSION_H
#define TESTS_RUNNER_CLASSIFY_DOOR_SESSION_H

#include "runner/classify/door_classifier.h"

struct door_session {
    struct door_classifier *classifier;
    struct door_items items;
    struct door_captures captures;
    int64_t now;
};

/* A screen of 1080 x 2400. */
void door_session_init(struct door_session *session);
void door_session_release(struct door_session *session);

struct door_stream *door_session_open(struct door_session *session,
                                      const char *service);
void door_session_end(struct door_session *session, struct door_stream *stream);

/* Bytes of the client; of the phone, one at a time. */
void door_session_send(struct door_session *session, struct door_stream *stream,
                       const void *data, size_t length);
void door_session_answer(struct door_session *session,
                         struct door_stream *stream, const void *data,
                         size_t length);

/* The items since the last time, as item_text_put_all writes them. */
void door_session_expect(struct door_session *session, const char *expected);

/* The one capture since the last time. */
void door_session_expect_capture(struct door_session *session, unsigned number,
                                 const char *data, size_t length);

#endif
