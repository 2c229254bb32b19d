#include "runner/session/record_session.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "runner/record/observed_screen.h"

struct record_session {
    struct record_phone phone; /* first */
    struct device_session *session;
    struct observation seen;
};

static int64_t record_session_now_ms(struct record_phone *phone)
{
    const struct record_session *self = (struct record_session *)phone;

    return observer_now_ms(self->session->observer);
}

static bool record_session_observe(struct record_phone *phone,
                                   struct record_screen *screen,
                                   struct err *err)
{
    struct record_session *self = (struct record_session *)phone;

    if (!device_session_observe(self->session, &self->seen, err))
        return false;
    observed_screen_set(screen, &self->seen, record_session_now_ms(phone));
    return true;
}

static bool record_session_perform(struct record_phone *phone,
                                   const struct action *action,
                                   struct record_done *done, struct err *err)
{
    struct record_session *self = (struct record_session *)phone;
    char doubt[DEVICE_SESSION_DOUBT_MAX];

    if (!device_session_perform(self->session, action, &self->seen, doubt, err))
        return false;
    snprintf(done->doubt, sizeof(done->doubt), "%s", doubt);
    return true;
}

static void record_session_close(struct record_phone *phone)
{
    struct record_session *self = (struct record_session *)phone;

    observation_release(&self->seen);
    free(self);
}

bool record_session_open(struct device_session *session,
                         struct record_phone **phone, struct err *err)
{
    static const struct record_phone_ops ops = {
        .now_ms = record_session_now_ms,
        .capture = record_session_observe,
        .observe = record_session_observe,
        .perform = record_session_perform,
        .close = record_session_close,
    };
    struct record_session *made = mem_new(1, sizeof(*made));

    made->phone.ops = &ops;
    made->session = session;
    observation_init(&made->seen);
    if (!device_session_observe(session, &made->seen, err)) {
        record_session_close(&made->phone);
        return false;
    }
    snprintf(made->phone.serial, sizeof(made->phone.serial), "%s",
             session->lease->serial);
    made->phone.width = made->seen.screen.width;
    made->phone.height = made->seen.screen.height;
    *phone = &made->phone;
    return true;
}
