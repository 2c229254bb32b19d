/* A phone that the server drives itself, without a task. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runner/observe/observed_step.h"
#include "tasks/task/action_table.h"
#include "tools/mcp/mcp_phone.h"

#define DESCRIBE_MS 10000
#define WAIT_SLICE_MS 500 /* a wait can be cancelled so often */

struct live {
    struct mcp_phone phone;
    struct device_session *session;      /* borrowed, as all below */
    const struct guard *guard;           /* NULL: none */
    const struct picture_reader *reader; /* NULL: none */
    struct observation seen[2];          /* the last two observations */
    int newest;                          /* of seen */
    bool has_seen;
};

static struct observation *newest(struct live *live)
{
    return &live->seen[live->newest];
}

static bool not_cancelled(const struct cancel *cancel, struct err *err)
{
    return !cancel_fired(cancel) || err_set(err, ERR_CANCELLED, "cancelled");
}

/* Observe the screen; the observation before it is kept. */
static bool observe(struct live *live, struct err *err)
{
    int other = 1 - live->newest;

    if (!device_session_observe(live->session, &live->seen[other], err))
        return false;
    live->newest = other;
    live->has_seen = true;
    return true;
}

static bool live_look(struct mcp_phone *phone, const struct cancel *cancel,
                      const struct observation **seen, struct err *err)
{
    struct live *live = (struct live *)phone;

    if (!not_cancelled(cancel, err) || !observe(live, err))
        return false;
    *seen = newest(live);
    return true;
}

/*
 * The last observation, or a new one where there is none. The guard decides by
 * what is on the screen now: a client may have waited for long.
 */
static bool refresh(struct live *live, struct err *err)
{
    struct observation now;
    bool done, same;

    if (!live->has_seen)
        return observe(live, err);
    if (!live->guard)
        return true;
    observation_init(&now);
    done = device_session_capture(live->session, &now, err);
    same = done && now.screen_hash == newest(live)->screen_hash;
    observation_release(&now);
    return done && (same || observe(live, err));
}

/* A long wait is made in pieces, so that it can be cancelled. */
static bool perform(struct live *live, const struct action *action,
                    const struct cancel *cancel, struct err *err)
{
    char doubt[DEVICE_SESSION_DOUBT_MAX];
    struct action piece = *action;

    if (action->kind != ACTION_WAIT)
        return device_session_perform(live->session, action, newest(live),
                                      doubt, err);
    for (int left = action->milliseconds;;) {
        piece.milliseconds = left < WAIT_SLICE_MS ? left : WAIT_SLICE_MS;
        if (!not_cancelled(cancel, err) ||
            !device_session_perform(live->session, &piece, newest(live), doubt,
                                    err))
            return false;
        left -= piece.milliseconds;
        if (left <= 0)
            return true;
    }
}

static void describe(struct live *live, const struct action *action,
                     const struct cancel *cancel, struct buf *text)
{
    const struct observed_step step = {
        .action = action,
        .before = &live->seen[1 - live->newest],
        .after = newest(live),
        .access = {.reader = live->reader,
                   .by = deadline_in_ms(DESCRIBE_MS),
                   .cancel = cancel},
    };
    struct description description;

    observed_step_describe(&step, &description);
    buf_text(text, description.line);
}

static void refuse(struct mcp_outcome *outcome, const char *why)
{
    outcome->refused = true;
    buf_printf(&outcome->text, "not carried out: %s", why);
}

static bool live_act(struct mcp_phone *phone, const struct action *action,
                     const char *said, const struct cancel *cancel,
                     struct mcp_outcome *outcome, struct err *err)
{
    struct live *live = (struct live *)phone;
    char why[GUARD_WHY_MAX];

    (void)said;
    if (action_table_kind(action->kind)->ends) {
        buf_text(&outcome->text, "Noted. No task is scored here.");
        return true;
    }
    if (!not_cancelled(cancel, err) || !refresh(live, err))
        return false;
    outcome->seen = newest(live);
    if (live->guard &&
        !guard_allows(live->guard, NULL, newest(live), action, why)) {
        refuse(outcome, why);
        return true;
    }
    if (!perform(live, action, cancel, err)) {
        if (err->code != ERR_INVALID)
            return false;
        refuse(outcome, err->text);
        return true;
    }
    if (!observe(live, err))
        return false;
    outcome->seen = newest(live);
    describe(live, action, cancel, &outcome->text);
    return true;
}

static bool live_command(struct mcp_phone *phone, const char *command,
                         const struct cancel *cancel, struct buf *output,
                         struct err *err)
{
    struct live *live = (struct live *)phone;

    return not_cancelled(cancel, err) &&
           device_session_run(live->session, command, output, err);
}

static void live_close(struct mcp_phone *phone)
{
    struct live *live = (struct live *)phone;

    observation_release(&live->seen[0]);
    observation_release(&live->seen[1]);
    free(live);
}

struct mcp_phone *mcp_phone_live(struct device_session *session,
                                 const struct guard *guard,
                                 const struct picture_reader *reader)
{
    static const struct mcp_phone_ops ops = {.look = live_look,
                                             .act = live_act,
                                             .command = live_command,
                                             .close = live_close};
    struct live *live = mem_new(1, sizeof(*live));

    *live = (struct live){
        .phone = {.ops = &ops,
                  .facts = *observer_facts(session->observer),
                  .guarded = guard != NULL},
        .session = session,
        .guard = guard,
        .reader = reader,
    };
    memcpy(live->phone.serial, session->lease->serial,
           sizeof(live->phone.serial));
    observation_init(&live->seen[0]);
    observation_init(&live->seen[1]);
    return &live->phone;
}
