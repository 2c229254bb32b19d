#include "tools/phone/truths/truth_checks.h"

#include "tools/phone/truths/truth_session.h"

#define VALUE_MAX ((size_t)64 * 1024)

bool truth_checks_facts(const struct truth_checks *truths, const char *name,
                        struct buf *json, struct err *err)
{
    struct truth_session *session;
    bool done;

    if (!truth_session_open(name, &session, err))
        return false;
    done = truth_session_facts(session, truths, json, err);
    truth_session_close(session);
    return done;
}

/* JSON lines as a list. */
static void put_events(const struct buf *lines, struct buf *json)
{
    for (size_t i = 0; i < lines->length; i++) {
        if (lines->data[i] != '\n')
            buf_byte(json, lines->data[i]);
        else if (i + 1 < lines->length)
            buf_byte(json, ',');
    }
}

static void put_verdict(const struct truth_checks *truths,
                        const struct buf *verdict, struct buf *json)
{
    struct buf events = BUF_INIT(TRUTH_LOG_EVENTS_MAX);

    (void)truth_log_print_events(truths->truth, 0, &events);
    buf_append(json, verdict->data, verdict->length - 1); /* all but "}" */
    buf_text(json, ",\"events\":[");
    put_events(&events, json);
    buf_text(json, "]}");
    buf_release(&events);
}

bool truth_checks_judge(const struct truth_checks *truths, const char *name,
                        const char *answer, struct buf *json, struct err *err)
{
    struct buf verdict = BUF_INIT(VALUE_MAX);
    struct truth_session *session;
    bool done;

    if (!truth_session_open(name, &session, err))
        return false;
    done = truth_session_judge(session, truths, answer, &verdict, err);
    if (done)
        put_verdict(truths, &verdict, json);
    truth_session_close(session);
    buf_release(&verdict);
    return done;
}
